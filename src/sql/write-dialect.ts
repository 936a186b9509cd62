import type { StatementError } from "../domain/errors.ts";
import type { ColumnInfo, TableInfo } from "../domain/table.ts";
import type { Sql } from "./statement.ts";

/**
 * How a value on its way into a target column is written. `text`: a text of the column's own kind (`targetText`). `image`: what
 * `WriteDialect.image` printed of a column of that very type, which says any value of any type without loss.
 */
export type WriteForm = "text" | "image";

/**
 * The temporary table that the rows of a batch are staged in. Per row: the operation (`tidemark_operation`), for an update the images of
 * the key as the target holds it (`tidemark_key_0` …), and the values (`tidemark_value_0` …); all of the target columns' own types, all
 * nullable.
 */
export type StageShape = {
  readonly table: TableInfo;
  readonly key: readonly ColumnInfo[];
  /** Columns whose values are staged, in order, and in which form they come. */
  readonly columns: readonly ColumnInfo[];
  readonly form: WriteForm;
};

/** What a staged row is for. */
export type StageOperation = "insert" | "update";

/** Names of the stage and its columns. */
export const STAGE = "tidemark_stage";
export const OPERATION = "tidemark_operation";
export const keyName = (n: number): string => `tidemark_key_${n}`;
export const valueName = (n: number): string => `tidemark_value_${n}`;

/** What one engine says differently when it is written to. Writes SQL and classifies errors, nothing else. */
export interface WriteDialect {
  /** The exact text of a column of any type, NULL for NULL: staged in form `image`, it gives the same value. */
  image(column: ColumnInfo): Sql;
  /**
   * A text by which the server itself tells two states of a row apart, made of these columns; equal states have equal ones for as long as
   * the server keeps its way of hashing. Null: it has none for them.
   */
  fingerprint(columns: readonly ColumnInfo[]): Sql | null;
  /** Behind a SELECT: locks its rows until the transaction ends; nothing where the transaction locks the whole database. */
  readonly lockRows: Sql;
  /** Makes the stage, in place of the one that may be there; run outside of any transaction. */
  makeStage(shape: StageShape): readonly Sql[];
  /** Inserts the rows staged for that. Fails where any unique key is taken: no other row of the target is ever touched. */
  insertStaged(shape: StageShape, facts: Pick<WriteFacts, "alwaysGenerated">): Sql;
  /**
   * Sets the columns of `shape` that are no part of its key in the rows whose key is staged for an update. Columns that the server would
   * touch by itself (`facts.touched`) and that are not staged keep their value. Null: nothing is to be set.
   */
  updateStaged(shape: StageShape, facts: Pick<WriteFacts, "touched">): Sql | null;
  /** What the server makes of a failure: `data`: a row itself is refused; `again`: it may well succeed; `fatal`: neither. */
  classify(error: StatementError): Failing;
}

export type Failing = "data" | "again" | "fatal";

/** What a table's server says about writing to it. */
export type WriteFacts = {
  /** Privileges that the user lacks for this table, each with the statement that grants it. */
  readonly lacking: readonly {
    readonly privilege: "INSERT" | "UPDATE" | "DELETE" | "TEMPORARY";
    readonly cure: string;
  }[];
  /** Identity columns that take a value only when they are overridden. */
  readonly alwaysGenerated: readonly string[];
  /** Columns that the server sets by itself whenever a row is updated. */
  readonly touched: readonly string[];
  /** Why its changes cannot be rolled back; null: they can. */
  readonly notTransactional: string | null;
  /** Foreign keys of other tables whose rows go, or change, when a row here is deleted. */
  readonly cascades: readonly string[];
  /** Why the server takes no writes at all (a replica, a read-only file); null: it does. */
  readonly readOnly: string | null;
  /** Replicas that are connected to the server without its knowing how far they are behind. */
  readonly replicas: number;
};
