import type { Difference } from "../../domain/difference.ts";
import { compareKeys, type Key } from "../../domain/key.ts";
import type { AgreedKind } from "../../domain/kind.ts";
import type { Spill } from "./ports.ts";

/** A row that a repair is to look at: the key, and whether only the target seemed to have it, or only the source. */
export type WorkItem = { readonly key: Key; readonly extra: boolean; readonly missing: boolean };

/** Items sorted at a time. */
const PIECE = 10_000;

/** Items in a line: to read and write them one by one takes several times as long. */
const LINE = 250;

/** Items in order, kept outside of memory, and the last of them. */
type Run = { readonly spill: Spill; last: WorkItem };

/**
 * The rows to look at in key order, however many there are: sorted runs that are kept outside of memory, and merged as they are read.
 * May be read once. Only what `wanted` takes is kept.
 */
export function sortedWork(
  differences: Iterable<Difference>,
  wanted: (difference: Difference) => boolean,
  kinds: readonly AgreedKind[],
  spill: () => Spill,
): Iterable<WorkItem> & Disposable {
  const runs: Run[] = [];
  let piece: WorkItem[] = [];
  const order = (a: WorkItem, b: WorkItem): number => compareKeys(a.key, b.key, kinds);
  const keep = (): void => {
    const sorted = piece.toSorted(order);
    piece = [];
    const [first, last] = [sorted[0], sorted.at(-1)];
    if (first === undefined || last === undefined) return;
    // Most comparisons find rows in key order, or in a few ranges at once.
    let run = runs.find((r) => order(r.last, first) <= 0);
    if (run === undefined) runs.push((run = { spill: spill(), last }));
    const lines: string[] = [];
    for (let i = 0; i < sorted.length; i += LINE)
      lines.push(
        JSON.stringify(
          sorted.slice(i, i + LINE).map(({ key, extra, missing }) => [extra ? 1 : missing ? 2 : 0, ...key]),
        ),
      );
    run.spill.write(lines);
    run.last = last;
  };
  for (const difference of differences) {
    if (!wanted(difference)) continue;
    piece.push({
      key: difference.key,
      extra: difference.type === "extra",
      missing: difference.type === "missing",
    });
    if (piece.length === PIECE) keep();
  }
  const rest = piece.toSorted(order);
  return {
    [Symbol.iterator]: () => merged([...runs.map((run) => readRun(run.spill)), rest.values()], order),
    [Symbol.dispose]() {
      for (const run of runs) run.spill[Symbol.dispose]();
    },
  };
}

function* readRun(spill: Spill): Generator<WorkItem> {
  for (const line of spill.lines())
    for (const [seen, ...key] of JSON.parse(line) as [number, ...(string | null)[]][])
      yield { key, extra: seen === 1, missing: seen === 2 };
}

type Head = { readonly items: Iterator<WorkItem>; value: WorkItem };

/** Always takes the least head: they stand in a heap, the least one first. */
function* merged(
  runs: readonly Iterator<WorkItem>[],
  order: (a: WorkItem, b: WorkItem) => number,
): Generator<WorkItem> {
  const heads = runs
    .flatMap((items): Head[] => {
      const { done, value } = items.next();
      return done ? [] : [{ items, value }];
    })
    .toSorted((a, b) => order(a.value, b.value));
  for (let least = heads[0]; least !== undefined; least = heads[0]) {
    yield least.value;
    const { done, value } = least.items.next();
    if (done) {
      const last = heads.pop();
      if (last !== undefined && last !== least) heads[0] = last;
    } else least.value = value;
    sink(heads, order);
  }
}

/** Puts a heap whose first may be too great in order. */
function sink(heads: Head[], order: (a: WorkItem, b: WorkItem) => number): void {
  for (let at = 0; ; ) {
    const head = heads[at];
    let least = at;
    for (const child of [2 * at + 1, 2 * at + 2]) {
      const [a, b] = [heads[child], heads[least]];
      if (a !== undefined && b !== undefined && order(a.value, b.value) < 0) least = child;
    }
    const other = heads[least];
    if (least === at || head === undefined || other === undefined) return;
    [heads[at], heads[least]] = [other, head];
    at = least;
  }
}

/** Items in batches whose size is asked anew for each. */
export function* inBatches(items: Iterable<WorkItem>, size: () => number): Generator<readonly WorkItem[]> {
  let batch: WorkItem[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size()) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
