import { leavesOf } from "../domain/cuts.ts";
import type { LedgerIndex, Windowed } from "../domain/ledger-index.ts";
import { isEmpty } from "../domain/window.ts";

/** Whether successful runs that started after this one cover all of its window together. */
export type Coverer = { readonly coveredLater: (run: Windowed) => boolean };

export function covererOf({ successes, won }: LedgerIndex): Coverer {
  let oldest: ((first: number, last: number) => bigint) | null = null;
  return {
    coveredLater: (run) => {
      if (isEmpty(run.window)) return true;
      oldest ??= smallestOf(
        won
          .fold(
            (i) => (successes[i] as Windowed).started,
            (a, b) => (a > b ? a : b),
          )
          .map((started) => started ?? 0n),
      );
      // The newest start at each leaf; the oldest of these must still be newer than the run.
      const { first, last } = leavesOf(won.cuts, run.window);
      return oldest(first, last) > run.started;
    },
  };
}

/** Answers the smallest of values[first … last] in O(log n). */
function smallestOf(values: readonly bigint[]): (first: number, last: number) => bigint {
  const size = values.length;
  const tree = [...values, ...values];
  const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
  for (let node = size - 1; node >= 1; node--)
    tree[node] = least(tree[2 * node] as bigint, tree[2 * node + 1] as bigint);
  return (first, last) => {
    let found = values[first] as bigint;
    for (let low = first + size, high = last + size + 1; low < high; low >>= 1, high >>= 1) {
      if (low & 1) found = least(found, tree[low++] as bigint);
      if (high & 1) found = least(found, tree[--high] as bigint);
    }
    return found;
  };
}
