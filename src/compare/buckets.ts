import { type Digest, isComplete, provesEqual } from "../domain/digest.ts";
import { bundle, type ChunkOutcome, differingBuckets, MOST_BUCKETS, powerOfTwo, sum, type Summed } from "./chunk.ts";
import { type Fetched, fetchRows, type SoFar } from "./fetch-rows.ts";
import { type GatheredOutcome, gatherRows } from "./gather.ts";
import { type ComparisonPlan, fetchesAll } from "./plan.ts";
import { ask, type Both, type Chunk, type Dialogue } from "./question.ts";

/** What a comparison by groups of keys came to. */
export type BucketsOutcome = ChunkOutcome & { readonly chunks: number; readonly chunksDifferent: number };

/** Groups of a first split at most: a larger answer costs more than it tells. */
const FIRST_GROUPS = 1 << 14;
/** Rows of a group where rows here and there differ all over: then few groups differ, and few rows are read. */
const FINE = 8;
/** Rows that are gathered in one pass; what is read of each is on the disk meanwhile. */
const MOST_GATHERED = 4_000_000;

/**
 * Compares everything under a key order that the sides do not share: one pass for a checksum of it all, which settles it mostly; else one
 * grouped by the key's hash (about `groupRows` rows a group), a second by smaller groups where more than a few of them differ, and one
 * more for all rows of those that differ, however many these are (one for each four million). `expectedRows`: a guess.
 */
export function* compareBuckets(
  chunk: Chunk,
  plan: ComparisonPlan,
  soFar: SoFar,
  expectedRows: bigint,
  groupRows: number,
): Dialogue<BucketsOutcome> {
  if (fetchesAll(plan)) {
    const { groups, groupsDifferent, rows, fetched } = yield* gatherAll(chunk, plan, soFar, false, expectedRows);
    const chunks = { chunks: groups, chunksDifferent: groupsDifferent };
    return { rows, fetched, different: groupsDifferent > 0, witness: null, ...chunks };
  }
  const { digests, wide, rows } = yield* sum(chunk);
  if (provesEqual(digests.source, digests.target))
    return { rows, different: false, fetched: 0, witness: null, chunks: 1, chunksDifferent: 0 };
  const found = yield* findRows(chunk, plan, soFar, { digests, wide, rows }, groupRows);
  const keys = plan.witnessKeys ? (yield* ask<"keys">({ ask: "keys", chunk })).digests : null;
  return {
    rows,
    different: true,
    fetched: found.fetched,
    witness: found.suspected < plan.witnessRows ? null : { chunk, wide, digests, keys },
    chunks: found.groups,
    chunksDifferent: found.groupsDifferent,
  };
}

/** What was found in groups of keys. */
type Found = Fetched & Pick<GatheredOutcome, "groups" | "groupsDifferent">;

/** Finds the rows that differ. */
function* findRows(
  chunk: Chunk,
  plan: ComparisonPlan,
  soFar: SoFar,
  { rows, wide }: Summed,
  groupRows: number,
): Dialogue<Found> {
  const most = rows.source > rows.target ? rows.source : rows.target;
  // Where one side is empty everything differs, and no hash tells more.
  if (rows.source === 0n || rows.target === 0n) return yield* gatherAll(chunk, plan, soFar, null, most);
  const split = yield* splitFully(chunk, Math.min(FIRST_GROUPS, powerOfTwo(Number(most) / groupRows)), wide);
  const { modulus, differing } = split;
  const groups = { groups: modulus, groupsDifferent: differing.length };
  const finer = Math.min(MOST_BUCKETS, powerOfTwo(Number(most) / FINE));
  // To read a row costs about ten times as much as to sum it. Where not one group is equal, smaller ones would hardly be.
  const last =
    differing.length > modulus / 16 && differing.length < modulus && finer >= modulus * 4
      ? yield* splitFully(chunk, finer, wide)
      : split;
  return { ...groups, ...(yield* gatherParts(chunk, plan, soFar, last)) };
}

/** A chunk by the hash of its keys. */
type Split = {
  readonly modulus: number;
  readonly wide: boolean;
  readonly digests: Both<ReadonlyMap<number, Digest>>;
  readonly differing: readonly number[];
};

/** Splits so that every row goes into some digest, also where the sides have moved on since they were summed. */
function* splitFully(chunk: Chunk, modulus: number, wide: boolean): Dialogue<Split> {
  const { digests } = yield* ask<"split">({ ask: "split", chunk, modulus, wide });
  const all = [...digests.source.values(), ...digests.target.values()];
  if (!wide && !all.every(isComplete)) return yield* splitFully(chunk, modulus, true);
  return { modulus, wide, digests, differing: differingBuckets(digests) };
}

/** Reads the groups that differ: at once if they are few, else through files, or everything where nearly all differ. */
function* gatherParts(
  chunk: Chunk,
  plan: ComparisonPlan,
  soFar: SoFar,
  { digests, differing, modulus, wide }: Split,
): Dialogue<Fetched> {
  const few = bundle(chunk, modulus, differing, digests, plan.fetchRows);
  if (few.length <= 1) return yield* fetchRows(few, plan, soFar, wide);
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

/** Reads every row once: `rows` is a guess, and nothing to cut groups by. `wide` null: without hashes. */
function* gatherAll(
  chunk: Chunk,
  plan: ComparisonPlan,
  soFar: SoFar,
  wide: boolean | null,
  expectedRows: bigint,
): Dialogue<GatheredOutcome> {
  const modulus = powerOfTwo(Number(expectedRows) / MOST_GATHERED);
  const rows = { source: 0n, target: 0n };
  const all = { fetched: 0, suspected: 0, groups: 0, groupsDifferent: 0 };
  for (let bucket = 0; bucket < modulus; bucket++) {
    const part = modulus === 1 ? chunk : { ...chunk, buckets: { modulus, of: [bucket] } };
    const one = yield* gatherRows(part, plan, soFar, wide, Math.min(Number(expectedRows), MOST_GATHERED));
    rows.source += one.rows.source;
    rows.target += one.rows.target;
    all.fetched += one.fetched;
    all.suspected += one.suspected;
    all.groups += one.groups;
    all.groupsDifferent += one.groupsDifferent;
  }
  return { rows, ...all };
}
