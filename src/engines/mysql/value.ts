import type { BoundColumn } from "../../sql/dialect.ts";
import { raw, type Sql, sql, value } from "../../sql/statement.ts";

/** Where a value lies as seen from a type's range: dates have years of four digits and none before the common era, numbers are finite. */
export type Reach = "below" | "within" | "above";

/** Where a canonical text lies as seen from the column's type: `below` or `above`, it is no value of the column. */
export function reachOf(text: string, column: BoundColumn): Reach {
  switch (column.info.kind.kind) {
    case "date":
    case "local":
    case "instant":
      if (text === "-infinity" || text.endsWith(" BC")) return "below";
      return text === "infinity" || /^\+?\d{5,}-/.test(text) ? "above" : "within";
    case "float":
    case "decimal":
    case "integer":
    case "boolean":
      return text === "-Infinity" ? "below" : text === "Infinity" || text === "NaN" ? "above" : "within";
    default:
      return "within";
  }
}

/**
 * A parameter holding a canonical text, of a type that the server compares with the bare column, so that an index serves.
 * Where the type cannot hold it, the nearest value that it can.
 */
export function valueOf(text: string, column: BoundColumn): Sql {
  switch (column.info.kind.kind) {
    case "integer":
    case "boolean":
    case "decimal":
      return numberValue(text);
    case "float":
      return sql`(${value(plainFloat(text))} + 0e0)`;
    case "date":
      return reachOf(text, column) === "within" && text.length <= 10
        ? sql`CAST(${value(text)} AS DATE)`
        : momentValue(text, column);
    case "local":
    case "instant":
      return momentValue(text, column);
    case "time":
      return sql`CAST(${value(text)} AS TIME(6))`;
    case "bytes":
      return sql`UNHEX(${value(text)})`;
    case "uuid":
      return value(hyphenated(text));
    default:
      return value(text);
  }
}

/** `550e8400-e29b-41d4-a716-446655440000` of its 32 digits. */
export function hyphenated(hex: string): string {
  return hex.length === 32 ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5") : hex;
}

const plainFloat = (text: string): string =>
  text === "Infinity" || text === "NaN"
    ? "1.7976931348623157e308"
    : text === "-Infinity"
      ? "-1.7976931348623157e308"
      : text;

function momentValue(text: string, column: BoundColumn): Sql {
  const reach = reachOf(text, column);
  const held = reach === "below" ? "0000-00-00 00:00:00" : reach === "above" ? "9999-12-31 23:59:59.999999" : text;
  return sql`CAST(${value(held)} AS DATETIME(6))`;
}

const LEAST_SIGNED = -(2n ** 63n);
const MOST_SIGNED = 2n ** 63n - 1n;
const MOST_UNSIGNED = 2n ** 64n - 1n;

function numberValue(text: string): Sql {
  const named: Readonly<Record<string, string>> = {
    "-Infinity": `-${"9".repeat(65)}`,
    Infinity: "9".repeat(65),
    NaN: "9".repeat(65),
  };
  const plain = named[text] ?? text;
  if (/^-?\d+$/.test(plain)) {
    const n = BigInt(plain);
    if (n >= LEAST_SIGNED && n <= MOST_SIGNED) return sql`CAST(${value(plain)} AS SIGNED)`;
    if (n > 0n && n <= MOST_UNSIGNED) return sql`CAST(${value(plain)} AS UNSIGNED)`;
  }
  const scale = Math.min(30, /\.(\d*)$/.exec(plain)?.[1]?.length ?? 0);
  return sql`CAST(${value(plain)} AS DECIMAL(65, ${raw(String(scale))}))`;
}
