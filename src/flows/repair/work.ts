import type { Difference } from "../../domain/difference.ts";
import { compareKeys, type Key } from "../../domain/key.ts";
import type { AgreedKind } from "../../domain/kind.ts";
import type { Spill } from "./ports.ts";

/** A row that a repair is to look at: the key, and whether only the target seemed to have it. */
export type WorkItem = { readonly key: Key; readonly extra: boolean };

/** Items sorted at a time; so many runs are then merged. */
const RUN = 50_000;

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
  const runs: Spill[] = [];
  let run: WorkItem[] = [];
  const order = (a: WorkItem, b: WorkItem): number => compareKeys(a.key, b.key, kinds);
  for (const difference of differences) {
    if (!wanted(difference)) continue;
    run.push({ key: difference.key, extra: difference.type === "extra" });
    if (run.length < RUN) continue;
    runs.push(keep(run.toSorted(order), spill()));
    run = [];
  }
  const last = run.toSorted(order);
  return {
    [Symbol.iterator]: () => merged([...runs.map(readBack), last.values()], order),
    [Symbol.dispose]() {
      for (const each of runs) each[Symbol.dispose]();
    },
  };
}

function keep(items: readonly WorkItem[], spill: Spill): Spill {
  spill.write(items.map(({ key, extra }) => JSON.stringify([extra ? 1 : 0, ...key])));
  return spill;
}

function* readBack(spill: Spill): Generator<WorkItem> {
  for (const line of spill.lines()) {
    const [extra, ...key] = JSON.parse(line) as [number, ...(string | null)[]];
    yield { key, extra: extra === 1 };
  }
}

function* merged(
  runs: readonly Iterator<WorkItem>[],
  order: (a: WorkItem, b: WorkItem) => number,
): Generator<WorkItem> {
  const heads = runs.flatMap((items) => {
    const { done, value } = items.next();
    return done ? [] : [{ items, value }];
  });
  while (heads.length > 0) {
    let least = 0;
    for (let i = 1; i < heads.length; i++) {
      const [a, b] = [heads[i], heads[least]];
      if (a && b && order(a.value, b.value) < 0) least = i;
    }
    const head = heads[least];
    if (head === undefined) return;
    yield head.value;
    const { done, value } = head.items.next();
    if (done) heads.splice(least, 1);
    else head.value = value;
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
