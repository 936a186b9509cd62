import { type CauseCode, type FindingCode, groupOf } from "./codes.ts";
import type { CauseFinding, Evidence, Finding, FindingState, Severity } from "./finding.ts";
import { formatInstant } from "./position.ts";
import { jsonCount } from "./report.ts";

/** What is known of a finding, or of one cause of it, from earlier audits. */
export type KnownFinding = {
  /** A finding's own id; of a cause the finding's id and the cause's code behind it. */
  readonly id: string;
  readonly code: FindingCode;
  /** Null: this is the finding itself. */
  readonly cause: CauseCode | null;
  readonly severity: Severity;
  readonly rows: bigint | null;
  readonly state: FindingState;
  /** When it was first seen in its present life, wall-clock microseconds. */
  readonly firstSeen: bigint;
  readonly evidence: Evidence;
};

const RANK: Readonly<Record<Severity, number>> = { info: 0, warn: 1, error: 2 };

/**
 * Findings and their causes with their states against what stood last time: `new` if it was not there, `worse` if its severity rose or
 * its rows grew by a tenth and at least one, else `ongoing`. What stood and is gone follows once, as severity info and state
 * `recovered`, with 0 rows. What stood already carries `first_seen` in its evidence. `finished` false (the check could not finish, or was asked about a part only): nothing has recovered.
 */
export function withLives(
  findings: readonly Finding[],
  known: readonly KnownFinding[],
  finished: boolean,
): readonly Finding[] {
  const byId = new Map(known.map((each) => [each.id, each]));
  const standing = new Set(findings.map((finding) => finding.id));
  const gone = finished ? known.filter((each) => each.cause === null && !standing.has(each.id)) : [];
  return [
    ...findings.map((finding) => ({
      ...finding,
      state: stateOf(byId.get(finding.id), finding.severity, weightOf(finding)),
      evidence: { ...finding.evidence, ...since(byId.get(finding.id)) },
      causes: withCauses(finding, byId, finished),
    })),
    ...gone.map(recovered),
  ];
}

function since(known: KnownFinding | undefined): Evidence {
  return known === undefined || known.state === "recovered" ? {} : { first_seen: formatInstant(known.firstSeen) };
}

/** The id that a cause is known by. */
export function causeId(finding: string, cause: CauseCode): string {
  return `${finding}/${cause}`;
}

function withCauses(
  finding: Finding,
  known: ReadonlyMap<string, KnownFinding>,
  finished: boolean,
): readonly CauseFinding[] {
  const causes = finding.causes.map((cause) => ({
    ...cause,
    state: stateOf(known.get(causeId(finding.id, cause.code)), finding.severity, BigInt(cause.rows)),
  }));
  if (!finished) return causes;
  const standing = new Set(causes.map((cause) => causeId(finding.id, cause.code)));
  const gone = [...known.values()].flatMap((each) =>
    each.cause !== null && each.id === causeId(finding.id, each.cause) && !standing.has(each.id)
      ? [recoveredCause(each, each.cause)]
      : [],
  );
  return [...causes, ...gone];
}

function stateOf(known: KnownFinding | undefined, severity: Severity, rows: bigint | null): FindingState {
  if (known === undefined || known.state === "recovered") return "new";
  const was = { severity: known.severity, rows: known.cause === null ? weightOf(known) : known.rows };
  return hasWorsened(was, severity, rows) ? "worse" : "ongoing";
}

/**
 * The rows that a finding weighs by: those that differ, where the comparison found it; else those that the target lacks, where it tells
 * them (a run that read around a row that is healed by now is not worse for it); else all that it concerns.
 */
export function weightOf({
  code,
  rows,
  evidence,
}: {
  readonly code: FindingCode;
  readonly rows: number | string | bigint | null;
  readonly evidence: Evidence;
}): bigint | null {
  const lacking = groupOf(code) === "rows" ? null : evidence.rows_lacking;
  if (typeof lacking === "number" || typeof lacking === "string") return BigInt(lacking);
  return rows === null ? null : BigInt(rows);
}

/** Whether what is now is worse than what was: its severity rose, or its rows grew by a tenth and at least one. */
export function hasWorsened(
  was: { readonly severity: Severity; readonly rows: bigint | null },
  severity: Severity,
  rows: bigint | null,
): boolean {
  if (RANK[severity] > RANK[was.severity]) return true;
  if (rows === null || was.rows === null) return false;
  const more = rows - was.rows;
  // A tenth of none is none: the first row over nothing is worse too.
  return more >= 1n && more * 10n >= was.rows;
}

function recovered(known: KnownFinding): Finding {
  return {
    id: known.id,
    code: known.code,
    group: groupOf(known.code),
    severity: "info",
    state: "recovered",
    says: `${known.code} has recovered${was(known)}`,
    rows: known.rows === null ? null : 0,
    range: {},
    sample: [],
    evidence: { was: before(known) },
    causes: [],
    fix: null,
  };
}

function recoveredCause(known: KnownFinding, code: CauseCode): CauseFinding {
  return {
    code,
    rows: 0,
    runs: [],
    runs_total: 0,
    confidence: "observed",
    state: "recovered",
    range: {},
    evidence: { was: before(known) },
    fix: null,
    says: `${code} has recovered${was(known)}`,
  };
}

function was({ rows }: KnownFinding): string {
  return rows === null || rows === 0n ? "" : `: ${rows} ${rows === 1n ? "row" : "rows"} last time, none now`;
}

function before({ severity, rows, evidence }: KnownFinding): Evidence {
  return { severity, rows: rows === null ? null : jsonCount(rows), evidence };
}
