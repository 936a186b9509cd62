import type { ColumnInfo } from "../../domain/table.ts";
import { name, type Sql, sql } from "../../sql/statement.ts";

/** How a server prints a double that is no bare column with all its digits. */
export type DoublePrint = (value: Sql) => Sql;

/**
 * A floating-point column as digits and a power of ten (`15e-1`). The server prints a double by the shortest decimal that reads
 * back to it (FLOAT itself prints six digits only, so it is widened first, which is exact); the pieces are taken from that print.
 * Null: another kind, or a double that would have to become a single, which the server clamps instead of refusing.
 */
export function floatText(info: ColumnInfo, bits: 32 | 64, print: DoublePrint): Sql | null {
  const kind = info.kind;
  switch (kind.kind) {
    case "float":
      if (bits === 32 && kind.bits === 64) return null;
      break;
    case "integer":
    case "boolean":
    case "decimal":
      if (bits === 32) return null;
      break;
    default:
      return null;
  }
  const value = widened(info);
  const size = print(sql`ABS(${value})`);
  const mantissa = sql`SUBSTRING_INDEX(${size}, 'e', 1)`;
  const digits = sql`REPLACE(${mantissa}, '.', '')`;
  const trailing = sql`LENGTH(${digits}) - LENGTH(TRIM(TRAILING '0' FROM ${digits}))`;
  const fraction = sql`IF(LOCATE('.', ${mantissa}), LENGTH(${mantissa}) - LOCATE('.', ${mantissa}), 0)`;
  const power = sql`IF(LOCATE('e', ${size}), CAST(SUBSTRING_INDEX(${size}, 'e', -1) AS SIGNED), 0)`;
  return sql`IF(${value} = 0, '0', CONCAT(IF(${value} < 0, '-', ''), TRIM(BOTH '0' FROM ${digits}), 'e', ${power} - ${fraction} + ${trailing}))`;
}

/** A number as a double; this also frees DOUBLE(M,D) from its fixed digits. */
export function widened(info: ColumnInfo): Sql {
  return sql`(${name(info.name)} + 0e0)`;
}
