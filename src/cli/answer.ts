import { plotLines } from "../advise/plot.ts";
import type { Check } from "../domain/check.ts";
import { InterruptedError, must } from "../domain/errors.ts";
import type { Json } from "../domain/finding.ts";
import { adviseCheck } from "../flows/advise.ts";
import type { World } from "../flows/ports.ts";
import { traceRow } from "../flows/trace.ts";
import { adviceText } from "../reporters/answers/advice.ts";
import { traceJson, traceText } from "../reporters/answers/trace.ts";
import type { ReporterOptions } from "../reporters/reporter.ts";
import type { AnswerOptions } from "./commands/trace.ts";
import { compose } from "./compose.ts";
import type { ExitCode } from "./exit-code.ts";
import { openProject } from "./open-project.ts";
import type { Around } from "./program.ts";
import { openDisplay } from "./progress.ts";
import { commandSuffix } from "./publish.ts";

/** An answer in both of its forms. */
type Answer = { readonly text: (options: ReporterOptions) => string; readonly json: { readonly [name: string]: Json } };

/** Does what `tidemark trace` was asked for. */
export async function answerTrace(
  name: string,
  key: readonly string[],
  asked: AnswerOptions,
  around: Around,
): Promise<ExitCode> {
  return await answer(name, asked, around, async (check, world) => {
    const trace = await traceRow(check, key, world);
    return { text: (options) => traceText(trace, options), json: traceJson(trace) };
  });
}

/** Does what `tidemark advise` was asked for. */
export async function answerAdvise(name: string, asked: AnswerOptions, around: Around): Promise<ExitCode> {
  return await answer(name, asked, around, async (check, world) => {
    const { advice, json } = await adviseCheck(check, world);
    return { text: (options) => adviceText(check.name, advice, plotLines(advice), options), json };
  });
}

/** Asks about one check and prints the answer: 0 where there is one (interface.md §4). */
async function answer(
  name: string,
  asked: AnswerOptions,
  { screen, signal }: Around,
  ask: (check: Check, world: World) => Promise<Answer>,
): Promise<ExitCode> {
  const project = await openProject(asked.checks, [name], screen);
  const check = must(project.checks[0], "a check that is named is loaded");
  const { quiet = false, verbose = false } = asked;
  const given = await (async () => {
    using display = openDisplay(screen, { quiet, verbose, reported: asked.format === "terminal" });
    await using surroundings = await compose(project, { checks: [check], display, verbose, signal });
    try {
      return await ask(check, surroundings.world);
    } catch (error) {
      if (signal.aborted) throw new InterruptedError();
      throw error;
    }
  })();
  const { columns, styleOfResult: style } = screen;
  const options: ReporterOptions = { columns, style, commandSuffix: commandSuffix(asked.checks), ending: null };
  await screen.result(asked.format === "json" ? `${JSON.stringify(given.json, null, 2)}\n` : given.text(options));
  return 0;
}
