import { isComplete, provesEqual, type Digest, EMPTY_DIGEST } from "../domain/digest.ts";
import type { Key } from "../domain/key.ts";
import { type ComparisonPlan, fetchesAll } from "./plan.ts";
import { fetchOne, type Fetched, fetchRows, type SoFar } from "./fetch-rows.ts";
import { ask, type Both, type Chunk, type Dialogue } from "./question.ts";
import type { Witness } from "./witness.ts";

/** What a chunk came to. `rows`: rows compared on each side; `witness`: null where few rows differ, or nothing was summed. */
export type ChunkOutcome = {
  readonly rows: Both<bigint>;
  readonly different: boolean;
  readonly fetched: number;
  readonly witness: Witness | null;
};

/** Ranges of a chunk that must differ, one after the other, before the next are fetched without asking for their checksum. */
const STREAK = 3;
/** Rows of a group of keys: few groups where few rows differ; small ones where rows differ here and there all over, one in a hundred. */
const COARSE = 500;
const FINE = 8;
/** Most times that a chunk is read again for parts of it. */
const MOST_PARTS = 4;
/** Most buckets in one split: the answer is held in memory. */
export const MOST_BUCKETS = 1 << 16;

/**
 * Compares one chunk: digests first, then finer where they differ, then the rows, then the values of the rows that differ. Yields
 * questions and takes answers, so that it can be tried against a naive comparison without a database. `soFar`: what all
 * chunks of a comparison have learnt.
 */
export function* compareChunk(chunk: Chunk, plan: ComparisonPlan, soFar: SoFar): Dialogue<ChunkOutcome> {
  if (fetchesAll(plan)) return yield* fetchChunk(chunk, plan, soFar, false);
  const { digests, wide, rows } = yield* sum(chunk);
  if (provesEqual(digests.source, digests.target)) return { rows, different: false, fetched: 0, witness: null };
  const most = Number(rows.source > rows.target ? rows.source : rows.target);
  const { fetched, suspected } =
    most <= plan.fetchRows
      ? yield* fetchRows([chunk], plan, soFar, wide)
      : yield* splitChunk(chunk, plan, soFar, rows, wide);
  const witness =
    suspected < plan.witnessRows
      ? null
      : {
          chunk,
          wide,
          digests,
          keys: plan.witnessKeys ? (yield* ask<"keys">({ ask: "keys", chunk })).digests : null,
        };
  return { rows, different: true, fetched, witness };
}

/** The checksums of a chunk. `wide`: as some text is too long for a server, long texts went in as their hashes. */
export type Summed = { readonly digests: Both<Digest>; readonly wide: boolean; readonly rows: Both<bigint> };

/** Sums a chunk so that every row goes in. */
export function* sum(chunk: Chunk, wide = false): Dialogue<Summed> {
  const { digests } = yield* ask<"digest">({ ask: "digest", chunk, wide });
  if (!wide && !(isComplete(digests.source) && isComplete(digests.target))) return yield* sum(chunk, true);
  return { digests, wide, rows: { source: digests.source.rows, target: digests.target.rows } };
}

/**
 * Finds the rows of a large chunk that differ: by groups of the key's hash, of which rows here and there touch few if the groups are small
 * enough; else, where whole stretches of keys are missing, by smaller ranges. Where nearly everything differs, neither is asked.
 */
function* splitChunk(
  chunk: Chunk,
  plan: ComparisonPlan,
  soFar: SoFar,
  rows: Both<bigint>,
  wide: boolean,
): Dialogue<Fetched> {
  const larger = rows.source >= rows.target ? "source" : "target";
  // Where one side is empty everything differs.
  if (rows.source === 0n || rows.target === 0n)
    return yield* fetchRows(yield* cut(chunk, plan, larger), plan, soFar, wide, larger);
  if (soFar.dense !== true)
    for (const size of soFar.scattered === true ? [FINE] : [COARSE, FINE]) {
      const modulus = Math.max(16, powerOfTwo(Number(rows[larger]) / size));
      const { digests } = yield* ask<"split">({ ask: "split", chunk, modulus, wide });
      const differing = differingBuckets(digests);
      const parts = bundle(chunk, modulus, differing, digests, plan.fetchRows);
      soFar.scattered = size === FINE && differing.length > modulus / (COARSE / FINE);
      // Each part reads the whole chunk again, if only its keys: where there are many, ranges of keys are cheaper.
      if (parts.length <= MOST_PARTS) return yield* fetchRows(parts, plan, soFar, wide);
    }
  return yield* fetchRanges(yield* cut(chunk, plan, larger), plan, soFar, wide);
}

/** Fetches those ranges that differ. After a streak of them they are fetched unasked, until one turns out not to differ. */
function* fetchRanges(ranges: readonly Chunk[], plan: ComparisonPlan, soFar: SoFar, wide: boolean): Dialogue<Fetched> {
  let streak = soFar.dense === true ? STREAK : 0;
  let differing = 0;
  const all = { fetched: 0, suspected: 0 };
  for (const range of ranges) {
    if (streak < STREAK) {
      const { digests } = yield* ask<"digest">({ ask: "digest", chunk: range, wide });
      if (provesEqual(digests.source, digests.target)) {
        streak = 0;
        continue;
      }
    }
    const { fetched, suspected } = yield* fetchRows([range], plan, soFar, wide);
    all.fetched += fetched;
    all.suspected += suspected;
    streak = suspected > 0 ? streak + 1 : 0;
    differing += suspected > 0 ? 1 : 0;
  }
  soFar.dense = differing > ranges.length * 0.9;
  return all;
}

function* cut(chunk: Chunk, plan: ComparisonPlan, by: "source" | "target"): Dialogue<readonly Chunk[]> {
  const { keys } = yield* ask<"cuts">({ ask: "cuts", chunk, rows: plan.fetchRows, by });
  const ends: readonly (Key | null)[] = [chunk.keys.from, ...keys, chunk.keys.to];
  return ends.slice(1).map((to, i) => ({ keys: { from: ends[i] ?? null, to }, buckets: chunk.buckets }));
}

/** Fetches a chunk that no digest can settle. Its size in source rows is the caller's choice; the target may hold more there. */
function* fetchChunk(chunk: Chunk, plan: ComparisonPlan, soFar: SoFar, wide: boolean): Dialogue<ChunkOutcome> {
  const rows = { source: 0n, target: 0n };
  let different = false;
  let fetched = 0;
  for (const part of yield* cut(chunk, plan, "target")) {
    const outcome = yield* fetchOne(part, plan, soFar, wide, rows);
    different ||= outcome.different;
    fetched += outcome.fetched;
  }
  return { rows, different, fetched, witness: null };
}

/** Buckets whose digests do not prove them equal, in ascending order. */
export function differingBuckets(digests: Both<ReadonlyMap<number, Digest>>): readonly number[] {
  const all = new Set([...digests.source.keys(), ...digests.target.keys()]);
  return [...all]
    .filter((b) => !provesEqual(digests.source.get(b) ?? EMPTY_DIGEST, digests.target.get(b) ?? EMPTY_DIGEST))
    .toSorted((a, b) => a - b);
}

/** Puts buckets together into chunks of at most `rows` rows (one bucket at least). */
export function bundle(
  chunk: Chunk,
  modulus: number,
  buckets: readonly number[],
  digests: Both<ReadonlyMap<number, Digest>>,
  rows: number,
): readonly Chunk[] {
  const chunks: Chunk[] = [];
  let of: number[] = [];
  let held = 0;
  for (const bucket of buckets) {
    const size = Math.max(
      Number(digests.source.get(bucket)?.rows ?? 0n),
      Number(digests.target.get(bucket)?.rows ?? 0n),
    );
    if (of.length > 0 && held + size > rows) {
      chunks.push({ keys: chunk.keys, buckets: { modulus, of } });
      of = [];
      held = 0;
    }
    of.push(bucket);
    held += size;
  }
  if (of.length > 0) chunks.push({ keys: chunk.keys, buckets: { modulus, of } });
  return chunks;
}

/** The power of two nearest above `n`, between 1 and the most buckets that are held at once. */
export function powerOfTwo(n: number): number {
  let power = 1;
  while (power < n && power < MOST_BUCKETS) power *= 2;
  return power;
}
