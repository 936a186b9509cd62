import { type Key, keyIdentity, type KeyRange } from "../../domain/key.ts";
import { behind, keyBehind } from "../../domain/key-bounds.ts";
import type { AgreedKind } from "../../domain/kind.ts";
import type { BulkRows } from "./bulk.ts";

/**
 * The stretch from the first to the last of these keys, which are in key order; null: what comes behind the last one cannot be said. A
 * table finds a stretch of an index at a fraction of what it takes to look up as many keys.
 */
export function stretchOf(keys: readonly Key[], kinds: readonly AgreedKind[]): KeyRange | null {
  const [first, last, kind] = [keys[0], keys.at(-1), kinds.at(-1)];
  const part = last?.at(-1) ?? null;
  // A text is only followed by one that ends in a character which not every server takes.
  if (first === undefined || last === undefined || kind === undefined || part === null || kind.as === "text")
    return null;
  return behind(part, kind) === null ? null : { from: first, to: keyBehind(last, kinds) };
}

/** Whether rows that were read are those of these keys and no others. */
export function areThese(read: BulkRows, keys: readonly Key[]): boolean {
  if ("rows" in read) return read.rows.size === keys.length && keys.every((key) => read.rows.has(keyIdentity(key)));
  // As many lines; that their keys agree, too, is seen when they are compared.
  let lines = 0;
  for (let at = read.lines.indexOf(10); at >= 0; at = read.lines.indexOf(10, at + 1)) lines++;
  return lines === keys.length;
}

/** So many misses in a row, and a stretch is tried once in so many batches only. */
const MISSES = 3;
const SELDOM = 16;

/** Whether rows that are missing are likely all of a stretch's: where they were until now. */
export class StretchGuess {
  #misses = 0;
  #asked = 0;

  get isWorthIt(): boolean {
    return this.#misses < MISSES || this.#asked++ % SELDOM === 0;
  }

  /** Takes note of how one guess came out, and gives it back. */
  came(right: boolean): boolean {
    this.#misses = right ? 0 : this.#misses + 1;
    return right;
  }
}
