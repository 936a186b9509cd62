import type { ArrivalFacts } from "../../domain/facts.ts";
import { InvariantError } from "../../domain/errors.ts";
import type { Edge } from "../../domain/ledger-index.ts";
import type { Bigints } from "../../domain/packed-bigints.ts";
import { PackedColumn } from "../../domain/packed-column.ts";
import type { Position } from "../../domain/position.ts";
import { type BoundCursor, positionOf } from "../../sql/cursor.ts";
import { cursorCondition, windowCondition } from "../../sql/cursor-condition.ts";
import { type Lag, lagInMicros } from "../../sql/facts-dialect.ts";
import { columnText } from "../../sql/side.ts";
import { allOf, name, raw, type Sql, sql } from "../../sql/statement.ts";
import { ArrivalCounter } from "./arrival-groups.ts";
import type { ArrivalSide } from "./arrival-side.ts";
import { behind, countArrivals, renamed } from "./count-arrivals.ts";
import { LagHistogram } from "./lag-histogram.ts";
import { dialectOf, type OpenSide, rowsWhere } from "./open-side.ts";
import { planRank } from "./rank-plan.ts";
import { lagAt, readLags } from "./read-lags.ts";
import { together } from "./together.ts";

/** What is asked of a source's arrivals. */
export type ArrivalQuestion = {
  /** Starts of all runs, ascending without repetition, wall-clock microseconds. */
  readonly starts: Bigints;
  /** Of these, the starts of successful runs in order, one a run: what `ArrivalGroup.nextRun` counts. */
  readonly successful: Bigints;
  /** The smallest left end of the successful windows: rows before it are history, no arrivals. Null: there is none. */
  readonly stretch: Edge | null;
  readonly now: bigint;
  readonly future: bigint;
  /** Whether the lag's quantiles are to be those of all rows, however many there are, rather than of a sample of very many. */
  readonly wholeLags?: boolean;
};

/** Arrivals, and what they say of the clock. */
export type ReadArrivals = {
  readonly facts: ArrivalFacts;
  /** The clock at each of `starts`: the newest cursor, not in the future then, among rows that had arrived; and last, behind all of them. Null: none had. */
  readonly clocks: PackedColumn;
  /** The newest cursor among rows whose arrival nobody knows: a clock below it may have stood further. */
  readonly unknown: Position | null;
  /** So many of the first clocks come from rows alone whose arrival the server has forgotten: they stood no further, maybe less far. */
  readonly forgotten: number;
  /** The p99 of the lag over all rows but those with these lags; null: no row is left, or no lag is known. */
  readonly lagWithout: (lags: Iterable<bigint>, from: OpenSide) => Promise<bigint | null>;
  /** The lag, and the condition that holds for the rows it was read from. */
  readonly rows: LaggingRows;
};

/** The lag of rows, and the condition that they are read under. */
export type LaggingRows = { readonly lag: Lag; readonly located: Sql };

type LagLookUp = (low: bigint, high: bigint, skip: bigint, from?: OpenSide) => Promise<bigint | null>;

/**
 * Reads arrivals, grouped by the runs' starts in one pass over the source, and beside it by a coarse lag in another, which takes a sample
 * of very many rows; memory grows with the runs, not with the rows. A row counts for the clock from the later of its arrival and its
 * cursor − `future` on.
 */
export async function readArrivals(
  side: OpenSide,
  arrivals: ArrivalSide,
  asked: ArrivalQuestion,
): Promise<ReadArrivals> {
  const { cursor } = side;
  if (cursor === null) throw new InvariantError("arrivals are read along a cursor");
  const dialect = dialectOf(side);
  const timed = cursor.axis === "time";
  const { stretch } = asked;
  const located = timed
    ? cursorCondition(cursor, "<=", asked.now + asked.future, dialect)
    : windowCondition(cursor, { from: null, fromClosed: false, to: null, toClosed: false }, dialect);
  const lag = timed ? dialect.facts.lag(arrivals.arrival, cursor) : lagInMicros(raw("NULL"));
  const inStretch =
    stretch === null ? raw("1 = 1") : cursorCondition(cursor, stretch.closed ? ">=" : ">", stretch.at, dialect);
  const rows = { cursor, lag, located };
  const lagging = { lag, located: allOf([located, inStretch]) };
  const counted = new ArrivalCounter(asked.starts.length);
  const clocks = new PackedColumn(asked.starts.length + 1);
  const [{ unknown, firstKnown, anyForgotten, anyEarly }, histogram] = await together(
    countArrivals(side, arrivals, asked, { ...rows, inStretch }, { counted, clocks }),
    timed ? readLags(side, arrivals, lagging, asked.wholeLags ?? false) : Promise.resolve(new LagHistogram()),
  );
  histogram.standFor(counted.rows, counted.largestLag);
  if (anyEarly) await placeEarly(side, arrivals, asked, rows, clocks);
  for (let i = 1; i < clocks.length; i++) {
    const before = clocks.at(i - 1);
    if (before !== null) clocks.raise(i, before);
  }
  const lookUp: LagLookUp = async (low, high, skip, from = side) =>
    await lagAt(from, arrivals, lagging, low, high, skip);
  const facts: ArrivalFacts = {
    rows: counted.rows,
    lag: timed ? await histogram.quantiles(lookUp) : null,
    lagOfArrived: null,
    ...(timed ? { histogram: histogram.parts() } : {}),
    ...(histogram.sampled === null ? {} : { sampled: histogram.sampled }),
    groups: counted.groups(asked),
  };
  return {
    facts,
    clocks,
    unknown,
    forgotten: anyForgotten ? firstKnown : 0,
    lagWithout: async (lags, from) =>
      await histogram.quantileWithout(99n, lags, async (low, high, skip) => await lookUp(low, high, skip, from)),
    rows: lagging,
  };
}

/** Rows whose cursor lay in the future when they arrived count from the moment when it no longer did. */
async function placeEarly(
  side: OpenSide,
  arrivals: ArrivalSide,
  asked: ArrivalQuestion,
  { cursor, lag, located }: LaggingRows & { readonly cursor: BoundCursor },
  clocks: PackedColumn,
): Promise<void> {
  const dialect = dialectOf(side);
  const early = sql`${lag.span} < ${lag.of(-asked.future)}`;
  for (const batch of planRank(cursor, behind(asked.starts, asked.future + 1n), dialect).batches) {
    const rows = sql`SELECT ${batch.rank} AS ${name("g")}, ${dialect.ordered(cursor.column)} AS ${name("x")} ${rowsWhere(side, [located, batch.condition, early], arrivals.from)} ${dialect.facts.fence}`;
    const grouped = sql`SELECT ${name("g")}, MAX(${name("x")}) AS ${name("newest")} FROM (${rows}) ${name("r")} GROUP BY ${name("g")}`;
    const statement = sql`SELECT ${dialect.countText(name("g"))}, ${columnText(side.snapshot.database, renamed(cursor.column, "newest"))} FROM (${grouped}) ${name("t")}`;
    await side.snapshot.use(async (session) => {
      for await (const found of session.stream({ what: "rows that came before their time", sql: statement }))
        for (const [g, newest = null] of found) {
          const position = positionOf(newest, cursor);
          if (position !== null) clocks.raise(batch.reached(Number(g)), position);
        }
    });
  }
}
