import type { ColumnInfo } from "../../domain/table.ts";
import type { BoundColumn } from "../../sql/dialect.ts";
import { name, raw, type Sql, sql } from "../../sql/statement.ts";
import { charsetOf } from "./column.ts";
import { type DoublePrint, floatText, widened } from "./float-text.ts";
import { dateText, timeText } from "./time-text.ts";

/** How a server compares by bytes: the name of a collation without padding; null: by casting to bytes. */
export type Exactness = string | null;

/**
 * A text with the question whether its column is NULL. A text may be NULL for another reason: some functions give NULL for
 * results beyond `max_allowed_packet`, which must not pass for a NULL in the column.
 */
export type ColumnText = Sql & { readonly absent: Sql };

/** Whether a text is NULL because its column is. */
export function absenceOf(text: Sql): Sql {
  return "absent" in text ? (text as ColumnText).absent : sql`${text} IS NULL`;
}

const ofColumn = (info: ColumnInfo, { parts }: Sql): ColumnText => ({ parts, absent: sql`${name(info.name)} IS NULL` });

/** The canonical text of a column (`AgreedKind`'s table); null: it cannot be said in SQL. */
export function textOf(column: BoundColumn, exact: Exactness, print: DoublePrint): ColumnText | null {
  const text = canonical(column, exact, print);
  return text === null ? null : ofColumn(column.info, text);
}

function canonical(column: BoundColumn, exact: Exactness, print: DoublePrint): Sql | null {
  const { info, as } = column;
  const { kind } = info.kind;
  switch (as.as) {
    case "integer":
    case "boolean":
      return kind === "integer" || kind === "boolean" ? integerText(info) : null;
    case "decimal":
      return decimalText(info, as.scale);
    case "float":
      return floatText(info, as.bits, print);
    case "text":
      return kind === "text" ? characters(info, exact) : null;
    case "bytes":
      return kind === "bytes" ? hex(info) : null;
    case "uuid":
      return uuidText(info, exact);
    case "date":
      return kind === "date" ? sql`${name(info.name)}` : null;
    case "time":
      return kind === "time" ? timeText(info, as.precision, column.rounding) : null;
    case "instant":
    case "local":
      return dateText(column, as.precision);
    default:
      return kind === "json" || kind === "text" ? characters(info, exact) : printed(info, exact, print);
  }
}

/** The column as the server prints it: bytes as hex, numbers in full, texts as UTF-8. */
export function printed(info: ColumnInfo, exact: Exactness, print: DoublePrint): ColumnText {
  return ofColumn(info, asPrinted(info, exact, print));
}

function asPrinted(info: ColumnInfo, exact: Exactness, print: DoublePrint): Sql {
  switch (info.kind.kind) {
    case "integer":
    case "boolean":
      return integerText(info);
    case "decimal":
      return isZeroFilled(info) ? sql`${name(info.name)} + 0` : name(info.name);
    case "float":
      return sql`CONCAT(IF(${name(info.name)} < 0, '-', ''), ${print(sql`ABS(${widened(info)})`)})`;
    case "bytes":
      return hex(info);
    case "text":
    case "json":
      return characters(info, exact);
    case "other":
      return PRINTABLE.test(info.kind.type) ? sql`CAST(${name(info.name)} AS CHAR)` : hex(info);
    default:
      return sql`CAST(${name(info.name)} AS CHAR)`;
  }
}

/** Types of no kind of ours that a cast prints in characters; the rest (geometries, vectors) are bytes. */
const PRINTABLE = /^(inet4|inet6|uuid|xmltype)$/;

const isZeroFilled = (info: ColumnInfo): boolean => info.type.includes("zerofill");

/** Adding nothing sheds leading zeros, and makes numbers of bits and of the year 0000. */
function integerText(info: ColumnInfo): Sql {
  const column = name(info.name);
  return isZeroFilled(info) || /^(bit|year)/.test(info.type) ? sql`${column} + 0` : column;
}

function decimalText(info: ColumnInfo, scale: number | null): Sql | null {
  const kind = info.kind;
  if (kind.kind !== "integer" && kind.kind !== "boolean" && kind.kind !== "decimal") return null;
  const own = kind.kind === "decimal" ? (kind.scale ?? 0) : 0;
  const plain =
    kind.kind === "decimal"
      ? isZeroFilled(info)
        ? sql`(${name(info.name)} + 0)`
        : name(info.name)
      : integerText(info);
  if (scale === null) return own === 0 ? plain : sql`TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM ${plain}))`;
  if (own > scale) {
    // Digits beyond the agreed ones are a difference, not to be rounded away.
    const kept = sql`TRUNCATE(${plain}, ${raw(String(scale))})`;
    return sql`IF(${plain} = ${kept}, ${kept}, TRIM(TRAILING '0' FROM ${plain}))`;
  }
  // Appended, not cast: a cast to more digits than 65 in all would not fail but give the largest number there is.
  return own === scale ? plain : sql`CONCAT(${plain}, '${raw(`${own === 0 ? "." : ""}${"0".repeat(scale - own)}`)}')`;
}

/** The characters as UTF-8, compared by bytes: no collation may group or order them. */
export function characters(info: ColumnInfo, exact: Exactness): Sql {
  const column = name(info.name);
  // JSON of MySQL is no string before it is cast; it is utf8mb4 then.
  const utf8 =
    info.kind.kind === "json" && info.type === "json"
      ? sql`CAST(${column} AS CHAR)`
      : charsetOf(info) === "utf8mb4"
        ? column
        : sql`CONVERT(${column} USING utf8mb4)`;
  return exact === null ? sql`CAST(${utf8} AS BINARY)` : sql`${utf8} COLLATE ${raw(exact)}`;
}

function hex(info: ColumnInfo): Sql {
  return sql`LOWER(HEX(${name(info.name)}))`;
}

/** A uuid in whatever type as its 32 digits; null: the type holds none. */
export function uuidText(info: ColumnInfo, exact: Exactness): Sql | null {
  switch (info.kind.kind) {
    case "uuid":
      return sql`REPLACE(${name(info.name)}, '-', '')`;
    case "bytes":
      return hex(info);
    case "text":
      return sql`LOWER(REPLACE(${characters(info, exact)}, '-', ''))`;
    default:
      return null;
  }
}
