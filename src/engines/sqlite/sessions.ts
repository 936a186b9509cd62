import { DatabaseSync, type SQLOutputValue, type StatementSync } from "node:sqlite";
import { InterruptedError, StatementError } from "../../domain/errors.ts";
import type { Row, Session, Statement } from "../../sql/session.ts";
import { render } from "../../sql/statement.ts";
import type { ConnectOptions } from "../engine.ts";
import { printed } from "./canonical.ts";
import { quote } from "./dialect.ts";
import { addFunctions } from "./functions.ts";

/** Rows of one batch of a stream: between batches others have their turn, and an abort is seen. */
const BATCH = 1000;

/** A session over a connection of its own, which whoever made it closes. */
export type SqliteSession = Session & { readonly db: DatabaseSync };

/** How a session's errors are to be understood, and what it counts. */
export type SessionOptions = Pick<ConnectOptions, "connection" | "statementTimeout" | "access" | "signal"> & {
  readonly path: string;
  readonly counted: () => void;
};

/**
 * Opens the file. Statements run on our own thread, so that nothing can stop one from outside: the signal is looked at between
 * statements and between a stream's batches, the time limit also by the functions that a long statement calls for each row.
 */
export function openSession(options: SessionOptions): SqliteSession {
  const db = new DatabaseSync(options.path, {
    timeout: 5000,
    readBigInts: true,
    returnArrays: true,
    readOnly: options.access === "read-only",
  });
  let until = Infinity;
  const late = (): boolean => performance.now() > until;
  addFunctions(db, () => {
    if (late()) throw new Late();
  });
  const start = (): void => {
    if (options.signal.aborted) throw new InterruptedError();
    options.counted();
    until = options.statementTimeout === null ? Infinity : performance.now() + options.statementTimeout;
  };
  const prepare = ({ sql }: Statement): readonly [StatementSync, readonly (string | null)[]] => {
    const { text, values } = render(sql, quote, () => "?");
    return [db.prepare(text), values];
  };
  return {
    db,
    async rows(statement) {
      start();
      try {
        const [prepared, values] = prepare(statement);
        return (prepared.all(...values) as unknown as SQLOutputValue[][]).map(asRow);
      } catch (error) {
        throw explain(error, statement, options);
      }
    },
    async *stream(statement) {
      start();
      try {
        const [prepared, values] = prepare(statement);
        let batch: Row[] = [];
        // Leaving the loop early resets the statement.
        for (const row of prepared.iterate(...values) as unknown as Iterable<SQLOutputValue[]>) {
          batch.push(asRow(row));
          if (batch.length < BATCH) continue;
          yield batch;
          batch = [];
          await new Promise((resolve) => setImmediate(resolve));
          if (options.signal.aborted) throw new InterruptedError();
          if (late()) throw new Late();
        }
        if (batch.length > 0) yield batch;
      } catch (error) {
        throw explain(error, statement, options);
      }
    },
  };
}

/** A statement took longer than it may. */
class Late extends Error {}

function asRow(row: readonly SQLOutputValue[]): Row {
  return row.map((x) => (x === null ? null : printed(x)));
}

/** The result codes of SQLite that say "again, later": https://www.sqlite.org/rescode.html */
const BUSY = 5;
const LOCKED = 6;

/** A failure of a statement as an error of ours; anything else as it is. */
export function explain(error: unknown, statement: Statement, options: SessionOptions): unknown {
  const { text } = render(statement.sql, quote, () => "?");
  const where = `${statement.what} on ${options.connection}`;
  if (error instanceof Late)
    return new StatementError(statement.what, `${where} took longer than ${(options.statementTimeout ?? 0) / 1000} s`, {
      sql: text,
      retryable: true,
      hint: "raise statement_timeout of the connection",
      cause: error,
    });
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return error;
  const code = error.errcode & 0xff;
  const busy = code === BUSY || code === LOCKED;
  return new StatementError(statement.what, `${where} failed: ${error.message}`, {
    sql: text,
    retryable: busy,
    serverCode: String(error.errcode),
    cause: error,
    ...(busy ? { hint: "another program is writing to the file; try again, or switch the database to WAL" } : {}),
  });
}
