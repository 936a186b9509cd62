import type { CursorUnit } from "../domain/check.ts";
import { UnsupportedError } from "../domain/errors.ts";
import type { AgreedKind } from "../domain/kind.ts";
import { type Axis, formatInstant, type Position, readTime, SECOND } from "../domain/position.ts";
import type { ColumnInfo } from "../domain/table.ts";
import { span, type Window } from "../domain/window.ts";
import { decimalText, floorOfDecimal, readDecimal } from "./decimal.ts";
import { firstDouble } from "./first-double.ts";
import type { BoundColumn, Comparison, Dialect } from "./dialect.ts";
import { floorTo, localReadings } from "./local-reading.ts";
import { name, raw, type Sql, sql } from "./statement.ts";

/**
 * One side's cursor column: what it is there and how its values stand on the axis. `column.as` is the column's own kind (a naive time
 * stays naive, so that its index serves), `column.zone` the zone of its naive readings.
 */
export type BoundCursor = { readonly column: BoundColumn; readonly unit: CursorUnit | null; readonly axis: Axis };

const DAY = 86_400n * SECOND;

/** Positions in one step of a unit. */
const UNIT: Readonly<Record<CursorUnit, bigint>> = {
  "epoch-s": SECOND,
  "epoch-ms": 1000n,
  "epoch-us": 1n,
  sequence: 1n,
};

/**
 * Binds a cursor to a column of one side. `timezone`: the zone of the side's naive times; null is UTC. Throws an `UnsupportedError`
 * for a column that is neither a time nor a number, or whose unit contradicts its type.
 */
export function bindCursor(info: ColumnInfo, unit: CursorUnit | null, timezone: string | null): BoundCursor {
  const axis = axisOf(info, unit);
  return { column: { info, as: ownKind(info), zone: timezone ?? "UTC", rounding: "cut" }, unit, axis };
}

/** What a cursor counts: a time type is a time, a number a sequence, unless its unit says that it counts from the epoch. */
export function axisOf(info: ColumnInfo, unit: CursorUnit | null): Axis {
  switch (info.kind.kind) {
    case "instant":
    case "local":
    case "date":
      if (unit === null) return "time";
      throw new UnsupportedError(
        `cursor ${info.name}: its type ${info.type} is a time, and ${unit} is a unit of numbers`,
        {
          hint: "leave `cursor.unit` out",
        },
      );
    case "integer":
    case "decimal":
      return unit === null || unit === "sequence" ? "sequence" : "time";
    case "float":
      if (info.kind.bits === 64) return unit === null || unit === "sequence" ? "sequence" : "time";
      break;
    default:
  }
  throw new UnsupportedError(`cursor ${info.name}: nothing can be cut by a column of type ${info.type}`, {
    hint: "a cursor is a date, a time with a date, an integer, a decimal or a double",
  });
}

function ownKind(info: ColumnInfo): AgreedKind {
  switch (info.kind.kind) {
    case "instant":
    case "local":
      return { as: info.kind.kind, precision: info.kind.precision };
    case "decimal":
      return { as: "decimal", scale: null };
    case "float":
      return { as: "float", bits: info.kind.bits };
    case "date":
      return { as: "date" };
    default:
      return { as: "integer" };
  }
}

/**
 * The position of a value, from its canonical text. Fractions beyond the axis' own (µs, whole numbers) are cut downwards. Null: NULL,
 * and what has no place on the axis: `infinity`, zero dates, NaN (`notOnAxis` tells these).
 */
export function positionOf(text: string | null, cursor: BoundCursor): Position | null {
  if (text === null) return null;
  switch (cursor.column.as.as) {
    case "instant": {
      const read = readTime(text);
      return read === null ? null : read.local - (read.offset ?? 0n);
    }
    case "local":
    case "date": {
      const read = readTime(text);
      return read === null ? null : localReadings(cursor.column.zone).instant(read.local);
    }
    default: {
      const decimal = readDecimal(text);
      return decimal === null ? null : floorOfDecimal(decimal, unitOf(cursor));
    }
  }
}

/** Whether a value that is not NULL has no place on the axis, for a note in the report. */
export function notOnAxis(text: string | null, cursor: BoundCursor): boolean {
  return text !== null && positionOf(text, cursor) === null;
}

/** How many positions one step of a number cursor is; 1 on a sequence axis. */
export function unitOf(cursor: BoundCursor): bigint {
  return UNIT[cursor.unit ?? "sequence"];
}

/** The smallest value whose position is at or beyond a position; or that every value is, or none. */
export type Threshold = { readonly text: string } | "all" | "none";

/**
 * Where the values begin whose position is at or beyond `position`. Exact: `text` is a value of the column's own precision, so that
 * `column >= text` says it of the bare column. `all`/`none`: beyond what the type (`dialect.facts.reach`) holds.
 */
export function thresholdAt(cursor: BoundCursor, position: Position, dialect: Dialect): Threshold {
  return thresholds(cursor, dialect)(position);
}

/** `thresholdAt` for many positions of one cursor. */
export function thresholds(cursor: BoundCursor, dialect: Dialect): (position: Position) => Threshold {
  const grid = gridOf(cursor, dialect);
  if (grid === null) return (position) => ({ text: numberText(cursor, position) });
  return (position) => {
    const first = grid.firstAt(position);
    if (first <= grid.least) return "all";
    return first > grid.most ? "none" : { text: grid.text(first) };
  };
}

/** Values that lie a step apart, as integers of their own: readings in µs, or the numbers themselves. */
type Grid = {
  readonly step: bigint;
  readonly least: bigint;
  readonly most: bigint;
  firstAt(position: Position): bigint;
  text(value: bigint): string;
};

/** Null: decimals and doubles, which lie dense enough for any position to be said. */
function gridOf(cursor: BoundCursor, dialect: Dialect): Grid | null {
  const { as, info, zone } = cursor.column;
  const up = (n: bigint, step: bigint): bigint => -floorTo(-n, step);
  switch (as.as) {
    case "integer": {
      const unit = unitOf(cursor);
      const kind = info.kind;
      const [least, most] = kind.kind === "integer" ? [kind.min, kind.max] : [-(2n ** 63n), 2n ** 63n - 1n];
      return { step: 1n, least, most, firstAt: (p) => up(p, unit) / unit, text: String };
    }
    case "instant":
    case "local":
    case "date": {
      const reach = dialect.facts.reach(cursor.column);
      const precision = as.as === "date" ? 0 : as.precision;
      const step = as.as === "date" ? DAY : 10n ** BigInt(6 - precision);
      const readings = localReadings(as.as === "instant" ? "UTC" : zone);
      const written = (p: bigint): string => timeText(p, as.as === "date");
      return { step, ...reach, firstAt: (p) => up(readings.firstAt(p), step), text: written };
    }
    default:
      return null;
  }
}

function numberText(cursor: BoundCursor, position: Position): string {
  if (cursor.column.as.as === "float") return firstDouble(position, unitOf(cursor));
  return decimalText(position, unitOf(cursor));
}

/** A reading in µs as the canonical text of its kind (`AgreedKind`). */
function timeText(micros: bigint, date: boolean): string {
  // formatInstant writes years before 1 as astronomical ones; the canonical text counts them BC.
  const iso = formatInstant(micros);
  if (iso.length === 27) {
    if (date) return iso.slice(0, 10);
    const fraction = iso.endsWith(".000000Z") ? 19 : endOfFraction(iso);
    return `${iso.slice(0, 10)} ${iso.slice(11, fraction)}`;
  }
  const [, year = "", rest = "", time = ""] = /^([+-]?\d+)(-\d\d-\d\d)T([\d:.]+)Z$/.exec(iso) ?? [];
  const y = BigInt(year);
  const day = `${(y < 1n ? 1n - y : y).toString().padStart(4, "0")}${rest}`;
  const clock = date ? "" : ` ${time.replace(/\.?0+$/, "").padEnd(8, ":00")}`;
  return `${day}${clock}${y < 1n ? " BC" : ""}`;
}

/** Where the fraction of a second ends without its trailing zeros, of which not all are zeros. */
function endOfFraction(iso: string): number {
  let end = 26;
  while (iso[end - 1] === "0") end--;
  return end;
}

/**
 * Whether a row's position stands so to `position`: a condition on the bare column, true exactly where `positionOf` its value does.
 * Never true for NULL, nor for values without a position.
 */
export function cursorCondition(cursor: BoundCursor, operator: Comparison, position: Position, dialect: Dialect): Sql {
  switch (operator) {
    case ">=":
      return between(cursor, position, null, dialect);
    case ">":
      return between(cursor, position + 1n, null, dialect);
    case "<=":
      return between(cursor, null, position, dialect);
    case "<":
      return between(cursor, null, position - 1n, dialect);
    default:
      return between(cursor, position, position, dialect);
  }
}

/** Whether a row's position lies in the window, by its true ends; a window without ends holds every position, but no NULL. */
export function windowCondition(cursor: BoundCursor, window: Window, dialect: Dialect): Sql {
  const { first, last } = span(window);
  return between(cursor, first, last, dialect);
}

/** The condition, or a NULL cursor. */
export function orNull(cursor: BoundCursor, condition: Sql): Sql {
  return sql`(${condition}) OR ${name(cursor.column.info.name)} IS NULL`;
}

const NEVER = raw("1 = 0");

/** Positions from `first` to `last`, both included. */
function between(cursor: BoundCursor, first: Position | null, last: Position | null, dialect: Dialect): Sql {
  const column = dialect.ordered(cursor.column);
  const some = sql`${name(cursor.column.info.name)} IS NOT NULL`;
  const is = (operator: Comparison, text: string): Sql =>
    sql`${column} ${raw(operator)} ${dialect.value(text, cursor.column)}`;
  const grid = gridOf(cursor, dialect);
  if (grid === null) {
    // Positions are cut downwards: `last` is reached by everything before the next position.
    const from = first === null ? null : is(">=", numberText(cursor, first));
    const to = last === null ? null : is("<", numberText(cursor, last + 1n));
    const finite = from === null || to === null ? dialect.facts.isNumber(cursor.column) : null;
    return both(both(from, to), finite) ?? some;
  }
  const from = first === null ? grid.least : grid.firstAt(first);
  const behind = last === null ? grid.most + grid.step : grid.firstAt(last + 1n);
  if (from >= behind || from > grid.most || behind <= grid.least) return NEVER;
  const whole = cursor.column.as.as === "integer";
  if (whole && from === behind - grid.step) return is("=", grid.text(from));
  // What the type implies goes without saying, unless values without a position lie beyond its reach.
  const lower = from > grid.least ? from : whole ? null : grid.least;
  // `<` the next value where it has one: a server that keeps times as text holds one moment in several spellings.
  const upper = behind <= grid.most ? is("<", grid.text(behind)) : whole ? null : is("<=", grid.text(grid.most));
  return both(lower === null ? null : is(">=", grid.text(lower)), upper) ?? some;
}

function both(a: Sql | null, b: Sql | null): Sql | null {
  return a !== null && b !== null ? sql`${a} AND ${b}` : (a ?? b);
}
