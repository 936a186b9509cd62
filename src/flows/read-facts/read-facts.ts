import type { Both } from "../../compare/question.ts";
import type { Check } from "../../domain/check.ts";
import type { Difference } from "../../domain/difference.ts";
import { TidemarkError } from "../../domain/errors.ts";
import type { CdcFacts, CursorFacts, Facts, SideFacts } from "../../domain/facts.ts";
import type { Position } from "../../domain/position.ts";
import type { Run } from "../../domain/run.ts";
import type { Window } from "../../domain/window.ts";
import { compareTables, type Comparison } from "../compare/compare-tables.ts";
import {
  bothSides,
  connectionsOf,
  type OpenCheck,
  openCheck,
  openSnapshots,
  type OpenSnapshots,
  reopen,
} from "../open-check.ts";
import type { OpenSide } from "../compare/open-side.ts";
import type { AuditOptions, World } from "../ports.ts";
import { readCdc } from "../read-cdc.ts";
import { readKeyEnds } from "./read-key-ends.ts";
import { type Cursors, resolveRange, scopeOf } from "./scope.ts";
import { completeLedger, tryLedger } from "./open-ledger.ts";
import { readPrimaryClock, weighReplica } from "./read-replica.ts";
import { asksTies, readSideCursor } from "./read-side-cursor.ts";
import { together } from "./together.ts";

/** Everything that was read for a check, and its differences beside it. */
export type ReadFacts = {
  readonly facts: Facts;
  readonly differences: Iterable<Difference>;
  /** What could not be read, although the rest was; null: everything was. */
  readonly failure: TidemarkError | null;
  /** What it was read from; its databases are still open. */
  readonly open: OpenCheck;
};

/** Reads all facts of a check: tables, clocks, ledger and comparison, each side in one snapshot. */
export async function readFacts(check: Check, options: AuditOptions, world: World): Promise<ReadFacts> {
  world.progress.step(check.name, "connecting");
  const now = world.clock.now();
  const open = await openCheck(check, world.databases);
  const primary = await readPrimaryClock(check.source, open.tables.source, check.cursor, check.expect.future, world);
  const snapshots = await openSnapshots(open, connectionsOf(check));
  let settled: Promise<unknown> = Promise.resolve();
  const close = async (): Promise<void> => {
    await settled;
    await snapshots[Symbol.asyncDispose]();
  };
  try {
    const sides = bothSides(open, snapshots);
    const clock = Promise.withResolvers<Position | null>();
    const told = Promise.withResolvers<readonly Run[] | null>();
    const reading = tryLedger(
      open,
      sides,
      clock.promise,
      snapshots,
      { now, wholeLags: options.wholeLags ?? false },
      world,
      told.resolve,
    );
    reading.then(() => told.resolve(null), told.reject);
    // Nobody may be waiting for them.
    told.promise.catch(() => {});
    // Nothing is left at work behind the snapshots; what fails is thrown where it is waited for.
    settled = reading.catch(() => null);
    // The ledger asks the source about other rows than its cursor does: neither waits for the other but for the clock. With connections to
    // spare, what it asks of the source's rows goes on while the tables are compared.
    const beside = check.compare.parallel > 1;
    const known = beside ? told.promise : reading.then(() => told.promise);
    const within =
      options.range === null ? null : known.then((runs) => resolveRange(options.range, open, runs, now).window);
    // Nobody may be waiting for it.
    within?.catch(() => {});
    const [cursors, runs] = await together(readCursors(open, sides, snapshots, now, clock, within), known);
    const capture = await tryCapture(check, sides, options, world);
    const range = resolveRange(options.range, open, runs, now);
    const replica = weighReplica(
      sides.source.snapshot.database.server.replica,
      primary,
      cursors.source?.clock ?? null,
      open.axis,
    );
    const scope = scopeOf(check, open, cursors, range.window, replica.until, now);
    const ends = { source: await readKeyEnds(sides.source), target: await readKeyEnds(sides.target) };
    const comparison = comparesNothing(options)
      ? null
      : await compareTables(
          {
            check,
            pairings: open.pairings,
            scope: scope.first,
            laterScope: scope.later,
            keyScope: range.keys,
            exact: options.exact,
            reopen: () => reopen(open),
          },
          { ...sides, [Symbol.asyncDispose]: close },
          world,
        );
    const { ledger, failure } = await reading;
    const facts: Facts = {
      check,
      now,
      axis: open.axis,
      source: sideFacts(sides, "source", comparison, cursors.source, ends.source),
      target: sideFacts(sides, "target", comparison, cursors.target, ends.target),
      origin:
        check.origin === null || cursors.origin === null
          ? null
          : { connection: check.origin.connection, cursor: cursors.origin },
      mapping: open.pairings.mapping,
      range: range.window,
      ...(range.keys === null ? {} : { someKeys: true }),
      comparison:
        comparison === null
          ? null
          : {
              ...comparison.facts,
              notes: [
                ...(replica.note === null ? [] : [replica.note]),
                ...tiesNotes(sides.source),
                ...comparison.facts.notes,
              ],
            },
      ledger: ledger === null ? null : await completeLedger(ledger, comparison, open),
      cdc: capture.cdc,
    };
    return {
      facts,
      differences: comparison === null ? [] : reiterable(comparison),
      failure: comparison?.failure ?? failure ?? capture.failure,
      open,
    };
  } finally {
    await close();
  }
}

/** What keeps ties from being looked for, for the report. */
function tiesNotes(source: OpenSide): readonly string[] {
  if (source.cursor === null || asksTies(source)) return [];
  const { name } = source.cursor.column.info;
  return [
    `rows that share one ${name} were not looked for: among so many rows that needs an index that begins with ${name}`,
  ];
}

/** Differences may be read more than once. */
function reiterable(comparison: Comparison): Iterable<Difference> {
  return { [Symbol.iterator]: () => comparison.differences.all()[Symbol.iterator]() };
}

/** Whether only findings are asked for that no row decides. */
function comparesNothing(options: AuditOptions): boolean {
  return options.only !== null && options.only.every((group) => group === "schema" || group === "cdc");
}

async function readCursors(
  open: OpenCheck,
  sides: Both<OpenSide>,
  snapshots: OpenSnapshots,
  now: bigint,
  clock: PromiseWithResolvers<Position | null>,
  within: Promise<Window | null> | null,
): Promise<Cursors> {
  const { check } = open;
  const future = check.expect.future;
  const read = (side: Parameters<typeof readSideCursor>[0], page: number | null): Promise<CursorFacts | null> =>
    readSideCursor(side, { now, future, page });
  // Nobody may be waiting for it.
  clock.promise.catch(() => {});
  const sourceRead = readSideCursor(sides.source, {
    now,
    future,
    page: check.cursor?.page ?? null,
    ...(within === null ? {} : { within }),
    tell: clock.resolve,
  });
  sourceRead.then(() => clock.resolve(null), clock.reject);
  const [source, target] = await together(sourceRead, read(sides.target, null));
  if (check.origin === null || open.origin === null || open.cursors.origin === null)
    return { source, target, origin: null };
  const origin = await read(
    {
      relation: check.origin,
      snapshot: snapshots.of(check.origin.connection),
      table: open.origin,
      key: [],
      cursor: open.cursors.origin,
    },
    null,
  );
  return { source, target, origin };
}

/** Change data capture, where it is asked about; a server that does not tell keeps no tables from being compared. */
async function tryCapture(
  check: Check,
  sides: Both<OpenSide>,
  options: AuditOptions,
  world: World,
): Promise<{ readonly cdc: CdcFacts | null; readonly failure: TidemarkError | null }> {
  if (options.only !== null && !options.only.includes("cdc")) return { cdc: null, failure: null };
  try {
    const { clock, signal } = world;
    return {
      cdc: await readCdc(check, { source: sides.source.snapshot, target: sides.target.snapshot, clock, signal }),
      failure: null,
    };
  } catch (error) {
    if (!(error instanceof TidemarkError) || world.signal.aborted) throw error;
    return { cdc: null, failure: error };
  }
}

function sideFacts(
  sides: Both<OpenSide>,
  side: "source" | "target",
  comparison: Comparison | null,
  cursor: CursorFacts | null,
  keys: SideFacts["keys"],
): SideFacts {
  const { relation, snapshot, table } = sides[side];
  return {
    connection: relation.connection,
    engine: snapshot.database.server.engine,
    table,
    rows: comparison?.rows[side] ?? null,
    cursor,
    keys,
  };
}
