import type { ColumnInfo } from "../../domain/table.ts";
import type { BoundColumn } from "../../sql/dialect.ts";
import { join, name, raw, type Sql, sql, value } from "../../sql/statement.ts";
import { localReadings } from "../../sql/local-reading.ts";
import { formatInstant, parseInstant } from "../../domain/position.ts";
import { atPrecision, isFiner, momentOf } from "./times.ts";

/** A parameter that holds a canonical text, cast to the type of the column: a cast of the column itself would keep its index out. */
export function typedValue(text: string, column: BoundColumn): Sql {
  return sql`CAST(${value(literal(text, column))} AS ${raw(typeFor([text], column))})`;
}

const INT8 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

/** The type that a column's values are cast to; without a length or scale, which would cut or round a value of the other side. */
function typeFor(texts: readonly string[], { info, as, zone }: BoundColumn): string {
  const { kind } = info.kind;
  switch (as.as) {
    case "integer":
    case "decimal":
      // Comparing a whole column with numerics casts it, away from its index: only where some value is out of its reach.
      return kind === "integer" && texts.every(isInt8) ? "bigint" : "numeric";
    case "float":
      return "double precision";
    case "boolean":
      return kind === "boolean" ? (info.type === "boolean" ? "boolean" : "bit") : "bigint";
    case "bytes":
      return "bytea";
    case "uuid":
      return kind === "uuid" ? "uuid" : "text";
    case "date":
      return "date";
    case "time":
      return as.zoned ? "timetz" : "time";
    case "instant":
      return kind === "instant" ? "timestamptz" : kind === "date" && zone === "UTC" ? "date" : "timestamp";
    case "local":
      return "timestamp";
    case "text":
      return kind === "text" && info.kind.kind === "text" && info.kind.padded ? "bpchar" : "text";
    case "json":
    case "other":
      return "text";
  }
}

function isInt8(text: string): boolean {
  if (!/^-?\d+(\.0*)?$/.test(text)) return false;
  const n = BigInt(text.replace(/\..*$/, ""));
  return n >= INT8.min && n <= INT8.max;
}

/** A canonical text as the type of the column reads it. */
function literal(text: string, { info, as, zone }: BoundColumn): string {
  if (as.as === "bytes") return `\\x${text}`;
  if ((as.as === "integer" || as.as === "decimal") && info.kind.kind === "integer") return text.replace(/\.0*$/, "");
  if (as.as === "instant" && info.kind.kind === "local" && zone !== "UTC") {
    const instant = parseInstant(text);
    // The first reading on the side's own clock that is at or beyond the moment, so that the bare column can be compared.
    if (instant !== null) return localText(localReadings(zone).firstAt(instant));
  }
  return text;
}

function localText(micros: bigint): string {
  return formatInstant(micros).replace("Z", "");
}

/** Whether the type is one of the server's own that compares its characters as they are, unlike citext or an enum. */
function isNativeText(type: string): boolean {
  return /^(text|character|bpchar)\b/.test(type);
}

/** A column as key ranges order it: texts by their bytes, everything else by value. */
export function ordered(column: BoundColumn): Sql {
  const c = name(column.info.name);
  const { kind } = column.info;
  if (column.as.as === "text") {
    if (kind.kind !== "text" || !isNativeText(column.info.type)) return sql`${c}::text COLLATE "C"`;
    return kind.binary ? asItself(column.info) : sql`${c} COLLATE "C"`;
  }
  if (column.as.as === "uuid" && kind.kind === "text") return sql`replace(lower(${c}::text COLLATE "C"), '-', '')`;
  if (column.as.as === "json" || column.as.as === "other") return sql`${c}::text COLLATE "C"`;
  // What is cut keeps its order, and bounds at the agreed precision cut the same rows off; what is rounded does not.
  if (isFiner(column) && column.rounding === "round" && column.as.as !== "time")
    return atPrecision(column, momentOf(column));
  return asItself(column.info);
}

/**
 * A column cast to its own type: ORDER BY takes a bare name for a column of the output first (`"id"::text` is called `id`), and would
 * sort numbers as texts. As declared, length and all, the cast is nothing to the planner.
 */
function asItself({ name: column, type }: ColumnInfo): Sql {
  return sql`${name(column)}::${raw(type)}`;
}

/** Row comparison, which is what an index range is made of; a key of one column compares as itself. */
export function keyBound(columns: readonly BoundColumn[], operator: ">=" | "<", key: readonly string[]): Sql {
  const left = columns.map(ordered);
  const right = columns.map((column, i) => typedValue(key[i] ?? "", column));
  if (left.length === 1) return sql`${left} ${raw(operator)} ${right}`;
  return sql`(${left}) ${raw(operator)} (${right})`;
}

/** Keys go in as one array a column, however many there are. */
export function keyIn(columns: readonly BoundColumn[], keys: readonly (readonly string[])[]): Sql {
  if (keys.length === 0) return raw("FALSE");
  const left = columns.map(compared);
  const arrays = columns.map((column, i) => {
    const texts = keys.map((key) => key[i] ?? "");
    return sql`CAST(${value(arrayLiteral(texts.map((text) => literal(text, column))))} AS ${raw(typeFor(texts, column))}[])`;
  });
  const [only] = arrays;
  const byIndex =
    only !== undefined && arrays.length === 1
      ? sql`${left} = ANY (${only})`
      : sql`(${left}) IN (SELECT * FROM unnest(${arrays}))`;
  const exact = columns.flatMap((column, i) => exactText(column, left[i], arrays[i]));
  return exact.length === 0 ? byIndex : join([byIndex, ...exact], " AND ");
}

/** A column as it is compared for equality, in the form that its index has. */
function compared(column: BoundColumn): Sql {
  if (column.as.as === "text" && isNativeText(column.info.type)) return name(column.info.name);
  if (isFiner(column) && (column.as.as === "instant" || column.as.as === "local"))
    return atPrecision(column, column.info.kind.kind === "local" ? name(column.info.name) : momentOf(column));
  return ordered(column);
}

/** A collation may call different texts equal: the column's own equality finds them by index, and bytes decide. */
function exactText({ info, as }: BoundColumn, left: Sql | undefined, array: Sql | undefined): readonly Sql[] {
  if (as.as !== "text" || info.kind.kind !== "text" || info.kind.binary || !isNativeText(info.type)) return [];
  if (left === undefined || array === undefined) return [];
  return [sql`${left} COLLATE "C" = ANY (${array})`];
}

const SPECIAL = /["\\]/;

/** Texts as an array's literal; quotes and backslashes are all that is special between quotes, and most lists hold none. */
export function arrayLiteral(texts: readonly string[]): string {
  if (texts.length === 0) return "{}";
  const plain = SPECIAL.test(texts.join("")) ? texts.map((text) => text.replaceAll(/["\\]/g, "\\$&")) : texts;
  return `{"${plain.join('","')}"}`;
}
