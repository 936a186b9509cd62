import type { Database } from "../../sql/session.ts";
import type { ConnectOptions } from "../engine.ts";
import { GRACE, SessionPool } from "../session-pool.ts";
import { greet, type OpenClient, openClient, orClosed, query } from "./client.ts";
import { describeTable } from "./describe.ts";
import { mysqlDialect } from "./dialect.ts";
import type { Flavour } from "./flavour.ts";
import { failureOf } from "./failure.ts";
import type { Location } from "./location.ts";
import { MysqlSession, type SessionHost } from "./session.ts";
import { openSnapshot } from "./snapshot.ts";

/** Connects once, asks the server what it is, and keeps that connection as the first of at most `maxConnections`. */
export async function openDatabase(
  options: ConnectOptions,
  location: Location,
  flavours: readonly Flavour[],
): Promise<Database> {
  const { connection, signal } = options;
  const first = await openClient(options, location, flavours);
  const { client, flavour, version } = first;
  const { hashes, replica } = await orClosed(client, connection, location, () => greet(client, flavour, version));
  let statements = 0;
  const kill = async (ids: readonly number[]): Promise<void> => await killQueries(options, location, flavour, ids);
  const host: SessionHost = { connection, signal, sent: () => void statements++, kill };
  const sessionOf = ({ client, id }: OpenClient): MysqlSession => new MysqlSession(client, id, host);
  const pool = new SessionPool(sessionOf(first), {
    limit: options.maxConnections,
    signal,
    open: async () => sessionOf(await openClient(options, location, [flavour])),
    cancel: async (sessions) => await kill(sessions.map(({ id }) => id)),
  });
  const database: Database = {
    connection,
    server: { engine: flavour.id, family: "mysql", version: version.text, hashes, replica },
    dialect: mysqlDialect({
      id: flavour.id,
      exact: flavour.exactCollation(version),
      printDouble: flavour.printDouble,
    }),
    get statements() {
      return statements;
    },
    describe: async (table) =>
      await pool.use(
        async (session) =>
          await describeTable(session, { connection, database: location.database, flavour, version }, table),
      ),
    use: async (work) => await pool.use(work),
    replicaLag: async () =>
      await pool.use(async (session) => await replicaLag(session, flavour.replicaStatus(version))),
    snapshot: async (sessions) => await openSnapshot(database, pool, sessions),
    [Symbol.asyncDispose]: async () => await pool[Symbol.asyncDispose](),
  };
  return database;
}

/** The most of its channels; one whose replication has stopped does not know. */
async function replicaLag(session: MysqlSession, status: string): Promise<bigint | null> {
  try {
    const seconds = (await session.named(status)).flatMap((row) => {
      const text = row.get("Seconds_Behind_Source") ?? row.get("Seconds_Behind_Master") ?? null;
      return text === null ? [] : [BigInt(text)];
    });
    return seconds.length === 0 ? null : seconds.reduce((a, b) => (a > b ? a : b)) * 1_000_000n;
  } catch (error) {
    // Whoever may not ask is told nothing.
    if (failureOf(error).number === null) throw error;
    return null;
  }
}

/** Ends what these connections run, by a connection of its own that takes no notice of the abort it may be part of. */
async function killQueries(
  options: ConnectOptions,
  location: Location,
  flavour: Flavour,
  ids: readonly number[],
): Promise<void> {
  const { signal } = new AbortController();
  const hurried = { ...options, signal, connectTimeout: Math.min(options.connectTimeout, GRACE) };
  const { client } = await openClient(hurried, location, [flavour]);
  try {
    // One that has just ended is no failure.
    for (const id of ids) await query(client, `KILL QUERY ${id}`).catch(() => {});
  } finally {
    client.destroy();
  }
}
