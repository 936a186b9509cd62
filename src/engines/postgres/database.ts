import { InterruptedError } from "../../domain/errors.ts";
import type { TableInfo, TableName } from "../../domain/table.ts";
import type { Dialect } from "../../sql/dialect.ts";
import type { Database, ServerFacts, Session, Snapshot } from "../../sql/session.ts";
import type { ConnectOptions } from "../engine.ts";
import { type OpenClient, openClient } from "./client.ts";
import { describeTable } from "./describe.ts";
import { postgresDialect } from "./dialect.ts";
import type { Location } from "./location.ts";
import { PostgresSession, type SessionHost } from "./session.ts";
import { PostgresSnapshot } from "./snapshot.ts";

/** How long a running statement may take to end after it was cancelled, before its connection is cut. Milliseconds. */
const GRACE = 5_000;

/** A pool of at most `maxConnections` sessions. */
export class PostgresDatabase implements Database {
  readonly connection: string;
  readonly server: ServerFacts;
  readonly dialect: Dialect;
  readonly #options: ConnectOptions;
  readonly #location: Location;
  readonly #host: SessionHost;
  readonly #sessions = new Set<PostgresSession>();
  readonly #idle: PostgresSession[] = [];
  /** Connections being opened. */
  #opening = 0;
  readonly #waiting: (() => void)[] = [];
  #statements = 0;

  constructor(options: ConnectOptions, location: Location, first: OpenClient) {
    this.#options = options;
    this.#location = location;
    this.connection = options.connection;
    const { version, versionText, encoding, replica } = first.greeting;
    this.server = { engine: "postgres", family: "postgres", version: versionText, hashes: ["sha256", "md5"], replica };
    this.dialect = postgresDialect({ version, utf8: encoding === "UTF8" });
    this.#host = {
      connection: options.connection,
      dialect: this.dialect,
      signal: options.signal,
      sent: () => void this.#statements++,
      cancel: async (pids) => await this.#cancel(pids),
    };
    options.signal.addEventListener("abort", this.#abort);
    this.#idle.push(this.#adopt(first));
  }

  get statements(): number {
    return this.#statements;
  }

  async describe(table: TableName): Promise<TableInfo> {
    return await this.use(async (session) => await describeTable(session, this.connection, table));
  }

  async use<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const session = await this.take();
    try {
      return await work(session);
    } finally {
      await this.release(session);
    }
  }

  async snapshot(sessions: number): Promise<Snapshot> {
    return await PostgresSnapshot.open(this, sessions);
  }

  /** A session of one's own, once one is free. */
  async take(): Promise<PostgresSession> {
    for (;;) {
      const session = await this.takeNow();
      if (session !== null) return session;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** A session of one's own if there is room for one; null: there is none. */
  async takeNow(): Promise<PostgresSession | null> {
    if (this.#options.signal.aborted) throw new InterruptedError();
    for (let session = this.#idle.pop(); session !== undefined; session = this.#idle.pop()) {
      if (!session.broken) return session;
      this.#forget(session);
    }
    if (this.#sessions.size + this.#opening >= this.#options.maxConnections) return null;
    this.#opening++;
    try {
      return this.#adopt(await this.#open());
    } catch (error) {
      this.#wake();
      throw error;
    } finally {
      this.#opening--;
    }
  }

  /** Whether somebody waits for a session. */
  get wanted(): boolean {
    return this.#waiting.length > 0;
  }

  /** Gives a session back; a broken one is let go. */
  async release(session: PostgresSession): Promise<void> {
    await session.reset();
    if (session.broken) {
      this.#forget(session);
      void session.close();
    } else this.#idle.push(session);
    this.#wake();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#options.signal.removeEventListener("abort", this.#abort);
    const sessions = [...this.#sessions];
    this.#sessions.clear();
    this.#idle.length = 0;
    await Promise.all(sessions.map(async (session) => await session.close()));
  }

  #adopt({ client, greeting }: OpenClient): PostgresSession {
    const session = new PostgresSession(client, greeting.pid, this.#host);
    this.#sessions.add(session);
    return session;
  }

  #forget(session: PostgresSession): void {
    this.#sessions.delete(session);
  }

  #wake(): void {
    this.#waiting.shift()?.();
  }

  async #open(): Promise<OpenClient> {
    return await openClient(this.#options, this.#location);
  }

  async #cancel(pids: readonly number[]): Promise<void> {
    const { client } = await openClient(
      { ...this.#options, connectTimeout: Math.min(this.#options.connectTimeout, GRACE) },
      this.#location,
    );
    try {
      await client.query({ text: "SELECT pg_cancel_backend(pid) FROM unnest($1::int[]) AS pid", values: [[...pids]] });
    } finally {
      await client.end().catch(() => {});
    }
  }

  readonly #abort = (): void => {
    for (const wake of this.#waiting.splice(0)) wake();
    const running = [...this.#sessions].filter((session) => session.busy);
    if (running.length === 0) return;
    const cut = (): void => {
      for (const session of running) if (session.busy) session.cut();
    };
    const late = setTimeout(cut, GRACE);
    late.unref();
    this.#cancel(running.map((session) => session.pid)).catch(cut);
  };
}
