import type { Check } from "../domain/check.ts";
import { type CommandRange, repairCommand } from "../domain/command.ts";
import type { ShownValues } from "../domain/difference.ts";
import type { Mapping } from "../domain/facts.ts";
import type { CauseFinding, Confidence, Evidence, FindingRange, SampleRow, Severity } from "../domain/finding.ts";
import { behind, keyBehind, keyJson } from "../domain/key-bounds.ts";
import type { Key } from "../domain/key.ts";
import type { LedgerIndex } from "../domain/ledger-index.ts";
import { type Axis, formatPosition } from "../domain/position.ts";
import { jsonCount } from "../domain/report.ts";
import type { CauseTally, FindingTally, RowFinding, Stretch, Tally } from "../domain/tally.ts";
import { causeEvidence, causeSays } from "./cause-words.ts";
import type { FindingDraft } from "./rule.ts";

/** What the sentences and commands of a rows finding are made with. `ledger`, `axis` null: the check has none. */
export type RowContext = {
  readonly check: Check;
  readonly mapping: Mapping;
  readonly axis: Axis | null;
  readonly ledger: LedgerIndex | null;
};

/** How many runs and incidents a cause names. */
const NAMED = 20;

/** The findings of one code: what is not accepted, and what each entry of `accept` took out of it. */
export function rowFindings(
  finding: RowFinding,
  severity: Severity,
  tally: Tally,
  context: RowContext,
  says: (rows: FindingTally) => string,
): readonly FindingDraft[] {
  return tally.findings
    .filter((each) => each.finding === finding)
    .map((each): FindingDraft => {
      const causes = each.causes.map((cause) => causeFinding(finding, cause, context));
      const accepted = each.accepted === null ? null : (context.check.accept[each.accepted]?.range?.text ?? "accepted");
      return {
        severity,
        ...(each.accepted === null ? {} : { part: accepted ?? "accepted", accepted: each.accepted }),
        says: says(each),
        rows: each.rows,
        ...(each.columns.length === 0 ? {} : { columns: each.columns }),
        range: repairedRange(each, each.causes, context),
        sample: each.sample.map(({ key, columns, values }) => sampleRow(key, columns, context.mapping, values)),
        evidence: { rows_lacking: jsonCount(each.lacking) },
        causes,
        fix: isRepairable(finding) ? repairOf(each, each.causes, context) : null,
      };
    });
}

/** Extra rows are repaired by deleting them, which a plain repair does not; nothing is due of pending ones; ahead ones are kept. */
function isRepairable(finding: RowFinding): boolean {
  return finding === "missing-rows" || finding === "stale-rows" || finding === "changed-rows";
}

function causeFinding(finding: RowFinding, cause: CauseTally, context: RowContext): CauseFinding {
  const most = cause.runs
    .toSorted((a, b) => (a.rows < b.rows ? 1 : a.rows > b.rows ? -1 : a.run - b.run))
    .slice(0, NAMED);
  const named = most.map(({ run }) => run).toSorted((a, b) => a - b);
  const idOf = (run: number): string => context.ledger?.facts.runs[run]?.id ?? "?";
  // Some schedulers give every try of a window the same id.
  const ids = [...new Set(named.map(idOf))];
  const twice = named.length - ids.length;
  const fix = isRepairable(finding) ? repairOf(cause, [cause], context) : null;
  return {
    code: cause.code,
    rows: jsonCount(cause.rows),
    runs: ids,
    runs_total: cause.runs.length - twice,
    confidence: weakest(cause),
    state: "new",
    range: repairedRange(cause, [cause], context),
    evidence: {
      ...causeEvidence(cause, context),
      ...(most.length === 0
        ? {}
        : {
            rows_by_run: rowsByRun(cause, named, idOf),
          }),
      ...(cause.incidents.length < 2
        ? {}
        : { incidents_total: cause.incidents.length, incidents: incidents(finding, cause, context) }),
    },
    fix,
    says: causeSays(cause, ids, cause.runs.length - twice, context),
  };
}

/** Rows by the ids of runs. Tries that share an id held the same rows, or some of them: as many as the one that held most. */
function rowsByRun(cause: CauseTally, named: readonly number[], idOf: (run: number) => string): Evidence {
  const most = new Map<string, bigint>();
  for (const { run, rows } of cause.runs) {
    const id = named.includes(run) ? idOf(run) : null;
    if (id !== null && rows > (most.get(id) ?? 0n)) most.set(id, rows);
  }
  return Object.fromEntries([...most].map(([id, rows]) => [id, jsonCount(rows)]));
}

function incidents(finding: RowFinding, cause: CauseTally, context: RowContext) {
  const largest = cause.incidents.toSorted((a, b) => (a.rows < b.rows ? 1 : a.rows > b.rows ? -1 : 0)).slice(0, NAMED);
  const shown = new Set(largest);
  return cause.incidents
    .filter((incident) => shown.has(incident))
    .map(({ rows, repair, runs }) => ({
      rows: jsonCount(rows),
      runs: runs.slice(0, NAMED).map((run) => context.ledger?.facts.runs[run]?.id ?? "?"),
      cursor: repair === null || context.axis === null ? null : cursorRange(repair.from, repair.to, context.axis),
      fix: isRepairable(finding) && repair !== null ? commandOf({ by: "cursor", ...repair }, context) : null,
    }));
}

/** One weaker row makes the whole weaker: a cause is as sure as its least sure row. */
function weakest({ byConfidence }: CauseTally): Confidence {
  if (byConfidence.undetermined > 0n) return "undetermined";
  return byConfidence.inferred > 0n ? "inferred" : "observed";
}

/** Where rows lie: both ends as half-open stretches. */
function rangeOf({ cursors, keys }: Stretch, { axis, mapping }: RowContext): FindingRange {
  const kinds = mapping.key.map((pair) => pair.as);
  return {
    ...(cursors === null || axis === null ? {} : { cursor: cursorRange(cursors.first, cursors.last + 1n, axis) }),
    key: { from: keyJson(keys.first, kinds), to: keyJson(keyBehind(keys.last, kinds), kinds) },
  };
}

/** The rows' own stretch, widened to what is worth repairing: the window that a run closed over them, the hole in which they lie. */
function repairedRange(stretch: Stretch, causes: readonly CauseTally[], context: RowContext): FindingRange {
  const own = rangeOf(stretch, context);
  const wide = stretch.cursors === null ? null : wideOf(stretch.cursors, causes);
  return wide === null || context.axis === null
    ? own
    : { ...own, cursor: cursorRange(wide.from, wide.to, context.axis) };
}

function wideOf({ first, last }: NonNullable<Stretch["cursors"]>, causes: readonly CauseTally[]) {
  const repair = hull(causes) ?? { from: first, to: last + 1n };
  return { from: repair.from < first ? repair.from : first, to: repair.to > last ? repair.to : last + 1n };
}

function cursorRange(from: bigint, to: bigint, axis: Axis) {
  return { from: formatPosition(from, axis), to: formatPosition(to, axis) };
}

export function sampleRow(
  key: Key,
  columns: readonly string[] | null,
  mapping: Mapping,
  values: readonly ShownValues[] = [],
): SampleRow {
  const json = keyJson(
    key,
    mapping.key.map((pair) => pair.as),
  );
  return {
    key: Object.fromEntries(mapping.key.map((pair, i) => [pair.source, json[i] ?? null])),
    ...(columns === null ? {} : { columns }),
    ...(values.length === 0
      ? {}
      : { values: Object.fromEntries(values.map(({ column, source, target }) => [column, { source, target }])) }),
  };
}

/** The repair with the smallest sensible range: by cursor where every row has one, else by the first key column, else the whole check. */
function repairOf(stretch: Stretch, causes: readonly CauseTally[], context: RowContext): string {
  const cursors = stretch.cursors;
  // Rows without a cursor lie in no cursor range.
  const all = causes.every((cause) => cause.code !== "null-cursor" && cause.cursors !== null);
  if (all && cursors !== null && context.axis !== null) {
    return commandOf({ by: "cursor", ...wideOf(cursors, causes) }, context);
  }
  return commandOf(keyRange(stretch, context), context);
}

function commandOf(range: CommandRange | null, { check, axis }: RowContext): string {
  return repairCommand(check.name, range, { axis: axis ?? "time", unit: check.cursor?.unit ?? null });
}

/** A range of the first key column, where its kind has a next value and can be typed. */
function keyRange({ keys }: Stretch, { mapping }: RowContext): CommandRange | null {
  const kind = mapping.key[0]?.as;
  const from = keys.first[0] ?? null;
  const last = keys.last[0] ?? null;
  if (kind === undefined || from === null || last === null || (kind.as !== "integer" && kind.as !== "uuid"))
    return null;
  const to = behind(last, kind);
  return to === null ? null : { by: "key", from, to };
}

/** The smallest stretch that holds what is worth repairing of all incidents; null: rows that lie outside the ledger's axis. */
function hull(causes: readonly CauseTally[]): { readonly from: bigint; readonly to: bigint } | null {
  let found: { from: bigint; to: bigint } | null = null;
  for (const { incidents } of causes)
    for (const { repair } of incidents) {
      if (repair === null) continue;
      if (found === null) found = { ...repair };
      if (repair.from < found.from) found.from = repair.from;
      if (repair.to > found.to) found.to = repair.to;
    }
  return found;
}
