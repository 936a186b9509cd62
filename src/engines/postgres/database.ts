import { StatementError } from "../../domain/errors.ts";
import type { Database } from "../../sql/session.ts";
import { raw } from "../../sql/statement.ts";
import type { ConnectOptions } from "../engine.ts";
import { GRACE, SessionPool } from "../session-pool.ts";
import { type OpenClient, openClient } from "./client.ts";
import { describeTable } from "./describe.ts";
import { postgresDialect } from "./dialect.ts";
import type { Location } from "./location.ts";
import { PostgresSession, type SessionHost } from "./session.ts";
import { openSnapshot } from "./snapshot.ts";

/** Connects once, and keeps that connection as the first of at most `maxConnections`. */
export async function openDatabase(options: ConnectOptions, location: Location): Promise<Database> {
  const { connection, signal } = options;
  const first = await openClient(options, location);
  const { version, versionText, encoding, replica } = first.greeting;
  const dialect = postgresDialect({ version, utf8: encoding === "UTF8" });
  let statements = 0;
  const cancel = async (pids: readonly number[]): Promise<void> => await cancelQueries(options, location, pids);
  const host: SessionHost = { connection, dialect, signal, sent: () => void statements++, cancel };
  const sessionOf = ({ client, greeting }: OpenClient): PostgresSession =>
    new PostgresSession(client, greeting.pid, host);
  const pool = new SessionPool(sessionOf(first), {
    limit: options.maxConnections,
    signal,
    open: async () => sessionOf(await openClient(options, location)),
    cancel: async (sessions) => await cancel(sessions.map(({ pid }) => pid)),
  });
  const database: Database = {
    connection,
    server: { engine: "postgres", family: "postgres", version: versionText, hashes: ["sha256", "md5"], replica },
    dialect,
    get statements() {
      return statements;
    },
    describe: async (table) => await pool.use(async (session) => await describeTable(session, connection, table)),
    use: async (work) => await pool.use(work),
    replicaLag: async () => await pool.use(async (session) => await replicaLag(session)),
    snapshot: async (sessions) => await openSnapshot(database, pool, sessions),
    [Symbol.asyncDispose]: async () => await pool[Symbol.asyncDispose](),
  };
  return database;
}

/** What it has received and not yet replayed began to be late when the last transaction that it did replay committed. */
async function replicaLag(session: PostgresSession): Promise<bigint | null> {
  try {
    const [row] = await session.rows({
      what: "lag of a replica",
      sql: raw(`SELECT CASE WHEN NOT pg_is_in_recovery() THEN NULL WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0
        ELSE (extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000000)::bigint END::text`),
    });
    return row?.[0] === null || row?.[0] === undefined ? null : BigInt(row[0]);
  } catch (error) {
    // Servers before 10 have other names for it.
    if (error instanceof StatementError && error.serverCode === "42883") return null;
    throw error;
  }
}

/** Ends what these server processes run, by a connection of its own. */
async function cancelQueries(options: ConnectOptions, location: Location, pids: readonly number[]): Promise<void> {
  const hurried = { ...options, connectTimeout: Math.min(options.connectTimeout, GRACE) };
  const { client } = await openClient(hurried, location);
  try {
    await client.query({ text: "SELECT pg_cancel_backend(pid) FROM unnest($1::int[]) AS pid", values: [[...pids]] });
  } finally {
    await client.end().catch(() => {});
  }
}
