import { InvariantError } from "../../domain/errors.ts";
import type { Kind } from "../../domain/kind.ts";
import type { BoundColumn } from "../../sql/dialect.ts";
import { name, raw, type Sql, sql } from "../../sql/statement.ts";

/** A column as a timestamp without zone: in UTC where it is agreed as an instant, its own reading where it is agreed as local. */
export function momentOf({ info, as, zone }: BoundColumn): Sql {
  const c = name(info.name);
  // The session's zone is UTC; the cast costs less than AT TIME ZONE, which looks the zone up for every row.
  if (info.kind.kind === "instant") return sql`${c}::timestamp`;
  const reading = info.kind.kind === "local" ? c : sql`${c}::timestamp`;
  if (as.as !== "instant" || zone === "UTC") return reading;
  return sql`(${reading} AT TIME ZONE ${zoneLiteral(zone)})::timestamp`;
}

/** A zone's name has no quotes and no blanks; written into the statement it leaves parameters to values. */
function zoneLiteral(zone: string): Sql {
  if (!/^[A-Za-z0-9_+\-/]+$/.test(zone)) throw new InvariantError("a time zone's name was promised");
  return raw(`'${zone}'`);
}

/** Whether a column keeps more digits of a second than agreed. */
export function isFiner({ info, as }: BoundColumn): boolean {
  return "precision" in as && precisionOf(info.kind) > as.precision;
}

function precisionOf(kind: Kind): number {
  return kind.kind === "time" || kind.kind === "instant" || kind.kind === "local" ? kind.precision : 0;
}

const UNITS: Readonly<Record<number, string>> = { 0: "second", 3: "milliseconds" };

/** A timestamp brought to the agreed precision, in the way that the pair agreed on. */
export function atPrecision(column: BoundColumn, moment: Sql): Sql {
  if (!isFiner(column) || !("precision" in column.as)) return moment;
  const { precision } = column.as;
  if (column.rounding === "round") return sql`(${moment})::timestamp(${raw(String(precision))})`;
  const unit = UNITS[precision];
  if (unit !== undefined) return sql`date_trunc('${raw(unit)}', ${moment})`;
  // Infinity has no microseconds: NULL then, and stays itself.
  const rest = sql`(extract(microseconds FROM ${moment})::bigint % ${raw(String(10 ** (6 - precision)))})`;
  return sql`coalesce(${moment} - ${rest} * interval '1 microsecond', ${moment})`;
}

/** A time of day's text; the offset behind it where it has one. */
export function timeText(column: BoundColumn): Sql {
  const c = name(column.info.name);
  if (!isFiner(column) || column.as.as !== "time") return sql`${c}::text`;
  const { precision, zoned } = column.as;
  const digits = raw(String(precision));
  if (column.rounding === "round") return zoned ? sql`${c}::timetz(${digits})::text` : sql`${c}::time(${digits})::text`;
  const time = zoned ? sql`${c}::time` : c;
  // As an interval, because 24:00 is a time of day here and would turn into 00:00.
  const rest = sql`(extract(microseconds FROM ${time})::bigint % ${raw(String(10 ** (6 - precision)))})`;
  const cut = sql`(${time}::interval - ${rest} * interval '1 microsecond')::text`;
  return zoned ? sql`${cut} || substring(${c}::text FROM '[-+].*$')` : cut;
}
