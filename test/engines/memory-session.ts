import type fc from "fast-check";
import { StatementError } from "../../src/domain/errors.ts";
import type { PooledSession, SessionSource } from "../../src/engines/session-pool.ts";
import type { Row, Statement } from "../../src/sql/session.ts";

/** The statement that a memory session runs until it is cancelled, cut or closed. */
export const ENDLESS: Statement = { what: "endless", sql: { parts: [{ raw: "endless" }] } };

const lost = (): StatementError => new StatementError("test", "connection lost", { sql: "", retryable: true });

/** A session to nowhere, which breaks when it is told to. */
export class MemorySession implements PooledSession {
  readonly id: number;
  broken = false;
  /** Whether a transaction is open, as after the start of a snapshot. */
  began = false;
  readonly #pause: () => Promise<void>;
  #fail: ((cause: unknown) => void) | null = null;

  constructor(id: number, pause: () => Promise<void>) {
    this.id = id;
    this.#pause = pause;
  }

  get busy(): boolean {
    return this.#fail !== null;
  }

  async rows(statement: Statement): Promise<readonly Row[]> {
    if (this.broken) throw lost();
    try {
      await new Promise<void>((resolve, reject) => {
        this.#fail = reject;
        if (statement !== ENDLESS) void this.#pause().then(resolve);
      });
    } finally {
      this.#fail = null;
    }
    return [[String(this.id)]];
  }

  async *stream(statement: Statement): AsyncIterable<readonly Row[]> {
    yield await this.rows(statement);
  }

  async reset(): Promise<void> {
    await this.#pause();
    this.began = false;
  }

  async close(): Promise<void> {
    this.cut();
    await this.#pause();
  }

  cut(): void {
    this.broken = true;
    this.cancel();
  }

  /** Ends the running statement, as the server does when it is told to. */
  cancel(): void {
    this.#fail?.(lost());
  }
}

/** Sessions to nowhere, and a record of those that were opened and cancelled. */
export class MemoryServer implements SessionSource<MemorySession> {
  readonly limit: number;
  readonly signal: AbortSignal;
  readonly opened: MemorySession[] = [];
  readonly cancelled: number[] = [];
  /** Attempts to open a session that fail, by their number. */
  readonly refused: ReadonlySet<number>;
  readonly #pause: () => Promise<void>;
  #attempts = 0;

  constructor(options: {
    readonly limit: number;
    readonly signal?: AbortSignal;
    readonly refused?: readonly number[];
    readonly pause?: () => Promise<void>;
  }) {
    this.limit = options.limit;
    this.signal = options.signal ?? new AbortController().signal;
    this.refused = new Set(options.refused);
    this.#pause = options.pause ?? (async () => await Promise.resolve());
  }

  /** The session that a pool begins with. */
  first(): MemorySession {
    const session = new MemorySession(this.opened.length, this.#pause);
    this.opened.push(session);
    return session;
  }

  async open(): Promise<MemorySession> {
    const attempt = this.#attempts++;
    await this.#pause();
    if (this.refused.has(attempt)) throw lost();
    return this.first();
  }

  async cancel(sessions: readonly MemorySession[]): Promise<void> {
    await this.#pause();
    for (const session of sessions) {
      this.cancelled.push(session.id);
      session.cancel();
    }
  }

  /** Connections that are open now. */
  get connections(): number {
    return this.opened.filter(({ broken }) => !broken).length;
  }
}

/** Runs what is scheduled, in the scheduler's order, until nothing happens any more. */
export async function untilStill(scheduler: fc.Scheduler): Promise<void> {
  for (;;) {
    // All that follows from the last step has happened by then.
    await new Promise((resolve) => setImmediate(resolve));
    if (scheduler.count() === 0) return;
    await scheduler.waitOne();
  }
}
