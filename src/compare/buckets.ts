import { type Digest, EMPTY_DIGEST, isComplete } from "../domain/digest.ts";
import { bundle, type ChunkOutcome, differingBuckets, MOST_BUCKETS, powerOfTwo } from "./chunk.ts";
import { type Fetched, fetchRows, type SoFar } from "./fetch-rows.ts";
import { gatherRows } from "./gather.ts";
import { type ComparisonPlan, fetchesAll } from "./plan.ts";
import { ask, type Both, type Chunk, type Dialogue } from "./question.ts";

/** What a comparison by groups of keys came to. */
export type BucketsOutcome = ChunkOutcome & { readonly chunks: number; readonly chunksDifferent: number };

/** Rows of a group where rows here and there differ all over: then few groups differ, and few rows are read. */
const FINE = 8;
/** Rows that are gathered in one pass; what is read of each is on the disk meanwhile. */
const MOST_GATHERED = 4_000_000;

/**
 * Compares everything under a key order that the sides do not share: one pass grouped by the key's hash, a second by smaller groups
 * where more than a few of them differ, and one more for all rows of those that differ, however many these are (one for each four million).
 */
export function* compareBuckets(
  chunk: Chunk,
  plan: ComparisonPlan,
  soFar: SoFar,
  expectedRows: bigint,
  chunkRows: number,
): Dialogue<BucketsOutcome> {
  if (fetchesAll(plan)) return yield* compareValues(chunk, plan, soFar, expectedRows);
  const split = yield* splitFully(chunk, powerOfTwo(Number(expectedRows) / chunkRows), false);
  const { rows } = split;
  if (split.differing.length === 0)
    return {
      rows,
      different: false,
      fetched: 0,
      witness: null,
      chunks: split.modulus,
      chunksDifferent: 0,
    };
  const { fetched, suspected } = yield* findRows(chunk, plan, soFar, split);
  const { digests, wide, modulus, differing } = split;
  return {
    rows,
    different: true,
    fetched,
    witness:
      suspected < plan.witnessRows
        ? null
        : {
            chunk,
            wide,
            digests: { source: total(digests.source), target: total(digests.target) },
            keys: plan.witnessKeys ? (yield* ask<"keys">({ ask: "keys", chunk })).digests : null,
          },
    chunks: modulus,
    chunksDifferent: differing.length,
  };
}

/** A chunk by the hash of its keys. */
type Split = {
  readonly modulus: number;
  readonly wide: boolean;
  readonly digests: Both<ReadonlyMap<number, Digest>>;
  readonly differing: readonly number[];
  readonly rows: Both<bigint>;
};

/** Splits so that every row goes into some digest. */
function* splitFully(chunk: Chunk, modulus: number, wide: boolean): Dialogue<Split> {
  const { digests } = yield* ask<"split">({ ask: "split", chunk, modulus, wide });
  const all = { source: total(digests.source), target: total(digests.target) };
  if (!wide && !(isComplete(all.source) && isComplete(all.target))) return yield* splitFully(chunk, modulus, true);
  const rows = { source: all.source.rows, target: all.target.rows };
  return { modulus, wide, digests, differing: differingBuckets(digests), rows };
}

/** Finds the rows that differ in a chunk that was split. */
function* findRows(chunk: Chunk, plan: ComparisonPlan, soFar: SoFar, split: Split): Dialogue<Fetched> {
  const { rows, modulus, wide, differing } = split;
  const most = Number(rows.source > rows.target ? rows.source : rows.target);
  // Where one side is empty everything differs, and no hash tells more.
  if (rows.source === 0n || rows.target === 0n) return yield* gatherParts(chunk, plan, soFar, split, null);
  const finer = Math.min(MOST_BUCKETS, powerOfTwo(most / FINE));
  // To read a row costs about ten times as much as to sum it. Where not one group is equal, smaller ones would hardly be.
  if (differing.length > modulus / 16 && differing.length < modulus && finer >= modulus * 8)
    return yield* gatherParts(chunk, plan, soFar, yield* splitFully(chunk, finer, wide), wide);
  return yield* gatherParts(chunk, plan, soFar, split, wide);
}

/** Reads the groups that differ: at once if they are few, else through files, or everything where nearly all differ. */
function* gatherParts(
  chunk: Chunk,
  plan: ComparisonPlan,
  soFar: SoFar,
  { digests, differing, modulus, wide: split }: Split,
  wide: boolean | null,
): Dialogue<Fetched> {
  const few = bundle(chunk, modulus, differing, digests, plan.fetchRows);
  if (few.length <= 1) return yield* fetchRows(few, plan, soFar, split);
  const sizeOf = (part: Chunk): number => {
    const size = (side: ReadonlyMap<number, Digest>): number =>
      (part.buckets?.of ?? []).reduce((n, bucket) => n + Number(side.get(bucket)?.rows ?? 0n), 0);
    return Math.max(size(digests.source), size(digests.target));
  };
  const all = { fetched: 0, suspected: 0 };
  for (const part of bundle(chunk, modulus, differing, digests, MOST_GATHERED)) {
    // A condition that leaves little out only costs.
    const everything = (part.buckets?.of.length ?? 0) > modulus * 0.75;
    const one = yield* gatherRows(everything ? chunk : part, plan, soFar, wide, sizeOf(part));
    all.fetched += one.fetched;
    all.suspected += one.suspected;
  }
  return all;
}

/** Compares without any digest: every row is read once. How many there are is a guess here, and nothing to cut groups by. */
function* compareValues(
  chunk: Chunk,
  plan: ComparisonPlan,
  soFar: SoFar,
  expectedRows: bigint,
): Dialogue<BucketsOutcome> {
  const modulus = powerOfTwo(Number(expectedRows) / MOST_GATHERED);
  const rows = { source: 0n, target: 0n };
  const all = { fetched: 0, chunks: 0, chunksDifferent: 0 };
  for (let bucket = 0; bucket < modulus; bucket++) {
    const part = modulus === 1 ? chunk : { ...chunk, buckets: { modulus, of: [bucket] } };
    const one = yield* gatherRows(part, plan, soFar, false, MOST_GATHERED);
    rows.source += one.rows.source;
    rows.target += one.rows.target;
    all.fetched += one.fetched;
    all.chunks += one.groups;
    all.chunksDifferent += one.groupsDifferent;
  }
  return { rows, different: all.chunksDifferent > 0, witness: null, ...all };
}

function total(digests: ReadonlyMap<number, Digest>): Digest {
  let { rows, hashed, sum } = EMPTY_DIGEST;
  for (const digest of digests.values()) {
    rows += digest.rows;
    hashed += digest.hashed;
    sum += digest.sum;
  }
  return { rows, hashed, sum: BigInt.asUintN(64, sum) };
}
