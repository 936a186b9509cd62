import type { BoundColumn } from "../../sql/dialect.ts";
import { allOf, join, name, raw, type Sql, sql, value } from "../../sql/statement.ts";
import { collationOf, isCodePoints } from "./column.ts";
import { characters, type Exactness, uuidText } from "./text.ts";
import { hyphenated, reachOf, valueOf } from "./value.ts";

const ALL = raw("1 = 1");
const NONE = raw("1 = 0");

/** The column as it is ordered and compared in key ranges: bare where its index is in that order. */
export function orderedColumn(column: BoundColumn, exact: Exactness): Sql {
  const { info } = column;
  switch (info.kind.kind) {
    case "text":
      if (column.as.as === "uuid") return uuidText(info, exact) ?? name(info.name);
      return collationOf(info) === exact && exact !== null ? name(info.name) : characters(info, exact);
    case "uuid":
      return sql`REPLACE(${name(info.name)}, '-', '')`;
    default:
      return name(info.name);
  }
}

type Operator = ">=" | ">" | "<" | "<=" | "=";

/** One column against one value: exact, and in a form that an index on the bare column serves where one can. */
function compare(column: BoundColumn, operator: Operator, text: string, exact: Exactness): Sql {
  const reach = reachOf(text, column);
  if (reach !== "within")
    return operator === "=" ? NONE : (reach === "below") === operator.startsWith(">") ? ALL : NONE;
  const { info, as } = column;
  const kind = info.kind;
  if (kind.kind === "uuid" && operator === "=") return sql`${name(info.name)} = ${value(hyphenated(text))}`;
  if (kind.kind === "uuid" || (kind.kind === "text" && as.as === "uuid")) {
    return sql`${orderedColumn(column, exact)} ${raw(operator)} ${value(text)}`;
  }
  if (kind.kind !== "text") return sql`${name(info.name)} ${raw(operator)} ${valueOf(text, column)}`;
  const exactly = sql`${characters(info, exact)} ${raw(operator)} ${value(text)}`;
  const coarse = coarseBound(column, operator, text, exact);
  return coarse === null
    ? exactly
    : coarse === "exact"
      ? sql`${name(info.name)} ${raw(operator)} ${value(text)}`
      : sql`${coarse} AND ${exactly}`;
}

/**
 * A condition on the bare column that every row satisfies which the exact one holds for. `exact`: it is the exact one; null: there
 * is none. Collations that pad compare a missing character as a blank, so that control characters, which stand below it, fall
 * on the other side than their bytes: bounds are widened to where that cannot matter.
 */
function coarseBound(column: BoundColumn, operator: Operator, text: string, exact: Exactness): Sql | "exact" | null {
  const { info } = column;
  if (info.kind.kind !== "text" || !holds(text, column)) return null;
  const own = name(info.name);
  if (collationOf(info) === exact && exact !== null) return "exact";
  if (operator === "=") return sql`${own} = ${value(text)}`;
  if (!isCodePoints(info)) return null;
  if (operator.startsWith(">")) {
    const widened = text.replace(/[^!-\u{10ffff}]*$/u, "").replace(/.$/su, "");
    return widened === "" ? null : sql`${own} >= ${value(widened)}`;
  }
  return sql`${own} <= ${value(beforeControl(text))}`;
}

/** A text up to its first character below the blank. */
function beforeControl(text: string): string {
  let end = 0;
  while (end < text.length && text.charCodeAt(end) >= 0x20) end++;
  return text.slice(0, end);
}

/**
 * Where a uuid that is written as text stands in the index, in either letter case, with hyphens behind eight digits, behind every
 * four, or without any. Letters stand behind digits in every collation; where case counts, upper case stands before lower case.
 */
function uuidPlaces(column: BoundColumn, text: string): Sql {
  if (!/^[0-9a-f]{32}$/.test(text)) return ALL;
  const own = name(column.info.name);
  const starts = [text.slice(0, 8), `${text.slice(0, 4)}-${text.slice(4, 8)}`];
  return sql`(${join(
    starts.map((start) => sql`${own} BETWEEN ${value(start.toUpperCase())} AND ${value(`${start}zz`)}`),
    " OR ",
  )})`;
}

/** Whether the column's character set surely holds a text, so that the text can be compared with the bare column. */
function holds(text: string, { info }: BoundColumn): boolean {
  if (info.kind.kind !== "text") return true;
  switch (info.kind.characters) {
    case "all":
      return true;
    case "bmp":
      return !/[\u{10000}-\u{10ffff}]/u.test(text);
    case "latin1":
      return /^[\p{ASCII}\u{a0}-\u{ff}]*$/u.test(text);
    default:
      return /^\p{ASCII}*$/u.test(text);
  }
}

/**
 * Rows at or beyond a key, or before one: `a > ? OR (a = ? AND b >= ?)`, which the range optimizer turns into one interval of an
 * index on (a, b); the first column's own bound stands before it for the cases where it does not.
 */
export function keyBound(
  columns: readonly BoundColumn[],
  operator: ">=" | "<",
  key: readonly string[],
  exact: Exactness,
): Sql {
  const strict = operator === ">=" ? ">" : "<";
  const last = columns.length - 1;
  const alternatives = columns.map((column, i) => {
    const equal = columns.slice(0, i).map((before, j) => compare(before, "=", key[j] ?? "", exact));
    return join([...equal, compare(column, i === last ? operator : strict, key[i] ?? "", exact)], " AND ");
  });
  const first = columns[0];
  if (first === undefined) return operator === ">=" ? ALL : NONE;
  if (alternatives.length === 1) return alternatives[0] ?? ALL;
  const lead = compare(first, operator === ">=" ? ">=" : "<=", key[0] ?? "", exact);
  return sql`(${lead}) AND (${join(
    alternatives.map((a) => sql`(${a})`),
    " OR ",
  )})`;
}

/** Rows whose key is one of these: by the index as its collation finds them, then by bytes. */
export function keyIn(columns: readonly BoundColumn[], keys: readonly (readonly string[])[], exact: Exactness): Sql {
  const possible = keys.filter((key) => columns.every((c, i) => reachOf(key[i] ?? "", c) === "within"));
  if (possible.length === 0) return NONE;
  const byIndex = findable(columns, possible, exact);
  if (columns.every((c) => c.info.kind.kind !== "text") && byIndex !== null) return byIndex;
  const byBytes = listed(
    columns.map((c) => exactColumn(c, exact)),
    possible,
    (text, i) => exactValue(text, columns[i]),
  );
  return allOf([byIndex, byBytes]);
}

/** The keys as the index finds them, whatever else its collation calls equal to them; null: it cannot be asked. */
function findable(columns: readonly BoundColumn[], keys: readonly (readonly string[])[], exact: Exactness): Sql | null {
  if (!columns.every((c, i) => keys.every((key) => holds(key[i] ?? "", c)))) return null;
  if (columns.every((c) => !isUuidText(c)))
    return listed(
      columns.map((c) => name(c.info.name)),
      keys,
      (text, i) => indexed(text, columns[i]),
    );
  const each = keys.map((key) =>
    join(
      columns.map((c, i) => (isUuidText(c) ? uuidPlaces(c, key[i] ?? "") : compare(c, "=", key[i] ?? "", exact))),
      " AND ",
    ),
  );
  return join(
    each.map((k) => sql`(${k})`),
    " OR ",
  );
}

const isUuidText = ({ info, as }: BoundColumn): boolean => info.kind.kind === "text" && as.as === "uuid";

function indexed(text: string, column: BoundColumn | undefined): Sql {
  return column === undefined ? raw("NULL") : valueOf(text, column);
}

function exactColumn(column: BoundColumn, exact: Exactness): Sql {
  const { kind } = column.info.kind;
  if (kind !== "text") return name(column.info.name);
  return column.as.as === "uuid" ? orderedColumn(column, exact) : characters(column.info, exact);
}

function exactValue(text: string, column: BoundColumn | undefined): Sql {
  return column !== undefined && column.info.kind.kind === "text" ? value(text) : indexed(text, column);
}

function listed(
  columns: readonly Sql[],
  keys: readonly (readonly string[])[],
  write: (text: string, column: number) => Sql,
): Sql {
  const row = (pieces: readonly Sql[]): Sql => (pieces.length === 1 ? (pieces[0] ?? NONE) : sql`(${pieces})`);
  return sql`${row(columns)} IN (${keys.map((key) => row(columns.map((_, i) => write(key[i] ?? "", i))))})`;
}
