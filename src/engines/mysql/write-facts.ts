import { StatementError } from "../../domain/errors.ts";
import type { ColumnInfo, TableInfo } from "../../domain/table.ts";
import type { Session } from "../../sql/session.ts";
import { name, raw, type Sql, sql, value } from "../../sql/statement.ts";
import type { WriteFacts } from "../../sql/write-dialect.ts";
import { quoteName } from "./dialect.ts";
import { stageOf, tableName } from "./write-dialect.ts";

type Lacking = WriteFacts["lacking"][number];

/** Errors of a missing privilege on a table or a column, and on a database. */
const DENIED = new Set(["1142", "1143", "1044"]);
/** The server is read-only, the transaction is, or the server is a replica of that kind. */
const READ_ONLY = new Set(["1290", "1792", "1836"]);

/**
 * What the server says about writing to a table. Privileges come from too many places (roles, columns, wildcards) to be read: each
 * statement is tried on no row at all, in a transaction that is rolled back. The server has no triggers that fire without a row.
 */
export async function writeFacts(
  session: Session,
  table: TableInfo,
  columns: readonly ColumnInfo[],
  deletes: boolean,
): Promise<WriteFacts> {
  const rows = async (statement: Sql): Promise<readonly (readonly (string | null)[])[]> =>
    await session.rows({ what: "privileges to write", sql: statement });
  const schema = table.name.schema === null ? raw("DATABASE()") : value(table.name.schema);
  const here = sql`table_schema = ${schema} AND table_name = ${value(table.name.name)}`;
  const [who] = await rows(sql`SELECT CURRENT_USER(), DATABASE()`);
  const [engine] = await rows(
    sql`SELECT t.engine, e.transactions FROM information_schema.tables t LEFT JOIN information_schema.engines e ON e.engine = t.engine WHERE ${here}`,
  );
  const touched = await rows(
    sql`SELECT column_name FROM information_schema.columns WHERE ${here} AND extra LIKE '%on update%'`,
  );
  const cascades = await rows(
    sql`SELECT CONCAT(constraint_name, ' of ', table_name) FROM information_schema.referential_constraints
      WHERE unique_constraint_schema = ${schema} AND referenced_table_name = ${value(table.name.name)} AND delete_rule IN ('CASCADE', 'SET NULL', 'SET DEFAULT')`,
  );
  const full = `${table.name.schema === null ? "" : `${quoteName(table.name.schema)}.`}${quoteName(table.name.name)}`;
  const [user = "", host = "%"] = (who?.[0] ?? "").split("@");
  const to = `'${user}'@'${host}'`;
  const database = quoteName(table.name.schema ?? who?.[1] ?? "");
  const names = columns.map((c) => name(c.name));
  const first = names[0] ?? raw("1");
  const t = tableName(table);
  const lacking: Lacking[] = [];
  let readOnly: string | null = null;
  const attempt = async (statement: Sql, lack: Lacking): Promise<void> => {
    try {
      await rows(statement);
    } catch (error) {
      if (!(error instanceof StatementError)) throw error;
      if (DENIED.has(error.serverCode ?? "")) lacking.push(lack);
      else if (READ_ONLY.has(error.serverCode ?? "")) readOnly = "the server takes no writes (read_only)";
      // Anything else comes after privileges were looked at: a column that must be filled, say, which is told elsewhere.
      else if (error.retryable) throw error;
    }
  };
  const grant = (privilege: "INSERT" | "UPDATE" | "DELETE"): Lacking => ({
    privilege,
    cure: `GRANT ${privilege} ON ${full} TO ${to}`,
  });
  await rows(raw("START TRANSACTION"));
  try {
    await attempt(sql`INSERT INTO ${t} (${names}) SELECT ${names} FROM ${t} WHERE 1 = 0`, grant("INSERT"));
    await attempt(sql`UPDATE ${t} SET ${names.map((n) => sql`${n} = ${n}`)} WHERE 1 = 0`, grant("UPDATE"));
    if (deletes) await attempt(sql`DELETE FROM ${t} WHERE 1 = 0`, grant("DELETE"));
  } finally {
    await rows(raw("ROLLBACK"));
  }
  // A MySQL does not say so to everybody.
  const [connected] = await rows(raw("SHOW GLOBAL STATUS LIKE 'Slaves_connected'"));
  const temporary: Lacking = {
    privilege: "TEMPORARY",
    cure: `GRANT CREATE TEMPORARY TABLES ON ${database}.* TO ${to}`,
  };
  await attempt(sql`CREATE TEMPORARY TABLE ${stageOf(table)} AS SELECT ${first} FROM ${t} LIMIT 0`, temporary);
  if (!lacking.includes(temporary)) await attempt(sql`DROP TEMPORARY TABLE IF EXISTS ${stageOf(table)}`, temporary);
  return {
    lacking,
    alwaysGenerated: [],
    touched: touched.map((row) => row[0] ?? ""),
    notTransactional:
      engine?.[1] === "YES" || engine?.[0] === null || engine?.[0] === undefined
        ? null
        : `its storage engine ${engine[0]} has no transactions`,
    cascades: cascades.map((row) => row[0] ?? ""),
    readOnly,
    replicas: Number(connected?.[1] ?? 0),
  };
}
