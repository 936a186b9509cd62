import type { ArrivalGroup } from "../../domain/facts.ts";
import type { Position } from "../../domain/position.ts";

/** Rows that arrived between two starts. `largestLag`: microseconds. */
export type Arrived = {
  rows: bigint;
  oldest: Position | null;
  newest: Position | null;
  largestLag: bigint | null;
};

/** Groups of the successful runs only, by which the needed overlap is asked. `groups`: by how many of the starts lie before their arrival. */
export function arrivalGroups(
  groups: ReadonlyMap<number, Arrived>,
  asked: { readonly starts: readonly bigint[]; readonly successful: readonly bigint[] },
): readonly ArrivalGroup[] {
  const merged: { -readonly [field in keyof ArrivalGroup]: ArrivalGroup[field] }[] = [];
  let next = 0;
  for (const [arrived, group] of [...groups].toSorted(([a], [b]) => a - b)) {
    const start = asked.starts[arrived];
    if (start !== undefined) next = firstAt(asked.successful, start, next);
    const nextRun = start === undefined || next === asked.successful.length ? null : next;
    if (group.oldest === null || group.newest === null) continue;
    const largestLag = group.largestLag ?? 0n;
    const last = merged.at(-1);
    if (last !== undefined && last.nextRun === nextRun) {
      last.rows += group.rows;
      if (group.oldest < last.oldestCursor) last.oldestCursor = group.oldest;
      if (group.newest > last.newestCursor) last.newestCursor = group.newest;
      if (largestLag > last.largestLag) last.largestLag = largestLag;
    } else
      merged.push({ nextRun, rows: group.rows, oldestCursor: group.oldest, newestCursor: group.newest, largestLag });
  }
  return merged;
}

/** The first index from `from` on whose value is at or beyond `wanted`; behind the last where there is none. */
function firstAt(ascending: readonly bigint[], wanted: bigint, from: number): number {
  for (let i = from; i < ascending.length; i++) if ((ascending[i] ?? wanted) >= wanted) return i;
  return ascending.length;
}

/** The greater one; null is none. */
export function greater(a: bigint | null, b: bigint | null): bigint | null {
  return a === null ? b : b === null ? a : a > b ? a : b;
}

/** The lesser one; null is none. */
export function lesser(a: bigint | null, b: bigint | null): bigint | null {
  return a === null ? b : b === null ? a : a < b ? a : b;
}
