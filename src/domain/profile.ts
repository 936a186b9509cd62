import { cutsOf, leafOf, leavesOf, lowerBound } from "./cuts.ts";
import type { Difference } from "./difference.ts";
import { InvariantError } from "./errors.ts";
import type { CursorProfile } from "./facts.ts";
import { type Bigints, PackedBigints } from "./packed-bigints.ts";
import type { Position } from "./position.ts";
import type { Window } from "./window.ts";

/** Counts the rows of a profile in a window whose ends are cuts of it, exactly; an `InvariantError` for any other window. */
export type RowCounter = (window: Window) => bigint;

export function rowCounter(profile: CursorProfile): RowCounter {
  const cuts = cutsOf(profile.ends);
  const before = rowsBefore(profile);
  return (window) => {
    for (const end of [window.from, window.to])
      if (end !== null && profile.ends[lowerBound(profile.ends, end)] !== end)
        throw new InvariantError(`broken promise: the profile is cut at ${end}`);
    const { first, last } = leavesOf(cuts, window);
    return last < first ? 0n : BigInt((before[last + 1] as number) - (before[first] as number));
  };
}

/** The rows in all leaves before each leaf (`Cuts`), and last all rows: a table has fewer than a double counts exactly. */
export function rowsBefore(profile: CursorProfile): Float64Array {
  const { leaves } = cutsOf(profile.ends);
  const before = new Float64Array(leaves + 1);
  for (let leaf = 0; leaf < leaves; leaf++)
    before[leaf + 1] = (before[leaf] as number) + Number(rowsOfLeaf(profile, leaf));
  return before;
}

/** Rows exactly at a position: 0 where the profile is not cut there. */
export function rowsAt(profile: CursorProfile, x: Position): bigint {
  const i = lowerBound(profile.ends, x);
  return profile.ends[i] === x ? (profile.at[i] ?? 0n) : 0n;
}

function rowsOfLeaf(profile: CursorProfile, leaf: number): bigint {
  return (leaf % 2 === 1 ? profile.at[(leaf - 1) / 2] : profile.between[leaf / 2]) ?? 0n;
}

/** Whether the target lacks the row now: it has none, or an older version. */
export function lacks(difference: Difference): boolean {
  return difference.type === "missing" || (difference.type === "changed" && difference.order === "source-newer");
}

/**
 * The rows that the target lacks, along the axis: counted by their source's cursor. Rows without a cursor are in no profile.
 * `ends` ascending and distinct. One pass; memory grows with the ends only.
 */
export function lackingProfile(ends: Bigints, differences: Iterable<Difference>): CursorProfile {
  const cuts = cutsOf(ends);
  const profile = noRows(ends);
  for (const difference of differences) {
    if (difference.type === "extra" || !lacks(difference) || difference.source.cursor === null) continue;
    addRows(profile, leafOf(cuts, difference.source.cursor), 1n);
  }
  return profile;
}

/** A profile that is still being counted. */
export type OpenProfile = { readonly ends: Bigints; readonly at: PackedBigints; readonly between: PackedBigints };

/** A profile without a row, cut at ends that are ascending and distinct. */
export function noRows(ends: Bigints): OpenProfile {
  return { ends, at: new PackedBigints(ends.length), between: new PackedBigints(ends.length + 1) };
}

/** Counts rows of a leaf (`Cuts`). */
export function addRows({ at, between }: OpenProfile, leaf: number, rows: bigint): void {
  const parts = leaf % 2 === 1 ? at : between;
  parts[leaf >> 1] = (parts[leaf >> 1] ?? 0n) + rows;
}
