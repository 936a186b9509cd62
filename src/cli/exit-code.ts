import type { Severity } from "../domain/finding.ts";
import type { CheckReport, Report } from "../domain/report.ts";

/** What a command may end with (interface.md §4). */
export type ExitCode = 0 | 1 | 2 | 3 | 70 | 130;

/** The lowest severity that makes exit code 1; `never`: none does. */
export const FAIL_ON = ["error", "warn", "never"] as const;
export type FailOn = (typeof FAIL_ON)[number];

/** From worst to best: not knowing is worse than knowing. 130 and 2 end a command before anything else counts. */
const WORST_FIRST: readonly ExitCode[] = [130, 70, 3, 2, 1, 0];

/** The worst of several; 0 of none. */
export function worstExit(codes: readonly ExitCode[]): ExitCode {
  return WORST_FIRST.find((code) => codes.includes(code)) ?? 0;
}

/** What a report's checks come to. Recovered and accepted findings do not count. */
export function exitOf(report: Report, failOn: FailOn): ExitCode {
  return worstExit(report.checks.map((check) => exitOfCheck(check, failOn)));
}

function exitOfCheck({ verdict, error, findings }: CheckReport, failOn: FailOn): ExitCode {
  if (error?.code === BUG) return 70;
  // What only shows against the tables, such as a range that is no number of theirs, was asked wrongly all the same.
  if (error !== null && ASKED_WRONGLY.has(error.code)) return 2;
  if (error !== null || verdict === "incomplete") return 3;
  const counts = findings.some(
    ({ severity, state, accepted }) => state !== "recovered" && accepted !== true && reaches(severity, failOn),
  );
  return counts ? 1 : 0;
}

/** The `error.code` of a check that met a bug of ours. */
export const BUG = "bug";
const ASKED_WRONGLY: ReadonlySet<string> = new Set(["usage", "definition", "refused"]);

function reaches(severity: Severity, failOn: FailOn): boolean {
  if (failOn === "never") return false;
  return severity === "error" || (failOn === "warn" && severity === "warn");
}

/** The code in words, as it ends a report. */
export function meaningOf(code: ExitCode, failOn: FailOn): string {
  if (code === 0)
    return failOn === "never" ? "findings do not count here (--fail-on never)" : `nothing at or above ${failOn}`;
  if (code === 1) return failOn === "warn" ? "there are errors or warnings" : "there are errors";
  return MEANINGS[code];
}

const MEANINGS: Readonly<Record<Exclude<ExitCode, 0 | 1>, string>> = {
  2: "asked wrongly, or refused",
  3: "not everything could be looked at",
  70: "a bug of Tidemark's",
  130: "interrupted",
};
