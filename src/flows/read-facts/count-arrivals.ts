import type { Bigints } from "../../domain/packed-bigints.ts";
import type { PackedColumn } from "../../domain/packed-column.ts";
import type { Position } from "../../domain/position.ts";
import { type BoundCursor, positionOf } from "../../sql/cursor.ts";
import type { BoundColumn } from "../../sql/dialect.ts";
import { columnText } from "../../sql/side.ts";
import { name, raw, type Sql, sql } from "../../sql/statement.ts";
import type { ArrivalCounter } from "./arrival-groups.ts";
import type { ArrivalSide } from "./arrival-side.ts";
import { dialectOf, type OpenSide, rowsWhere } from "./open-side.ts";
import { planRank, type RankBatch } from "./rank-plan.ts";
import type { ArrivalQuestion, LaggingRows } from "./read-arrivals.ts";

/** The rows that are counted, and how. */
export type Grouping = LaggingRows & {
  readonly cursor: BoundCursor;
  readonly inStretch: Sql;
};

/** What the pass fills. */
export type Found = {
  readonly counted: ArrivalCounter;
  /** By how many of the starts a row's arrival lies behind: the newest cursor. */
  readonly clocks: PackedColumn;
};

/** What it saw beside what it counted. `firstKnown`: how many starts lie before the first arrival that is known. */
export type Told = { unknown: Position | null; firstKnown: number; anyForgotten: boolean; anyEarly: boolean };

/** Groups rows by how many starts lie before their arrival, whether they lie in the stretch, and whether they came before their time. */
export async function countArrivals(
  side: OpenSide,
  arrivals: ArrivalSide,
  asked: ArrivalQuestion,
  grouping: Grouping,
  { counted, clocks }: Found,
): Promise<Told> {
  const { cursor } = grouping;
  const told: Told = { unknown: null, firstKnown: asked.starts.length, anyForgotten: false, anyEarly: false };
  // Arrived before a start is: at it or earlier. So a group ends with its start included.
  for (const batch of planRank(arrivals.arrival, behind(asked.starts, 1n), dialectOf(side)).batches) {
    const statement = {
      what: "arrivals between the runs' starts",
      sql: groupsOf(side, arrivals, asked, batch, grouping),
    };
    await side.snapshot.use(async (session) => {
      for await (const found of session.stream(statement))
        for (const [k, n, most = null, first = null, last = null] of found) {
          const oldest = positionOf(first, cursor);
          const newest = positionOf(last, cursor);
          if (newest === null || oldest === null) continue;
          const { rank, inside, early } = partsOf(Number(k));
          if (rank === null && !arrivals.nullIsOld) {
            if (told.unknown === null || newest > told.unknown) told.unknown = newest;
            continue;
          }
          const reached = rank === null ? 0 : batch.reached(rank);
          if (rank === null) told.anyForgotten = true;
          else if (reached < told.firstKnown) told.firstKnown = reached;
          // Rows from a future, as their arrival saw it, are placed by `placeEarly`.
          if (early) told.anyEarly = true;
          else clocks.raise(reached, newest);
          if (rank !== null && inside)
            counted.add(reached, { rows: Number(n), oldest, newest, largestLag: most === null ? null : BigInt(most) });
        }
    });
  }
  return told;
}

/** A group as one number, which is sorted quicker than three: its rank (from 1; 0: no arrival), inside the stretch, before its time. */
function partsOf(k: number): { readonly rank: number | null; readonly inside: boolean; readonly early: boolean } {
  return { rank: k < 4 ? null : Math.floor(k / 4) - 1, inside: (k & 2) !== 0, early: (k & 1) !== 0 };
}

/** Rows of a group's number, their count, the largest lag, the oldest and the newest cursor. */
function groupsOf(
  side: OpenSide,
  arrivals: ArrivalSide,
  asked: ArrivalQuestion,
  batch: RankBatch,
  { cursor, lag, located, inStretch }: Grouping,
): Sql {
  const dialect = dialectOf(side);
  const [g, s, x, l, k] = ["g", "s", "x", "lag", "k"].map(name) as [Sql, Sql, Sql, Sql, Sql];
  const rows = sql`SELECT ${batch.rank} AS ${g}, ${dialect.ordered(cursor.column)} AS ${x}, ${lag.span} AS ${l},
    CASE WHEN ${inStretch} THEN 1 ELSE 0 END AS ${s} ${rowsWhere(side, [located, batch.condition], arrivals.from)} ${dialect.facts.fence}`;
  const early = sql`CASE WHEN ${l} < ${lag.of(-asked.future)} THEN 1 ELSE 0 END`;
  const key = sql`(COALESCE(${g}, -1) + 1) * 4 + ${s} * 2 + ${cursor.axis === "time" ? early : raw("0")}`;
  // Fenced, so that the planner takes the groups for few: it would sort all rows otherwise, for fear of their number.
  const keyed = sql`SELECT ${key} AS ${k}, ${x}, ${l} FROM (${rows}) ${name("r")} ${dialect.facts.fence}`;
  const grouped = sql`SELECT ${k}, COUNT(*) AS ${name("n")}, MAX(${l}) AS ${name("most")}, MIN(${x}) AS ${name("oldest")}, MAX(${x}) AS ${name("newest")}
    FROM (${keyed}) ${name("q")} GROUP BY ${k}`;
  const ends = ["oldest", "newest"].map((each) => columnText(side.snapshot.database, renamed(cursor.column, each)));
  return sql`SELECT ${[dialect.countText(k), dialect.countText(name("n")), dialect.countText(lag.micros(name("most"))), ...ends]} FROM (${grouped}) ${name("t")}`;
}

/** Positions, each so much further. */
export function* behind(positions: Bigints, by: bigint): Generator<Position> {
  for (const position of positions) yield position + by;
}

/** The column under another name, of a derived table. */
export function renamed(column: BoundColumn, alias: string): BoundColumn {
  return { ...column, info: { ...column.info, name: alias } };
}
