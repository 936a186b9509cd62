import { type Cuts, leafOf, leavesOf } from "./cuts.ts";
import type { Position } from "./position.ts";
import type { Window } from "./window.ts";

/**
 * Which of many windows hold a position, asked once a row: a segment tree over the leaves of cuts that contain all the windows' ends.
 * Builds in O(n log n), answers in O(log n) plus what it names.
 */
export type Coverage = {
  readonly cuts: Cuts;
  readonly leafOf: (x: Position) => number;
  /** Ordinals of the windows that hold a leaf, ascending. The same array for the same leaf as long as it is remembered. */
  readonly at: (leaf: number) => readonly number[];
  /**
   * A value for each leaf, put together from the windows that hold it: `of` an ordinal's own value, `join` of two (associative and
   * commutative). Undefined where no window holds the leaf.
   */
  readonly fold: <T>(of: (ordinal: number) => T, join: (a: T, b: T) => T) => readonly (T | undefined)[];
  /** The same, put together when a leaf is first asked: few leaves out of very many cost neither time nor memory. */
  readonly foldAt: <T>(of: (ordinal: number) => T, join: (a: T, b: T) => T) => (leaf: number) => T | undefined;
};

/** How many ordinals are remembered for leaves asked before: bounds the memory of windows that overlap a lot. */
const REMEMBERED = 2_000_000;

export function coverageOf(cuts: Cuts, windows: readonly Window[]): Coverage {
  const size = cuts.leaves;
  const { start, held } = windowsByNode(cuts, windows);

  const remembered = new Map<number, readonly number[]>();
  let kept = 0;
  const at = (leaf: number): readonly number[] => {
    const known = remembered.get(leaf);
    if (known !== undefined) return known;
    const found: number[] = [];
    for (let node = leaf + size; node >= 1; node >>= 1)
      for (let i = start[node] ?? 0; i < (start[node + 1] ?? 0); i++) found.push(held[i] as number);
    const ordered = found.toSorted((a, b) => a - b);
    kept += ordered.length + 1;
    if (kept > REMEMBERED) {
      remembered.clear();
      kept = ordered.length + 1;
    }
    remembered.set(leaf, ordered);
    return ordered;
  };

  const fold = <T>(of: (ordinal: number) => T, join: (a: T, b: T) => T): readonly (T | undefined)[] => {
    const values: (T | undefined)[] = [];
    const meet = (a: T | undefined, b: T | undefined): T | undefined =>
      a === undefined ? b : b === undefined ? a : join(a, b);
    for (let node = 0; node < 2 * size; node++) {
      let own: T | undefined;
      for (let i = start[node] ?? 0; i < (start[node + 1] ?? 0); i++) own = meet(own, of(held[i] as number));
      // A node's windows hold all leaves below it, so what the parent has goes down.
      values.push(node > 1 ? meet(own, values[node >> 1]) : own);
    }
    return values.slice(size);
  };

  const foldAt = <T>(of: (ordinal: number) => T, join: (a: T, b: T) => T): ((leaf: number) => T | undefined) => {
    const asked = new Map<number, T | undefined>();
    let whole: readonly (T | undefined)[] | null = null;
    let visited = 0;
    return (leaf) => {
      if (whole !== null) return whole[leaf];
      if (leaf < 0 || leaf >= size) return undefined;
      if (asked.has(leaf)) return asked.get(leaf);
      let value: T | undefined;
      for (let node = leaf + size; node >= 1; node >>= 1)
        for (let i = start[node] ?? 0; i < (start[node + 1] ?? 0); i++) {
          const own = of(held[i] as number);
          value = value === undefined ? own : join(value, own);
          visited++;
        }
      asked.set(leaf, value);
      // So many leaves, or such deep ones: from here on all of them at once cost less.
      if (visited + asked.size > held.length + size) {
        whole = fold(of, join);
        asked.clear();
      }
      return value;
    };
  };

  return { cuts, leafOf: (x) => leafOf(cuts, x), at, fold, foldAt };
}

/** Apart from `coverageOf`, so that nothing keeps what is only needed to build it. */
function windowsByNode(
  cuts: Cuts,
  windows: readonly Window[],
): { readonly start: Int32Array; readonly held: Int32Array } {
  const size = cuts.leaves;
  const [firsts, lasts] = [new Int32Array(windows.length), new Int32Array(windows.length)];
  for (const [ordinal, window] of windows.entries()) {
    const { first, last } = leavesOf(cuts, window);
    firsts[ordinal] = first;
    lasts[ordinal] = last;
  }
  // Windows by node, as one array cut by `start`: counted first, so that nothing grows.
  const start = new Int32Array(2 * size + 1);
  for (let i = 0; i < windows.length; i++)
    nodesOf(size, firsts[i] as number, lasts[i] as number, (node) => (start[node + 1] = (start[node + 1] ?? 0) + 1));
  for (let node = 0; node < 2 * size; node++) start[node + 1] = (start[node + 1] ?? 0) + (start[node] ?? 0);
  const held = new Int32Array(start[2 * size] ?? 0);
  const next = start.slice();
  for (let i = 0; i < windows.length; i++)
    nodesOf(size, firsts[i] as number, lasts[i] as number, (node) => {
      const at = next[node] ?? 0;
      held[at] = i;
      next[node] = at + 1;
    });
  return { start, held };
}

/** The fewest nodes of the tree that together are the leaves from `first` to `last`, both included. */
function nodesOf(size: number, first: number, last: number, visit: (node: number) => void): void {
  for (let low = first + size, high = last + size + 1; low < high; low >>= 1, high >>= 1) {
    if (low & 1) visit(low++);
    if (high & 1) visit(--high);
  }
}
