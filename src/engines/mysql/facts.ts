import { must } from "../../domain/errors.ts";
import { daysFromCivil, readTime, SECOND } from "../../domain/position.ts";
import { type BoundCursor, unitOf } from "../../sql/cursor.ts";
import type { BoundColumn } from "../../sql/dialect.ts";
import { type FactsDialect, type Lag, lagInMicros } from "../../sql/facts-dialect.ts";
import { rankTree } from "../../sql/rank-tree.ts";
import { name, raw, type Sql, sql } from "../../sql/statement.ts";
import { valueOf } from "./value.ts";
import { offsetSeconds } from "./zone-text.ts";

const DAY = 86_400n * SECOND;
const at = (year: bigint, month: bigint, day: bigint): bigint => daysFromCivil(year, month, day) * DAY;

/** MySQL's and MariaDB's words for clocks and profiles. */
export const mysqlFacts: FactsDialect = {
  reach,
  isNumber: () => null,
  rank,
  // A tree's values are parameters, of which there may be 65,535.
  rankLimit: (column) => (column.as.as === "float" ? 20_000 : 100_000),
  // Grouping goes through a temporary table, a look-up a row; a range of an index is counted at a twentieth of that.
  countsByRange: true,
  countStretches: null,
  sample: null,
  // A derived table is merged into the outer query, and its expressions with it, unless it has a limit: then all of its rows are written
  // out, which costs more than computing an expression again.
  fence: raw(""),
  lag,
  commitTimestamp: null,
  // innodb_trx says when a transaction began, but not whether it will write rows stamped before now.
  oldestTransaction: null,
  slots: null,
  binaryLogs: {
    settings: raw(
      "SHOW VARIABLES WHERE Variable_name IN ('log_bin', 'binlog_expire_logs_seconds', 'expire_logs_days')",
    ),
    files: raw("SHOW BINARY LOGS"),
  },
};

/** INTERVAL() is one binary search a row among constants, which it compares exactly; a tree for what is no whole number of anything. */
function rank(expression: Sql, column: BoundColumn, values: readonly string[]): Sql {
  const { as } = column.as;
  if (as === "float" || values.length === 0) return rankTree(expression, values, (text) => valueOf(text, column));
  const timed = as === "instant" || as === "local" || as === "date";
  const number = timed ? sql`TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'1970-01-01 00:00:00', ${expression})` : expression;
  const constants = values.map((text) => (timed ? String(must(readTime(text), "a bound is a time").local) : text));
  // The servers take its answers for two digits wide, and cut longer ones when they group by them: adding makes room.
  return sql`NULLIF(INTERVAL(${number}, ${raw(constants.join(", "))}) + 1000000000 - 1000000000, -1)`;
}

/** A TIMESTAMP begins a second after the epoch (MariaDB's may end in 2106); zero dates stand before all others. */
function reach({ info }: BoundColumn): { readonly least: bigint; readonly most: bigint } {
  return info.kind.kind === "instant"
    ? { least: SECOND, most: 2n ** 32n * SECOND - 1n }
    : { least: at(1n, 1n, 1n), most: at(10_000n, 1n, 1n) - 1n };
}

/** Where both read the same clock, one difference says what two since the epoch would. */
function lag(later: BoundCursor, earlier: BoundCursor): Lag {
  if (!isUtc(later) || !isUtc(earlier)) return lagInMicros(sql`(${micros(later)} - ${micros(earlier)})`);
  return lagInMicros(
    sql`TIMESTAMPDIFF(MICROSECOND, ${name(earlier.column.info.name)}, ${name(later.column.info.name)})`,
  );
}

/** Sessions run in UTC. */
const isUtc = ({ column: { as, zone } }: BoundCursor): boolean =>
  as.as === "instant" || ((as.as === "local" || as.as === "date") && zone === "UTC");

function micros(cursor: BoundCursor): Sql {
  const { column, unit } = cursor;
  const own = name(column.info.name);
  const factor = raw(String(unitOf(cursor)));
  switch (column.as.as) {
    case "integer":
      return unit === null || unit === "sequence" ? own : sql`(CAST(${own} AS SIGNED) * ${factor})`;
    case "decimal":
    case "float":
      return sql`FLOOR(${own} * ${factor})`;
    default: {
      const elapsed = sql`TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'1970-01-01 00:00:00', ${own})`;
      if (column.as.as === "instant" || column.zone === "UTC") return elapsed;
      return sql`(${elapsed} - 1000000 * ${offsetSeconds(sql`CAST(${own} AS DATETIME(6))`, column.zone)})`;
    }
  }
}
