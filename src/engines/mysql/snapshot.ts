import { InterruptedError } from "../../domain/errors.ts";
import type { Database, Session, Snapshot } from "../../sql/session.ts";
import type { MysqlDatabase } from "./database.ts";
import type { MysqlSession } from "./session.ts";

const START = "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY";

/**
 * Sessions that each see the database as it was when they began: the server cannot hand a snapshot from one session to another. So
 * half of the sessions that are free begin together at the start; more begin when they are needed, and see a later moment.
 */
export class MysqlSnapshot implements Snapshot {
  readonly database: Database;
  readonly #pool: MysqlDatabase;
  readonly #idle: MysqlSession[];
  readonly #waiting: (() => void)[] = [];
  readonly #limit: number;
  #open: number;
  #closed = false;

  private constructor(pool: MysqlDatabase, sessions: readonly MysqlSession[], limit: number) {
    this.database = pool;
    this.#pool = pool;
    this.#idle = [...sessions];
    this.#open = sessions.length;
    this.#limit = limit;
  }

  /** Takes one session, waiting for a free one, and some more if they are free. */
  static async open(pool: MysqlDatabase, sessions: number): Promise<MysqlSnapshot> {
    const first = await pool.take();
    const taken = [first];
    try {
      // The other half is left to whoever opens the next snapshot on the same database.
      const more = Math.min(sessions - 1, (pool.free - 1) >> 1);
      const others = await Promise.all(
        Array.from({ length: Math.max(0, more) }, async () => await pool.takeNow().catch(() => null)),
      );
      for (const other of others) if (other !== null) taken.push(other);
      await Promise.all(taken.map(async (session) => await begin(session)));
      return new MysqlSnapshot(pool, taken, Math.max(1, sessions));
    } catch (error) {
      await Promise.all(taken.map(async (session) => await pool.release(session)));
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
    await Promise.all(this.#idle.splice(0).map(async (session) => await this.#letGo(session)));
    this.#wakeAll();
  }

  async #take(): Promise<MysqlSession> {
    for (;;) {
      if (this.#closed) throw new InterruptedError();
      for (let session = this.#idle.pop(); session !== undefined; session = this.#idle.pop()) {
        if (!session.broken) return session;
        await this.#letGo(session);
      }
      // The last one may be waited for by nobody: then it is opened anew, whatever that takes.
      const session =
        this.#open === 0 ? await this.#another(true) : this.#open < this.#limit ? await this.#another(false) : null;
      if (session !== null) return session;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async #another(wait: boolean): Promise<MysqlSession | null> {
    this.#open++;
    let session: MysqlSession | null = null;
    try {
      session = wait ? await this.#pool.take() : await this.#pool.takeNow();
      if (session !== null) {
        await begin(session);
        return session;
      }
    } catch (error) {
      if (session !== null) await this.#pool.release(session);
      this.#open--;
      // The server has no connection left: those that are open go on.
      if (wait || error instanceof InterruptedError) throw error;
      return null;
    }
    this.#open--;
    return null;
  }

  async #release(session: MysqlSession): Promise<void> {
    // Somebody else's need comes before our own idle sessions, all but the last.
    const spare = this.#pool.wanted && this.#waiting.length === 0 && this.#open > 1;
    if (session.broken || this.#closed || spare) await this.#letGo(session);
    else this.#idle.push(session);
    if (this.#open === 0) this.#wakeAll();
    else this.#waiting.shift()?.();
  }

  async #letGo(session: MysqlSession): Promise<void> {
    this.#open--;
    await this.#pool.release(session);
  }

  #wakeAll(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

async function begin(session: MysqlSession): Promise<void> {
  await session.rows({ what: "start of a snapshot", sql: { parts: [{ raw: START }] } });
}
