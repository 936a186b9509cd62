import { compareBuckets, compareChunk, type ChunkOutcome } from "../../compare/chunk.ts";
import { planComparison } from "../../compare/plan-comparison.ts";
import type { Pairings } from "../../compare/mapping.ts";
import { type ComparisonPlan, type DigestKind, fetchesAll, type Scope } from "../../compare/plan.ts";
import type { Both } from "../../compare/question.ts";
import type { Check } from "../../domain/check.ts";
import type { DuplicateKeys } from "../../domain/difference.ts";
import { must, TidemarkError, UsageError } from "../../domain/errors.ts";
import type { ComparisonFacts } from "../../domain/facts.ts";
import { ALL_KEYS, type Key } from "../../domain/key.ts";
import { type TableInfo, uniqueOn } from "../../domain/table.ts";
import type { DifferenceLog, World } from "../ports.ts";
import { calibrateTables } from "./calibrate-tables.ts";
import { converse, type Receiver } from "./converse.ts";
import { inParallel } from "./in-parallel.ts";
import { negotiate } from "./negotiate.ts";
import type { OpenSide } from "./open-side.ts";
import { lookAgain } from "./recheck.ts";
import { sideReader, type SideReader } from "./side-reader.ts";
import { bind, type KeyScope, sideSpec } from "./side-spec.ts";
import { chunkRowsFor, cutsFrom, walk } from "./walk.ts";

/** Both sides, opened in one snapshot each; disposed of when the comparison needs fresh ones. */
export type OpenSides = Both<OpenSide> & AsyncDisposable;

/** What a comparison is asked. */
export type ComparisonRequest = {
  readonly check: Check;
  readonly pairings: Pairings;
  readonly scope: Scope;
  readonly keyScope: KeyScope | null;
  readonly exact: boolean;
  /** Opens both sides in fresh snapshots, for the second look. */
  readonly reopen: () => Promise<OpenSides>;
};

/** What it came to. The log is the caller's to dispose of. */
export type Comparison = {
  readonly facts: ComparisonFacts;
  readonly rows: Both<bigint>;
  readonly differences: DifferenceLog;
  /** What ended it early; what was found before, and confirmed by a second look, is there all the same. Null: it finished. */
  readonly failure: TidemarkError | null;
};

/** Compares both sides of a check: checksums per chunk down to rows and columns, then a second look at all that differs. */
export async function compareTables(request: ComparisonRequest, first: OpenSides, world: World): Promise<Comparison> {
  const { check, pairings } = request;
  const began = world.clock.seconds();
  const sent = { before: statementsOf(first) };
  const tally: Tally = { rows: { source: 0n, target: 0n }, chunks: 0, different: 0, fetched: 0, explained: new Map(), stopped: null, failure: null };
  const found = world.differenceLog();
  const { plan, duplicates, systematic } = await compareOnce(request, first, world, tally, found, began);
  await first[Symbol.asyncDispose]();
  const looked = world.clock.now();
  const settled = await confirmOrDrop(request, plan, found, looked, world, tally);
  const notes = [...plan.columns.flatMap((c) => (c.pair.note === null ? [] : [`${c.pair.source}: ${c.pair.note}`]))];
  if (settled.moved > 0) notes.push(`${settled.moved} rows were still changing between looks and are not judged`);
  const facts: ComparisonFacts = {
    chunks: tally.chunks,
    chunksDifferent: tally.different,
    rowsFetched: tally.fetched,
    statements: statementsOf(first) - sent.before,
    seconds: world.clock.seconds() - began,
    digest: plan.digest,
    systematic: systematic.map((s) => ({ ...s, rows: BigInt(tally.explained.get(s.column) ?? 0) })),
    duplicates,
    stopped: tally.stopped,
    notes,
  };
  return { facts, rows: tally.rows, differences: settled.log, failure: tally.failure };
}

type Tally = {
  rows: { source: bigint; target: bigint };
  chunks: number;
  different: number;
  fetched: number;
  explained: Map<string, number>;
  stopped: string | null;
  failure: TidemarkError | null;
};

function statementsOf(sides: Both<OpenSide>): number {
  const databases = new Set([sides.source.snapshot.database, sides.target.snapshot.database]);
  return [...databases].reduce((n, d) => n + d.statements, 0);
}

type Once = { readonly plan: ComparisonPlan; readonly duplicates: readonly DuplicateKeys[]; readonly systematic: readonly Omit<ComparisonFacts["systematic"][number], "rows">[] };

async function compareOnce(request: ComparisonRequest, sides: OpenSides, world: World, tally: Tally, found: DifferenceLog, began: number): Promise<Once> {
  const { check } = request;
  const base = { check, pairings: request.pairings, source: sides.source.table, target: sides.target.table, scope: request.scope };
  const draft = planComparison({ ...base, digest: "values", unsayable: new Set(), calibrations: [] });
  const unsayable = new Set(draft.columns.filter((c) => (["source", "target"] as const).some((s) => sides[s].snapshot.database.dialect.text(bind(c, s, "digest")) === null)).map((c) => c.pair.source));
  const digest: DigestKind = request.exact
    ? "values"
    : await negotiate(sides.source.snapshot, sides.target.snapshot, (dialect, s) => dialect.typedHash(draft.columns.filter((c) => !unsayable.has(c.pair.source)).map((c) => bind(c, s, "digest"))));
  const readersFor = (plan: ComparisonPlan): Both<SideReader> => ({
    source: sideReader(sides.source, sideSpec(sides.source, plan, check, request.keyScope)),
    target: sideReader(sides.target, sideSpec(sides.target, plan, check, request.keyScope)),
  });
  const blind = planComparison({ ...base, digest, unsayable, calibrations: [] });
  const calibrations = await calibrateTables(readersFor(blind), blind);
  const plan = planComparison({ ...base, digest, unsayable, calibrations });
  const readers = readersFor(plan);
  world.progress.step(check.name, "comparing");
  const expected = request.scope.range !== null ? await readers.source.count() : largest(sides.source.table.estimatedRows, sides.target.table.estimatedRows);
  const receiver = receive(found, tally);
  let duplicates: readonly DuplicateKeys[] = [];
  try {
    await compareAll(request, plan, readers, receiver, tally, { expected, tables: { source: sides.source.table, target: sides.target.table }, world, reached: () => stopped(check, tally, found, world.clock.seconds() - began) });
    duplicates = await findDuplicates(sides, readers, plan);
  } catch (error) {
    tally.failure = ofTheWorld(error, world);
  }
  const systematic = calibrations.flatMap((c) =>
    c.systematic === null
      ? []
      : [
          {
            column: c.column.pair.source,
            transformation: c.systematic.transformation.says,
            sampled: c.sampled,
            explained: c.systematic.explained,
            accept: (c.systematic.transformation.accept ?? "columns: { exclude: [COLUMN] }").replace("COLUMN", c.column.pair.source),
          },
        ],
  );
  return { plan, duplicates, systematic };
}

type Course = { readonly expected: bigint | null; readonly tables: Both<TableInfo>; readonly world: World; readonly reached: () => boolean };

async function compareAll(request: ComparisonRequest, plan: ComparisonPlan, readers: Both<SideReader>, receiver: Receiver, tally: Tally, course: Course): Promise<void> {
  const { check } = request;
  const { expected, world } = course;
  const explained = { rows: 0 };
  const { rows, grow } = chunkSize(check, plan, expected);
  if (plan.cut === "buckets") {
    const outcome = await converse(compareBuckets({ keys: ALL_KEYS, buckets: null }, plan, explained, expected ?? 1_000_000n, bucketRows(rows)), readers, receiver);
    add(tally, outcome, outcome.chunks);
    tally.different = outcome.chunksDifferent;
    return;
  }
  const known = fetchesAll(plan) || request.keyScope !== null ? [] : cutsOf(plan, course.tables, rows);
  await inParallel(until(walk(readers.source, known, rows, grow), course.reached), check.compare.parallel, async (chunk) => {
    add(tally, await converse(compareChunk(chunk, plan, explained), readers, receiver), 1);
    world.progress.rows(check.name, tally.rows.source, expected);
  });
}

/** Where chunks may be cut by what either server's statistics say. */
function cutsOf(plan: ComparisonPlan, tables: Both<TableInfo>, rows: number): readonly Key[] {
  const cuts = cutsFrom(tables.source, plan.key, "source", rows);
  return cuts.length > 0 ? cuts : cutsFrom(tables.target, plan.key, "target", rows);
}

/** A failure of the world, which ends one comparison; everything else is thrown on. */
function ofTheWorld(error: unknown, world: World): TidemarkError {
  if (!(error instanceof TidemarkError) || error instanceof UsageError || world.signal.aborted) throw error;
  return error;
}

const largest = (a: bigint | null, b: bigint | null): bigint | null => (a === null ? b : b === null || a > b ? a : b);

function receive(found: DifferenceLog, tally: Tally): Receiver {
  return {
    take(differences, explained) {
      for (const difference of differences) found.add(difference);
      for (const [column, rows] of explained) tally.explained.set(column, (tally.explained.get(column) ?? 0) + rows);
    },
  };
}

function add(tally: Tally, outcome: ChunkOutcome, chunks: number): void {
  tally.rows.source += outcome.rows.source;
  tally.rows.target += outcome.rows.target;
  tally.chunks += chunks;
  tally.different += outcome.different ? 1 : 0;
  tally.fetched += outcome.fetched;
}

function chunkSize(check: Check, plan: ComparisonPlan, expected: bigint | null): { readonly rows: number; readonly grow: boolean } {
  const rows = check.compare.chunkRows === "auto" ? chunkRowsFor(expected) : check.compare.chunkRows;
  // Where every row is fetched, a chunk is what fits into memory at once.
  return fetchesAll(plan) ? { rows: Math.min(rows, plan.fetchRows), grow: false } : { rows, grow: expected === null };
}

/** Rows of a bucket: small, since all buckets come in one pass and a differing one is fetched whole. */
function bucketRows(rows: number): number {
  return Math.min(500, rows);
}

/** Ends a walk when a limit is reached. */
async function* until<T>(items: AsyncIterable<T>, reached: () => boolean): AsyncGenerator<T> {
  for await (const item of items) {
    if (reached()) return;
    yield item;
  }
}

function stopped(check: Check, tally: Tally, found: DifferenceLog, seconds: number): boolean {
  const { differences, time } = check.compare.stopAfter;
  if (differences !== null && found.size >= differences) tally.stopped ??= `stop_after: ${differences} differences were reached`;
  if (time !== null && seconds * 1e6 >= Number(time)) tally.stopped ??= "stop_after: the time was up";
  return tally.stopped !== null;
}

async function findDuplicates(sides: Both<OpenSide>, readers: Both<SideReader>, plan: ComparisonPlan): Promise<readonly DuplicateKeys[]> {
  const found: DuplicateKeys[] = [];
  for (const side of ["source", "target"] as const) {
    const columns = plan.key.map((k) => k[side]);
    const unique = uniqueOn(sides[side].table, columns.map((c) => c.name)) !== null && columns.every((c) => !c.nullable);
    const duplicates = unique ? null : await readers[side].duplicates(20);
    if (duplicates) found.push(duplicates);
  }
  return found;
}

/** As `confirm`; where the second look fails, nothing is accused. */
async function confirmOrDrop(request: ComparisonRequest, plan: ComparisonPlan, found: DifferenceLog, looked: bigint, world: World, tally: Tally): ReturnType<typeof confirm> {
  try {
    return await confirm(request, plan, found, looked, world);
  } catch (error) {
    tally.failure ??= ofTheWorld(error, world);
    return { log: world.differenceLog(), moved: 0 };
  }
}

/** Asks again what differs, on fresh snapshots, until two looks agree or the rounds are over. */
async function confirm(request: ComparisonRequest, plan: ComparisonPlan, found: DifferenceLog, looked: bigint, world: World): Promise<{ readonly log: DifferenceLog; readonly moved: number }> {
  const { rounds, wait } = request.check.compare.recheck;
  if (found.size === 0 || rounds === 0) return { log: found, moved: 0 };
  const confirmed = world.differenceLog();
  let suspected = found;
  let last = looked;
  for (let round = 1; round <= rounds && suspected.size > 0; round++) {
    world.progress.step(request.check.name, "looking again at what differs");
    const due = last + wait - world.clock.now();
    if (due > 0n) await world.clock.sleep(due, world.signal);
    await using sides = await request.reopen();
    const readers = {
      source: sideReader(sides.source, sideSpec(sides.source, plan, request.check, request.keyScope)),
      target: sideReader(sides.target, sideSpec(sides.target, plan, request.check, request.keyScope)),
    };
    const look = await lookAgain(suspected, plan, readers, request.check.compare.parallel, world.differenceLog);
    for (const difference of look.confirmed.all()) confirmed.add(difference);
    look.confirmed[Symbol.dispose]();
    suspected[Symbol.dispose]();
    suspected = must(look.moved, "a look says what moved");
    last = world.clock.now();
  }
  const moved = suspected.size;
  suspected[Symbol.dispose]();
  return { log: confirmed, moved };
}
