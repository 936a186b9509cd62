import { name, raw, type Sql, sql } from "../../sql/statement.ts";
import type { ArrivalSide } from "./arrival-side.ts";
import { LAG_COLUMN, LAG_EDGES, LagHistogram } from "./lag-histogram.ts";
import { countOf, dialectOf, type OpenSide, rowsWhere } from "./open-side.ts";
import type { LaggingRows } from "./read-arrivals.ts";

/** Above so many rows, half and 99 % of the lags are told from a sample of this many: a rank among all of them costs as much as comparing. */
const WHOLE_UP_TO = 4_000_000;
const SAMPLE = 1_000_000;
/** So few rows of a sample tell no quantile: they are what a narrow condition left of it, and then all of them are soon read. */
const TOO_FEW = 100_000n;

/**
 * Counts lags by parts, in a pass of its own, because so many parts for each run would come to as many groups as there are rows.
 * `whole`: of all rows, not of a sample.
 */
export async function readLags(
  side: OpenSide,
  arrivals: ArrivalSide,
  rows: LaggingRows,
  whole: boolean,
): Promise<LagHistogram> {
  const table = whole ? null : sampleOf(side, arrivals);
  const sampled = table === null ? null : await countLags(side, table, rows);
  if (sampled !== null && sampled.rows >= TOO_FEW) return sampled.asSample();
  return await countLags(side, arrivals.from, rows);
}

/** A sample of a large table, as it stands behind FROM; null: all of it is to be read. */
function sampleOf(side: OpenSide, { sampled }: ArrivalSide): Sql | null {
  const { sample } = dialectOf(side).facts;
  const there = Number(side.table.estimatedRows ?? 0n);
  return sample === null || sampled === null || there <= WHOLE_UP_TO ? null : sampled(sample(SAMPLE / there));
}

async function countLags(side: OpenSide, from: Sql | null, rows: LaggingRows): Promise<LagHistogram> {
  const dialect = dialectOf(side);
  const { fence } = dialect.facts;
  const lags = lagsOf(side, from, rows);
  const part = dialect.facts.rank(name("lag"), LAG_COLUMN, LAG_EDGES);
  const sorted = sql`SELECT ${name("lag")}, ${part} AS ${name("h")} FROM (${lags}) ${name("r")} WHERE ${name("lag")} IS NOT NULL ${fence}`;
  const grouped = sql`SELECT ${name("h")}, COUNT(*) AS ${name("n")}, MIN(${name("lag")}) AS ${name("least")}, MAX(${name("lag")}) AS ${name("most")} FROM (${sorted}) ${name("q")} GROUP BY ${name("h")}`;
  const numbers = ["h", "n", "least", "most"].map((each) => dialect.countText(name(each)));
  const found = await side.snapshot.use(
    async (session) =>
      await session.rows({ what: "arrival lags", sql: sql`SELECT ${numbers} FROM (${grouped}) ${name("t")}` }),
  );
  const histogram = new LagHistogram();
  for (const [h, n, least = null, most = null] of found)
    if (least !== null && most !== null) histogram.add(Number(h), countOf(n), BigInt(least), BigInt(most));
  return histogram;
}

/** Each row's lag in microseconds, as `lag`. */
function lagsOf(side: OpenSide, from: Sql | null, { lag, located }: LaggingRows): Sql {
  return sql`SELECT ${lag.micros(lag.span)} AS ${name("lag")} ${rowsWhere(side, [located], from)} ${dialectOf(side).facts.fence}`;
}

/** The lag that stands `skip` rows behind the smallest one between two lags. */
export async function lagAt(
  side: OpenSide,
  arrivals: ArrivalSide,
  rows: LaggingRows,
  low: bigint,
  high: bigint,
  skip: bigint,
): Promise<bigint | null> {
  const dialect = dialectOf(side);
  const lags = lagsOf(side, arrivals.from, rows);
  const between = sql`${name("lag")} >= ${raw(String(low))} AND ${name("lag")} <= ${raw(String(high))}`;
  const statement = sql`SELECT ${dialect.countText(name("lag"))} FROM (${lags}) ${name("r")} WHERE ${between} ORDER BY ${name("r")}.${name("lag")} ${dialect.page(1, skip)}`;
  const [row] = await side.snapshot.use(
    async (session) => await session.rows({ what: "a quantile of the arrival lag", sql: statement }),
  );
  const text = row?.[0] ?? null;
  return text === null ? null : BigInt(text);
}
