import { InvariantError } from "../../domain/errors.ts";
import type { ArrivalFacts } from "../../domain/facts.ts";
import type { Position } from "../../domain/position.ts";
import { positionOf } from "../../sql/cursor.ts";
import { cursorCondition } from "../../sql/cursor-condition.ts";
import { columnText } from "../../sql/side.ts";
import { allOf, join, name, raw, type Sql, sql } from "../../sql/statement.ts";
import type { ArrivalSide } from "./arrival-side.ts";
import { countOf, dialectOf, type OpenSide, rowsWhere } from "./open-side.ts";
import type { ReadArrivals } from "./read-arrivals.ts";

/** So many late rows with one arrival are an import. */
const CROWD = 100;

type Imports = NonNullable<ArrivalFacts["imports"]>;

/**
 * Moments of arrival that at least a hundred late rows share: one pass over the source. `usual`: the lag beyond which a row is late,
 * microseconds; on a sequence axis (null) one whose number lies below the newest that had arrived before. `wanted`: only these moments
 * are asked about, on a time axis; null: all.
 */
export async function readImports(
  side: OpenSide,
  arrivals: ArrivalSide,
  { lag, located }: ReadArrivals["rows"],
  usual: bigint | null,
  wanted: ReadonlySet<bigint> | null = null,
): Promise<Imports> {
  const { cursor } = side;
  if (cursor === null) throw new InvariantError("arrivals are read along a cursor");
  return cursor.axis === "time"
    ? usual === null
      ? []
      : await crowdsBeyond(
          side,
          arrivals,
          allOf([only(side, arrivals, wanted), sql`${lag.span} > ${lag.of(usual)}`]),
          located,
        )
    : await crowdsBehind(side, arrivals, located);
}

/** So many moments are named one by one at most: a row is held against each of them. Of more, all are read. */
const NAMED = 50;

/** The rows of some moments of arrival; null: of all. */
function only(side: OpenSide, { arrival }: ArrivalSide, wanted: ReadonlySet<bigint> | null): Sql | null {
  if (wanted === null || wanted.size > NAMED) return null;
  const each = [...wanted].map((at) => cursorCondition(arrival, "=", at, dialectOf(side)));
  return sql`(${join(each, " OR ")})`;
}

async function crowdsBeyond(side: OpenSide, arrivals: ArrivalSide, late: Sql, located: Sql): Promise<Imports> {
  const { database } = side.snapshot;
  const columns = [columnText(database, arrivals.arrival.column), database.dialect.countText(raw("COUNT(*)"))];
  const statement = sql`SELECT ${columns} ${rowsWhere(side, [located, late], arrivals.from)}
    GROUP BY ${database.dialect.ordered(arrivals.arrival.column)} HAVING COUNT(*) >= ${raw(String(CROWD))}`;
  const rows = await side.snapshot.use(
    async (session) => await session.rows({ what: "late rows with one arrival", sql: statement }),
  );
  return rows.flatMap(([text = null, count]) => {
    const arrival = positionOf(text, arrivals.arrival);
    return arrival === null ? [] : [{ arrival, rows: countOf(count) }];
  });
}

/** Arrivals in their order, with the newest number that came before each. */
async function crowdsBehind(side: OpenSide, arrivals: ArrivalSide, located: Sql): Promise<Imports> {
  const { cursor } = side;
  if (cursor === null) return [];
  const { database } = side.snapshot;
  const dialect = dialectOf(side);
  const arrival = arrivals.arrival;
  const as = (alias: string): Sql =>
    columnText(database, { ...cursor.column, info: { ...cursor.column.info, name: alias } });
  const own = dialect.ordered(cursor.column);
  const grouped = sql`SELECT ${columnText(database, arrival.column)} AS ${name("a")}, ${dialect.ordered(arrival.column)} AS ${name("o")}, COUNT(*) AS ${name("n")}, MIN(${own}) AS ${name("least")}, MAX(${own}) AS ${name("most")}
    ${rowsWhere(side, [located, sql`${name(arrival.column.info.name)} IS NOT NULL`], arrivals.from)} GROUP BY ${name("a")}, ${name("o")}`;
  const statement = sql`SELECT ${name("a")}, ${dialect.countText(name("n"))}, ${as("least")}, ${as("most")} FROM (${grouped}) ${name("t")} ORDER BY ${name("o")}`;
  const crowds: { arrival: bigint; rows: bigint }[] = [];
  const mixed: { arrival: bigint; newest: Position }[] = [];
  let newest: Position | null = null;
  await side.snapshot.use(async (session) => {
    for await (const batch of session.stream({ what: "arrivals of numbers", sql: statement }))
      for (const [text = null, count, first = null, last = null] of batch) {
        const at = positionOf(text, arrival);
        const least = positionOf(first, cursor);
        const most = positionOf(last, cursor);
        if (at === null || least === null || most === null) continue;
        const rows = countOf(count);
        if (newest !== null && rows >= BigInt(CROWD)) {
          if (most < newest) crowds.push({ arrival: at, rows });
          else if (least < newest) mixed.push({ arrival: at, newest });
        }
        if (newest === null || most > newest) newest = most;
      }
  });
  for (const { arrival: at, newest: before } of mixed)
    crowds.push(...(await countBehind(side, arrivals, located, at, before)));
  return crowds;
}

async function countBehind(
  side: OpenSide,
  arrivals: ArrivalSide,
  located: Sql,
  at: bigint,
  newest: Position,
): Promise<Imports> {
  const { cursor } = side;
  if (cursor === null) return [];
  const dialect = dialectOf(side);
  const conditions = [
    located,
    cursorCondition(arrivals.arrival, "=", at, dialect),
    cursorCondition(cursor, "<", newest, dialect),
  ];
  const statement = sql`SELECT ${dialect.countText(raw("COUNT(*)"))} ${rowsWhere(side, conditions, arrivals.from)}`;
  const [row] = await side.snapshot.use(
    async (session) => await session.rows({ what: "late numbers of one arrival", sql: statement }),
  );
  const rows = countOf(row?.[0]);
  return rows < BigInt(CROWD) ? [] : [{ arrival: at, rows }];
}
