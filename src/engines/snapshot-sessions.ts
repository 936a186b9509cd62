import { InterruptedError, StatementError } from "../domain/errors.ts";
import type { Database, Session, Snapshot } from "../sql/session.ts";
import type { PooledSession, SessionPool } from "./session-pool.ts";

/** How the sessions of a snapshot come to see their moment. */
export type SnapshotStart<S extends PooledSession> = {
  readonly database: Database;
  readonly pool: SessionPool<S>;
  /** Sessions that are the pool's and have begun: at least one. */
  readonly begun: readonly S[];
  /** Sessions at once, `begun` among them. */
  readonly limit: number;
  /** The session that others join, as long as it is open; null: each begins by itself, and the last one that is lost can be replaced. */
  readonly leader: S | null;
  /** Lets one more session see the moment of the leader, or its own. */
  readonly begin: (session: S) => Promise<void>;
};

/**
 * The sessions of one snapshot: idle ones go to callers, one more begins where the limit and the pool allow it. While one is open a
 * caller waits for this snapshot's own sessions and never for the pool's, which another snapshot might hold.
 */
export class SnapshotSessions<S extends PooledSession> implements Snapshot {
  readonly database: Database;
  readonly #pool: SessionPool<S>;
  readonly #leader: S | null;
  readonly #begin: (session: S) => Promise<void>;
  readonly #idle: S[];
  /** Callers in their order. Each gets a session, or null: look again. */
  readonly #waiting: ((session: S | null) => void)[] = [];
  /** Lowered when the server has no more. */
  #limit: number;
  /** Sessions that are ours, and those being taken from the pool. */
  #open: number;
  #closed = false;

  constructor(start: SnapshotStart<S>) {
    this.database = start.database;
    this.#pool = start.pool;
    this.#leader = start.leader;
    this.#begin = start.begin;
    this.#idle = [...start.begun];
    this.#open = start.begun.length;
    this.#limit = Math.max(1, start.limit);
  }

  async use<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const session = await this.#take();
    try {
      return await work(session);
    } finally {
      await this.#giveBack(session);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#wakeAll();
    await Promise.all(this.#idle.splice(0).map(async (session) => await this.#letGo(session)));
  }

  async #take(): Promise<S> {
    for (;;) {
      if (this.#closed) throw new InterruptedError();
      const session = (await this.#fromIdle()) ?? (await this.#another());
      if (session !== null) return session;
      // While that was tried, one may have come back, or the last one may have gone: nobody would tell who waits now.
      if (this.#idle.length > 0 || this.#open === 0) continue;
      const handed = await new Promise<S | null>((resolve) => this.#waiting.push(resolve));
      if (handed !== null) return handed;
    }
  }

  async #fromIdle(): Promise<S | null> {
    for (let session = this.#idle.pop(); session !== undefined; session = this.#idle.pop()) {
      if (!session.broken) return session;
      await this.#letGo(session);
    }
    return null;
  }

  /** One session more; null where that is not possible now. The last one is replaced whatever that takes, if it can be replaced at all. */
  async #another(): Promise<S | null> {
    const last = this.#open === 0;
    if (last && this.#leader !== null) throw this.#lost();
    if (!last && (this.#open >= this.#limit || this.#leader?.broken === true)) return null;
    this.#open++;
    let session: S | null = null;
    try {
      session = last ? await this.#pool.take() : await this.#pool.takeNow();
      if (session !== null) await this.#begin(session);
      if (this.#closed) throw new InterruptedError();
    } catch (error) {
      await this.#letGo(session);
      if (last || error instanceof InterruptedError) throw error;
      // The server has no connection left, or the leader is gone: those that are open go on.
      this.#limit = Math.max(1, this.#open);
      return null;
    }
    if (session === null) await this.#letGo(null);
    return session;
  }

  async #giveBack(session: S): Promise<void> {
    if (session.broken || this.#closed || this.#isSpare(session)) {
      await this.#letGo(session);
      // Who waits may take its place.
      this.#waiting.shift()?.(null);
      return;
    }
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(session);
    else next(session);
  }

  /** Somebody else's need comes before our own idle sessions, all but the last and the one that others join. */
  #isSpare(session: S): boolean {
    return this.#pool.wanted && this.#waiting.length === 0 && this.#open > 1 && session !== this.#leader;
  }

  /** One less is open: `session` goes back to the pool; null: there was none to be had. */
  async #letGo(session: S | null): Promise<void> {
    this.#open--;
    if (this.#open === 0) this.#wakeAll();
    if (session !== null) await this.#pool.release(session);
  }

  #wakeAll(): void {
    for (const wake of this.#waiting.splice(0)) wake(null);
  }

  #lost(): StatementError {
    const { connection } = this.database;
    // No statement has failed: the next one has nowhere to go.
    return new StatementError("snapshot", `connection ${connection}: the snapshot was lost with its connection`, {
      sql: "",
      retryable: true,
    });
  }
}
