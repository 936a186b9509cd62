import type { Position } from "./position.ts";
import type { Window } from "./window.ts";

/**
 * An axis cut at ascending positions into leaves: leaf `2i + 1` is the position `ends[i]` itself, leaf `2i` what lies strictly
 * between `ends[i - 1]` and `ends[i]` (leaf 0: everything before the first, leaf `2n`: everything beyond the last).
 */
export type Cuts = { readonly ends: readonly Position[]; readonly leaves: number };

/** Cuts an axis at these positions, in any order and with repetitions. */
export function cutsAt(positions: Iterable<Position>): Cuts {
  return cutsOf(ascending(positions));
}

/** Positions in ascending order, each once. Sorted as machine integers where all of them are, which is many times as fast. */
export function ascending(positions: Iterable<Position>): readonly Position[] {
  const all = [...positions];
  const sorted: Iterable<Position> = all.every((x) => BigInt.asIntN(64, x) === x)
    ? BigInt64Array.from(all).toSorted()
    : all.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const once: Position[] = [];
  let last: Position | null = null;
  for (const x of sorted) {
    if (x !== last) once.push(x);
    last = x;
  }
  return once;
}

/** Cuts at positions that are ascending and distinct already. */
export function cutsOf(ends: readonly Position[]): Cuts {
  return { ends, leaves: 2 * ends.length + 1 };
}

/** The leaf that holds a position. */
export function leafOf({ ends }: Cuts, x: Position): number {
  const i = lowerBound(ends, x);
  return ends[i] === x ? 2 * i + 1 : 2 * i;
}

/** The first and last leaf of a window whose ends are cuts; `first > last` where it is empty. */
export function leavesOf(cuts: Cuts, window: Window): { readonly first: number; readonly last: number } {
  const from = window.from === null ? -1 : leafOf(cuts, window.from);
  const to = window.to === null ? cuts.leaves : leafOf(cuts, window.to);
  return {
    first: from + (from < 0 || !window.fromClosed ? 1 : 0),
    last: to - (to >= cuts.leaves || !window.toClosed ? 1 : 0),
  };
}

/** How many of the ascending values are smaller than `x`: the index at which it stands or would stand. */
export function lowerBound(ascending: readonly bigint[], x: bigint): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as bigint) < x) low = middle + 1;
    else high = middle;
  }
  return low;
}
