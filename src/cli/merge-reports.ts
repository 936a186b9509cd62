import { readFileSync } from "node:fs";
import type { ReportDetail } from "../domain/detail.ts";
import { UsageError } from "../domain/errors.ts";
import { type CheckReport, type Report, worstVerdict } from "../domain/report.ts";
import { readPictures } from "./pictures-file.ts";
import { byName } from "./report-of.ts";
import { version } from "./version.ts";

/** Several reports as one, with what its pictures are drawn from; `without`: the files whose checks have none, and why. */
export type Merged = {
  readonly report: Report;
  readonly details: ReportDetail;
  readonly without: readonly { readonly file: string; readonly why: string }[];
};

/**
 * One report of several, from the earliest start to the latest finish. A check that stands in two of them is a `UsageError` (which of
 * them would be right?), as is a file that is no report of ours, or of a version that we do not read.
 */
export function mergeReports(files: readonly string[]): Merged {
  const reports = files.map((file) => ({ file, report: readReport(file) }));
  const seen = new Map<string, string>();
  for (const { file, report } of reports)
    for (const { check } of report.checks) {
      const other = seen.get(check);
      if (other !== undefined)
        throw new UsageError(`the check ${check} is in ${other} and in ${file}; expected each check once`, {
          hint: "parts made with the same --shard overlap; merge one report of each part",
        });
      seen.set(check, file);
    }
  const all = reports.map(({ report }) => report);
  const report: Report = {
    version: 1,
    tool: { name: "tidemark", version: version() },
    started_at: all.map((report) => report.started_at).reduce((a, b) => (a < b ? a : b)),
    finished_at: all.map((report) => report.finished_at).reduce((a, b) => (a > b ? a : b)),
    verdict: worstVerdict(all.map((report) => report.verdict)),
    checks: byName(all.flatMap((report) => report.checks)),
  };
  const pictures = reports.map(({ file, report }) => ({ file, report, found: readPictures(report, file) }));
  return {
    report,
    details: new Map(pictures.flatMap(({ found }) => ("why" in found ? [] : [...found]))),
    without: pictures.flatMap(({ file, report, found }) =>
      "why" in found && report.checks.length > 0 ? [{ file, why: found.why }] : [],
    ),
  };
}

function readReport(file: string): Report {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${(error as NodeJS.ErrnoException).code ?? "unknown reason"}`, {
      cause: error,
    });
  }
  const value = parsed(text);
  if (!isObject(value) || !isObject(value.tool) || value.tool.name !== "tidemark" || !("version" in value))
    throw noReport(file, "it is no JSON report of Tidemark's");
  if (value.version !== 1)
    throw noReport(file, `it is version ${JSON.stringify(value.version)}, and this Tidemark reads version 1`);
  const whole =
    typeof value.started_at === "string" &&
    typeof value.finished_at === "string" &&
    isVerdict(value.verdict) &&
    Array.isArray(value.checks) &&
    value.checks.every(isCheck);
  if (!whole) throw noReport(file, "parts of the report are missing");
  return value as unknown as Report;
}

function isCheck(value: unknown): value is CheckReport {
  return (
    isObject(value) &&
    typeof value.check === "string" &&
    isVerdict(value.verdict) &&
    isObject(value.source) &&
    isObject(value.target) &&
    Array.isArray(value.findings) &&
    value.findings.every(
      (finding) => isObject(finding) && typeof finding.code === "string" && Array.isArray(finding.causes),
    )
  );
}

function isVerdict(value: unknown): boolean {
  return value === "pass" || value === "warn" || value === "fail" || value === "incomplete";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function noReport(file: string, why: string): UsageError {
  return new UsageError(`cannot merge ${file}: ${why}; expected what \`tidemark audit --format json=FILE\` writes`);
}
