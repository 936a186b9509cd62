import type { Copy, Difference } from "../domain/difference.ts";
import type { Digest } from "../domain/digest.ts";
import type { Key, KeyRange } from "../domain/key.ts";

/**
 * A set of rows that is compared as one: a range of keys, and within it (where `buckets` is given) only the keys whose hash falls
 * into one of `of` modulo `modulus`, a power of two.
 */
export type Chunk = {
  readonly keys: KeyRange;
  readonly buckets: { readonly modulus: number; readonly of: readonly number[] } | null;
};

/**
 * A row as it comes from a chunk: its key, the 64-bit hash of its digested columns as the server printed it, signed or unsigned (null: there
 * is none), its copy, its streamed values.
 */
export type Sketch = {
  readonly key: Key;
  readonly hash: string | null;
  readonly copy: Copy;
  readonly values: readonly (string | null)[];
};

/** A row with the values of all planned columns, in their order. Looked up by key: not narrowed by range or settle. */
export type FullRow = { readonly key: Key; readonly copy: Copy; readonly values: readonly (string | null)[] };

export type Both<T> = { readonly source: T; readonly target: T };

/** What a comparison wants to know next. Every question goes to both sides at once, but `cuts`, which one side answers. */
export type Question =
  /** `wide`: long texts go into the row text as their hash, so that no row is too long for a server. */
  | { readonly ask: "digest"; readonly chunk: Chunk; readonly wide: boolean }
  | { readonly ask: "split"; readonly chunk: Chunk; readonly modulus: number; readonly wide: boolean }
  /** `only`: the side that holds rows there at all; its rows come without hashes, and the other side, known to be empty, is not asked. */
  | { readonly ask: "rows"; readonly chunk: Chunk; readonly wide: boolean; readonly only?: "source" | "target" }
  | { readonly ask: "values"; readonly keys: readonly Key[] }
  /** The digest of a chunk's keys, whatever their rows' cursors: not narrowed by range or settle. */
  | { readonly ask: "keys"; readonly chunk: Chunk }
  /** Keys of one side that cut the chunk into parts of `rows` of its rows. */
  | { readonly ask: "cuts"; readonly chunk: Chunk; readonly rows: number; readonly by: "source" | "target" }
  /**
   * Reads all rows of a chunk in one pass and sets them aside, by the hash of their key, in as many `groups`: a power of two, at most 1024.
   * `wide` null: without hashes. `unscoped`: rows that are left out by their cursor come, too.
   */
  | {
      readonly ask: "gather";
      readonly chunk: Chunk;
      readonly wide: boolean | null;
      readonly unscoped: boolean;
      readonly groups: number;
    }
  /** The rows of one group of what was gathered last. */
  | { readonly ask: "group"; readonly group: number }
  /** Differences that are found; takes them out of the comparison's hands. */
  | {
      readonly ask: "take";
      readonly differences: readonly Difference[];
      readonly explained: ReadonlyMap<string, number>;
    };

export type Answer =
  | { readonly to: "digest"; readonly digests: Both<Digest> }
  | { readonly to: "split"; readonly digests: Both<ReadonlyMap<number, Digest>> }
  | { readonly to: "rows"; readonly rows: Both<readonly Sketch[]> }
  | { readonly to: "values"; readonly rows: Both<readonly FullRow[]> }
  | { readonly to: "keys"; readonly digests: Both<Digest> }
  | { readonly to: "cuts"; readonly keys: readonly Key[] }
  /** Rows that were gathered, and how many of them the server could not hash. */
  | { readonly to: "gather"; readonly rows: Both<bigint>; readonly unhashed: bigint }
  | { readonly to: "group"; readonly rows: Both<readonly Sketch[]> }
  | { readonly to: "take" };

/** A comparison in progress: yields questions, is given answers, returns what it came to. */
export type Dialogue<T> = Generator<Question, T, Answer>;

/** Asks one question and narrows its answer; an answer to another question is a bug of the caller. */
export function* ask<Q extends Question["ask"]>(
  question: Extract<Question, { ask: Q }>,
): Dialogue<Extract<Answer, { to: Q }>> {
  const answer: Answer = yield question;
  if (answer.to !== question.ask) throw new TypeError(`asked for ${question.ask}, answered ${answer.to}`);
  return answer as Extract<Answer, { to: Q }>;
}
