import type { Check } from "../domain/check.ts";
import type { TidemarkError } from "../domain/errors.ts";
import type { Facts, LedgerFacts, SideFacts } from "../domain/facts.ts";
import type { Finding } from "../domain/finding.ts";
import { withLives } from "../domain/life.ts";
import { formatInstant, formatPosition } from "../domain/position.ts";
import { type CheckReport, jsonCount, type ReportSide, type Verdict } from "../domain/report.ts";
import { formatTableName } from "../domain/table.ts";
import type { Tally } from "../domain/tally.ts";
import { judge as judgeBy } from "../rules/apply.ts";
import type { AuditOptions, KnownFinding } from "./ports.ts";

/**
 * Judges what was read: facts and the differences' tally (null: nothing was compared) become findings with their lives against what was
 * known before, and a report of the check. Pure: the same facts give the same report, tonight or from a file next year.
 */
export function judge(
  facts: Facts,
  tally: Tally | null,
  options: AuditOptions,
  known: readonly KnownFinding[],
  finished: boolean,
): CheckReport {
  const { check } = facts;
  const findings = withLives(judgeBy(facts, tally, options.only), known, finished && isWhole(facts, options));
  const { comparison, mapping, ledger } = facts;
  return {
    check: check.name,
    description: check.description,
    strategy: check.strategy,
    verdict: verdictOf(findings, ledger),
    source: reportSide(facts, facts.source, check.source),
    target: reportSide(facts, facts.target, check.target),
    compared:
      comparison === null
        ? null
        : {
            columns: mapping.compared.map((c) => c.source),
            not_compared: mapping.notCompared.map(({ column, why }) => ({ column, why })),
            notes: comparison.notes,
            digest: comparison.digest,
            chunks: comparison.chunks,
            chunks_different: comparison.chunksDifferent,
            rows_fetched: comparison.rowsFetched,
            statements: comparison.statements,
            seconds: comparison.seconds,
            stopped: comparison.stopped,
          },
    runs: ledger === null ? null : summary(ledger),
    findings,
    seconds: comparison?.seconds ?? 0,
    error: ledgerError(ledger),
  };
}

/** The report of a check that could not finish: why, and nothing claimed beyond it. */
export function incomplete(check: Check, error: Pick<TidemarkError, "code" | "message" | "hint">): CheckReport {
  const side = (relation: Check["source"]): ReportSide => ({
    connection: relation.connection,
    engine: null,
    table: formatTableName(relation.table),
    rows: null,
    clock: null,
  });
  return {
    check: check.name,
    description: check.description,
    strategy: check.strategy,
    verdict: "incomplete",
    source: side(check.source),
    target: side(check.target),
    compared: null,
    runs: null,
    findings: [],
    seconds: 0,
    error: errorOf(error),
  };
}

/** A failure as the report tells it. */
export function errorOf(error: Pick<TidemarkError, "code" | "message" | "hint">): NonNullable<CheckReport["error"]> {
  return { code: error.code, message: error.message, hint: error.hint };
}

/** Runs that could not be read make a check incomplete: what they covered is not known. */
function verdictOf(findings: readonly Finding[], ledger: LedgerFacts | null): Verdict {
  if ((ledger?.unreadable.length ?? 0) > 0) return "incomplete";
  const standing = findings.filter((f) => f.state !== "recovered");
  return standing.some((f) => f.severity === "error")
    ? "fail"
    : standing.some((f) => f.severity === "warn")
      ? "warn"
      : "pass";
}

function ledgerError(ledger: LedgerFacts | null): CheckReport["error"] {
  const unreadable = ledger?.unreadable ?? [];
  const [first] = unreadable;
  if (!first) return null;
  return {
    code: "ledger",
    message: `${unreadable.length === 1 ? "a run" : `${unreadable.length} runs`} of the ledger could not be read; the first: ${first.place}: ${first.why}`,
    hint: "mend the line, or leave it out with runs.where",
  };
}

function reportSide(facts: Facts, side: SideFacts, relation: Check["source"]): ReportSide {
  const clock = side.cursor?.clock ?? null;
  return {
    connection: side.connection,
    engine: side.engine,
    table: formatTableName(relation.table),
    rows: side.rows === null ? null : jsonCount(side.rows),
    clock: clock === null || facts.axis === null ? null : formatPosition(clock, facts.axis),
  };
}

function summary({ runs, unreadable }: LedgerFacts): NonNullable<CheckReport["runs"]> {
  const successful = runs.filter((r) => r.outcome === "success");
  const started = (at: number): string | null => {
    const run = runs.at(at);
    return run ? formatInstant(run.started) : null;
  };
  return {
    read: runs.length,
    successful: successful.length,
    empty: successful.filter((r) => r.rows === 0n).length,
    without_window: runs.filter((r) => r.window === null).length,
    unreadable,
    first: started(0),
    last: started(-1),
  };
}

/** Whether an audit saw everything, so that what it does not find any more has recovered. */
export function isWhole(facts: Facts, options: Pick<AuditOptions, "only" | "range">): boolean {
  return options.only === null && options.range === null && (facts.comparison?.stopped ?? null) === null;
}
