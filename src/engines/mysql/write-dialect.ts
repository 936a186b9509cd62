import type { StatementError } from "../../domain/errors.ts";
import type { ColumnInfo, TableInfo } from "../../domain/table.ts";
import type { Dialect } from "../../sql/dialect.ts";
import type { TextHash } from "../../sql/session.ts";
import { join, name, raw, type Sql, sql } from "../../sql/statement.ts";
import { type Failing, keyName, OPERATION, STAGE, valueName, type WriteDialect } from "../../sql/write-dialect.ts";
import { collationOf } from "./column.ts";

/** How MySQL and MariaDB are written to. `hashes`: those that the server has. */
export function mysqlWrites(dialect: Dialect, hashes: readonly TextHash[]): WriteDialect {
  return {
    image: (column) => dialect.printed(column),
    fingerprint(columns) {
      const [hash] = hashes;
      if (hash === undefined) return null;
      const pieces = columns.map((c) => ({ text: dialect.printed(c), plain: false, nullable: true }));
      return dialect.hashHex(hash, dialect.rowText(pieces));
    },
    lockRows: raw("FOR UPDATE"),
    makeStage({ table, key, columns }) {
      const kept = [
        sql`CAST('' AS CHAR(6)) AS ${name(OPERATION)}`,
        ...key.map((c, i) => sql`t.${name(c.name)} AS ${name(keyName(i))}`),
        ...columns.map((c, i) => sql`t.${name(c.name)} AS ${name(valueName(i))}`),
      ];
      return [
        sql`DROP TEMPORARY TABLE IF EXISTS ${stageOf(table)}`,
        // Columns from the far side of an outer join keep their types and may be NULL.
        sql`CREATE TEMPORARY TABLE ${stageOf(table)} AS SELECT ${kept} FROM (SELECT 1 AS one) AS o LEFT JOIN ${tableName(table)} AS t ON 1 = 0 LIMIT 0`,
      ];
    },
    insertStaged: ({ table, columns }) =>
      sql`INSERT INTO ${tableName(table)} (${columns.map((c) => name(c.name))}) SELECT ${columns.map((_, i) => name(valueName(i)))} FROM ${stageOf(table)} WHERE ${name(OPERATION)} = 'insert'`,
    updateStaged({ table, key, columns }, { touched }) {
      const set = columns.flatMap((c, i) =>
        key.some((k) => k.name === c.name) ? [] : [sql`t.${name(c.name)} = s.${name(valueName(i))}`],
      );
      if (set.length === 0) return null;
      // A column that is set, to whatever it holds, is not touched by the server.
      const kept = touched
        .filter((t) => !columns.some((c) => c.name === t))
        .map((t) => sql`t.${name(t)} = t.${name(t)}`);
      const match = join(
        key.map((k, i) => sql`t.${name(k.name)} = s.${name(keyName(i))}`),
        " AND ",
      );
      return sql`UPDATE ${stageOf(table)} AS s STRAIGHT_JOIN ${tableName(table)} AS t ON ${match} SET ${[...set, ...kept]} WHERE s.${name(OPERATION)} = 'update'`;
    },
    classify,
  };
}

/** The stage lies beside the table: a connection need not have a database of its own. */
export function stageOf({ name: { schema } }: TableInfo): Sql {
  return schema === null ? name(STAGE) : sql`${name(schema)}.${name(STAGE)}`;
}

export function tableName({ name: { schema, name: table } }: TableInfo): Sql {
  return schema === null ? name(table) : sql`${name(schema)}.${name(table)}`;
}

/**
 * Errors by which a row is refused: keys, NULLs, ranges, lengths, characters, checks, JSON, foreign keys, partitions, packets, and what
 * a trigger signals. MariaDB's own numbers begin with 4.
 */
const DATA = new Set([
  1048, 1062, 1118, 1139, 1153, 1169, 1216, 1217, 1263, 1264, 1265, 1292, 1300, 1364, 1366, 1367, 1369, 1406, 1411,
  1416, 1425, 1451, 1452, 1525, 1526, 1586, 1644, 1674, 1690, 1748, 1761, 1762, 3105, 3140, 3141, 3156, 3157, 3158,
  3617, 3751, 3819, 3903, 4025, 4038, 4078, 4161,
]);

function classify(error: StatementError): Failing {
  if (error.retryable) return "again";
  return DATA.has(Number(error.serverCode ?? "0")) ? "data" : "fatal";
}

/** What a unique index takes for equal: by the column's collation, whose trailing blanks count only where it does not pad. */
export function equalityOf(info: ColumnInfo): string {
  if (info.kind.kind !== "text") return "bytes";
  const collation = collationOf(info) ?? "";
  if (info.kind.padded && (info.kind.binary || collation.endsWith("_bin"))) return "bytes";
  if (info.kind.binary) return "bytes";
  return collation.endsWith("_bin") ? "blanks" : collation;
}
