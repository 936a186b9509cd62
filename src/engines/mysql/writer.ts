import { createHash } from "node:crypto";
import { InvariantError, StatementError } from "../../domain/errors.ts";
import type { ColumnInfo, TableInfo } from "../../domain/table.ts";
import type { ServerFacts } from "../../sql/session.ts";
import { name, raw, render, type Sql, sql, value } from "../../sql/statement.ts";
import { keyName, OPERATION, valueName, type WriteFacts } from "../../sql/write-dialect.ts";
import { INSERTING, type Passage, type StagedRow, type Writer, STAGING } from "../../sql/writer.ts";
import type { ConnectOptions } from "../engine.ts";
import { SessionWriter, type WriterParts } from "../session-writer.ts";
import { greet, openClient, orClosed, query } from "./client.ts";
import { mysqlDialect, quoteName } from "./dialect.ts";
import type { Flavour } from "./flavour.ts";
import type { Location } from "./location.ts";
import { MysqlSession } from "./session.ts";
import { mysqlWrites, stageOf, tableName } from "./write-dialect.ts";
import { writeFacts } from "./write-facts.ts";
import { writeLiteral } from "./write-literal.ts";

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
  const { hashes, replica, packet } = await orClosed(client, options.connection, location, async () => {
    // A key of 0 is a key; what a value does not fit is refused.
    await query(
      client,
      "SET SESSION sql_mode = 'STRICT_TRANS_TABLES,STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,NO_AUTO_VALUE_ON_ZERO'",
    );
    const [row] = await query(client, "SELECT @@max_allowed_packet");
    return { ...(await greet(client, flavour, version)), packet: Number(row?.[0] ?? STATEMENT_BYTES) };
  });
  const session = new MysqlSession(client, id, {
    connection: options.connection,
    signal,
    sent: () => {},
    kill: async () => {},
  });
  const server: ServerFacts = { engine: flavour.id, family: "mysql", version: version.text, hashes, replica };
  return new MysqlWriter(
    { connection: options.connection, server, dialect, write: mysqlWrites(dialect, hashes), session },
    packet,
  );
}

class MysqlWriter extends SessionWriter<MysqlSession> {
  readonly takesLines = false;
  /** Bytes that the server takes at most in one statement. */
  readonly #packet: number;

  constructor(parts: WriterParts<MysqlSession>, packet: number) {
    super(parts);
    this.#packet = packet;
  }

  async facts(table: TableInfo, columns: readonly ColumnInfo[], deletes: boolean): Promise<WriteFacts> {
    return await writeFacts(this.session, table, columns, deletes);
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

  async load(rows: readonly StagedRow[]): Promise<void> {
    const { table, key, columns, form } = this.staged;
    const names = [
      name(OPERATION),
      ...key.map((_, i) => name(keyName(i))),
      ...columns.map((_, i) => name(valueName(i))),
    ];
    const keys = key.map((c) => writeLiteral(c, "image"));
    const values = columns.map((c) => writeLiteral(c, form));
    await this.#send(STAGING, `DELETE FROM ${text(stageOf(table))}`);
    await this.#fill(STAGING, stageOf(table), names, rows, ({ operation, key: k, values: v }) => {
      const parts = [
        ...keys.map((write, i) => write(k?.[i] ?? null)),
        ...values.map((write, i) => write(v[i] ?? null)),
      ];
      return `('${operation}',${parts.join(",")})`;
    });
  }

  async insert(passage: Passage, meanwhile: () => void): Promise<void> {
    if ("lines" in passage) throw new InvariantError("this server is not handed lines");
    const { table, columns, form } = this.staged;
    const values = columns.map((c) => writeLiteral(c, form));
    const names = columns.map((c) => name(c.name));
    await this.#fill(
      INSERTING,
      tableName(table),
      names,
      passage.rows,
      (row) => `(${values.map((write, i) => write(row[i] ?? null)).join(",")})`,
      meanwhile,
    );
  }

  /** A primary does not know how far its replicas are: they themselves have to be asked. */
  async replicaLag(): Promise<bigint | null> {
    return await Promise.resolve(null);
  }

  async #send(what: string, statement: string): Promise<void> {
    await this.rows({ what, sql: raw(statement) });
  }

  /** By INSERTs of many rows; the next one is written while the server is busy with the last. */
  async #fill<T>(
    what: string,
    into: Sql,
    names: readonly Sql[],
    rows: readonly T[],
    tupleOf: (row: T) => string,
    meanwhile: () => void = () => {},
  ): Promise<void> {
    const head = `INSERT INTO ${text(into)} (${text(sql`${names}`)}) VALUES `;
    // What is not plain ASCII is written in hex, so that a character is a byte.
    const most = Math.min(STATEMENT_BYTES, this.#packet - 1024);
    let statement = "";
    let sent: Promise<void> = Promise.resolve();
    const send = async (): Promise<void> => {
      await sent;
      sent = this.#send(what, statement);
      // Its failure is told by whoever waits for it, and that may be later.
      sent.catch(() => {});
      statement = "";
    };
    for (const row of rows) {
      const written = tupleOf(row);
      if (head.length + written.length >= this.#packet) {
        await sent;
        throw this.#tooLong(what, head);
      }
      if (statement !== "" && statement.length + written.length + 1 > most) await send();
      statement += statement === "" ? head + written : `,${written}`;
    }
    if (statement !== "") await send();
    meanwhile();
    await sent;
  }

  #tooLong(what: string, head: string): StatementError {
    return new StatementError(
      what,
      `connection ${this.connection}: ${what} failed: a row is longer than max_allowed_packet`,
      { sql: head, serverCode: PACKET_TOO_LARGE, hint: "raise max_allowed_packet on the server" },
    );
  }
}

const text = (statement: Sql): string => render(statement, quoteName, () => "?").text;
