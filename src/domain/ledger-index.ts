import { type Coverage, coverageOf } from "./coverage.ts";
import { cutsAt } from "./cuts.ts";
import type { CursorProfile, Facts, LedgerFacts } from "./facts.ts";
import type { Position } from "./position.ts";
import { type RowCounter, rowCounter } from "./profile.ts";
import { type Run, succeeded } from "./run.ts";
import { isEmpty, span, type Window } from "./window.ts";

/** A run with a window. */
export type Windowed = Run & { readonly window: Window };

/** An end of a window as a left edge: what lies before it is out. `closed`: the position itself is in. */
export type Edge = { readonly at: Position; readonly closed: boolean };

/** The successful runs, by start: what `ArrivalGroup.nextRun` counts. Backfills are among them. */
export function successfulRuns(runs: readonly Run[]): readonly Windowed[] {
  return runs.filter(succeeded);
}

/** A window's left end as an edge; null: open without bound. */
export function leftEdge(window: Window): Edge | null {
  return window.from === null ? null : { at: window.from, closed: window.fromClosed };
}

/** The ends of all windows, in the order of the runs; unbounded ones have none. */
export function* windowEnds(runs: Iterable<Run>): Generator<Position> {
  for (const { window } of runs) {
    if (window === null) continue;
    if (window.from !== null) yield window.from;
    if (window.to !== null) yield window.to;
  }
}

/** Whether a position lies before an edge. Nothing lies before a null edge. */
export function isBefore(x: Position, edge: Edge | null): boolean {
  return edge !== null && (x < edge.at || (x === edge.at && !edge.closed));
}

/**
 * A ledger made ready for questions. "Successes" are the successful runs by start, "failures" those with a window that did not succeed
 * (also still running); `won` and `lost` cover the axis with them, by their ordinals there.
 */
export type LedgerIndex = {
  readonly facts: LedgerFacts;
  readonly successes: readonly Windowed[];
  readonly failures: readonly Windowed[];
  /** Ordinals into `facts.runs`, aligned with `successes` and `failures`. */
  readonly successAt: readonly number[];
  readonly failureAt: readonly number[];
  readonly won: Coverage;
  readonly lost: Coverage;
  /** The last position of the last successful window (largest right end, empty windows included); null: none succeeded. */
  readonly last: Position | null;
  /** Before each success: the largest right end among regular successes that started earlier; null: none did. */
  readonly watermarkBefore: readonly (Position | null)[];
  /** Source rows in a window whose ends are ends of windows or clocks. */
  readonly rows: RowCounter;
  /** Of those, the rows that the target lacks now; null: the tables were not compared, or not all rows of any window. */
  readonly lacking: RowCounter | null;
  /** The stretch that the comparison looked at: what lies outside it may be lacking or not. Null: all of the axis. */
  readonly looked: Window | null;
};

/** One index a ledger: counting and judging ask the same one. */
const indexes = new WeakMap<LedgerFacts, Map<boolean, LedgerIndex>>();

/**
 * The index of an audit's ledger; null: it has none. A comparison that ended early, or looked at some keys only, knows of no window what
 * the target lacks in it.
 */
export function indexFacts({ ledger, axis, comparison, range, someKeys }: Facts): LedgerIndex | null {
  if (ledger === null || axis === null) return null;
  const whole = comparison !== null && comparison.stopped === null && someKeys !== true;
  const index = indexLedger(ledger, whole);
  return whole && range !== null ? { ...index, looked: range } : index;
}

/** `compared` false: what the target lacks is not known. Made once for the same facts. */
export function indexLedger(facts: LedgerFacts, compared: boolean): LedgerIndex {
  const known = indexes.get(facts) ?? new Map<boolean, LedgerIndex>();
  indexes.set(facts, known);
  const index = known.get(compared) ?? makeIndex(facts, compared);
  known.set(compared, index);
  return index;
}

/** Whether the comparison looked at all of a window. */
export function lookedAt({ looked }: LedgerIndex, window: Window): boolean {
  if (looked === null || isEmpty(window)) return true;
  const [all, part] = [span(looked), span(window)];
  return (
    (all.first === null || (part.first !== null && part.first >= all.first)) &&
    (all.last === null || (part.last !== null && part.last <= all.last))
  );
}

function makeIndex(facts: LedgerFacts, compared: boolean): LedgerIndex {
  const successes: Windowed[] = [];
  const failures: Windowed[] = [];
  const successAt: number[] = [];
  const failureAt: number[] = [];
  for (const [at, run] of facts.runs.entries()) {
    if (run.window === null) continue;
    const won = succeeded(run);
    (won ? successes : failures).push(run as Windowed);
    (won ? successAt : failureAt).push(at);
  }
  const cuts = cutsAt(windowEnds(facts.runs));
  const windows = (runs: readonly Windowed[]): readonly Window[] => runs.map((run) => run.window);
  return {
    facts,
    successes,
    failures,
    successAt,
    failureAt,
    won: coverageOf(cuts, windows(successes)),
    lost: coverageOf(cuts, windows(failures)),
    last: lastOf(successes),
    watermarkBefore: watermarksBefore(successes),
    rows: counterOf(facts.source),
    lacking: compared ? counterOf(facts.lacking) : null,
    looked: null,
  };
}

/** Whether a position lies beyond everything that successful windows reached. */
export function isBeyond(index: LedgerIndex, x: Position): boolean {
  return index.last !== null && x > index.last;
}

function counterOf(profile: CursorProfile): RowCounter {
  const count = rowCounter(profile);
  return (window) => (isEmpty(window) ? 0n : count(window));
}

function lastOf(successes: readonly Windowed[]): Position | null {
  let last: Position | null = null;
  for (const { window } of successes) {
    const end = span(window).last;
    if (end !== null && (last === null || end > last)) last = end;
  }
  return last;
}

function watermarksBefore(successes: readonly Windowed[]): readonly (Position | null)[] {
  let watermark: Position | null = null;
  return successes.map(({ window, backfill }) => {
    const before = watermark;
    if (!backfill && window.to !== null && (watermark === null || window.to > watermark)) watermark = window.to;
    return before;
  });
}
