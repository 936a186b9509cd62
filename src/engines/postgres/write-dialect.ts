import type { ColumnInfo } from "../../domain/table.ts";
import { name, raw, type Sql, sql } from "../../sql/statement.ts";
import { keyName, OPERATION, type Failing, STAGE, valueName, type WriteDialect } from "../../sql/write-dialect.ts";
import type { StatementError } from "../../domain/errors.ts";
import type { AgreedKind } from "../../domain/kind.ts";
import type { TableInfo } from "../../domain/table.ts";
import type { ServerTraits } from "./server-traits.ts";
import { typedHash } from "./typed-hash.ts";

const stage = sql`pg_temp.${name(STAGE)}`;

/** How PostgreSQL is written to. */
export const postgresWrites = (server: ServerTraits): WriteDialect => ({
  fingerprint(columns) {
    if (server.version < 110000) return null;
    const hash = typedHash(
      columns.map((info) => ({ info, as: ownKind(info), zone: "UTC", rounding: "cut" })),
      server,
    );
    return hash === null ? null : sql`(${hash})::text`;
  },
  // The session prints every type in a form that its own input function reads back to the same value.
  image: (column) => sql`${name(column.name)}::text`,
  lockRows: raw("FOR UPDATE"),
  makeStage({ table, key, columns }) {
    const kept = [
      sql`NULL::text AS ${name(OPERATION)}`,
      ...key.map((c, i) => sql`${name(c.name)} AS ${name(keyName(i))}`),
      ...columns.map((c, i) => sql`${name(c.name)} AS ${name(valueName(i))}`),
    ];
    return [
      sql`DROP TABLE IF EXISTS ${stage}`,
      // Rows go with the transaction, the table stays: a table a batch would bloat the catalogs.
      sql`CREATE TEMPORARY TABLE ${name(STAGE)} ON COMMIT DELETE ROWS AS SELECT ${kept} FROM ${tableName(table)} WITH NO DATA`,
    ];
  },
  insertStaged({ table, columns }, { alwaysGenerated }) {
    const overriding = columns.some((c) => alwaysGenerated.includes(c.name))
      ? raw("OVERRIDING SYSTEM VALUE ")
      : raw("");
    const values = columns.map((_, i) => name(valueName(i)));
    return sql`INSERT INTO ${tableName(table)} (${columns.map((c) => name(c.name))}) ${overriding}SELECT ${values} FROM ${stage} WHERE ${name(OPERATION)} = 'insert'`;
  },
  updateStaged({ table, key, columns }) {
    const set = columns.flatMap((c, i) =>
      key.some((k) => k.name === c.name) ? [] : [sql`${name(c.name)} = s.${name(valueName(i))}`],
    );
    if (set.length === 0) return null;
    const match = key.map((k, i) => sql`t.${name(k.name)} = s.${name(keyName(i))}`);
    return sql`UPDATE ${tableName(table)} AS t SET ${set} FROM ${stage} AS s WHERE s.${name(OPERATION)} = 'update' AND ${and(match)}`;
  },
  classify,
});

/** A column's own kind: nothing is lost by it but how a number is spelled. */
function ownKind({ kind }: ColumnInfo): AgreedKind {
  switch (kind.kind) {
    case "decimal":
      return { as: "decimal", scale: null };
    case "float":
      return { as: "float", bits: kind.bits };
    case "time":
      return { as: "time", precision: kind.precision, zoned: kind.zoned };
    case "instant":
    case "local":
      return { as: kind.kind, precision: kind.precision };
    default:
      return { as: kind.kind };
  }
}

function and(conditions: readonly Sql[]): Sql {
  return conditions.reduce((all, each) => sql`${all} AND ${each}`);
}

function tableName({ name: { schema, name: table } }: TableInfo): Sql {
  return schema === null ? name(table) : sql`${name(schema)}.${name(table)}`;
}

/**
 * Classes of SQLSTATE by which a row is refused: data exception, integrity constraint, WITH CHECK OPTION, a limit of the program (an index
 * entry too large); and what a trigger raises.
 */
const DATA = /^(22...|23...|44000|54000|P0001)$/;

function classify(error: StatementError): Failing {
  if (error.retryable) return "again";
  return error.serverCode !== null && DATA.test(error.serverCode) ? "data" : "fatal";
}

/** What a unique index takes for equal. A collation orders texts; only one that is not deterministic (none of the usual) merges some. */
export function equalityOf({ kind, type }: ColumnInfo): string {
  return kind.kind === "text" && type === "citext" ? "citext" : "bytes";
}
