import type { CauseCode } from "../domain/codes.ts";
import type { LedgerIndex } from "../domain/ledger-index.ts";
import type { Position } from "../domain/position.ts";
import type { Incident } from "../domain/tally.ts";
import { span, type Window } from "../domain/window.ts";
import type { LeafCount } from "./cause-count.ts";
import type { Known } from "./cause.ts";

/**
 * Joins the rows of one cause into incidents: stretches that touch, or lie no further apart than the ledger's usual window is long, are
 * one. So a night's loss is one line and one repair, and two nights are two. In order of the cursor.
 */
export function incidentsOf(
  code: CauseCode,
  leaves: ReadonlyMap<number, LeafCount>,
  known: Known,
): readonly Incident[] {
  const { ledger } = known;
  if (ledger === null) return [];
  const near = usualLength(ledger);
  const joined: Open[] = [];
  for (const [leaf, count] of [...leaves].toSorted((a, b) => a[0] - b[0])) {
    const repair = stretchOf(code, leaf, count, known);
    const open = joined.at(-1);
    if (open !== undefined && repair.from - open.to <= near) {
      open.rows += count.rows;
      open.last = count.last;
      if (repair.to > open.to) open.to = repair.to;
      if (repair.from < open.from) open.from = repair.from;
      addRuns(open.runs, count);
    } else {
      joined.push({
        rows: count.rows,
        first: count.first,
        last: count.last,
        ...repair,
        runs: addRuns(new Set(), count),
      });
    }
  }
  return joined.map(({ rows, first, last, from, to, runs }) => ({
    rows: BigInt(rows),
    cursors: { first, last },
    repair: { from, to },
    runs: [...runs].toSorted((a, b) => a - b),
  }));
}

type Open = {
  rows: number;
  readonly first: Position;
  last: Position;
  from: Position;
  to: Position;
  readonly runs: Set<number>;
};

function addRuns(into: Set<number>, count: LeafCount): Set<number> {
  for (const runs of count.runs.keys()) for (const run of runs) into.add(run);
  return into;
}

/** The half-open stretch that is worth repairing for the rows of a leaf: a whole window where all of it is suspect, else the rows. */
function stretchOf(code: CauseCode, leaf: number, count: LeafCount, known: Known): { from: Position; to: Position } {
  const rows = { from: count.first, to: count.last + 1n };
  const window = windowOf(code, leaf, known);
  if (window === null || window.from === null) return rows;
  const { first, last } = span(window);
  if (first === null || last === null) return rows;
  // A run's window is written as people know it: its left end, although open, asks for nothing more.
  return { from: code === "uncovered-window" ? first : window.from, to: last + 1n };
}

function windowOf(code: CauseCode, leaf: number, { ledger, readings }: Known): Window | null {
  if (ledger === null || readings === null) return null;
  const won = (): Window | null => ledger.successes[readings.shortestWon(leaf) ?? -1]?.window ?? null;
  switch (code) {
    case "closed-ahead-of-clock":
      return won();
    case "failed-run":
      return ledger.failures[readings.shortestFailed(leaf) ?? -1]?.window ?? null;
    case "uncovered-window":
      return holeAt(leaf, ledger);
    default:
      return null;
  }
}

/** What lies between the two ends of windows around a leaf; null at the rim, where it has no end. */
function holeAt(leaf: number, { won }: LedgerIndex): Window | null {
  const { ends } = won.cuts;
  if (leaf % 2 === 1) return null;
  const from = ends[leaf / 2 - 1];
  const to = ends[leaf / 2];
  return from === undefined || to === undefined ? null : { from, fromClosed: false, to, toClosed: false };
}

/** The median length of the successful windows; 0 where there is none with two ends. */
function usualLength({ successes }: LedgerIndex): bigint {
  const lengths = successes.flatMap(({ window: { from, to } }) =>
    from === null || to === null || to <= from ? [] : [to - from],
  );
  return lengths.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))[lengths.length >> 1] ?? 0n;
}
