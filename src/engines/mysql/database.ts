import { InterruptedError } from "../../domain/errors.ts";
import type { TableInfo, TableName } from "../../domain/table.ts";
import type { Dialect } from "../../sql/dialect.ts";
import type { Database, ServerFacts, Session, Snapshot } from "../../sql/session.ts";
import type { ConnectOptions } from "../engine.ts";
import { hashesOf, isReplica, type OpenClient, openClient, query } from "./client.ts";
import { describeTable } from "./describe.ts";
import { mysqlDialect } from "./dialect.ts";
import type { Flavour } from "./flavour.ts";
import type { Location } from "./location.ts";
import { MysqlSession } from "./session.ts";
import { MysqlSnapshot } from "./snapshot.ts";

/** How long a running statement may take to end after it was killed, before its connection is cut. Milliseconds. */
const GRACE = 5_000;

/** A pool of at most `maxConnections` sessions. */
export class MysqlDatabase implements Database {
  readonly connection: string;
  readonly server: ServerFacts;
  readonly dialect: Dialect;
  readonly #options: ConnectOptions;
  readonly #location: Location;
  readonly #first: OpenClient;
  readonly #sessions = new Set<MysqlSession>();
  readonly #idle: MysqlSession[] = [];
  /** Connections being opened. */
  #opening = 0;
  readonly #waiting: (() => void)[] = [];
  #statements = 0;

  private constructor(options: ConnectOptions, location: Location, first: OpenClient, server: ServerFacts) {
    this.#options = options;
    this.#location = location;
    this.#first = first;
    this.connection = options.connection;
    this.server = server;
    const { flavour, version } = first;
    this.dialect = mysqlDialect({
      id: flavour.id,
      exact: flavour.exactCollation(version),
      printDouble: flavour.printDouble,
    });
    options.signal.addEventListener("abort", this.#abort);
    this.#idle.push(this.#adopt(first));
  }

  /** Connects once and asks the server what it is. */
  static async open(options: ConnectOptions, location: Location, flavours: readonly Flavour[]): Promise<MysqlDatabase> {
    const first = await openClient(options, location, flavours);
    const { client, flavour, version } = first;
    const hashes = await hashesOf(client, flavour.hashes);
    const replica = await isReplica(client, flavour, version);
    return new MysqlDatabase(options, location, first, {
      engine: flavour.id,
      family: "mysql",
      version: version.text,
      hashes,
      replica,
    });
  }

  get statements(): number {
    return this.#statements;
  }

  async describe(table: TableName): Promise<TableInfo> {
    const { flavour, version } = this.#first;
    return await this.use(
      async (session) =>
        await describeTable(
          session,
          { connection: this.connection, database: this.#location.database, flavour, version },
          table,
        ),
    );
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
    return await MysqlSnapshot.open(this, sessions);
  }

  /** A session of one's own, once one is free. */
  async take(): Promise<MysqlSession> {
    for (;;) {
      const session = await this.takeNow();
      if (session !== null) return session;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** A session of one's own if there is room for one; null: there is none. */
  async takeNow(): Promise<MysqlSession | null> {
    if (this.#options.signal.aborted) throw new InterruptedError();
    for (let session = this.#idle.pop(); session !== undefined; session = this.#idle.pop()) {
      if (!session.broken) return session;
      this.#sessions.delete(session);
    }
    if (this.free === 0) return null;
    this.#opening++;
    try {
      return this.#adopt(await openClient(this.#options, this.#location, [this.#first.flavour]));
    } catch (error) {
      this.#wake();
      throw error;
    } finally {
      this.#opening--;
    }
  }

  /** Sessions that could be had at once. */
  get free(): number {
    return this.#options.maxConnections - this.#sessions.size - this.#opening + this.#idle.length;
  }

  /** Whether somebody waits for a session. */
  get wanted(): boolean {
    return this.#waiting.length > 0;
  }

  /** Gives a session back; a broken one is let go, and an open transaction ends. */
  async release(session: MysqlSession): Promise<void> {
    if (!session.broken) await session.run("ROLLBACK").catch(() => session.cut());
    if (session.broken) {
      this.#sessions.delete(session);
      session.cut();
    } else this.#idle.push(session);
    this.#wake();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#options.signal.removeEventListener("abort", this.#abort);
    const sessions = [...this.#sessions];
    this.#sessions.clear();
    this.#idle.length = 0;
    await Promise.all(sessions.map(async (session) => (session.busy ? session.cut() : await session.close())));
  }

  #adopt({ client, id }: OpenClient): MysqlSession {
    const session = new MysqlSession(client, id, {
      connection: this.connection,
      signal: this.#options.signal,
      sent: () => void this.#statements++,
      kill: async (ids) => await this.#kill(ids),
    });
    this.#sessions.add(session);
    return session;
  }

  #wake(): void {
    this.#waiting.shift()?.();
  }

  async #kill(ids: readonly number[]): Promise<void> {
    const { signal } = new AbortController();
    const options = { ...this.#options, signal, connectTimeout: Math.min(this.#options.connectTimeout, GRACE) };
    const { client } = await openClient(options, this.#location, [this.#first.flavour]);
    try {
      // One that has just ended is no failure.
      for (const id of ids) await query(client, `KILL QUERY ${id}`).catch(() => {});
    } finally {
      client.destroy();
    }
  }

  readonly #abort = (): void => {
    for (const wake of this.#waiting.splice(0)) wake();
    const running = [...this.#sessions].filter((session) => session.busy);
    if (running.length === 0) return;
    const cut = (): void => {
      for (const session of running) if (session.busy) session.cut();
    };
    setTimeout(cut, GRACE).unref();
    this.#kill(running.map((session) => session.id)).catch(cut);
  };
}
