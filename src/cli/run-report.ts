import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { FileError } from "../domain/errors.ts";
import { type PastRun, pastRunsJson, pastRunsText, pastRunText } from "../reporters/answers/past-runs.ts";
import type { ReporterOptions } from "../reporters/reporter.ts";
import { terminal } from "../reporters/terminal.ts";
import { openState } from "../state/index.ts";
import type { ReportCommand } from "./commands/report.ts";
import type { ExitCode } from "./exit-code.ts";
import { openProject } from "./open-project.ts";
import { findRun, indexPage, type KnownRun, knownRuns, pastRun, readKept } from "./past-runs.ts";
import type { Around } from "./program.ts";
import { commandSuffix } from "./publish.ts";
import type { Screen } from "./screen.ts";

/** Runs that are listed where nobody asked for all. */
const NEWEST = 30;
/** As many as the state store keeps. */
const ALL = 10_000;

/** Does what `tidemark report` was asked for. 0 where there is an answer, whatever the run once came to. */
export async function runReport(asked: string | null, command: ReportCommand, { screen }: Around): Promise<ExitCode> {
  const project = await openProject(command.checks, [], screen);
  const { folder } = project.reports;
  const runs = await (async () => {
    await using state = await openState({ url: project.state.url.reveal() });
    return knownRuns(await state.audits(ALL), folder);
  })();
  const { columns, styleOfResult: style } = screen;
  const options: ReporterOptions = { columns, style, commandSuffix: commandSuffix(command.checks), ending: null };
  if (asked !== null) return await showRun(findRun(asked, runs), command, options, screen);
  const shown = command.all === true ? runs : runs.slice(0, NEWEST);
  const index = indexPage(folder);
  const past = {
    runs: shown.flatMap((run) => shortened(pastRun(run)) ?? []),
    older: runs.length - shown.length,
    index: index === null ? null : shorter(index),
  };
  await screen.result(
    command.format === "json" ? `${JSON.stringify(pastRunsJson(past), null, 2)}\n` : pastRunsText(past, options),
  );
  return 0;
}

/** One run again: its report as it was told then, or what is still known of it. */
async function showRun(
  known: KnownRun,
  { format }: ReportCommand,
  options: ReporterOptions,
  screen: Screen,
): Promise<ExitCode> {
  const file = known.kept?.report ?? null;
  const report = readKept(file);
  if (format === "json") {
    if (file === null || report === null)
      throw new FileError(`the report of run ${known.name} is not kept any more`, {
        hint: "`tidemark report --format json` has its counts",
      });
    // Word for word.
    await screen.result(readFileSync(file, "utf8"));
    return 0;
  }
  const past = shortened(pastRun(known));
  const paths = Object.entries({ report: past?.report, html: past?.html }).flatMap(([what, path]) =>
    typeof path === "string" ? [`${what}: ${path}`] : [],
  );
  const text = report !== null ? terminal(report, options) : past === null ? "" : pastRunText(past, options);
  if (text === "") throw new FileError(`the report of run ${known.name} cannot be read: it is none of ours`);
  await screen.result(`${[`run ${known.name}`, "", text.trimEnd(), ...paths].join("\n")}\n`);
  return 0;
}

function shortened(run: PastRun | null): PastRun | null {
  if (run === null) return null;
  const { report, html } = run;
  return { ...run, report: report === null ? null : shorter(report), html: html === null ? null : shorter(html) };
}

/** A path from where the user stands, unless that leads up and away. */
function shorter(path: string): string {
  const below = relative(process.cwd(), path);
  return below.startsWith("..") ? path : below;
}
