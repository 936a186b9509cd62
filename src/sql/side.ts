import type { Key, KeyRange } from "../domain/key.ts";
import type { TableInfo } from "../domain/table.ts";
import type { BoundColumn, Dialect, TextPiece } from "./dialect.ts";
import type { TextHash } from "./session.ts";
import { allOf, join, name, raw, type Sql, sql } from "./statement.ts";
import { isPlain } from "../domain/kind.ts";

/** One side of a comparison as its statements need it. */
export type SideSpec = {
  readonly dialect: Dialect;
  readonly table: TableInfo;
  /** The check's own condition. */
  readonly where: string | null;
  /** Rows in question by their cursor; null: all. */
  readonly scope: Sql | null;
  /** The ends of a `--range key:`; null: none. */
  readonly keyScope: Sql | null;
  readonly key: readonly BoundColumn[];
  /** Columns that go into the row's hash. */
  readonly digested: readonly BoundColumn[];
  /** Columns whose values come with every row. */
  readonly streamed: readonly BoundColumn[];
  /** All compared columns, as their values are fetched. */
  readonly values: readonly BoundColumn[];
  /** Null where there is none. The stamp (arrival or loaded) is a column, or what the server says of a row, as text. */
  readonly copy: readonly [cursor: BoundColumn | null, version: BoundColumn | null, stamp: BoundColumn | Sql | null];
  /** How a row is hashed; null: not at all. */
  readonly digest: "typed" | TextHash | null;
};

/** The part of a side that one statement reads. */
export type Part = {
  readonly keys: KeyRange;
  readonly buckets: { readonly modulus: number; readonly of: readonly number[] } | null;
};

const condition = (text: string | null): Sql | null => (text === null ? null : raw(`${text}\n`));

/** `FROM table WHERE …` with everything that narrows the side. */
export function fromSide(side: SideSpec, part: Part | null): Sql {
  const conditions = [
    condition(side.where),
    side.scope,
    side.keyScope,
    ...(part === null ? [] : [...keyRange(side, part.keys), bucketCondition(side, part)]),
  ];
  return sql`FROM ${side.dialect.table(side.table)} WHERE ${allOf(conditions)}`;
}

function keyRange(side: SideSpec, keys: KeyRange): readonly (Sql | null)[] {
  return [
    keys.from === null ? null : side.dialect.keyBound(side.key, ">=", wholeKey(keys.from)),
    keys.to === null ? null : side.dialect.keyBound(side.key, "<", wholeKey(keys.to)),
  ];
}

/** A key that cuts a range: none of its parts is NULL, since only keys without NULLs are cut by ranges. */
function wholeKey(key: Key): readonly string[] {
  return key.map((part) => part ?? "");
}

function bucketCondition(side: SideSpec, part: Part): Sql | null {
  if (part.buckets === null) return null;
  const { modulus, of } = part.buckets;
  const numbers = raw(of.map((n) => String(n)).join(", "));
  return sql`${side.dialect.bucket(keyHash(side), modulus)} IN (${numbers})`;
}

/** The text of a column as its agreed kind, or as the server prints it where it cannot say that. */
export function columnText(side: { readonly dialect: Dialect }, column: BoundColumn): Sql {
  return side.dialect.text(column) ?? side.dialect.printed(column.info);
}

function pieces(side: SideSpec, columns: readonly BoundColumn[], wide: TextHash | null): readonly TextPiece[] {
  return columns.map((column) => {
    const text = columnText(side, column);
    const plain = isPlain(column.as);
    return plain || wide === null
      ? { text, plain, nullable: column.info.nullable }
      : { text: side.dialect.hashHex(wide, text), plain: true, nullable: column.info.nullable };
  });
}

/** The 64-bit hash of a row; `wide`: long texts go in as their own hashes, so that no row text is too long. */
export function rowHash(side: SideSpec, wide: boolean): Sql {
  const { dialect, digest, digested } = side;
  if (digest === null || digested.length === 0) return raw("0");
  if (digest === "typed") return dialect.typedHash(digested) ?? raw("NULL");
  return dialect.hash(digest, dialect.rowText(pieces(side, digested, wide ? digest : null)));
}

/** The 64-bit hash of a row's key: the same on both sides, whatever their order. */
export function keyHash(side: SideSpec): Sql {
  const { dialect, digest } = side;
  if (digest === "typed") return dialect.typedHash(side.key) ?? raw("NULL");
  return dialect.hash(digest ?? "sha256", dialect.rowText(pieces(side, side.key, null)));
}

/** One row: the two columns of a digest. */
export function digestStatement(side: SideSpec, part: Part, wide: boolean): Sql {
  return sql`SELECT ${side.dialect.digest(rowHash(side, wide))} ${fromSide(side, part)}`;
}

/** One row: the digest of the part's keys, whatever their rows' cursors. */
export function keysStatement(side: SideSpec, part: Part): Sql {
  return sql`SELECT ${side.dialect.digest(keyHash(side))} ${fromSide({ ...side, scope: null }, part)}`;
}

/** A row a bucket: its number, then as `digestStatement`. */
export function splitStatement(side: SideSpec, part: Part, modulus: number, wide: boolean): Sql {
  const bucket = side.dialect.bucket(keyHash(side), modulus);
  return sql`SELECT ${bucket}, ${side.dialect.digest(rowHash(side, wide))} ${fromSide(side, part)} GROUP BY 1`;
}

const NULL: Sql = raw("NULL");

function copyTexts(side: SideSpec): readonly Sql[] {
  return side.copy.map((column) => (column === null ? NULL : "parts" in column ? column : columnText(side, column)));
}

/** A row a row: key, hash, copy columns, streamed values. `wide` null: without hashes. */
export function rowsStatement(side: SideSpec, part: Part, wide: boolean | null): Sql {
  return sql`SELECT ${sketchColumns(side, wide)} ${fromSide(side, part)}`;
}

function sketchColumns(side: SideSpec, wide: boolean | null): readonly Sql[] {
  const hash = side.digest === null || wide === null ? NULL : side.dialect.countText(rowHash(side, wide));
  return [
    ...side.key.map((c) => columnText(side, c)),
    hash,
    ...copyTexts(side),
    ...side.streamed.map((c) => columnText(side, c)),
  ];
}

/** As `rowsStatement`, each row behind a number made of its key's hash, from 0 to `BUCKETS` − 1. */
export function gatherStatement(side: SideSpec, part: Part, wide: boolean | null): Sql {
  const bucket = side.dialect.bucket(keyHash(side), BUCKETS);
  return sql`SELECT ${[bucket, ...sketchColumns(side, wide)]} ${fromSide(side, part)}`;
}

/** Different numbers that `gatherStatement` gives. */
export const BUCKETS: number = 1 << 20;

/** A row a row of these keys, whatever their cursor: key, copy columns, all values. */
export function valuesStatement(side: SideSpec, keys: readonly Key[]): Sql {
  const columns = [
    ...side.key.map((c) => columnText(side, c)),
    ...copyTexts(side),
    ...side.values.map((c) => columnText(side, c)),
  ];
  return sql`SELECT ${columns} FROM ${side.dialect.table(side.table)} WHERE ${allOf([condition(side.where), keysCondition(side, keys)])}`;
}

/** Rows with one of these keys, none for none; parts may be NULL. */
export function keysCondition(side: SideSpec, keys: readonly Key[]): Sql {
  const whole: string[][] = [];
  const shapes = new Map<string, Key[]>();
  for (const key of keys) {
    if (key.every((part) => part !== null)) whole.push([...key]);
    else {
      const shape = key.map((part) => (part === null ? "n" : "v")).join("");
      shapes.set(shape, [...(shapes.get(shape) ?? []), key]);
    }
  }
  const conditions = whole.length > 0 ? [side.dialect.keyIn(side.key, whole)] : [];
  for (const [shape, some] of shapes) {
    const nulls = side.key.filter((_, i) => shape[i] === "n").map((c) => sql`${name(c.info.name)} IS NULL`);
    const given = side.key.filter((_, i) => shape[i] === "v");
    const parts = some.map((key) => key.filter((part): part is string => part !== null));
    conditions.push(allOf(given.length > 0 ? [...nulls, side.dialect.keyIn(given, parts)] : nulls));
  }
  if (conditions.length === 0) return raw("1 = 0");
  return join(
    conditions.map((c) => sql`(${c})`),
    " OR ",
  );
}

/** The key that stands `rows` rows behind the start of a part, in key order; no row: the part is not that long. */
export function cutStatement(side: SideSpec, part: Part, rows: number): Sql {
  const order = side.key.map((c) => side.dialect.ordered(c));
  return sql`SELECT ${side.key.map((c) => columnText(side, c))} ${fromSide(side, part)} ORDER BY ${order} ${side.dialect.page(1, BigInt(rows))}`;
}

/** The first or last keys in key order. */
export function endsStatement(side: SideSpec, end: "first" | "last", rows: number): Sql {
  const order = side.key.map((c) => (end === "first" ? side.dialect.ordered(c) : sql`${side.dialect.ordered(c)} DESC`));
  return sql`SELECT ${side.key.map((c) => columnText(side, c))} ${fromSide(side, null)} ORDER BY ${order} ${side.dialect.page(rows, 0n)}`;
}

/** Some keys in no order: cheap where key order has no index. */
export function someKeysStatement(side: SideSpec, rows: number): Sql {
  return sql`SELECT ${side.key.map((c) => columnText(side, c))} ${fromSide(side, null)} ${side.dialect.page(rows, 0n)}`;
}

/** One row: keys that stand more than once, and the rows under them. */
export function duplicatesStatement(side: SideSpec): Sql {
  const { dialect } = side;
  return sql`SELECT ${dialect.countText(raw("count(*)"))}, ${dialect.countText(sql`sum(${name("n")})`)} FROM (${duplicateGroups(side, [sql`count(*) AS ${name("n")}`])}) ${name("d")}`;
}

/** Some of the keys that stand more than once. */
export function duplicateKeysStatement(side: SideSpec, limit: number): Sql {
  const keys = side.key.map((c, i) => sql`min(${columnText(side, c)}) AS ${name(`k${i}`)}`);
  return sql`${duplicateGroups(side, keys)} ${side.dialect.page(limit, 0n)}`;
}

function duplicateGroups(side: SideSpec, select: readonly Sql[]): Sql {
  return sql`SELECT ${select} ${fromSide(side, null)} GROUP BY ${keyHash(side)} HAVING count(*) > 1`;
}

/** One row: how many rows the side has in question. */
export function countStatement(side: SideSpec): Sql {
  return sql`SELECT ${side.dialect.countText(raw("count(*)"))} ${fromSide(side, null)}`;
}
