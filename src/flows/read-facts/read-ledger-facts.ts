import type { Check } from "../../domain/check.ts";
import { isFarLater } from "../../causes/old-dated.ts";
import type { ClockReading, Observation, Witness } from "../../domain/clock.ts";
import type { Difference } from "../../domain/difference.ts";
import { lowerBound } from "../../domain/cuts.ts";
import { must } from "../../domain/errors.ts";
import type { ArrivalFacts, LedgerFacts } from "../../domain/facts.ts";
import { type Edge, leftEdge, successfulRuns, windowEnds } from "../../domain/ledger-index.ts";
import type { Position } from "../../domain/position.ts";
import { lackingProfile, lacks, noRows } from "../../domain/profile.ts";
import { type Bigints, packed } from "../../domain/packed-bigints.ts";
import { packClocks } from "../../domain/packed-clocks.ts";
import { type Run, succeeded } from "../../domain/run.ts";
import type { TableInfo, TableName } from "../../domain/table.ts";
import { deadZone } from "../../rules/closed-ahead-of-clock.ts";
import type { Snapshot } from "../../sql/session.ts";
import type { Ledgers } from "../ports.ts";
import { type ArrivalSide, arrivalSide } from "./arrival-side.ts";
import { clocksOf, type Witnesses } from "./clocks.ts";
import { expectedStarts } from "./expected-starts.ts";
import type { OpenSide } from "./open-side.ts";
import { readArrivals, type ReadArrivals } from "./read-arrivals.ts";
import { readImports } from "./read-imports.ts";
import { readProfile } from "./read-profile.ts";

/** What `readLedger` needs beside the check. */
export type LedgerReading = {
  /** With a cursor. */
  readonly source: OpenSide;
  /** The source's clock as `readSideCursor` reads it in the same snapshot, at the same time: the witness for the newest run. */
  readonly sourceClock: Promise<Position | null>;
  /** The wall clock when the audit began, microseconds. */
  readonly now: bigint;
  /** As `ArrivalQuestion` says. */
  readonly wholeLags?: boolean;
  /** Is told the runs as soon as they are read, which may be long before the rest. */
  readonly tellRuns?: (runs: readonly Run[]) => void;
  /** Ascending by time. */
  readonly observations: readonly Observation[];
  readonly ledgers: Ledgers;
  readonly snapshotOf: (connection: string) => Snapshot;
  /**
   * The ledger's table as it was described before the snapshots were taken: a connection with one session has none left for it now.
   * Default: the database is asked.
   */
  readonly describe?: (connection: string, table: TableName) => Promise<TableInfo>;
};

/** A ledger's facts before and after the comparison. */
export type ReadLedger = {
  /** `lacking` is a profile of zeros, `arrivals.lagOfArrived` null. */
  readonly facts: LedgerFacts;
  /**
   * The facts with what the comparison found: `lacking`, `arrivals.lagOfArrived`, and the imports, if anything is lacking. Asks the
   * source once more, through `source` (default: the side that was read) if that one's snapshot is closed by now.
   */
  complete(differences: () => Iterable<Difference>, source?: OpenSide): Promise<LedgerFacts>;
};

/**
 * Reads a check's ledger, and asks the source where its clock stood at each run's start and how its rows lie among the windows.
 * Throws a `LedgerError` where no run can be read, a `SchemaError` or `UnsupportedError` for an arrival that the source does not have,
 * an `InvariantError` for a check without ledger or cursor.
 */
export async function readLedger(check: Check, reading: LedgerReading): Promise<ReadLedger> {
  const { source, now } = reading;
  const ledger = must(check.runs, "the check has a ledger");
  const { axis } = must(source.cursor, "the source has a cursor");
  const since = now - ledger.since;
  const { describe, snapshotOf } = reading;
  const asked = { axis, since, snapshotOf, ...(describe === undefined ? {} : { describe }) };
  const { runs, unreadable, precision } = await reading.ledgers.read(check, asked);
  reading.tellRuns?.(runs);
  const arrivals = await arrivalSide(check, source);
  const starts = packed(startsOf(runs));
  const successful = packed(successfulStarts(runs));
  const question = {
    starts,
    successful,
    stretch: firstLeft(runs),
    now,
    future: check.expect.future,
    wholeLags: reading.wholeLags ?? false,
  };
  const read = arrivals === null ? null : await readArrivals(source, arrivals, question);
  const witness = read === null || arrivals === null ? null : witnessOf(read, starts, arrivals.witness);
  const { observations } = reading;
  const sourceClock = await reading.sourceClock;
  const witnesses = { axis, now, observations, sourceClock, arrivals: witness };
  const clocks = packClocks(clocksOf(runs, witnesses), runs.length);
  const expected = expectedStarts(check.expect.every, runs.at(-1)?.started ?? since);
  const profile = await readProfile(source, cutsOf(runs, clocks));
  const facts: LedgerFacts = {
    runs,
    unreadable,
    since,
    clocks,
    source: profile,
    lacking: noRows(profile.ends),
    observations,
    arrivals: read?.facts ?? null,
    precision: precision ?? null,
    ...(expected === null ? {} : { expectedStarts: expected }),
  };
  return {
    facts,
    complete: async (differences, from = source) => ({
      ...facts,
      lacking: lackingProfile(facts.lacking.ends, differences()),
      arrivals:
        read === null || arrivals === null ? null : await completeArrivals(read, arrivals, question, differences, from),
    }),
  };
}

/** The smallest left end of the successful windows; null: there is none, or one is open. */
export function firstLeft(runs: readonly Run[]): Edge | null {
  let first: Edge | null = null;
  for (const { window } of successfulRuns(runs)) {
    const edge = leftEdge(window);
    if (edge === null) return null;
    if (first === null || edge.at < first.at || (edge.at === first.at && edge.closed)) first = edge;
  }
  return first;
}

function* cutsOf(runs: readonly Run[], clocks: readonly (ClockReading | null)[]): Generator<Position> {
  yield* windowEnds(runs);
  // Rows are counted up to no other clock, and each cut is another search for every row.
  for (const [i, clock] of clocks.entries()) {
    const run = runs[i];
    if (run === undefined || clock === null || !succeeded(run) || run.window === null) continue;
    const dead = deadZone(run.window, clock);
    if (dead !== null && dead.from !== null) yield dead.from;
  }
}

/** The starts of the runs, which ascend, each once. */
function* startsOf(runs: readonly Run[]): Generator<bigint> {
  let last: bigint | null = null;
  for (const { started } of runs) {
    if (started !== last) yield started;
    last = started;
  }
}

function* successfulStarts(runs: readonly Run[]): Generator<bigint> {
  for (const run of runs) if (succeeded(run)) yield run.started;
}

function witnessOf(read: ReadArrivals, starts: Bigints, witness: Witness): Witnesses["arrivals"] {
  const last = starts[starts.length - 1];
  const sureFrom = read.forgotten === 0 ? null : (starts[read.forgotten] ?? (last === undefined ? null : last + 1n));
  const at = (start: bigint): Position | null => read.clocks.at(lowerBound(starts, start));
  return { witness, at, sureFrom, unknown: read.unknown };
}

/** Rows that the target lacks were counted among the arrivals: without them, the lag is that of rows that reached it. */
async function completeArrivals(
  read: ReadArrivals,
  arrivals: ArrivalSide,
  { stretch, now, future }: { readonly stretch: Edge | null; readonly now: bigint; readonly future: bigint },
  differences: () => Iterable<Difference>,
  from: OpenSide,
): Promise<ArrivalFacts> {
  if (from.cursor?.axis !== "time") {
    return { ...read.facts, imports: anyOf(differences()) ? await readImports(from, arrivals, read.rows, null) : [] };
  }
  const isInside = (cursor: Position): boolean =>
    cursor <= now + future && (stretch === null || cursor > stretch.at || (cursor === stretch.at && stretch.closed));
  const p99 = await read.lagWithout(lagsOf(differences(), isInside), from);
  if (p99 === null) return { ...read.facts, lagOfArrived: null, imports: [] };
  // Only of these does it matter whether others came with them.
  const doubtful = new Set<bigint>();
  for (const { cursor, arrival } of lackingOf(differences()))
    if (arrival !== null && cursor !== null && arrival - cursor > p99 && !isFarLater(arrival - cursor, p99))
      doubtful.add(arrival);
  const imports = doubtful.size === 0 ? [] : await readImports(from, arrivals, read.rows, p99, doubtful);
  return { ...read.facts, lagOfArrived: { p99 }, imports };
}

/** The source's copies of rows that the target lacks. */
function* lackingOf(differences: Iterable<Difference>) {
  for (const difference of differences) if (difference.type !== "extra" && lacks(difference)) yield difference.source;
}

function anyOf(differences: Iterable<Difference>): boolean {
  for (const _ of lackingOf(differences)) return true;
  return false;
}

function* lagsOf(differences: Iterable<Difference>, isInside: (cursor: Position) => boolean): Generator<bigint> {
  for (const { cursor, arrival } of lackingOf(differences))
    if (cursor !== null && arrival !== null && isInside(cursor)) yield arrival - cursor;
}
