import { UsageError } from "../domain/errors.ts";
import type { Difference } from "../domain/difference.ts";
import { compareKeys, type Key } from "../domain/key.ts";
import type { AgreedKind } from "../domain/kind.ts";
import { type Axis, parseInstant, type Position } from "../domain/position.ts";
import type { Finding, Json } from "../domain/finding.ts";
import type { Report } from "../domain/report.ts";

/** Where the rows of a report's findings lie. A row is in question where one of the stretches holds it. */
export type ReportQuestion = { readonly file: string; readonly stretches: readonly Stretch[] };

type Stretch = {
  /** Half-open; null ends are open. Null: rows are not told apart by a cursor. */
  readonly cursor: { readonly from: string | null; readonly to: string | null } | null;
  /** The first and last key (the last one, or one just behind it). Null: none given. */
  readonly key: { readonly from: readonly (string | null)[]; readonly to: readonly (string | null)[] } | null;
};

const CODES: ReadonlySet<string> = new Set(["missing-rows", "stale-rows", "changed-rows", "ahead-rows", "extra-rows"]);

/** Reads a JSON report's findings about rows of one check. A `UsageError` where it is no report, or says nothing of the check. */
export function reportQuestion(text: string, file: string, check: string): ReportQuestion {
  let report: Partial<Report> | null;
  try {
    report = JSON.parse(text) as Partial<Report> | null;
  } catch {
    report = null;
  }
  if (report?.version !== 1 || !Array.isArray(report.checks))
    throw new UsageError(`${file} is no JSON report of an audit`, {
      hint: "`tidemark audit --format json=FILE` writes one",
    });
  const checks = report.checks as Report["checks"];
  const own = checks.find((c) => c.check === check);
  if (own === undefined)
    throw new UsageError(`${file} says nothing of the check ${check}`, {
      hint: `it holds ${checks.map((c) => c.check).join(", ") || "none"}`,
    });
  const findings = own.findings.filter((f) => CODES.has(f.code) && f.state !== "recovered" && f.accepted !== true);
  return { file, stretches: findings.map(stretchOf) };
}

function stretchOf({ range }: Finding): Stretch {
  const parts = (key: readonly Json[]): readonly (string | null)[] =>
    key.map((part) => (part === null ? null : typeof part === "string" ? part : JSON.stringify(part)));
  return {
    cursor: range.cursor ?? null,
    key: range.key === undefined ? null : { from: parts(range.key.from), to: parts(range.key.to) },
  };
}

/** Whether a difference lies where the report's findings do. A row without a cursor is told by its key alone. */
export function isReported(
  question: ReportQuestion,
  difference: Difference,
  axis: Axis | null,
  kinds: readonly AgreedKind[],
): boolean {
  const cursor = (difference.type === "extra" ? difference.target : difference.source).cursor;
  return question.stretches.some(
    (stretch) => holdsCursor(stretch, cursor, axis) && holdsKey(stretch, difference.key, kinds),
  );
}

function holdsCursor({ cursor: stretch }: Stretch, cursor: Position | null, axis: Axis | null): boolean {
  if (stretch === null || cursor === null || axis === null) return true;
  const at = (text: string | null): Position | null =>
    text === null ? null : axis === "time" ? parseInstant(text) : BigInt(text);
  const from = at(stretch.from);
  const to = at(stretch.to);
  return (from === null || cursor >= from) && (to === null || cursor < to);
}

function holdsKey({ key: stretch }: Stretch, key: Key, kinds: readonly AgreedKind[]): boolean {
  if (stretch === null) return true;
  return compareKeys(key, stretch.from, kinds) >= 0 && compareKeys(key, stretch.to, kinds) <= 0;
}
