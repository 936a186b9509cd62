import type { ColumnInfo, TableInfo } from "../../domain/table.ts";
import type { Session } from "../../sql/session.ts";
import { sql, value } from "../../sql/statement.ts";
import type { WriteFacts } from "../../sql/write-dialect.ts";
import { quoteIdentifier } from "./dialect.ts";

type Answer = {
  readonly user: string;
  readonly database: string;
  readonly insert: boolean;
  readonly update: boolean;
  readonly delete: boolean;
  readonly temporary: boolean;
  readonly identities: readonly string[];
  readonly cascades: readonly string[];
  readonly replica: boolean;
};

/** Asks the catalogs: nothing is tried, so that not even a trigger notices. */
export async function writeFacts(
  session: Session,
  table: TableInfo,
  columns: readonly ColumnInfo[],
  deletes: boolean,
): Promise<WriteFacts> {
  const { schema, name } = table.name;
  const full = schema === null ? quoteIdentifier(name) : `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
  const id = sql`CAST(${value(full)} AS regclass)`;
  const names = sql`(SELECT jsonb_array_elements_text(CAST(${value(JSON.stringify(columns.map((c) => c.name)))} AS jsonb)))`;
  const may = (privilege: string): ReturnType<typeof sql> =>
    sql`(SELECT coalesce(bool_and(has_column_privilege(${id}, a.attnum, ${value(privilege)})), false) FROM pg_catalog.pg_attribute a WHERE a.attrelid = ${id} AND a.attnum > 0 AND a.attname IN ${names})`;
  const [row] = await session.rows({
    what: "privileges to write",
    sql: sql`SELECT json_build_object('user', current_user, 'database', current_database(),
      'insert', ${may("INSERT")}, 'update', ${may("UPDATE")}, 'delete', has_table_privilege(${id}, 'DELETE'),
      'temporary', has_database_privilege(current_database(), 'TEMPORARY'),
      'identities', (SELECT coalesce(json_agg(attname), '[]') FROM pg_catalog.pg_attribute WHERE attrelid = ${id} AND attidentity = 'a'),
      'cascades', (SELECT coalesce(json_agg(conname || ' of ' || conrelid::regclass::text), '[]') FROM pg_catalog.pg_constraint WHERE confrelid = ${id} AND contype = 'f' AND confdeltype IN ('c', 'n', 'd')),
      'replica', pg_is_in_recovery())::text`,
  });
  const answer = JSON.parse(row?.[0] ?? "null") as Answer;
  const user = quoteIdentifier(answer.user);
  const grant = (privilege: string): string => `GRANT ${privilege} ON ${full} TO ${user}`;
  return {
    lacking: [
      ...(answer.insert ? [] : [{ privilege: "INSERT" as const, cure: grant("INSERT") }]),
      ...(answer.update ? [] : [{ privilege: "UPDATE" as const, cure: grant("UPDATE") }]),
      ...(answer.delete || !deletes ? [] : [{ privilege: "DELETE" as const, cure: grant("DELETE") }]),
      ...(answer.temporary
        ? []
        : [
            {
              privilege: "TEMPORARY" as const,
              cure: `GRANT TEMPORARY ON DATABASE ${quoteIdentifier(answer.database)} TO ${user}`,
            },
          ]),
    ],
    alwaysGenerated: answer.identities,
    touched: [],
    notTransactional: null,
    cascades: answer.cascades,
    readOnly: answer.replica ? "the server is a replica" : null,
    replicas: 0,
  };
}
