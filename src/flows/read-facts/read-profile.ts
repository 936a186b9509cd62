import { ascending } from "../../domain/cuts.ts";
import { addRows, noRows } from "../../domain/profile.ts";
import { inParallel } from "../compare/in-parallel.ts";
import type { CursorProfile } from "../../domain/facts.ts";
import { InvariantError } from "../../domain/errors.ts";
import type { Position } from "../../domain/position.ts";
import type { Window } from "../../domain/window.ts";
import type { BoundCursor } from "../../sql/cursor.ts";
import { windowCondition } from "../../sql/cursor-condition.ts";
import { join, name, raw, type Sql, sql } from "../../sql/statement.ts";
import { countOf, dialectOf, hasCursorIndex, type OpenSide, rowsWhere } from "./open-side.ts";
import { planRank, type RankBatch } from "./rank-plan.ts";

/**
 * Counts a side's rows along its cursor, cut at these ends (in any order, with repetitions): in the database, each row read once (by the
 * cursor's index, where that is cheaper). Rows without a position are in no part.
 */
export async function readProfile(side: OpenSide, ends: Iterable<Position>): Promise<CursorProfile> {
  const { cursor } = side;
  if (cursor === null) throw new InvariantError("a profile is cut along a cursor");
  const profile = noRows(ascending(ends));
  const { statementOf, most } = wayOf(side, cursor, profile.ends.length);
  // An end and the position behind it: who reaches the first of the two only lies on it.
  const { batches } = planRank(cursor, eachAndBehind(profile.ends), dialectOf(side), most);
  await inParallel(batches, STATEMENTS, async (batch) => {
    const statement = { what: "rows between the windows' ends", sql: statementOf(side, cursor, batch) };
    await side.snapshot.use(async (session) => {
      for await (const found of session.stream(statement))
        for (const [part, count] of found) addRows(profile, batch.reached(Number(part)), countOf(count));
    });
  });
  return profile;
}

type Way = {
  readonly statementOf: (side: OpenSide, cursor: BoundCursor, batch: RankBatch) => Sql;
  /** Values in a batch at most; absent: as many as the dialect can take, since each batch reads all rows. */
  readonly most?: number;
};

/** The cheapest way to count between so many ends. */
function wayOf(side: OpenSide, cursor: BoundCursor, ends: number): Way {
  const { countsByRange, countStretches } = dialectOf(side).facts;
  if (!hasCursorIndex(side, cursor)) return { statementOf: countGroups };
  if (countsByRange) return ends <= FEW ? { statementOf: countRanges, most: RANGES } : { statementOf: countGroups };
  // A condition of the side's own may lead the server away from the index; so do tables that are read as quickly as an index is opened.
  const rows = Number(side.table.estimatedRows ?? 0n);
  const byStretch = countStretches !== null && side.relation.where === null && rows >= SMALL && rows >= ends * SPARSE;
  return { statementOf: byStretch ? countEach : countGroups, most: INDEXED };
}

function* eachAndBehind(ends: Iterable<Position>): Generator<Position> {
  for (const end of ends) {
    yield end;
    yield end + 1n;
  }
}

/** Ends among which each range is counted by itself: beyond, a pass that groups all rows costs less. */
const FEW = 1000;
/** Where a table has fewer rows than these, or than so many for each end, a pass that groups them costs less than a look into the index. */
const SMALL = 100_000;
const SPARSE = 8;
/** Statements at a time. */
const STATEMENTS = 3;
/** Ranges that one statement counts, and values that one cuts an index by: enough to be quick, few enough to be small. */
const RANGES = 200;
const INDEXED = 20_000;

const EVERYWHERE: Window = { from: null, fromClosed: false, to: null, toClosed: false };

/** One pass over the batch's rows. */
function countGroups(side: OpenSide, cursor: BoundCursor, batch: RankBatch): Sql {
  const dialect = dialectOf(side);
  const located = windowCondition(cursor, EVERYWHERE, dialect);
  const rows = sql`SELECT ${batch.rank} AS ${name("part")} ${rowsWhere(side, [located, batch.condition])}`;
  return sql`SELECT ${dialect.countText(name("part"))}, ${dialect.countText(raw("COUNT(*)"))} FROM (${rows}) ${name("ranked")} GROUP BY ${name("part")}`;
}

/** A range of the index for each part of the batch, all in one statement. */
function countEach(side: OpenSide, cursor: BoundCursor, batch: RankBatch): Sql {
  const count = dialectOf(side).facts.countStretches;
  if (count === null || batch.cuts === 0) return countRanges(side, cursor, batch);
  const between = count(cursor.column, batch.stretches, rowsWhere(side, []));
  // What lies before the first value and beyond the last of all.
  const rims = [...(batch.first ? [0] : []), ...(batch.last ? [batch.cuts] : [])];
  return join([between, ...countsOf(side, cursor, batch, rims)], " UNION ALL ");
}

/** A statement for each part of the batch; the first part is the batch before's, but for the first batch. */
function countRanges(side: OpenSide, cursor: BoundCursor, batch: RankBatch): Sql {
  const ranks = Array.from({ length: batch.cuts + 1 }, (_, rank) => rank).slice(batch.first ? 0 : 1);
  return join(countsOf(side, cursor, batch, ranks), " UNION ALL ");
}

function countsOf(side: OpenSide, cursor: BoundCursor, batch: RankBatch, ranks: readonly number[]): readonly Sql[] {
  const dialect = dialectOf(side);
  const located = windowCondition(cursor, EVERYWHERE, dialect);
  return ranks.map((rank) => {
    const range = batch.only(rank);
    const open = rank === 0 || range === null || (batch.last && rank === batch.cuts);
    const conditions = [open ? located : null, range];
    return sql`SELECT ${raw(`'${rank}'`)}, ${dialect.countText(raw("COUNT(*)"))} ${rowsWhere(side, conditions)}`;
  });
}
