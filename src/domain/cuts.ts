import { type Bigints, PackedBigints, packed } from "./packed-bigints.ts";
import type { Position } from "./position.ts";
import type { Window } from "./window.ts";

/**
 * An axis cut at ascending positions into leaves: leaf `2i + 1` is the position `ends[i]` itself, leaf `2i` what lies strictly
 * between `ends[i - 1]` and `ends[i]` (leaf 0: everything before the first, leaf `2n`: everything beyond the last).
 */
export type Cuts = { readonly ends: Bigints; readonly leaves: number };

/** Cuts an axis at these positions, in any order and with repetitions. */
export function cutsAt(positions: Iterable<Position>): Cuts {
  return cutsOf(ascending(positions));
}

/** Positions in ascending order, each once; packed, and sorted as machine integers, unless one of them is larger than these. */
export function ascending(positions: Iterable<Position>): Bigints {
  const all = packed(positions);
  if (!(all instanceof PackedBigints)) return [...new Set(all)].toSorted((a, b) => (a < b ? -1 : 1));
  all.sort();
  let count = 0;
  for (let i = 0; i < all.length; i++) if (i === 0 || all[i] !== all[i - 1]) all[count++] = all[i] as bigint;
  return count === all.length ? all : new PackedBigints(all.subarray(0, count));
}

/** Cuts at positions that are ascending and distinct already. */
export function cutsOf(ends: Bigints): Cuts {
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
export function lowerBound(ascending: ArrayLike<bigint>, x: bigint): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as bigint) < x) low = middle + 1;
    else high = middle;
  }
  return low;
}
