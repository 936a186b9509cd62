import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { shellQuote } from "../domain/command.ts";
import { FileError, must } from "../domain/errors.ts";
import type { FindingGroup } from "../domain/codes.ts";
import type { ReportDetail } from "../domain/detail.ts";
import type { Report } from "../domain/report.ts";
import { REPORTERS } from "../reporters/index.ts";
import { PLAIN, type ReporterOptions } from "../reporters/reporter.ts";
import { type ExitCode, exitOf, type FailOn, meaningOf, worstExit } from "./exit-code.ts";
import type { Output } from "./formats.ts";
import { keepReport, type Keeping } from "./keep-report.ts";
import { picturesBeside, picturesText } from "./pictures-file.ts";
import { COLUMNS, type Screen } from "./screen.ts";

/** Where a report goes and how it is judged. */
export type Publishing = {
  readonly outputs: readonly Output[];
  readonly failOn: FailOn;
  /** What a 0 means here, where it is not the usual. */
  readonly wholeMeans?: string;
  /** The reports folder and how long they stay there; null: not kept. */
  readonly keepIn: Keeping | null;
  /** Groups of findings that were asked for; absent or null: all. */
  readonly only?: readonly FindingGroup[] | null;
  /** What pictures are drawn from; absent: nothing. */
  readonly details?: ReportDetail;
  /** Whether the report is a part that is to be merged: what pictures are drawn from is written beside its JSON forms. */
  readonly part?: boolean;
  /** The checks folder as typed; what is not the default goes behind every command shown. */
  readonly checks: string;
};

/**
 * Keeps a report, writes its files, prints it, and gives the exit code. A file that cannot be written is said and is a 3 where
 * nothing is worse; all the rest is done all the same.
 */
export async function publish(
  report: Report,
  { outputs, failOn, wholeMeans, keepIn, only = null, details, part = false, checks }: Publishing,
  screen: Screen,
): Promise<ExitCode> {
  let exit = exitOf(report, failOn);
  let kept: string | null = null;
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      screen.say(`tidemark: ${error.message}`);
      if (error.hint !== null) screen.say(`  ${error.hint}`);
      exit = worstExit([exit, 3]);
    }
  };
  const optionsFor = (onScreen: boolean): ReporterOptions => ({
    columns: onScreen ? screen.columns : COLUMNS,
    style: onScreen ? screen.styleOfResult : PLAIN,
    commandSuffix: commandSuffix(checks),
    ending: {
      exit,
      means: exit === 0 && wholeMeans !== undefined ? wholeMeans : meaningOf(exit, failOn),
      kept: kept === null ? null : shorter(kept),
    },
    only,
    failOn,
    ...(details === undefined ? {} : { details }),
  });
  const render = (format: string, onScreen: boolean): string =>
    must(REPORTERS[format], "the format was looked up")(report, optionsFor(onScreen));
  if (keepIn !== null)
    attempt(() => {
      kept = keepReport(report, keepIn, optionsFor(false), part);
    });
  for (const { format, file } of outputs) {
    if (file === null) continue;
    attempt(() => writeOutput(file, render(format, false)));
    if (part && format === "json" && details !== undefined)
      attempt(() => writeOutput(picturesBeside(file), picturesText(report, details)));
  }
  const summary = process.env["GITHUB_STEP_SUMMARY"] ?? "";
  if (summary !== "" && outputs.some(({ format }) => format === "github"))
    attempt(() => appendOutput(summary, render("markdown", false)));
  for (const { format, file } of outputs) if (file === null) await screen.result(render(format, true));
  return exit;
}

function writeOutput(file: string, text: string): void {
  written(file, () => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  });
}

/** What the steps before have written there stays. */
function appendOutput(file: string, text: string): void {
  written(file, () => appendFileSync(file, text));
}

function written(file: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw new FileError(`cannot write ${file}: ${(error as NodeJS.ErrnoException).code ?? "unknown reason"}`, {
      cause: error,
    });
  }
}

/** A path from where the user stands, unless that leads up and away. */
function shorter(path: string): string {
  const below = relative(process.cwd(), path);
  return below.startsWith("..") ? path : below;
}

/** What has to stand behind a shown command so that it can be typed as it stands: the checks folder, where it is not the usual one. */
export function commandSuffix(checks: string): string {
  return checks === "checks" ? "" : ` --checks ${shellQuote(checks)}`;
}
