import { ConnectError, InterruptedError } from "../../domain/errors.ts";
import type { Database, Session, Snapshot } from "../../sql/session.ts";
import { raw, sql } from "../../sql/statement.ts";
import type { ConnectOptions } from "../engine.ts";
import { describe } from "./describe.ts";
import { sqliteDialect } from "./dialect.ts";
import { openSession, type SqliteSession } from "./sessions.ts";

/**
 * A file as a database. A connection is an open file and costs no server anything, so `maxConnections` bounds only how many idle ones
 * are kept: each `use` at the same time has one of its own (it may hold a transaction), each snapshot one for all its uses (they
 * only read, and run on one thread anyway). A snapshot of a file that is not in WAL mode keeps writers waiting while it is open.
 */
export async function openDatabase(options: ConnectOptions, path: string): Promise<Database> {
  let statements = 0;
  const open = new Set<SqliteSession>();
  const idle: SqliteSession[] = [];
  const take = (): SqliteSession => {
    if (options.signal.aborted) throw new InterruptedError();
    const kept = idle.pop();
    if (kept !== undefined) return kept;
    const session = openSession({ ...options, path, counted: () => void statements++ });
    open.add(session);
    return session;
  };
  const close = (session: SqliteSession): void => {
    if (open.delete(session)) session.db.close();
  };
  const giveBack = (session: SqliteSession): void => {
    if (!open.has(session)) return;
    // Whatever was left open does not live on in someone else's hands.
    if (session.db.isTransaction) session.db.exec("ROLLBACK");
    if (idle.length < options.maxConnections) idle.push(session);
    else close(session);
  };
  const use = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    const session = take();
    try {
      return await work(session);
    } finally {
      giveBack(session);
    }
  };

  const version = await greet(options, path, take, giveBack);
  // Those of an audit are counted, not our own.
  statements = 0;
  const database: Database = {
    connection: options.connection,
    server: { engine: "sqlite", family: "sqlite", version, hashes: ["sha256", "md5"], replica: false },
    dialect: sqliteDialect,
    get statements() {
      return statements;
    },
    describe: (table) => use((session) => describe(session, options.connection, table)),
    use,
    replicaLag: () => Promise.resolve(null),
    async snapshot(): Promise<Snapshot> {
      const session = take();
      try {
        await session.rows({ what: "start of a snapshot", sql: raw("BEGIN") });
        // BEGIN alone sees nothing yet: the first read fixes the moment.
        await session.rows({ what: "start of a snapshot", sql: sql`SELECT COUNT(*) FROM sqlite_schema` });
      } catch (error) {
        close(session);
        throw error;
      }
      return {
        database,
        async use(work) {
          if (options.signal.aborted) throw new InterruptedError();
          return await work(session);
        },
        async [Symbol.asyncDispose]() {
          giveBack(session);
        },
      };
    },
    async [Symbol.asyncDispose]() {
      for (const session of open) close(session);
      idle.length = 0;
    },
  };
  return database;
}

/** Reads the version and the schema once: a file that is no database shows itself here. */
async function greet(
  options: ConnectOptions,
  path: string,
  take: () => SqliteSession,
  giveBack: (session: SqliteSession) => void,
): Promise<string> {
  try {
    const session = take();
    const [row] = await session.rows({
      what: "version of the server",
      sql: sql`SELECT sqlite_version(), (SELECT COUNT(*) FROM sqlite_schema)`,
    });
    giveBack(session);
    return row?.[0] ?? "";
  } catch (error) {
    if (error instanceof InterruptedError) throw error;
    const cause =
      error instanceof Error ? (error.cause instanceof Error ? error.cause : error) : new Error(String(error));
    throw new ConnectError(options.connection, `${options.connection}: ${path} cannot be opened: ${cause.message}`, {
      hint: "is it a SQLite database, and may this user read it?",
      cause: error,
    });
  }
}
