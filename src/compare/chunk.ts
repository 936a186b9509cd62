import type { Difference } from "../domain/difference.ts";
import { isComplete, provesEqual, type Digest, EMPTY_DIGEST } from "../domain/digest.ts";
import { type Key, keyIdentity } from "../domain/key.ts";
import { type ComparisonPlan, fetchesAll, valuesDecide } from "./plan.ts";
import { accuse, group, judge, suspects } from "./pair.ts";
import { ask, type Both, type Chunk, type Dialogue, type Sketch } from "./question.ts";

/** What a chunk came to. `rows`: rows compared on each side. */
export type ChunkOutcome = { readonly rows: Both<bigint>; readonly different: boolean; readonly fetched: number };

/** Keys whose values are asked for in one statement. */
const KEYS_AT_ONCE = 500;
/** Most times that a chunk is read again for parts of it. */
const MOST_PARTS = 4;
/** Most buckets in one split: the answer is held in memory. */
const MOST_BUCKETS = 1 << 16;

/**
 * Compares one chunk: digests first, then finer where they differ, then the rows, then the values of the rows that differ. Yields
 * questions and takes answers, so that it can be tried against a naive comparison without a database. `explained` counts, over
 * the whole comparison, rows whose values were fetched only to name their columns.
 */
export function* compareChunk(chunk: Chunk, plan: ComparisonPlan, explained: { rows: number }): Dialogue<ChunkOutcome> {
  if (fetchesAll(plan)) return yield* fetchChunk(chunk, plan, explained, false);
  let wide = false;
  let { digests } = yield* ask<"digest">({ ask: "digest", chunk, wide });
  if (!isComplete(digests.source) || !isComplete(digests.target)) {
    wide = true;
    ({ digests } = yield* ask<"digest">({ ask: "digest", chunk, wide }));
  }
  const rows = { source: digests.source.rows, target: digests.target.rows };
  if (provesEqual(digests.source, digests.target)) return { rows, different: false, fetched: 0 };
  const most = Number(rows.source > rows.target ? rows.source : rows.target);
  const fetched =
    most <= plan.fetchRows
      ? yield* fetchRows([chunk], plan, explained, wide)
      : yield* splitChunk(chunk, plan, explained, rows, wide);
  return { rows, different: true, fetched };
}

/** Compares everything under a key order that the sides do not share: one pass grouped by the key's hash, then the groups that differ. */
export function* compareBuckets(
  chunk: Chunk,
  plan: ComparisonPlan,
  explained: { rows: number },
  expectedRows: bigint,
  chunkRows: number,
): Dialogue<ChunkOutcome & { readonly chunks: number; readonly chunksDifferent: number }> {
  const modulus = powerOfTwo(Number(expectedRows) / chunkRows);
  let wide = false;
  let { digests } = yield* ask<"split">({ ask: "split", chunk, modulus, wide });
  if ([...digests.source.values(), ...digests.target.values()].some((d) => !isComplete(d))) {
    wide = true;
    ({ digests } = yield* ask<"split">({ ask: "split", chunk, modulus, wide }));
  }
  const sum = (side: ReadonlyMap<number, Digest>): bigint => [...side.values()].reduce((n, d) => n + d.rows, 0n);
  const rows = { source: sum(digests.source), target: sum(digests.target) };
  const differing = fetchesAll(plan)
    ? [...new Set([...digests.source.keys(), ...digests.target.keys()])]
    : differingBuckets(digests);
  const fetched = yield* fetchRows(bundle(chunk, modulus, differing, digests, plan.fetchRows), plan, explained, wide);
  return { rows, different: differing.length > 0, fetched, chunks: modulus, chunksDifferent: differing.length };
}

/**
 * Finds the rows of a large chunk that differ: by groups of the key's hash, of which a few rows here and there touch few; else, where whole
 * stretches of keys are missing, by smaller ranges. Each is read again only where it differs.
 */
function* splitChunk(
  chunk: Chunk,
  plan: ComparisonPlan,
  explained: { rows: number },
  rows: Both<bigint>,
  wide: boolean,
): Dialogue<number> {
  const larger = rows.source >= rows.target ? "source" : "target";
  // Where one side is empty everything differs.
  if (rows.source === 0n || rows.target === 0n)
    return yield* fetchRows(yield* cut(chunk, plan, larger), plan, explained, wide);
  const modulus = Math.max(16, powerOfTwo(Number(rows[larger]) / 500));
  const { digests } = yield* ask<"split">({ ask: "split", chunk, modulus, wide });
  const parts = bundle(chunk, modulus, differingBuckets(digests), digests, plan.fetchRows);
  // Each part reads the whole chunk again, if only its keys: where there are many, ranges of keys are cheaper.
  if (parts.length <= MOST_PARTS) return yield* fetchRows(parts, plan, explained, wide);
  let fetched = 0;
  for (const range of yield* cut(chunk, plan, larger)) {
    const { digests: sides } = yield* ask<"digest">({ ask: "digest", chunk: range, wide });
    if (!provesEqual(sides.source, sides.target)) fetched += yield* fetchRows([range], plan, explained, wide);
  }
  return fetched;
}

function* cut(chunk: Chunk, plan: ComparisonPlan, by: "source" | "target"): Dialogue<readonly Chunk[]> {
  const { keys } = yield* ask<"cuts">({ ask: "cuts", chunk, rows: plan.fetchRows, by });
  const ends: readonly (Key | null)[] = [chunk.keys.from, ...keys, chunk.keys.to];
  return ends.slice(1).map((to, i) => ({ keys: { from: ends[i] ?? null, to }, buckets: chunk.buckets }));
}

/** Fetches a chunk that no digest can settle. Its size in source rows is the caller's choice; the target may hold more there. */
function* fetchChunk(
  chunk: Chunk,
  plan: ComparisonPlan,
  explained: { rows: number },
  wide: boolean,
): Dialogue<ChunkOutcome> {
  const before = { source: 0n, target: 0n };
  let different = false;
  let fetched = 0;
  for (const part of yield* cut(chunk, plan, "target")) {
    const outcome = yield* fetchOne(part, plan, explained, wide, before);
    different ||= outcome.different;
    fetched += outcome.fetched;
  }
  return { rows: before, different, fetched };
}

function* fetchRows(
  chunks: readonly Chunk[],
  plan: ComparisonPlan,
  explained: { rows: number },
  wide: boolean,
): Dialogue<number> {
  let fetched = 0;
  for (const chunk of chunks)
    fetched += (yield* fetchOne(chunk, plan, explained, wide, { source: 0n, target: 0n })).fetched;
  return fetched;
}

function* fetchOne(
  chunk: Chunk,
  plan: ComparisonPlan,
  explained: { rows: number },
  wide: boolean,
  count: { source: bigint; target: bigint },
): Dialogue<{ readonly fetched: number; readonly different: boolean }> {
  let { rows } = yield* ask<"rows">({ ask: "rows", chunk, wide });
  if (!wide && plan.digest !== "values" && (rows.source.some(isUnhashed) || rows.target.some(isUnhashed)))
    ({ rows } = yield* ask<"rows">({ ask: "rows", chunk, wide: true }));
  count.source += BigInt(rows.source.length);
  count.target += BigInt(rows.target.length);
  const { groups, explained: bySketch } = suspects(rows, plan);
  const fetched = rows.source.length + rows.target.length;
  if (bySketch.size > 0) yield* ask<"take">({ ask: "take", differences: [], explained: bySketch });
  if (groups.length === 0) return { fetched, different: bySketch.size > 0 };
  const proven: Difference[] = [];
  const asked: Key[] = [];
  for (const suspect of groups) {
    if (valuesDecide(plan) || explained.rows < plan.explainRows) {
      explained.rows++;
      asked.push(suspect.key);
    } else proven.push(accuse(suspect, plan));
  }
  if (proven.length > 0) yield* ask<"take">({ ask: "take", differences: proven, explained: new Map() });
  for (let i = 0; i < asked.length; i += KEYS_AT_ONCE) yield* judgeKeys(asked.slice(i, i + KEYS_AT_ONCE), plan);
  return { fetched, different: true };
}

/** Whether a server could not hash the row: its text is too long for it. */
const isUnhashed = (sketch: Sketch): boolean => sketch.hash === null;

/**
 * Looks the keys up on both sides and hands over what their values prove. A server may call more keys equal than those that were
 * asked for (a collation does); what it says of these is not the whole of what they hold.
 */
export function* judgeKeys(keys: readonly Key[], plan: ComparisonPlan): Dialogue<void> {
  const { rows } = yield* ask<"values">({ ask: "values", keys });
  const wanted = new Set(keys.map(keyIdentity));
  const differences: Difference[] = [];
  const explained = new Map<string, number>();
  for (const g of group(rows)) {
    if (!wanted.has(keyIdentity(g.key))) continue;
    const judgement = judge(g, plan);
    if (judgement.difference) differences.push(judgement.difference);
    else for (const column of judgement.explained) explained.set(column, (explained.get(column) ?? 0) + 1);
  }
  yield* ask<"take">({ ask: "take", differences, explained });
}

function differingBuckets(digests: Both<ReadonlyMap<number, Digest>>): readonly number[] {
  const all = new Set([...digests.source.keys(), ...digests.target.keys()]);
  return [...all]
    .filter((b) => !provesEqual(digests.source.get(b) ?? EMPTY_DIGEST, digests.target.get(b) ?? EMPTY_DIGEST))
    .toSorted((a, b) => a - b);
}

/** Puts buckets together into chunks of at most `rows` rows (one bucket at least). */
function bundle(
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
function powerOfTwo(n: number): number {
  let power = 1;
  while (power < n && power < MOST_BUCKETS) power *= 2;
  return power;
}
