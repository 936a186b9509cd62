import { must, StatementError } from "../../domain/errors.ts";
import type { Database, Session, Snapshot } from "../../sql/session.ts";
import type { PostgresDatabase } from "./database.ts";
import type { PostgresSession } from "./session.ts";

/**
 * Sessions that see one moment: the first exports its snapshot, the others import it, which works as long as the first is open. It
 * works like the others.
 */
export class PostgresSnapshot implements Snapshot {
  readonly database: Database;
  readonly #pool: PostgresDatabase;
  readonly #leader: PostgresSession;
  readonly #exported: string | null;
  readonly #idle: PostgresSession[] = [];
  readonly #waiting: (() => void)[] = [];
  /** Sessions that may be open at once; lowered when the server has no more. */
  #limit: number;
  #open = 1;
  #closed = false;

  private constructor(pool: PostgresDatabase, leader: PostgresSession, exported: string | null, sessions: number) {
    this.database = pool;
    this.#pool = pool;
    this.#leader = leader;
    this.#exported = exported;
    this.#limit = sessions;
    this.#idle.push(leader);
  }

  /** Takes one session, waiting for a free one, and opens the snapshot in it. */
  static async open(pool: PostgresDatabase, sessions: number): Promise<PostgresSnapshot> {
    const leader = await pool.take();
    try {
      await leader.beginSnapshot(null);
      const exported = sessions > 1 ? await leader.exportSnapshot() : null;
      await leader.holdSnapshot();
      return new PostgresSnapshot(pool, leader, exported, sessions);
    } catch (error) {
      await pool.release(leader);
      throw error;
    }
  }

  async use<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const session = await this.#take();
    try {
      return await work(session);
    } finally {
      await this.#release(session);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#idle.splice(0).map(async (session) => await this.#pool.release(session)));
    this.#wakeAll();
  }

  async #take(): Promise<PostgresSession> {
    for (;;) {
      for (let session = this.#idle.pop(); session !== undefined; session = this.#idle.pop()) {
        if (!session.broken) return session;
        await this.#letGo(session);
      }
      const session = await this.#another();
      if (session !== null) return session;
      if (this.#open === 0 || this.#closed)
        throw new StatementError(
          "snapshot",
          `connection ${this.database.connection}: the snapshot was lost with its connection`,
          {
            sql: "",
            retryable: true,
          },
        );
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** One session more that sees the same moment; null where that is not possible now. */
  async #another(): Promise<PostgresSession | null> {
    if (this.#exported === null || this.#leader.broken || this.#closed || this.#open >= this.#limit) return null;
    this.#open++;
    let session: PostgresSession | null = null;
    try {
      session = await this.#pool.takeNow();
      if (session !== null) {
        await session.beginSnapshot(must(this.#exported, "an exported snapshot"));
        await session.holdSnapshot();
        return session;
      }
    } catch {
      // The server has no connection left, or the leader is gone: those that are open go on.
      this.#limit = Math.max(1, this.#open - 1);
    }
    this.#open--;
    if (session !== null) await this.#pool.release(session);
    return null;
  }

  async #release(session: PostgresSession): Promise<void> {
    // Somebody else's need comes before our own idle sessions, all but the one that holds the snapshot.
    const spare = this.#pool.wanted && session !== this.#leader && this.#waiting.length === 0;
    if (session.broken || this.#closed || spare) await this.#letGo(session);
    else this.#idle.push(session);
    if (this.#open === 0) this.#wakeAll();
    else this.#waiting.shift()?.();
  }

  async #letGo(session: PostgresSession): Promise<void> {
    this.#open--;
    await this.#pool.release(session);
  }

  #wakeAll(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
