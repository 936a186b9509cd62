import type { StatementError } from "../../domain/errors.ts";
import type { ColumnInfo, TableInfo } from "../../domain/table.ts";
import { join, name, raw, type Sql, sql } from "../../sql/statement.ts";
import {
  type Failing,
  keyName,
  OPERATION,
  STAGE,
  type StageShape,
  valueName,
  type WriteDialect,
} from "../../sql/write-dialect.ts";

const stage = sql`temp.${name(STAGE)}`;

/** How SQLite is written to. A transaction locks the whole file. */
export const sqliteWrites: WriteDialect = {
  image: (column) => sql`tidemark_image(${name(column.name)})`,
  fingerprint: () => null,
  lockRows: raw(""),
  makeStage({ key, columns }) {
    // Without types: values lie there as they were bound, and take on the target column's affinity when they get there.
    const all = [OPERATION, ...key.map((_, i) => keyName(i)), ...columns.map((_, i) => valueName(i))];
    return [sql`DROP TABLE IF EXISTS ${stage}`, sql`CREATE TABLE ${stage} (${all.map(name)})`];
  },
  insertStaged: ({ table, columns }) =>
    sql`INSERT INTO ${tableName(table)} (${columns.map((c) => name(c.name))}) SELECT ${columns.map((_, i) => name(valueName(i)))} FROM ${stage} WHERE ${name(OPERATION)} = 'insert'`,
  updateStaged({ table, key, columns }) {
    const set = columns.flatMap((c, i) => (isKey(c, key) ? [] : [sql`${name(c.name)} = s.${name(valueName(i))}`]));
    if (set.length === 0) return null;
    const match = join(
      key.map((k, i) => sql`t.${name(k.name)} = s.${name(keyName(i))}`),
      " AND ",
    );
    return sql`UPDATE ${tableName(table)} AS t SET ${set} FROM ${stage} AS s WHERE s.${name(OPERATION)} = 'update' AND ${match}`;
  },
  classify,
};

function isKey(column: ColumnInfo, key: StageShape["key"]): boolean {
  return key.some((k) => k.name === column.name);
}

function tableName({ name: { schema, name: table } }: TableInfo): Sql {
  return schema === null ? name(table) : sql`${name(schema)}.${name(table)}`;
}

/** Result codes by which a row is refused: constraint, too big, mismatch (https://www.sqlite.org/rescode.html). */
const DATA = new Set([19, 18, 20]);

function classify(error: StatementError): Failing {
  if (error.retryable) return "again";
  return DATA.has(Number(error.serverCode ?? "0") & 0xff) ? "data" : "fatal";
}

/** What a unique index takes for equal. */
export function equalityOf({ kind }: ColumnInfo): string {
  return kind.kind !== "text" || kind.binary ? "bytes" : "collation of the column";
}

/** `550e8400-e29b-41d4-a716-446655440000` of its 32 digits. */
export function hyphenated(hex: string): string {
  return hex.length === 32 ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5") : hex;
}
