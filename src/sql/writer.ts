import type { ColumnInfo, TableInfo } from "../domain/table.ts";
import type { Dialect } from "./dialect.ts";
import type { Row, ServerFacts, Session } from "./session.ts";
import type { StageOperation, StageShape, WriteDialect, WriteFacts } from "./write-dialect.ts";

/** A row for the stage. `key`: images of the key as the target holds it, for an update; null for an insert. */
export type StagedRow = { readonly operation: StageOperation; readonly key: Row | null; readonly values: Row };

/** What errors call rows on their way to the stage, and those that go straight into the table. */
export const STAGING = "staging of rows";
export const INSERTING = "insert of rows";

/** Rows on their way from table to table: lines as `Session.lines` gives them, or values as text (`targetText`). */
export type Passage = { readonly lines: Buffer } | { readonly rows: readonly Row[] };

/**
 * One connection that may write, kept for the whole of a repair: it holds the repair's lock, its stage and, one after the other, its
 * transactions. It does not listen to Ctrl-C: a batch that has begun is finished. After a failure of the connection itself it is
 * `broken`, its lock is gone and its transaction is rolled back; then another one is opened. Errors are `StatementError`
 * (see `write.classify`).
 */
export interface Writer extends Session, AsyncDisposable {
  readonly connection: string;
  readonly server: ServerFacts;
  readonly dialect: Dialect;
  readonly write: WriteDialect;
  readonly broken: boolean;
  /** What the server says about writing these columns of the table. `deletes`: whether rows are to be deleted, too. Changes nothing. */
  facts(table: TableInfo, columns: readonly ColumnInfo[], deletes: boolean): Promise<WriteFacts>;
  /** Takes the lock of that name in this database until the writer is disposed of; false: somebody else holds it. Writes nothing. */
  lock(name: string): Promise<boolean>;
  begin(): Promise<void>;
  /** After a failure of the connection one cannot know whether it was done. */
  commit(): Promise<void>;
  /** Never fails: where the connection is gone, so is the transaction. */
  rollback(): Promise<void>;
  /** Makes the stage; outside of a transaction. */
  stage(shape: StageShape): Promise<void>;
  /** Empties the stage and fills it with these rows, within a transaction. An error of data may speak of any of them. */
  load(rows: readonly StagedRow[]): Promise<void>;
  /** Whether `insert` takes lines. */
  readonly takesLines: boolean;
  /**
   * Inserts rows into the table of the stage itself, within a transaction; their values are those of the stage's columns, in its order.
   * Fails where any unique key is taken. `meanwhile` is called once, when all are on their way and the server is busy with them.
   */
  insert(rows: Passage, meanwhile: () => void): Promise<void>;
  /** How far the replica that lags most is behind, in microseconds, as this server knows it; null: there is none, or it does not show it. */
  replicaLag(): Promise<bigint | null>;
}
