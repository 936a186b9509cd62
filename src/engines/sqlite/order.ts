import type { AgreedKind, KindName } from "../../domain/kind.ts";
import { compareDecimals } from "../../domain/key.ts";
import { must } from "../../domain/errors.ts";
import type { BoundColumn } from "../../sql/dialect.ts";
import { join, name, raw, type Sql, sql, value } from "../../sql/statement.ts";
import { plainDecimal } from "./canonical.ts";
import { textOf } from "./text.ts";

/** How a column is put in order: an expression, and a canonical text as a value to compare it with. */
type Order = {
  readonly expression: Sql;
  /** The first value of the column's type at or beyond what the text says. */
  value(text: string): Sql;
  /** The same for `=`. */
  readonly identity: Sql;
  same(text: string): Sql;
};

const NUMBERS: readonly KindName[] = ["integer", "boolean", "decimal", "float"];

/**
 * Numbers, texts and blobs are compared as they are stored, so that an index serves. Everything else (times, uuids, whatever
 * SQLite has no type for) may be spelt in many ways in one column: only its canonical text is in order, and no index serves.
 */
export function orderOf(column: BoundColumn): Order {
  const { as, info } = column;
  const stored = name(info.name);
  if (isNumber(as) && NUMBERS.includes(info.kind.kind)) {
    return { expression: stored, value: (text) => bound(text, as), ...identityOf(column, stored, as) };
  }
  if (as.as === "text" && info.kind.kind === "text") {
    const expression = info.kind.binary ? stored : sql`${stored} COLLATE BINARY`;
    return { expression, value, identity: expression, same: value };
  }
  if (as.as === "bytes" && info.kind.kind === "bytes") {
    const same = (hex: string): Sql => sql`unhex(${value(hex)})`;
    return { expression: stored, value: same, identity: stored, same };
  }
  const expression = sql`(${textOf(column)})`;
  return { expression, value, identity: expression, same: value };
}

const isNumber = (as: AgreedKind): boolean => NUMBERS.some((kind) => kind === as.as);

/** Decimals that no stored number equals exactly are compared by their texts. */
function identityOf(column: BoundColumn, stored: Sql, as: AgreedKind): Pick<Order, "identity" | "same"> {
  if (as.as !== "decimal") return { identity: stored, same: (text) => bound(text, as) };
  return { identity: sql`(${textOf(column)})`, same: value };
}

/**
 * A number as a bound. Integers of 64 bits are compared exactly. Other decimals are kept as doubles in the table, whose shortest
 * decimals grow with them: so the bound is the first double whose decimal is at or beyond the text.
 */
function bound(text: string, as: AgreedKind): Sql {
  if (text === "Infinity") return raw("9e999");
  if (text === "-Infinity") return raw("-9e999");
  if (/^-?\d+$/.test(text)) return sql`CAST(${value(text)} AS NUMERIC)`;
  if (as.as !== "decimal" || !/^-?\d+\.\d+$/.test(text)) return sql`CAST(${value(text)} AS REAL)`;
  let double = Number(text);
  if (compareDecimals(plainDecimal(double), text) < 0) double = nextDouble(double);
  return sql`CAST(${value(String(double))} AS REAL)`;
}

/** The double after a finite one. */
function nextDouble(x: number): number {
  if (x === 0) return Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  view.setBigInt64(0, view.getBigInt64(0) + (x > 0 ? 1n : -1n));
  return view.getFloat64(0);
}

/** Rows at or beyond a key, or before it, NULL standing before everything. Row values where nothing is NULL: SQLite makes an index range of them. */
export function keyBound(columns: readonly BoundColumn[], operator: ">=" | "<", key: readonly string[]): Sql {
  const parts = columns.map((column, i) => {
    const order = orderOf(column);
    return {
      expression: order.expression,
      value: order.value(must(key[i], "a key has a part for each of its columns")),
      nullable: column.info.nullable,
    };
  });
  const [only] = parts;
  if (only !== undefined && parts.length === 1 && !(only.nullable && operator === "<"))
    return sql`${only.expression} ${raw(operator)} ${only.value}`;
  if (!parts.some(({ nullable }) => nullable))
    return sql`(${parts.map(({ expression }) => expression)}) ${raw(operator)} (${parts.map((part) => part.value)})`;
  const beyond = (i: number): Sql => {
    const { expression, value, nullable } = must(parts[i], "a key has a part");
    const last = i === parts.length - 1;
    const strict =
      operator === "<" ? sql`${expression} < ${value}` : sql`${expression} ${raw(last ? ">=" : ">")} ${value}`;
    const first = operator === "<" && nullable ? sql`(${strict} OR ${expression} IS NULL)` : strict;
    return last ? first : sql`(${first} OR (${expression} = ${value} AND ${beyond(i + 1)}))`;
  };
  return beyond(0);
}

/** Rows whose key is one of these. VALUES is no expression: its length has no limit but that of the parameters. */
export function keyIn(columns: readonly BoundColumn[], keys: readonly (readonly string[])[]): Sql {
  if (keys.length === 0) return raw("0");
  const orders = columns.map(orderOf);
  const rows = keys.map(
    (key) => sql`(${orders.map((order, i) => order.same(must(key[i], "a key has a part for each of its columns")))})`,
  );
  return sql`(${orders.map(({ identity }) => identity)}) IN (VALUES ${join(rows, ", ")})`;
}
