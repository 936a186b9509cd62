import { CommanderError } from "commander";
import { DefinitionError, InterruptedError, StatementError, TidemarkError } from "../domain/errors.ts";
import type { ExitCode } from "./exit-code.ts";
import type { Screen } from "./screen.ts";

/** Says what stopped a command, in a line and a hint, and gives the exit code. A bug comes with its stack and where to send it. */
export function tellError(error: unknown, screen: Screen, verbose: boolean): ExitCode {
  // Commander has said it already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof InterruptedError) {
    screen.say("tidemark: interrupted");
    return 130;
  }
  if (!(error instanceof TidemarkError)) {
    tellBug(error, screen);
    return 70;
  }
  if (error instanceof DefinitionError) {
    for (const line of error.message.split("\n")) screen.say(line);
    const many = error.mistakes.length;
    screen.say(`tidemark: ${many === 1 ? "1 mistake" : `${many} mistakes`} in the check files; nothing was done`);
  } else for (const line of error.message.split("\n")) screen.say(`tidemark: ${line}`);
  if (error.hint !== null) screen.say(`  ${error.hint}`);
  if (verbose) tellMore(error, screen);
  return error.exit;
}

/** What lies behind an error, for `--verbose`: the statement without its values, and the causes' own words. */
function tellMore(error: TidemarkError, screen: Screen): void {
  if (error instanceof StatementError) screen.say(`  ${error.statement}: ${error.sql}`);
  for (let { cause } = error; cause instanceof Error; cause = cause.cause as Error)
    screen.say(`  caused by ${cause.name}: ${cause.message}`);
}

/** A bug: all that helps to find it. */
export function tellBug(error: unknown, screen: Screen): void {
  const stack = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  screen.say(stack);
  screen.say(
    "tidemark: this is a bug of Tidemark's. Please send the lines above, with the command and `tidemark --version`, to its issue tracker (`npm bugs tidemark` opens it).",
  );
}
