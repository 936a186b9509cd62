import pg from "pg";
import { ConnectError, StatementError, TidemarkError } from "../domain/errors.ts";
import { redact, Secret } from "../domain/secret.ts";
import { name, raw, render, sql, value } from "../sql/statement.ts";
import { migrate, MIGRATIONS, refuseNewer, versionOf, type Words } from "./migrations.ts";
import type { Store, Transaction } from "./store.ts";

const WORDS: Words = {
  integer: raw("bigint"),
  counter: raw("bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
  end: raw(""),
};

const AS_TEXT = { getTypeParser: () => String } as unknown as pg.CustomTypesConfig;

/** The state in a PostgreSQL, in a schema `tidemark` of its own; what belongs to one subject is written under an advisory lock. */
export async function openPostgresStore(url: string): Promise<Store> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 2,
    connectionTimeoutMillis: 10_000,
    application_name: "tidemark state",
    // A store that is not asked anything keeps no process alive.
    allowExitOnIdle: true,
  });
  // A connection that is cut while it is idle is replaced; without a listener it would end the process.
  pool.on("error", () => {});
  const store: Store = {
    table: (table) => sql`${name("tidemark")}.${name(table)}`,
    async transaction(access, subject, work) {
      const client = await pool.connect().catch((error: unknown) => {
        throw unreachable(error, url);
      });
      const onError = (): void => {};
      client.on("error", onError);
      let broken: Error | undefined;
      const rows: Transaction["rows"] = async (statement) => {
        const { text, values } = render(statement, quote, (n) => `$${n}`);
        try {
          const query = { text, values: [...values], rowMode: "array" as const, types: AS_TEXT };
          return (await client.query<(string | null)[]>(query)).rows;
        } catch (error) {
          throw failed(error, text, url);
        }
      };
      try {
        await rows(raw("BEGIN"));
        if (access === "write")
          await rows(sql`SELECT pg_advisory_xact_lock(hashtextextended('tidemark ' || ${value(subject)}, 0))`);
        const result = await work({ rows });
        await rows(raw("COMMIT"));
        return result;
      } catch (error) {
        await client.query("ROLLBACK").catch((lost: Error) => (broken = lost));
        throw error;
      } finally {
        client.off("error", onError);
        client.release(broken);
      }
    },
    async [Symbol.asyncDispose]() {
      if (!pool.ended) await pool.end();
    },
  };
  try {
    await prepare(store);
    return store;
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
}

/** What is there is looked at first: a role without the right to make a schema can use one that was made for it. */
async function prepare(store: Store): Promise<void> {
  const version = await store.transaction("read", "schema", async (transaction) => {
    const [known] = await transaction.rows(sql`SELECT to_regclass('tidemark.schema_version')`);
    return known?.[0] === null || known === undefined ? 0 : await versionOf(transaction, store.table);
  });
  refuseNewer(version);
  if (version === MIGRATIONS.length) return;
  await store.transaction("write", "schema", async (transaction) => {
    const [made] = await transaction.rows(sql`SELECT 1 FROM pg_namespace WHERE nspname = 'tidemark'`);
    if (made === undefined) await transaction.rows(sql`CREATE SCHEMA tidemark`);
    await migrate(transaction, store.table, WORDS);
  });
}

function unreachable(error: unknown, url: string): ConnectError {
  const said =
    error instanceof Error ? error.message || (error as NodeJS.ErrnoException).code || error.name : String(error);
  return new ConnectError("state", `state: ${redact(said, [new Secret(url)])}`, {
    hint: "check `state` in tidemark.yaml (or TIDEMARK_STATE)",
    cause: error,
  });
}

/** Classes of SQLSTATE that may well pass when asked again: connection lost, rolled back, out of resources, going down. */
const AGAIN = /^(08|40|53|57P0)/;

function failed(error: unknown, text: string, url: string): unknown {
  if (error instanceof TidemarkError || !(error instanceof Error)) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : null;
  return new StatementError(
    "state",
    `the state store refused a statement: ${redact(error.message, [new Secret(url)])}`,
    {
      sql: text,
      serverCode: code,
      retryable: code !== null && AGAIN.test(code),
      cause: error,
    },
  );
}

function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}
