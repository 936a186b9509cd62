import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { from as copyFrom } from "pg-copy-streams";
import type { StatementError } from "../../domain/errors.ts";
import type { ColumnInfo, TableInfo } from "../../domain/table.ts";
import type { Row, ServerFacts, Statement } from "../../sql/session.ts";
import { name, raw, render, sql, value } from "../../sql/statement.ts";
import { STAGE, type StageShape, type WriteFacts } from "../../sql/write-dialect.ts";
import { INSERTING, type Passage, type StagedRow, type Writer, STAGING } from "../../sql/writer.ts";
import type { ConnectOptions } from "../engine.ts";
import { SessionWriter } from "../session-writer.ts";
import { openClient } from "./client.ts";
import { postgresDialect, quoteIdentifier } from "./dialect.ts";
import { isSqlState, statementError } from "./failure.ts";
import type { Location } from "./location.ts";
import { PostgresSession } from "./session.ts";
import { postgresWrites } from "./write-dialect.ts";
import { writeFacts } from "./write-facts.ts";

/** How long a batch waits for a row that somebody else has locked, before it is tried again. */
const LOCK_TIMEOUT = "30s";

/** A connection of its own that may write. It takes no notice of `options.signal` once it is open. */
export async function openWriter(options: ConnectOptions, location: Location): Promise<Writer> {
  const { signal } = new AbortController();
  const { client, greeting } = await openClient({ ...options, access: "read-write", signal }, location);
  const dialect = postgresDialect({ version: greeting.version, utf8: greeting.encoding === "UTF8" });
  const session = new PostgresSession(client, greeting.pid, {
    connection: options.connection,
    dialect,
    signal,
    sent: () => {},
    // Streams of a writer are read to their end.
    cancel: async () => {},
  });
  const { version, versionText, replica } = { ...greeting };
  const server: ServerFacts = {
    engine: "postgres",
    family: "postgres",
    version: versionText,
    hashes: version >= 110000 ? ["sha256", "md5"] : ["md5"],
    replica,
  };
  await session.rows({ what: "lock timeout", sql: raw(`SET lock_timeout = '${LOCK_TIMEOUT}'`) });
  // A batch's rows are few and have the unique index of their key, however large the table has grown since it was analyzed.
  for (const way of ["seqscan", "hashjoin", "mergejoin"])
    await session.rows({ what: "reading by index", sql: raw(`SET enable_${way} = off`) });
  return new PostgresWriter({
    connection: options.connection,
    server,
    dialect,
    write: postgresWrites({ version, utf8: greeting.encoding === "UTF8" }),
    session,
  });
}

class PostgresWriter extends SessionWriter<PostgresSession> {
  readonly takesLines = true;

  lines(statement: Statement): AsyncIterable<Buffer> {
    return this.session.lines(statement);
  }

  async facts(table: TableInfo, columns: readonly ColumnInfo[], deletes: boolean): Promise<WriteFacts> {
    return await writeFacts(this.session, table, columns, deletes);
  }

  async lock(lock: string): Promise<boolean> {
    const key = createHash("sha256").update(lock).digest().readBigInt64BE(0);
    const [row] = await this.rows({
      what: "lock of the repair",
      sql: sql`SELECT pg_try_advisory_lock(CAST(${value(key.toString())} AS bigint))::text`,
    });
    return row?.[0] === "true";
  }

  async begin(): Promise<void> {
    await this.rows({ what: "start of a batch", sql: raw("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE") });
  }

  async load(rows: readonly StagedRow[]): Promise<void> {
    const { key } = this.staged;
    const noKey = key.map(() => "\\N\t").join("");
    const values = this.#line();
    await this.#copy(
      STAGING,
      `COPY pg_temp.${STAGE} FROM STDIN`,
      pieces(
        rows,
        (row) =>
          `${row.operation}\t${row.key === null ? noKey : row.key.map((k) => `${field(k)}\t`).join("")}${values(row.values)}\n`,
      ),
      `TRUNCATE pg_temp.${STAGE}`,
    );
  }

  async insert(passage: Passage, meanwhile: () => void): Promise<void> {
    const { table, columns } = this.staged;
    const into = render(
      sql`COPY ${this.dialect.table(table)} (${columns.map((c) => name(c.name))}) FROM STDIN`,
      quoteIdentifier,
      () => "",
    ).text;
    const values = this.#line();
    await this.#copy(
      INSERTING,
      into,
      followed<string | Buffer>(
        "lines" in passage ? [passage.lines] : pieces(passage.rows, (row) => `${values(row)}\n`),
        meanwhile,
      ),
      null,
    );
  }

  async replicaLag(): Promise<bigint | null> {
    const [row] = await this.rows({
      what: "lag of replicas",
      sql: raw("SELECT (max(extract(epoch FROM replay_lag)) * 1000000)::bigint::text FROM pg_stat_replication"),
    });
    return row?.[0] === null || row?.[0] === undefined ? null : BigInt(row[0]);
  }

  /** How values stand in a line. */
  #line(): (values: Row) => string {
    const { columns, form } = this.staged;
    const byForm = columns.map((c) => fieldOf(c, form));
    return (values) => values.map((v, i) => byForm[i]?.(v) ?? field(v)).join("\t");
  }

  async #copy(what: string, copy: string, lines: Iterable<string | Buffer>, before: string | null): Promise<void> {
    if (this.broken) throw this.#failed(what, copy, new Error("connection lost"));
    try {
      if (before !== null) await this.session.client.query(before);
      await pipeline(Readable.from(lines), this.session.client.query(copyFrom(copy)));
    } catch (error) {
      throw this.#failed(what, copy, error);
    }
  }

  #failed(what: string, text: string, cause: unknown): StatementError {
    const error = statementError(this.connection, what, text, cause);
    if (error.serverCode === null || /^(57P0|08)/.test(error.serverCode) || !isSqlState(error.serverCode))
      this.session.cut();
    return error;
  }
}

/** Pieces of some size: a piece a row would cost more than the rows. */
function* pieces<T>(rows: readonly T[], lineOf: (row: T) => string): Iterable<string> {
  let piece = "";
  for (const row of rows) {
    piece += lineOf(row);
    if (piece.length < 1 << 16) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

/** Pieces, and a call once the last of them is taken. */
function* followed<T>(all: Iterable<T>, then: () => void): Iterable<T> {
  yield* all;
  then();
}

function fieldOf(column: ColumnInfo, form: StageShape["form"]): (text: string | null) => string {
  // Canonical bytes are bare hex, the server's own print is not.
  if (form === "text" && column.kind.kind === "bytes") return (text) => (text === null ? "\\N" : `\\\\x${text}`);
  return field;
}

/** A value in the text format of COPY. */
function field(text: string | null): string {
  if (text === null) return "\\N";
  return /[\\\t\n\r]/.test(text) ? text.replaceAll(/[\\\t\n\r]/g, (c) => ESCAPES[c] ?? c) : text;
}

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };
