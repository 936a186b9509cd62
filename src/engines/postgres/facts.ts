import { daysFromCivil, SECOND } from "../../domain/position.ts";
import { InvariantError } from "../../domain/errors.ts";
import { type BoundCursor, unitOf } from "../../sql/cursor.ts";
import type { BoundColumn } from "../../sql/dialect.ts";
import { type FactsDialect, type Lag, lagInMicros } from "../../sql/facts-dialect.ts";
import { name, raw, type Sql, sql, value } from "../../sql/statement.ts";
import { arrayLiteral, ordered } from "./keys.ts";
import { momentOf } from "./times.ts";

const DAY = 86_400n * SECOND;

/** How far the log reaches: on a standby, as far as it was replayed. */
const WRITTEN = raw("CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END");

/** PostgreSQL's words for clocks, profiles and logs. */
export const postgresFacts: FactsDialect = {
  // The ends of timestamp (https://www.postgresql.org/docs/current/datatype-datetime.html); a date reaches further, which no clock does.
  reach: () => ({ least: daysFromCivil(-4713n, 11n, 24n) * DAY, most: daysFromCivil(294_277n, 1n, 1n) * DAY - 1n }),
  // Zero times infinity is NaN, which equals itself here but not zero.
  isNumber: (column) => sql`${name(column.info.name)} * 0 = 0`,
  rank,
  rankLimit: () => 500_000,
  countsByRange: false,
  countStretches,
  sample: (share) => sql`TABLESAMPLE SYSTEM (${raw(String(share * 100))}) REPEATABLE (0)`,
  fence: raw("OFFSET 0"),
  lag,
  commitTimestamp: {
    expression: raw("pg_xact_commit_timestamp(xmin)"),
    text: raw("pg_xact_commit_timestamp(xmin)::text"),
    kept: sql`SELECT current_setting('track_commit_timestamp')`,
  },
  oldestTransaction: sql`SELECT
    least(
      (SELECT min(xact_start) FROM pg_stat_activity WHERE backend_xid IS NOT NULL AND datname = current_database()),
      (SELECT min(prepared) FROM pg_prepared_xacts WHERE database = current_database())
    )::text,
    CASE WHEN pg_has_role('pg_read_all_stats', 'USAGE') THEN '1' ELSE '0' END`,
  slots: { slot, written: sql`SELECT pg_wal_lsn_diff(${WRITTEN}, '0/0')::bigint::text` },
  binaryLogs: null,
};

/** Columns that came with later versions are looked up by name: NULL where there is none. */
function slot(slotName: string): Sql {
  return sql`SELECT
      CASE WHEN active THEN '1' ELSE '0' END,
      j ->> 'wal_status',
      coalesce(j ->> 'invalidation_reason', CASE WHEN j ->> 'conflicting' = 'true' THEN 'conflict' END),
      pg_wal_lsn_diff(written, restart_lsn)::bigint::text,
      pg_wal_lsn_diff(written, confirmed_flush_lsn)::bigint::text,
      CASE WHEN NOT active THEN round(extract(epoch FROM clock_timestamp() - (j ->> 'inactive_since')::timestamptz) * 1000000)::bigint::text END,
      j ->> 'safe_wal_size'
    FROM (SELECT to_jsonb(r) AS j, r.active, r.restart_lsn, r.confirmed_flush_lsn, ${WRITTEN} AS written
          FROM pg_replication_slots r WHERE r.slot_name = ${value(slotName)}) s`;
}

/**
 * One binary search a row. The array stands in a subquery of its own: as an expression it would be read anew for every row. Doubles are
 * compared without a call for each step, so that seconds since 1970 are searched quicker than times are, where they tell microseconds
 * apart.
 */
function rank(expression: Sql, column: BoundColumn, values: readonly string[]): Sql {
  const type = raw(arrayType(column));
  const list = sql`CAST(${value(arrayLiteral(values))} AS ${type}[])`;
  if (!isTimestamp(column) || !values.every(isNear))
    return sql`width_bucket((${expression})::${type}, (SELECT ${list}))`;
  const x = name("x");
  return sql`width_bucket(date_part('epoch', (${expression})::${type}),
    (SELECT coalesce(array_agg(date_part('epoch', ${x}) ORDER BY ${x}), '{}') FROM unnest(${list}) ${name("v")} (${x})))`;
}

const isTimestamp = ({ as }: BoundColumn): boolean => as.as === "instant" || as.as === "local";

/**
 * Whether a double of seconds tells this time's neighbours of a microsecond apart: up to 2^33 seconds from 1970 its step is below one
 * (https://en.wikipedia.org/wiki/Double-precision_floating-point_format), which is from 1698 to 2242.
 */
const isNear = (text: string): boolean => /^(1[7-9]|2[01])\d\d-/.test(text);

/** The bare column: a cast would keep its index out. A nested loop over the index costs a quarter of a binary search and a group for each row. */
function countStretches(column: BoundColumn, values: readonly string[], rows: Sql): Sql {
  const bare = name(column.info.name);
  const stretch = (part: string): Sql => sql`${name("tidemark_stretch")}.${name(part)}`;
  const ends = sql`unnest(CAST(${value(arrayLiteral(values))} AS ${raw(arrayType(column))}[])) WITH ORDINALITY AS ${name("v")} (${name("x")}, ${name("i")})`;
  return sql`SELECT ${stretch("i")}::text, ${name("c")}.${name("n")}::text
    FROM (SELECT ${name("i")}, ${name("x")}, lead(${name("x")}) OVER (ORDER BY ${name("i")}) AS ${name("y")} FROM ${ends}) ${name("tidemark_stretch")},
    LATERAL (SELECT count(*) AS ${name("n")} ${rows} AND ${bare} >= ${stretch("x")} AND ${bare} < ${stretch("y")}) ${name("c")}
    WHERE ${stretch("y")} IS NOT NULL AND ${name("c")}.${name("n")} > 0`;
}

function arrayType({ as }: BoundColumn): string {
  switch (as.as) {
    case "instant":
      return "timestamptz";
    case "local":
      return "timestamp";
    case "date":
      return "date";
    case "float":
      return "double precision";
    case "decimal":
      return "numeric";
    case "integer":
      return "bigint";
    default:
      throw new InvariantError("a cursor is a time or a number");
  }
}

/** The difference of two timestamps costs half of what both do as numbers, and its microseconds as much again; there is none of infinite ones. */
function lag(later: BoundCursor, earlier: BoundCursor): Lag {
  if (!isTime(later) || !isTime(earlier)) return lagInMicros(sql`(${micros(later)} - ${micros(earlier)})`);
  const [a, x] = [inUtc(later), inUtc(earlier)];
  return {
    span: sql`CASE WHEN isfinite(${a}) AND isfinite(${x}) THEN ${a} - ${x} END`,
    micros: (span) => sql`round(date_part('epoch', ${span}) * 1000000)::bigint`,
    // Multiplied: old servers read no more than 31 bits of microseconds from an interval's text.
    of: (number) => sql`(${raw(String(number))} * interval '1 microsecond')`,
  };
}

const inUtc = ({ column }: BoundCursor): Sql => momentOf({ ...column, as: { as: "instant", precision: 6 } });

const isTime = ({ column: { as } }: BoundCursor): boolean =>
  as.as === "instant" || as.as === "local" || as.as === "date";

/** By double arithmetic, a fraction of the cost of extract's numerics; rounded, it is exact for 250 years on either side of 1970. */
function micros(cursor: BoundCursor): Sql {
  const { column } = cursor;
  const unit = raw(String(unitOf(cursor)));
  switch (column.as.as) {
    case "integer":
      return sql`(${ordered(column)}::bigint * ${unit})`;
    case "decimal":
    case "float":
      return sql`floor(${ordered(column)} * ${unit})::bigint`;
    default: {
      const moment = inUtc(cursor);
      return sql`CASE WHEN isfinite(${ordered(column)}) THEN round(date_part('epoch', ${moment}) * 1000000)::bigint END`;
    }
  }
}
