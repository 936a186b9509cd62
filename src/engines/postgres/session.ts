import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { InterruptedError } from "../../domain/errors.ts";
import type { Dialect } from "../../sql/dialect.ts";
import type { Row, Statement } from "../../sql/session.ts";
import { render } from "../../sql/statement.ts";
import type { PooledSession } from "../session-pool.ts";
import { CopyText } from "./copy-text.ts";
import { statementError } from "./failure.ts";

/** What a session needs of its database. */
export type SessionHost = {
  readonly connection: string;
  readonly dialect: Dialect;
  readonly signal: AbortSignal;
  /** Counts a statement. */
  sent(): void;
  /** Ends what these server processes run, by a connection of its own; resolves when the server has been told. */
  cancel(pids: readonly number[]): Promise<void>;
};

/** Every value exactly as the server printed it. */
const AS_PRINTED = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig;

/** One connection. After a failure of the connection itself it is broken and never used again. */
export class PostgresSession implements PooledSession {
  readonly client: pg.Client;
  readonly pid: number;
  readonly #host: SessionHost;
  #broken = false;
  #running = 0;
  /** Whether a transaction with a savepoint is open, which a failed statement goes back to. */
  #inSnapshot = false;

  constructor(client: pg.Client, pid: number, host: SessionHost) {
    this.client = client;
    this.pid = pid;
    this.#host = host;
    client.on("end", () => (this.#broken = true));
    client.on("error", () => (this.#broken = true));
  }

  get broken(): boolean {
    return this.#broken;
  }

  get busy(): boolean {
    return this.#running > 0;
  }

  async rows(statement: Statement): Promise<readonly Row[]> {
    const { dialect } = this.#host;
    const { text, values } = render(
      statement.sql,
      (id) => dialect.quote(id),
      (n) => dialect.placeholder(n),
    );
    return await this.#run(statement.what, text, async () => {
      const result = await this.client.query<(string | null)[]>({
        text,
        values: [...values],
        rowMode: "array",
        types: AS_PRINTED,
      });
      return result.rows;
    });
  }

  async *stream(statement: Statement): AsyncIterable<readonly Row[]> {
    const text = new CopyText();
    for await (const piece of this.#copied(statement)) {
      const rows = text.read(piece);
      if (rows.length > 0) yield rows;
    }
  }

  lines(statement: Statement): AsyncIterable<Buffer> {
    return this.#copied(statement);
  }

  /**
   * By COPY, which costs both ends a fraction of what rows of the ordinary protocol do. COPY takes no parameters: values go ahead into
   * settings of the session, which the statement reads. Only numbers, times, and lists without a sign that could end a literal become
   * part of its text: a setting would be looked up and read anew for each row that is compared with it.
   */
  async *#copied(statement: Statement): AsyncGenerator<Buffer> {
    const { dialect } = this.#host;
    const { values } = render(
      statement.sql,
      (id) => dialect.quote(id),
      (n) => dialect.placeholder(n),
    );
    const quote = (id: string): string => dialect.quote(id);
    const setting = (n: number): string => `current_setting('tidemark.p${n}')`;
    const given = values.map((value) => (value === null || PLAIN.test(value) ? null : value));
    const { text } = render(statement.sql, quote, setting);
    const { text: sent } = render(statement.sql, quote, (n) => {
      const value = values[n - 1] ?? null;
      return value === null ? "NULL" : PLAIN.test(value) ? `'${value}'` : setting(n);
    });
    if (given.some((value) => value !== null)) await this.#set(statement.what, text, given);
    const copy = await this.#run(statement.what, text, async () => {
      this.#running++;
      return this.client.query(copyTo(`COPY (${sent}) TO STDOUT`));
    });
    let ended = false;
    const done = new Promise<void>((resolve) => copy.once("close", resolve).once("error", () => resolve()));
    try {
      for await (const piece of copy.iterator({ destroyOnReturn: false })) {
        this.#refuseAborted();
        yield piece as Buffer;
      }
      ended = true;
    } catch (error) {
      ended = true;
      throw error instanceof InterruptedError ? error : await this.#failed(statement.what, text, error);
    } finally {
      if (!ended) await this.#leave(copy, done);
      this.#running--;
    }
  }

  /** Opens a read-only transaction whose snapshot is `imported`, or a new one. */
  async beginSnapshot(imported: string | null): Promise<void> {
    await this.#plain("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    // The snapshot's name comes from pg_export_snapshot() and is checked, since this statement takes no parameters.
    if (imported !== null && /^[0-9A-Fa-f-]+$/.test(imported))
      await this.#plain(`SET TRANSACTION SNAPSHOT '${imported}'`);
    else await this.#plain("SELECT 1");
  }

  /** What a failed statement goes back to. Once a snapshot is exported, because a subtransaction cannot export. */
  async holdSnapshot(): Promise<void> {
    await this.#plain("SAVEPOINT tidemark");
    this.#inSnapshot = true;
  }

  /** The snapshot's name for other sessions; null where the server does not export any (an old standby). */
  async exportSnapshot(): Promise<string | null> {
    try {
      const result = await this.client.query<string[]>({
        text: "SELECT pg_export_snapshot()",
        rowMode: "array",
        types: AS_PRINTED,
      });
      return result.rows[0]?.[0] ?? null;
    } catch (error) {
      if (this.#broken) throw await this.#failed("export of the snapshot", "SELECT pg_export_snapshot()", error);
      await this.#plain("ROLLBACK");
      await this.beginSnapshot(null);
      return null;
    }
  }

  async reset(): Promise<void> {
    this.#inSnapshot = false;
    if (this.#broken || this.client.getTransactionStatus() === "I") return;
    await this.client.query("ROLLBACK").catch(() => (this.#broken = true));
  }

  async close(): Promise<void> {
    this.#broken = true;
    await this.client.end().catch(() => {});
  }

  cut(): void {
    this.#broken = true;
    void this.client.end().catch(() => {});
  }

  async #plain(text: string): Promise<void> {
    await this.#run("start of a snapshot", text, async () => await this.client.query(text));
  }

  async #set(what: string, text: string, values: readonly (string | null)[]): Promise<void> {
    const given = values.flatMap((value, i) => (value === null ? [] : [{ value, n: i + 1 }]));
    const assignments = given.map(({ n }, i) => `set_config('tidemark.p${n}', $${i + 1}, false)`);
    await this.#run(what, text, async () => {
      await this.client.query({ text: `SELECT ${assignments.join(", ")}`, values: given.map(({ value }) => value) });
    });
  }

  async #run<T>(what: string, text: string, work: () => Promise<T>): Promise<T> {
    this.#refuseAborted();
    if (this.#broken) throw statementError(this.#host.connection, what, text, new Error("connection lost"));
    this.#host.sent();
    this.#running++;
    try {
      return await work();
    } catch (error) {
      throw await this.#failed(what, text, error);
    } finally {
      this.#running--;
    }
  }

  #refuseAborted(): void {
    if (this.#host.signal.aborted) throw new InterruptedError();
  }

  async #failed(what: string, text: string, cause: unknown): Promise<Error> {
    const error = statementError(this.#host.connection, what, text, cause);
    if (error.serverCode === null || /^(57P0|08)/.test(error.serverCode) || error.cause !== undefined)
      this.#broken = true;
    else if (this.#inSnapshot) await this.#backToSnapshot();
    return this.#host.signal.aborted ? new InterruptedError() : error;
  }

  /** The transaction only reads, so that going back to its start loses nothing, and the snapshot stays. */
  async #backToSnapshot(): Promise<void> {
    await this.client.query("ROLLBACK TO SAVEPOINT tidemark").catch(() => (this.#broken = true));
  }

  /** Ends a stream that nobody reads on. */
  async #leave(copy: NodeJS.ReadableStream, done: Promise<void>): Promise<void> {
    if (!this.#broken) {
      copy.resume();
      await this.#host.cancel([this.pid]).catch(() => this.cut());
    }
    await done;
    if (this.#inSnapshot && !this.#broken) await this.#backToSnapshot();
  }
}

/** A number or a time, digits and what stands between them; or a list in which no sign stands that is special in a literal. */
const PLAIN = /^[-0-9][-0-9 .:+]{0,40}(?: BC)?$|^\{[^'\\\0]*\}$/;
