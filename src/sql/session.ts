import type { TableInfo, TableName } from "../domain/table.ts";
import type { Dialect } from "./dialect.ts";
import type { Sql } from "./statement.ts";

/** A row as the server printed it: every value its exact text, or null for NULL. */
export type Row = readonly (string | null)[];

/** A statement with the purpose that errors and logs name it by ("checksum of a chunk"). */
export type Statement = { readonly what: string; readonly sql: Sql };

/**
 * One connection, set as the comparison needs it: UTC, UTF-8, plain number output, ISO dates, read-only at the server, a
 * statement timeout, an application name. Errors are `StatementError`, `ConnectError` or, after an abort, `InterruptedError`.
 */
export interface Session {
  /** All rows of a statement; for answers that are known to be small. */
  rows(statement: Statement): Promise<readonly Row[]>;
  /**
   * All rows as text, unread, in pieces as they come: a line a row, a tab between values, `\N` for NULL, and a backslash before what would
   * otherwise end a value or a line. Absent: this engine does not hand over rows like that.
   */
  lines?(statement: Statement): AsyncIterable<Buffer>;
  /** The rows in batches, with memory that does not grow. Leaving early ends the statement on the server. */
  stream(statement: Statement): AsyncIterable<readonly Row[]>;
}

/**
 * Sessions that all see one moment of the database (as far as the engine can: PostgreSQL exports its snapshot, MySQL starts
 * each a moment apart). `use` waits for an idle session, or opens one more while both limits allow; it never waits for
 * another snapshot, so that two of them cannot block each other.
 */
export interface Snapshot extends AsyncDisposable {
  readonly database: Database;
  use<T>(work: (session: Session) => Promise<T>): Promise<T>;
}

/** What the server says of itself. */
export type ServerFacts = {
  /** Engine id: `postgres`, `mysql`, `mariadb`, `sqlite`. */
  readonly engine: string;
  /** Engines whose printed forms and typed hashes agree share a family. */
  readonly family: string;
  readonly version: string;
  /** Hashes over a text that the server has, of those Tidemark knows. */
  readonly hashes: readonly TextHash[];
  /** Whether it says that it is a replica. */
  readonly replica: boolean;
};

export type TextHash = "sha256" | "md5";

/** A database behind one connection of the config, and at most `max_connections` sessions of it. */
export interface Database extends AsyncDisposable {
  /** The connection's name in the config. */
  readonly connection: string;
  readonly server: ServerFacts;
  readonly dialect: Dialect;
  /** Statements sent so far by all its sessions. */
  readonly statements: number;
  /** The table or view of that (qualified) name; `SchemaError` names the nearest ones where there is none or it may not be read. */
  describe(table: TableName): Promise<TableInfo>;
  /** One session of its own, without a snapshot. */
  use<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Takes one session at once (waiting for a free one) and up to `sessions` in all later. */
  snapshot(sessions: number): Promise<Snapshot>;
  /**
   * How far the server is behind the one that it is a replica of, in microseconds, as it says itself; null: it is none, it does not know
   * (its replication has stopped), or it does not tell us.
   */
  replicaLag(): Promise<bigint | null>;
}
