import type { ClockReading } from "../domain/clock.ts";
import { leafOf } from "../domain/cuts.ts";
import type { LedgerIndex, Windowed } from "../domain/ledger-index.ts";
import type { Position } from "../domain/position.ts";
import { rowsAt } from "../domain/profile.ts";
import type { Window } from "../domain/window.ts";

/** Where the clock stood at a run's start, as bounds: null is "nobody knows" for `most`/`least`, and `none` is "nothing was visible". */
export type Bounds = { readonly most: Position | "none" | null; readonly least: Position | "none" | null };

/** What the successful windows that hold a leaf say together. */
export type LeafReading = {
  readonly windows: number;
  /** The newest start among them. */
  readonly lastStarted: bigint;
  /** The newest upper bound of their clocks; null: one of them is not known from above. `none`: nothing was visible at any. */
  readonly most: Position | "none" | null;
  /** The newest lower bound of their clocks; null: none is known from below. */
  readonly least: Position | "none" | null;
  /** Whether one of the clocks is only the source's as it stands now. */
  readonly now: boolean;
};

/** What the ledger says at each leaf of its axis, put together once so that a row costs one search. */
export type Readings = {
  readonly won: (leaf: number) => LeafReading | undefined;
  /** How many runs without success hold a leaf. */
  readonly failed: (leaf: number) => number | undefined;
  /** How many successful windows hold a leaf that is their own end. */
  readonly ending: (leaf: number) => number;
  /** The shortest bounded window that holds a leaf, as an ordinal of the successes and of the failures. */
  readonly shortestWon: (leaf: number) => number | null | undefined;
  readonly shortestFailed: (leaf: number) => number | null | undefined;
  /** Source rows in each success's window now. */
  readonly rowsOf: (success: number) => bigint;
  /** Source rows exactly at a position that the target has. */
  readonly presentAt: (x: Position) => bigint;
};

/** Put together once for an index: counting and drawing ask the same. */
export function readLedger(index: LedgerIndex): Readings {
  const found = known.get(index) ?? readIndex(index);
  known.set(index, found);
  return found;
}

const known = new WeakMap<LedgerIndex, Readings>();

function readIndex(index: LedgerIndex): Readings {
  const { successes, failures, successAt, won, lost, facts } = index;
  const reading = (i: number): LeafReading => {
    const clock = facts.clocks[successAt[i] ?? -1] ?? null;
    const lastStarted = (successes[i] as Windowed).started;
    return { windows: 1, lastStarted, ...boundsOf(clock), now: clock?.witness === "source-now" };
  };
  const ending = new Int32Array(won.cuts.leaves);
  for (const { window } of successes) {
    if (window.from !== null && window.from === window.to && !(window.fromClosed && window.toClosed)) continue;
    const count = (end: Position): void => {
      const leaf = leafOf(won.cuts, end);
      ending[leaf] = (ending[leaf] ?? 0) + 1;
    };
    if (window.from !== null && window.fromClosed) count(window.from);
    if (window.to !== null && window.toClosed && !(window.fromClosed && window.from === window.to)) count(window.to);
  }
  return {
    won: won.foldAt(reading, together),
    failed: lost.foldAt<number>(
      () => 1,
      (a, b) => a + b,
    ),
    ending: (leaf) => ending[leaf] ?? 0,
    shortestWon: won.foldAt((i) => bounded(successes[i]?.window, i), shorterOf(successes)),
    shortestFailed: lost.foldAt((i) => bounded(failures[i]?.window, i), shorterOf(failures)),
    rowsOf: (i) => index.rows((successes[i] as Windowed).window),
    presentAt: (x) => rowsAt(facts.source, x) - rowsAt(facts.lacking, x),
  };
}

/** A reading as bounds. */
export function boundsOf(clock: ClockReading | null): Bounds {
  if (clock === null) return { most: null, least: null };
  const position = clock.position ?? "none";
  return {
    most: clock.certainty === "at-least" ? null : position,
    least: clock.certainty === "at-most" ? (clock.atLeast ?? null) : position,
  };
}

function together(a: LeafReading, b: LeafReading): LeafReading {
  return {
    windows: a.windows + b.windows,
    lastStarted: a.lastStarted > b.lastStarted ? a.lastStarted : b.lastStarted,
    most: a.most === null || b.most === null ? null : newest(a.most, b.most),
    least: a.least === null ? b.least : b.least === null ? a.least : newest(a.least, b.least),
    now: a.now || b.now,
  };
}

function newest(a: Position | "none", b: Position | "none"): Position | "none" {
  return a === "none" ? b : b === "none" || a > b ? a : b;
}

function bounded(window: Window | undefined, ordinal: number): number | null {
  return window === undefined || window.from === null || window.to === null ? null : ordinal;
}

function shorterOf(runs: readonly Windowed[]): (a: number | null, b: number | null) => number | null {
  const length = (i: number): bigint => {
    const { from, to } = (runs[i] as Windowed).window;
    return (to as bigint) - (from as bigint);
  };
  return (a, b) => {
    if (a === null) return b;
    if (b === null) return a;
    return length(b) < length(a) ? b : a;
  };
}
