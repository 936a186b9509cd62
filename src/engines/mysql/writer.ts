import { createHash } from "node:crypto";
import { InvariantError, StatementError } from "../../domain/errors.ts";
import type { ColumnInfo, TableInfo } from "../../domain/table.ts";
import type { Dialect } from "../../sql/dialect.ts";
import type { Row, ServerFacts, Statement } from "../../sql/session.ts";
import { name, raw, render, sql, value } from "../../sql/statement.ts";
import {
  keyName,
  OPERATION,
  type StageShape,
  valueName,
  type WriteDialect,
  type WriteFacts,
} from "../../sql/write-dialect.ts";
import type { StagedRow, Writer } from "../../sql/writer.ts";
import type { ConnectOptions } from "../engine.ts";
import { hashesOf, isReplica, openClient, query } from "./client.ts";
import { mysqlDialect, quoteName } from "./dialect.ts";
import type { Flavour } from "./flavour.ts";
import type { Location } from "./location.ts";
import { MysqlSession } from "./session.ts";
import { mysqlWrites, stageOf } from "./write-dialect.ts";
import { writeFacts } from "./write-facts.ts";
import { type WriteLiteral, writeLiteral } from "./write-literal.ts";

/** Bytes of one INSERT, as far as the server takes that many; a longer row goes alone. */
const STATEMENT_BYTES = 1 << 20;

/** The server's number for a packet that is too large. */
const PACKET_TOO_LARGE = "1153";

/** A connection of its own that may write. It takes no notice of `options.signal` once it is open. */
export async function openWriter(
  options: ConnectOptions,
  location: Location,
  flavours: readonly Flavour[],
): Promise<Writer> {
  const { signal } = new AbortController();
  const { client, id, flavour, version } = await openClient(
    { ...options, access: "read-write", signal },
    location,
    flavours,
  );
  const dialect = mysqlDialect({
    id: flavour.id,
    exact: flavour.exactCollation(version),
    printDouble: flavour.printDouble,
  });
  const hashes = await hashesOf(client, flavour.hashes);
  const replica = await isReplica(client, flavour, version);
  // A key of 0 is a key; what a value does not fit is refused.
  await query(
    client,
    "SET SESSION sql_mode = 'STRICT_TRANS_TABLES,STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,NO_AUTO_VALUE_ON_ZERO'",
  );
  const [row] = await query(client, "SELECT @@max_allowed_packet");
  const session = new MysqlSession(client, id, {
    connection: options.connection,
    signal,
    sent: () => {},
    kill: async () => {},
  });
  const server: ServerFacts = { engine: flavour.id, family: "mysql", version: version.text, hashes, replica };
  return new MysqlWriter({
    connection: options.connection,
    server,
    dialect,
    write: mysqlWrites((column) => dialect.printed(column)),
    session,
    packet: Number(row?.[0] ?? STATEMENT_BYTES),
  });
}

type Parts = {
  readonly connection: string;
  readonly server: ServerFacts;
  readonly dialect: Dialect;
  readonly write: WriteDialect;
  readonly session: MysqlSession;
  /** Bytes that the server takes at most in one statement. */
  readonly packet: number;
};

class MysqlWriter implements Writer {
  readonly connection: string;
  readonly server: ServerFacts;
  readonly dialect: Dialect;
  readonly write: WriteDialect;
  readonly #session: MysqlSession;
  readonly #packet: number;
  #shape: StageShape | null = null;

  constructor(parts: Parts) {
    this.connection = parts.connection;
    this.server = parts.server;
    this.dialect = parts.dialect;
    this.write = parts.write;
    this.#session = parts.session;
    this.#packet = parts.packet;
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
    // Names of locks hold 64 characters, and are shared by all databases of the server: so the database goes in.
    const digest = createHash("sha256").update(lock).digest("hex").slice(0, 32);
    const [row] = await this.rows({
      what: "lock of the repair",
      sql: sql`SELECT GET_LOCK(CONCAT('tidemark ', ${value(digest)}), 0)`,
    });
    return row?.[0] === "1";
  }

  async begin(): Promise<void> {
    await this.rows({ what: "start of a batch", sql: raw("START TRANSACTION READ WRITE") });
  }

  async commit(): Promise<void> {
    await this.rows({ what: "commit of a batch", sql: raw("COMMIT") });
  }

  async rollback(): Promise<void> {
    if (!this.broken) await this.#session.run("ROLLBACK").catch(() => this.#session.cut());
  }

  async stage(shape: StageShape): Promise<void> {
    for (const statement of this.write.makeStage(shape)) await this.rows({ what: "staging table", sql: statement });
    this.#shape = shape;
  }

  async load(rows: readonly StagedRow[]): Promise<void> {
    const shape = this.#shape;
    if (shape === null) throw new InvariantError("the stage is made before it is filled");
    const { table, key, columns, form } = shape;
    const text = (statement: Parameters<typeof render>[0]): string => render(statement, quoteName, () => "?").text;
    const into = `INSERT INTO ${text(stageOf(table))} (${text(sql`${[name(OPERATION), ...key.map((_, i) => name(keyName(i))), ...columns.map((_, i) => name(valueName(i)))]}`)}) VALUES `;
    const keys = key.map((c) => writeLiteral(c, "image"));
    const values = columns.map((c) => writeLiteral(c, form));
    const send = async (statement: string): Promise<void> => {
      await this.rows({ what: "staging of rows", sql: raw(statement) });
    };
    await send(`DELETE FROM ${text(stageOf(table))}`);
    // What is not plain ASCII is written in hex, so that a character is a byte.
    const most = Math.min(STATEMENT_BYTES, this.#packet - 1024);
    let statement = "";
    for (const row of rows) {
      const written = tuple(row, keys, values);
      if (into.length + written.length >= this.#packet)
        throw new StatementError(
          "staging of rows",
          `connection ${this.connection}: staging of rows failed: a row is longer than max_allowed_packet`,
          {
            sql: into,
            serverCode: PACKET_TOO_LARGE,
            hint: "raise max_allowed_packet on the server",
          },
        );
      if (statement !== "" && statement.length + written.length + 1 > most) {
        await send(statement);
        statement = "";
      }
      statement += statement === "" ? into + written : `,${written}`;
    }
    if (statement !== "") await send(statement);
  }

  /** A primary does not say how far its replicas are. */
  async replicaLag(): Promise<bigint | null> {
    return await Promise.resolve(null);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session.close();
  }
}

function tuple(
  { operation, key, values }: StagedRow,
  keys: readonly WriteLiteral[],
  columns: readonly WriteLiteral[],
): string {
  const k = keys.map((write, i) => write(key?.[i] ?? null));
  const v = columns.map((write, i) => write(values[i] ?? null));
  return `('${operation}',${[...k, ...v].join(",")})`;
}
