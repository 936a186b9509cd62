import type { ColumnInfo } from "../../domain/table.ts";
import type { BoundColumn } from "../../sql/dialect.ts";
import { name, raw, type Sql, sql } from "../../sql/statement.ts";
import { lastOffsetSeconds, offsetSeconds } from "./zone-text.ts";

const number = (n: number | bigint): Sql => raw(String(n));

/** `YYYY-MM-DD HH:MM:SS` with its fraction trimmed, of a date or a date with a time; null for any other kind. */
export function dateText(column: BoundColumn, precision: number): Sql | null {
  const { info, rounding } = column;
  const kind = info.kind;
  const own = name(info.name);
  const zone = column.as.as === "instant" && kind.kind !== "instant" ? column.zone : "UTC";
  switch (kind.kind) {
    case "date": {
      const midnight = sql`CONCAT(${own}, ' 00:00:00')`;
      return zone === "UTC" ? midnight : inUtc(sql`CAST(${own} AS DATETIME)`, midnight, zone);
    }
    case "local":
    case "instant": {
      const rounds = precision < kind.precision && rounding === "round";
      // The very last moment of the year 9999 has no neighbour to be rounded to, and zero dates have none at all.
      const moment = rounds ? sql`IFNULL(${own} + INTERVAL ${number(halfOf(precision))} MICROSECOND, ${own})` : own;
      const text = trimmed(moment, kind.precision, precision);
      return zone === "UTC" ? text : inUtc(moment, text, zone);
    }
    default:
      return null;
  }
}

/** `HH:MM:SS`, more digits of hours and a sign where there are any, the fraction trimmed. */
export function timeText(info: ColumnInfo, precision: number, rounding: "cut" | "round"): Sql | null {
  const kind = info.kind;
  if (kind.kind !== "time") return null;
  const column = name(info.name);
  if (kind.precision === 0) return column;
  const rounds = rounding === "round" && precision < kind.precision;
  const half = raw(`00:00:00.${String(halfOf(precision)).padStart(6, "0")}`);
  const value = rounds ? sql`ADDTIME(${column}, IF(${column} < 0, '-${half}', '${half}'))` : column;
  const digits = rounds ? 6 : kind.precision;
  // Hours may be of two or three digits and signed: the fraction is counted from the end.
  const drop = precision === 0 ? digits + 1 : digits - Math.min(precision, digits);
  const kept = drop === 0 ? value : sql`LEFT(${value}, LENGTH(${value}) - ${number(drop)})`;
  const text = precision === 0 ? kept : sql`TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM ${kept}))`;
  // What is cut may have been all that was below zero.
  return precision < kind.precision ? sql`IF(${text} = '-00:00:00', '00:00:00', ${text})` : text;
}

/** Half a unit of the last digit, in microseconds. */
function halfOf(precision: number): number {
  return 5 * 10 ** (5 - precision);
}

/** A moment's print with a fraction of `has` digits, cut to `wanted` ones, without trailing zeros. */
function trimmed(moment: Sql, has: number, wanted: number): Sql {
  if (has === 0) return moment;
  if (wanted === 0) return sql`LEFT(${moment}, 19)`;
  const finer = wanted < has;
  const kept = finer ? sql`LEFT(${moment}, ${number(20 + wanted)})` : moment;
  const least = number(10 ** (6 - Math.min(wanted, has)));
  const slow = sql`IF(MICROSECOND(${moment}) < ${least}, LEFT(${moment}, 19), TRIM(TRAILING '0' FROM ${kept}))`;
  // Most fractions end in another digit than 0, and testing that is cheaper than trimming.
  return finer ? slow : sql`IF(MICROSECOND(${moment}) % ${number(10 ** (7 - has))}, ${moment}, ${slow})`;
}

/**
 * A naive moment of `zone`, whose print is `text`, printed in UTC. Offsets are whole seconds, so the fraction stays. Zero dates
 * are what they are; what lies beyond the year 9999 in UTC, where the server's dates end, is printed as the day it falls on.
 */
function inUtc(moment: Sql, text: Sql, zone: string): Sql {
  const fraction = sql`SUBSTRING(${text}, 20)`;
  const utc = sql`LEFT(${moment} - INTERVAL ${offsetSeconds(moment, zone)} SECOND, 19)`;
  const dayBefore = sql`${moment} - INTERVAL 1 DAY - INTERVAL ${number(lastOffsetSeconds(zone))} SECOND`;
  const beyond = sql`CONCAT('10000-01-01', SUBSTRING(${dayBefore}, 11, 9), ${fraction})`;
  return sql`COALESCE(CONCAT(${utc}, ${fraction}), IF(${moment} > '9999-12-30', ${beyond}, ${text}))`;
}
