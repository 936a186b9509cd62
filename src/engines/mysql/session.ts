import type { Connection } from "mysql2";
import { InterruptedError, type StatementError } from "../../domain/errors.ts";
import type { Row, Statement } from "../../sql/session.ts";
import { render } from "../../sql/statement.ts";
import { GRACE, type PooledSession } from "../session-pool.ts";
import { textRow } from "./client.ts";
import { quoteName } from "./dialect.ts";
import { failureOf, isLost, statementError } from "./failure.ts";
import { literal } from "./literal.ts";

/** What a session needs of its database. */
export type SessionHost = {
  readonly connection: string;
  readonly signal: AbortSignal;
  /** Counts a statement. */
  sent(): void;
  /** Ends what these connections run, by a connection of its own; resolves when the server has been told. */
  kill(ids: readonly number[]): Promise<void>;
};

/** Rows, or bytes of their texts, that are handed over at once; the connection rests while twice as much waits. */
const BATCH_ROWS = 2_000;
const BATCH_BYTES = 1 << 20;

/** A statement on its way. `ended` resolves when the connection can take the next one, or never will. */
type Running = {
  fail(cause: unknown): void;
  /** Lets the rest of the rows go. */
  discard(): void;
  readonly ended: Promise<void>;
};

/** One connection. Once it has failed it is broken and never used again. */
export class MysqlSession implements PooledSession {
  /** The server's id of the connection. */
  readonly id: number;
  readonly #client: Connection;
  readonly #host: SessionHost;
  #broken = false;
  #running: Running | null = null;

  constructor(client: Connection, id: number, host: SessionHost) {
    this.#client = client;
    this.id = id;
    this.#host = host;
    // The driver tells a lost connection here, and not to a statement that is read row by row.
    client.on("error", (error: unknown) => this.#lost(error));
    client.on("end", () => this.#lost(new Error("connection ended")));
  }

  get broken(): boolean {
    return this.#broken;
  }

  get busy(): boolean {
    return this.#running !== null;
  }

  async rows(statement: Statement): Promise<readonly Row[]> {
    const all: Row[] = [];
    for await (const batch of this.stream(statement)) for (const row of batch) all.push(row);
    return all;
  }

  async *stream(statement: Statement): AsyncIterable<readonly Row[]> {
    const shown = render(statement.sql, quoteName, () => "?");
    const text = render(statement.sql, quoteName, (n) => literal(shown.values[n - 1] ?? null)).text;
    const failed = (cause: unknown): StatementError =>
      statementError(this.#host.connection, statement.what, shown.text, cause);
    if (this.#host.signal.aborted) throw new InterruptedError();
    if (this.#broken) throw failed(new Error("connection lost"));
    this.#host.sent();
    let ended = false;
    try {
      yield* this.#batches(text);
      ended = true;
    } catch (error) {
      ended = true;
      if (isLost(failureOf(error))) this.cut();
      throw this.#host.signal.aborted ? new InterruptedError() : failed(error);
    } finally {
      if (!ended) await this.#leave();
      this.#running = null;
    }
    // A statement that is killed may also end early without an error.
    if (this.#host.signal.aborted) throw new InterruptedError();
  }

  /** Runs a statement of our own; rejects with the driver's error. */
  async run(text: string): Promise<void> {
    try {
      for await (const _ of this.#batches(text));
    } finally {
      this.#running = null;
    }
  }

  /** The rows of a statement of our own, whose columns differ from server to server, by their names; rejects with the driver's error. */
  async named(text: string): Promise<readonly ReadonlyMap<string, string | null>[]> {
    return await new Promise((resolve, reject) => {
      this.#client.query({ sql: text, rowsAsArray: true, typeCast: false }, (error, rows, fields) => {
        if (error) return reject(error);
        const names = (fields as readonly { readonly name: string }[] | undefined)?.map((field) => field.name) ?? [];
        const all = Array.isArray(rows) ? rows.map((row) => textRow(row)) : [];
        resolve(all.map((row) => new Map(names.map((name, i) => [name, row[i] ?? null]))));
      });
    });
  }

  async reset(): Promise<void> {
    if (!this.#broken) await this.run("ROLLBACK").catch(() => this.cut());
  }

  async close(): Promise<void> {
    // A driver that is asked to end would first wait for the running statement.
    if (this.#broken || this.busy) return this.cut();
    this.#broken = true;
    await new Promise<void>((resolve) => {
      this.#client.end(() => resolve());
    });
  }

  cut(): void {
    this.#broken = true;
    this.#client.destroy();
    this.#running?.fail(new Error("connection cut"));
  }

  /** Ends a statement whose rows nobody takes. The session, and its snapshot, stay. */
  async #leave(): Promise<void> {
    const running = this.#running;
    if (running === null || this.#broken) return;
    const late = setTimeout(() => this.cut(), GRACE);
    running.discard();
    await this.#host.kill([this.id]).catch(() => this.cut());
    await running.ended;
    // A kill that came too late for this statement must not hit the next one.
    if (!this.#broken) await this.run("DO 0").catch((error: unknown) => isLost(failureOf(error)) && this.cut());
    clearTimeout(late);
  }

  #lost(error: unknown): void {
    this.#broken = true;
    this.#running?.fail(error);
  }

  /** The rows as they come; the connection rests while nobody takes them. */
  async *#batches(text: string): AsyncGenerator<readonly Row[]> {
    let batch: Row[] = [];
    let bytes = 0;
    let ended = false;
    let paused = false;
    let failure: { readonly cause: unknown } | null = null;
    let wake = (): void => {};
    let discarding = false;
    const over = Promise.withResolvers<void>();
    const query = this.#client.query({ sql: text, rowsAsArray: true, typeCast: false });
    const fail = (cause: unknown): void => {
      failure ??= { cause };
      over.resolve();
      wake();
    };
    const discard = (): void => {
      discarding = true;
      this.#client.resume();
    };
    this.#running = { fail, discard, ended: over.promise };
    query.on("error", fail);
    query.on("result", (row: unknown) => {
      // The answer to a statement without rows is no array.
      if (discarding || !Array.isArray(row)) return;
      const read = textRow(row);
      batch.push(read);
      for (const value of read) bytes += value?.length ?? 0;
      if (batch.length < BATCH_ROWS && bytes < BATCH_BYTES) return;
      if (!paused) {
        paused = true;
        this.#client.pause();
      }
      wake();
    });
    query.on("end", () => {
      ended = true;
      over.resolve();
      wake();
    });
    for (;;) {
      if (failure !== null) throw (failure as { readonly cause: unknown }).cause;
      if (batch.length > 0 && (paused || ended)) {
        const full = batch;
        batch = [];
        bytes = 0;
        // On with the next rows while these are looked at.
        if (paused) {
          paused = false;
          this.#client.resume();
        }
        yield full;
      } else if (ended) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }
}
