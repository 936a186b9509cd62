import type { ClockReading } from "../domain/clock.ts";
import { leafOf } from "../domain/cuts.ts";
import type { LedgerIndex } from "../domain/ledger-index.ts";
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
  readonly won: readonly (LeafReading | undefined)[];
  /** How many runs without success hold a leaf. */
  readonly failed: readonly (number | undefined)[];
  /** How many successful windows hold a leaf that is their own end. */
  readonly ending: readonly number[];
  /** The shortest bounded window that holds a leaf, as an ordinal of the successes and of the failures. */
  readonly shortestWon: readonly (number | null | undefined)[];
  readonly shortestFailed: readonly (number | null | undefined)[];
  /** Source rows in each success's window now. */
  readonly rowsOf: readonly bigint[];
  /** Source rows exactly at a position that the target has. */
  readonly presentAt: (x: Position) => bigint;
};

export function readLedger(index: LedgerIndex): Readings {
  const { successes, failures, successAt, won, lost, facts } = index;
  const readings = successes.map(({ started }, i): LeafReading => {
    const clock = facts.clocks[successAt[i] ?? -1] ?? null;
    return { windows: 1, lastStarted: started, ...boundsOf(clock), now: clock?.witness === "source-now" };
  });
  const ending: number[] = Array.from({ length: won.cuts.leaves }, () => 0);
  for (const { window } of successes) {
    if (window.from !== null && window.from === window.to && !(window.fromClosed && window.toClosed)) continue;
    const ends = new Set<Position>();
    if (window.from !== null && window.fromClosed) ends.add(window.from);
    if (window.to !== null && window.toClosed) ends.add(window.to);
    for (const end of ends) {
      const leaf = leafOf(won.cuts, end);
      ending[leaf] = (ending[leaf] ?? 0) + 1;
    }
  }
  return {
    won: won.fold((i) => readings[i] as LeafReading, together),
    failed: lost.fold<number>(
      () => 1,
      (a, b) => a + b,
    ),
    ending,
    shortestWon: won.fold((i) => bounded(successes[i]?.window, i), shorterOf(successes.map((run) => run.window))),
    shortestFailed: lost.fold((i) => bounded(failures[i]?.window, i), shorterOf(failures.map((run) => run.window))),
    rowsOf: successes.map((run) => index.rows(run.window)),
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

function shorterOf(windows: readonly Window[]): (a: number | null, b: number | null) => number | null {
  const lengths = windows.map(({ from, to }) => (from === null || to === null ? null : to - from));
  return (a, b) => {
    if (a === null) return b;
    if (b === null) return a;
    return (lengths[b] as bigint) < (lengths[a] as bigint) ? b : a;
  };
}
