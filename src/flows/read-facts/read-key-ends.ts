import type { SideFacts } from "../../domain/facts.ts";
import type { Key } from "../../domain/key.ts";
import { columnText } from "../../sql/side.ts";
import { name, raw, sql } from "../../sql/statement.ts";
import { dialectOf, type OpenSide, rowsWhere } from "./open-side.ts";

/** The smallest and the largest key of a side in key order, keys with a NULL left out; null: no row, or no key. */
export async function readKeyEnds(side: OpenSide): Promise<SideFacts["keys"]> {
  if (side.key.length === 0) return null;
  const [first, last] = await Promise.all([readEnd(side, "ASC"), readEnd(side, "DESC")]);
  return first === null || last === null ? null : { first, last };
}

async function readEnd(side: OpenSide, order: "ASC" | "DESC"): Promise<Key | null> {
  const dialect = dialectOf(side);
  const whole = side.key.filter(({ info }) => info.nullable).map(({ info }) => sql`${name(info.name)} IS NOT NULL`);
  const columns = side.key.map((column) => columnText(side.snapshot.database, column));
  const ordered = side.key.map((column) => sql`${dialect.ordered(column)} ${raw(order)}`);
  const statement = sql`SELECT ${columns} ${rowsWhere(side, whole)} ORDER BY ${ordered} ${dialect.page(1, 0n)}`;
  const [row] = await side.snapshot.use(
    async (session) => await session.rows({ what: "an end of the keys", sql: statement }),
  );
  return row ?? null;
}
