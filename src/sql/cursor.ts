import type { CursorUnit } from "../domain/check.ts";
import { UnsupportedError } from "../domain/errors.ts";
import type { AgreedKind } from "../domain/kind.ts";
import { type Axis, type Position, readTime, SECOND } from "../domain/position.ts";
import type { ColumnInfo } from "../domain/table.ts";
import { floorOfDecimal, readDecimal } from "./decimal.ts";
import type { BoundColumn } from "./dialect.ts";
import { localReadings } from "./local-reading.ts";

/**
 * One side's cursor column: what it is there and how its values stand on the axis. `column.as` is the column's own kind (a naive time
 * stays naive, so that its index serves), `column.zone` the zone of its naive readings.
 */
export type BoundCursor = { readonly column: BoundColumn; readonly unit: CursorUnit | null; readonly axis: Axis };

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
