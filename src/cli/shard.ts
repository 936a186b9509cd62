import { UsageError } from "../domain/errors.ts";

/** One runner's part of the checks: the `index`-th (from 1) of `of` parts. */
export type Shard = { readonly index: number; readonly of: number };

/** Reads `--shard 2/8`. Throws a `UsageError`. */
export function parseShard(text: string): Shard {
  const match = /^(\d{1,6})\/(\d{1,6})$/.exec(text);
  const index = Number(match?.[1]);
  const of = Number(match?.[2]);
  if (match === null || index < 1 || index > of)
    throw new UsageError(`--shard ${text}: expected PART/PARTS, such as 2/8 for the second of eight`);
  return { index, of };
}

/** The part of a list: dealt out like cards by name, so that all parts together are the whole and none is more than one larger. */
export function shardOf<T extends { readonly name: string }>(items: readonly T[], shard: Shard): readonly T[] {
  const order = items.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return order.filter((_, i) => i % shard.of === shard.index - 1);
}
