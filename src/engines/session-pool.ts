import { InterruptedError } from "../domain/errors.ts";
import type { Session } from "../sql/session.ts";
import { Turns } from "./turns.ts";

/** How long a running statement may take to end after it was cancelled, before its connection is cut. Milliseconds. */
export const GRACE = 5_000;

/** What a pool asks of a session: one connection that may break, and then stays broken. */
export interface PooledSession extends Session {
  readonly broken: boolean;
  /** Whether a statement runs now. */
  readonly busy: boolean;
  /** Ends whatever transaction is open, so that the session can serve others. Never rejects: a session that cannot is broken. */
  reset(): Promise<void>;
  /** Closes the connection in order and leaves the session broken; a running statement fails. */
  close(): Promise<void>;
  /** Cuts the connection without a word to the server. */
  cut(): void;
}

/** Where a pool's sessions come from, and who stops them. */
export type SessionSource<S extends PooledSession> = {
  /** Sessions at once. */
  readonly limit: number;
  /** When it fires, running statements are cancelled, callers who wait are refused with `InterruptedError`, and so are later ones. */
  readonly signal: AbortSignal;
  /** One session more. Its failure is the caller's who needed it. */
  open(): Promise<S>;
  /** Ends what these sessions run, by a connection of its own; resolves when the server has been told. */
  cancel(sessions: readonly S[]): Promise<void>;
};

/** At most so many sessions, opened when they are needed and kept for whoever comes next. Callers are served in their order. */
export class SessionPool<S extends PooledSession> implements AsyncDisposable {
  readonly #source: SessionSource<S>;
  readonly #turns: Turns;
  readonly #sessions = new Set<S>();
  readonly #idle: S[] = [];

  /** `first`: the session by which the database was found to be there. */
  constructor(first: S, source: SessionSource<S>) {
    this.#source = source;
    this.#turns = new Turns(source.limit);
    this.#sessions.add(first);
    this.#idle.push(first);
    source.signal.addEventListener("abort", this.#abort);
    if (source.signal.aborted) this.#abort();
  }

  /** Sessions that could be had at once. */
  get free(): number {
    return this.#turns.free;
  }

  /** Whether somebody waits for a session. */
  get wanted(): boolean {
    return this.#turns.waiting > 0;
  }

  async use<T>(work: (session: S) => Promise<T>): Promise<T> {
    const session = await this.take();
    try {
      return await work(session);
    } finally {
      await this.release(session);
    }
  }

  /** A session of one's own, once one is free. */
  async take(): Promise<S> {
    await this.#turns.take();
    return await this.#session();
  }

  /** A session of one's own if there is room for one; null: there is none. */
  async takeNow(): Promise<S | null> {
    return this.#turns.takeNow() ? await this.#session() : null;
  }

  /** Gives a session back; a broken one is let go, and its place is free for another. */
  async release(session: S): Promise<void> {
    await session.reset();
    if (session.broken) this.#letGo(session);
    else this.#idle.push(session);
    this.#turns.giveBack();
  }

  /** Closes every session. Callers who wait are refused with `InterruptedError`. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#source.signal.removeEventListener("abort", this.#abort);
    this.#turns.end();
    const sessions = [...this.#sessions];
    this.#sessions.clear();
    this.#idle.length = 0;
    await Promise.all(sessions.map(async (session) => await session.close()));
  }

  /** The session of a turn. */
  async #session(): Promise<S> {
    try {
      for (let session = this.#idle.pop(); session !== undefined; session = this.#idle.pop()) {
        if (!session.broken) return session;
        this.#letGo(session);
      }
      const session = await this.#source.open();
      if (this.#turns.ended) {
        // It came too late to be cancelled or closed with the others.
        await session.close();
        throw new InterruptedError();
      }
      this.#sessions.add(session);
      return session;
    } catch (error) {
      this.#turns.giveBack();
      throw error;
    }
  }

  #letGo(session: S): void {
    this.#sessions.delete(session);
    session.cut();
  }

  readonly #abort = (): void => {
    this.#turns.end();
    const running = [...this.#sessions].filter((session) => session.busy);
    if (running.length === 0) return;
    const cut = (): void => {
      for (const session of running) if (session.busy) session.cut();
    };
    setTimeout(cut, GRACE).unref();
    this.#source.cancel(running).catch(cut);
  };
}
