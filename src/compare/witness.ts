import { type Digest, provesEqual } from "../domain/digest.ts";
import { ask, type Both, type Chunk, type Dialogue } from "./question.ts";

/** What a chunk was when it was compared: a later look that finds the same needs no rows to know that their differences still stand. */
export type Witness = {
  readonly chunk: Chunk;
  readonly wide: boolean;
  readonly digests: Both<Digest>;
  /** The keys whatever their cursors, where rows are left out by them; null: none are. */
  readonly keys: Both<Digest> | null;
};

/** Whether a chunk is still what it was when its witness was taken, so that all that differed in it still does. */
export function* stillStands({ chunk, wide, digests: then, keys }: Witness): Dialogue<boolean> {
  const { digests: now } = yield* ask<"digest">({ ask: "digest", chunk, wide });
  if (!bothSame(then, now)) return false;
  return keys === null || bothSame(keys, (yield* ask<"keys">({ ask: "keys", chunk })).digests);
}

const bothSame = (a: Both<Digest>, b: Both<Digest>): boolean =>
  provesEqual(a.source, b.source) && provesEqual(a.target, b.target);
