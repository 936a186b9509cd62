import { type BucketsOutcome, compareBuckets } from "../../compare/buckets.ts";
import { compareChunk } from "../../compare/chunk.ts";
import type { SoFar } from "../../compare/fetch-rows.ts";
import { type ComparisonPlan, fetchesAll } from "../../compare/plan.ts";
import type { Both, Chunk, Dialogue } from "../../compare/question.ts";
import type { Check } from "../../domain/check.ts";
import { ALL_KEYS, type Key } from "../../domain/key.ts";
import type { TableInfo } from "../../domain/table.ts";
import type { World } from "../ports.ts";
import type { ComparisonRequest } from "./request.ts";
import { converse, type Receiver } from "./converse.ts";
import { inParallel } from "./in-parallel.ts";
import type { Origins } from "./origins.ts";
import type { Pace } from "./pace.ts";
import type { SideReader } from "./side-reader.ts";
import { add, type Tally } from "./tally.ts";
import { chunkRowsFor, cutsFrom, growing, walk } from "./walk.ts";

/** What the way through the chunks depends on. `expected`: rows of the larger side, null: nobody knows; `reached`: whether a limit is. */
export type Course = {
  readonly expected: bigint | null;
  readonly tables: Both<TableInfo>;
  readonly world: World;
  /** Null: as fast as the servers go. */
  readonly pace: Pace | null;
  readonly reached: () => boolean;
};

/** A short comparison is over before more connections would be of use: a server takes longer to begin one than for 20,000 rows. */
const FIRST = 2;
/** After this the rest join. Microseconds. */
const ALL_AFTER = 1_000_000n;

/** Compares chunk after chunk, several at a time, until all are done or a limit is reached. `origins` learns what was found where. */
export async function compareAll(
  request: ComparisonRequest,
  plan: ComparisonPlan,
  readers: Both<SideReader>,
  receiver: Receiver,
  tally: Tally,
  course: Course,
  origins: Origins | null = null,
): Promise<void> {
  const { check } = request;
  const { expected, world } = course;
  const soFar: SoFar = { rows: 0 };
  const rows = chunkSize(check, plan, expected);
  if (plan.cut === "buckets") {
    const everything = { keys: ALL_KEYS, buckets: null };
    const outcome = await compareOne(everything, check, plan, soFar, readers, receiver, course, origins);
    if (outcome === null) return;
    add(tally, outcome, outcome.chunks);
    tally.different = outcome.chunksDifferent;
    return;
  }
  const { pace } = course;
  const known = pace !== null || fetchesAll(plan) || request.keyScope !== null ? [] : cutsOf(plan, course.tables, rows);
  const size = pace?.rows ?? (expected === null && !fetchesAll(plan) ? growing(rows) : () => rows);
  await inParallel(
    until(walk(readers.source, known, size), course.reached),
    check.compare.parallel,
    async (chunk) => {
      const outcome = await compareOne(chunk, check, plan, soFar, readers, receiver, course, origins);
      if (outcome === null) return;
      add(tally, outcome, 1);
      const { source, target } = outcome.rows;
      tally.strip.add(
        { keys: chunk.keys, rows: source > target ? source : target, different: outcome.different },
        plan.key.map((k) => k.digestAs),
      );
      world.progress.rows(check.name, tally.rows.source, expected);
    },
    { first: FIRST, come: (done) => world.clock.sleep(ALL_AFTER, done) },
  );
}

/** Compares one chunk, by groups of keys where the plan cuts by these; null: a limit was reached before its end. */
export async function compareOne(
  chunk: Chunk,
  check: Check,
  plan: ComparisonPlan,
  soFar: SoFar,
  readers: Both<SideReader>,
  receiver: Receiver,
  { expected, world, reached }: Course,
  origins: Origins | null,
): Promise<BucketsOutcome | null> {
  const dialogue = function* (): Dialogue<BucketsOutcome> {
    if (plan.cut === "buckets") {
      const rows = groupRows(chunkSize(check, plan, expected));
      return yield* compareBuckets(chunk, plan, soFar, expected ?? 1_000_000n, rows);
    }
    const outcome = yield* compareChunk(chunk, plan, soFar);
    return { ...outcome, chunks: 1, chunksDifferent: outcome.different ? 1 : 0 };
  };
  if (origins === null) return await converse(dialogue(), readers, receiver, reached, world.rowStore);
  const number = origins.begin(chunk);
  const take: Receiver["take"] = (differences, explained) => {
    receiver.take(differences, explained);
    origins.found(number, differences.length);
  };
  const outcome = await converse(dialogue(), readers, { take }, reached, world.rowStore);
  origins.testify(number, outcome?.witness ?? null);
  return outcome;
}

/** Where chunks may be cut by what either server's statistics say. */
function cutsOf(plan: ComparisonPlan, tables: Both<TableInfo>, rows: number): readonly Key[] {
  const cuts = cutsFrom(tables.source, plan.key, "source", rows);
  return cuts.length > 0 ? cuts : cutsFrom(tables.target, plan.key, "target", rows);
}

function chunkSize(check: Check, plan: ComparisonPlan, expected: bigint | null): number {
  const rows = check.compare.chunkRows === "auto" ? chunkRowsFor(expected) : check.compare.chunkRows;
  // Where every row is fetched, a chunk is what fits into memory at once.
  return fetchesAll(plan) ? Math.min(rows, plan.fetchRows) : rows;
}

/** Rows of a group of keys: small, since all groups come in one pass and a differing one is fetched whole. */
function groupRows(rows: number): number {
  return Math.min(64, rows);
}

/** Ends a walk when a limit is reached. */
async function* until<T>(items: AsyncIterable<T>, reached: () => boolean): AsyncGenerator<T> {
  for await (const item of items) {
    if (reached()) return;
    yield item;
  }
}
