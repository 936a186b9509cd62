import { Command, Option } from "commander";
import { addAdvise } from "./commands/advise.ts";
import { addAudit } from "./commands/audit.ts";
import { addDemo } from "./commands/demo.ts";
import { addLater } from "./commands/later.ts";
import { addMerge } from "./commands/merge.ts";
import { addRepair } from "./commands/repair.ts";
import { addReport } from "./commands/report.ts";
import { addSchema } from "./commands/schema.ts";
import { addTrace } from "./commands/trace.ts";
import { addUndo } from "./commands/undo.ts";
import type { ExitCode } from "./exit-code.ts";
import type { Screen } from "./screen.ts";
import { version } from "./version.ts";

/** What a command is given beside its arguments. */
export type Around = { readonly screen: Screen; readonly signal: AbortSignal };

/** Options that every command takes. */
export type CommonOptions = {
  /** The checks folder as typed. */
  readonly checks: string;
  readonly quiet?: true;
  readonly verbose?: true;
};

/** How a command file adds its command: options and help at once, what it needs only when it runs. */
export type AddCommand = (program: Command, around: Around, finish: (code: ExitCode) => void) => void;

/**
 * Reads a command line and runs its command. Gives the exit code; throws what stopped it (`CommanderError` for what Commander has
 * already told: help, or an argument that is wrong).
 */
export async function run(argv: readonly string[], around: Around): Promise<ExitCode> {
  let code: ExitCode = 0;
  const program = new Command("tidemark")
    .description(
      "Finds the rows that an incremental pipeline lost between two databases, says which run lost them and why, and how to put them back.",
    )
    .usage("COMMAND [options]")
    .version(version(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print help; with a command, its own")
    .option("--checks <dir>", "the folder of checks", "checks")
    .addOption(new Option("--quiet", "no progress, no log lines").conflicts("verbose"))
    .option("--verbose", "say every statement that is sent (never its values)")
    .option("--no-color", "no colours (also NO_COLOR)")
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .configureOutput({
      writeOut: (text) => void process.stdout.write(text),
      writeErr: (text) => around.screen.say(text.replace(/\n$/, "")),
      outputError: (text, write) => write(`tidemark: ${text.replace(/^error: /, "")}`),
    })
    .showHelpAfterError("(--help says what there is)")
    .addHelpText("after", `\n${EXAMPLES}`)
    .exitOverride();
  const finish = (given: ExitCode): void => {
    code = given;
  };
  for (const add of [
    addAudit,
    addRepair,
    addUndo,
    addTrace,
    addAdvise,
    addReport,
    addMerge,
    addSchema,
    addDemo,
    addLater,
  ])
    add(program, around, finish);
  await program.parseAsync([...argv], { from: "user" });
  return code;
}

const EXAMPLES = `Examples:
  tidemark demo                          see what it does, on a database of its own
  tidemark audit                         all checks of ./checks
  tidemark audit grades --range -3d..    one check, the last three days
  tidemark audit --format json=out.json  a report for programs

Exit codes: 0 whole, 1 findings, 2 asked wrongly or refused, 3 could not finish,
70 a bug of Tidemark's, 130 interrupted.
`;
