import { formatInstant, type Position, SECOND } from "../domain/position.ts";
import { span, type Window } from "../domain/window.ts";
import { type BoundCursor, unitOf } from "./cursor.ts";
import { decimalText } from "./decimal.ts";
import type { Comparison, Dialect } from "./dialect.ts";
import { firstDouble } from "./first-double.ts";
import { floorTo, localReadings } from "./local-reading.ts";
import { name, raw, type Sql, sql } from "./statement.ts";

const DAY = 86_400n * SECOND;

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
