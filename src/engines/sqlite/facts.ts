import { daysFromCivil, SECOND } from "../../domain/position.ts";
import { type BoundCursor, unitOf } from "../../sql/cursor.ts";
import { type FactsDialect, lagInMicros } from "../../sql/facts-dialect.ts";
import { rankTree } from "../../sql/rank-tree.ts";
import { name, raw, type Sql, sql } from "../../sql/statement.ts";
import { textOf } from "./text.ts";
import { orderOf } from "./order.ts";

const DAY = 86_400n * SECOND;

/** SQLite's words for clocks and profiles. Times are compared by their canonical texts, whose order ends with the year 9999. */
export const sqliteFacts: FactsDialect = {
  reach: () => ({ least: daysFromCivil(1n, 1n, 1n) * DAY, most: daysFromCivil(10_000n, 1n, 1n) * DAY - 1n }),
  isNumber: ({ info }) => {
    const x = name(info.name);
    return sql`(typeof(${x}) IN ('integer', 'real') AND abs(${x}) < 9e999)`;
  },
  rank: (expression, column, values) => rankTree(expression, values, (text) => orderOf(column).value(text)),
  rankLimit: () => 2000,
  countsByRange: false,
  countStretches: null,
  sample: null,
  fence: raw("LIMIT -1 OFFSET 0"),
  lag: (later, earlier) => lagInMicros(sql`(${micros(later)} - ${micros(earlier)})`),
  commitTimestamp: null,
  oldestTransaction: null,
  slots: null,
  binaryLogs: null,
};

function micros(cursor: BoundCursor): Sql {
  const { column } = cursor;
  const { as } = column.as;
  if (as === "integer") return sql`(${name(column.info.name)} * ${raw(String(unitOf(cursor)))})`;
  if (as === "decimal" || as === "float")
    return sql`CAST(floor(${name(column.info.name)} * ${raw(String(unitOf(cursor)))}) AS INTEGER)`;
  const text = textOf({ ...column, as: { as: "instant", precision: 6 } });
  return sql`(unixepoch(substr(${text}, 1, 19)) * 1000000 + CAST(substr(substr(${text}, 21) || '000000', 1, 6) AS INTEGER))`;
}
