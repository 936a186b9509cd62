import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { from as copyFrom } from "pg-copy-streams";
import { InvariantError, type StatementError } from "../../domain/errors.ts";
import type { ColumnInfo, TableInfo } from "../../domain/table.ts";
import type { Dialect } from "../../sql/dialect.ts";
import type { Row, ServerFacts, Statement } from "../../sql/session.ts";
import { raw, sql, value } from "../../sql/statement.ts";
import { STAGE, type StageShape, type WriteFacts } from "../../sql/write-dialect.ts";
import type { StagedRow, Writer } from "../../sql/writer.ts";
import type { ConnectOptions } from "../engine.ts";
import { openClient } from "./client.ts";
import { postgresDialect } from "./dialect.ts";
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
  return new PostgresWriter(options.connection, server, dialect, session);
}

class PostgresWriter implements Writer {
  readonly connection: string;
  readonly server: ServerFacts;
  readonly dialect: Dialect;
  readonly write = postgresWrites;
  readonly #session: PostgresSession;
  #shape: StageShape | null = null;

  constructor(connection: string, server: ServerFacts, dialect: Dialect, session: PostgresSession) {
    this.connection = connection;
    this.server = server;
    this.dialect = dialect;
    this.#session = session;
  }

  get broken(): boolean {
    return this.#session.broken;
  }

  rows(statement: Statement): Promise<readonly Row[]> {
    return this.#session.rows(statement);
  }

  stream(statement: Statement): AsyncIterable<readonly Row[]> {
    return this.#session.stream(statement);
  }

  async facts(table: TableInfo, columns: readonly ColumnInfo[], deletes: boolean): Promise<WriteFacts> {
    return await writeFacts(this.#session, table, columns, deletes);
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

  async commit(): Promise<void> {
    await this.rows({ what: "commit of a batch", sql: raw("COMMIT") });
  }

  async rollback(): Promise<void> {
    await this.#session.reset();
  }

  async stage(shape: StageShape): Promise<void> {
    for (const statement of this.write.makeStage(shape)) await this.rows({ what: "staging table", sql: statement });
    this.#shape = shape;
  }

  async load(rows: readonly StagedRow[]): Promise<void> {
    const { key, columns } = this.#staged();
    const copy = `COPY pg_temp.${STAGE} FROM STDIN`;
    if (this.broken) throw this.#failed(copy, new Error("connection lost"));
    const byForm = columns.map((c) => fieldOf(c, this.#staged().form));
    const noKey = key.map(() => "\\N\t").join("");
    try {
      await this.#session.client.query(`TRUNCATE pg_temp.${STAGE}`);
      await pipeline(
        Readable.from(
          lines(
            rows,
            (row) =>
              `${row.operation}\t${row.key === null ? noKey : row.key.map((k) => `${field(k)}\t`).join("")}${row.values.map((v, i) => byForm[i]?.(v) ?? field(v)).join("\t")}\n`,
          ),
        ),
        this.#session.client.query(copyFrom(copy)),
      );
    } catch (error) {
      throw this.#failed(copy, error);
    }
  }

  async replicaLag(): Promise<bigint | null> {
    const [row] = await this.rows({
      what: "lag of replicas",
      sql: raw("SELECT (max(extract(epoch FROM replay_lag)) * 1000000)::bigint::text FROM pg_stat_replication"),
    });
    return row?.[0] === null || row?.[0] === undefined ? null : BigInt(row[0]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session.close();
  }

  #staged(): StageShape {
    if (this.#shape === null) throw new InvariantError("the stage is made before it is filled");
    return this.#shape;
  }

  #failed(text: string, cause: unknown): StatementError {
    const error = statementError(this.connection, "staging of rows", text, cause);
    if (error.serverCode === null || /^(57P0|08)/.test(error.serverCode) || !isSqlState(error.serverCode))
      this.#session.cut();
    return error;
  }
}

/** Pieces of some size: a piece a row would cost more than the rows. */
function* lines(rows: readonly StagedRow[], lineOf: (row: StagedRow) => string): Iterable<string> {
  let piece = "";
  for (const row of rows) {
    piece += lineOf(row);
    if (piece.length < 1 << 16) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
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
