import type { Position } from "../domain/position.ts";
import type { BoundCursor } from "./cursor.ts";
import type { BoundColumn } from "./dialect.ts";
import { raw, type Sql } from "./statement.ts";

/** A span of time that the server computes for many rows: in whatever it computes, compares and orders at the least cost. */
export type Lag = {
  /** The span of a row. */
  readonly span: Sql;
  /** A span as microseconds, an integer: to be asked of groups rather than of rows, since it may cost more than the span. */
  micros(span: Sql): Sql;
  /** So many microseconds, as what spans are compared with. */
  of(micros: bigint): Sql;
};

/** Spans that are microseconds already. */
export function lagInMicros(span: Sql): Lag {
  return { span, micros: (each) => each, of: (micros) => raw(String(micros)) };
}

/** What one engine says differently when clocks, profiles and logs are read (not when tables are compared). */
export interface FactsDialect {
  /**
   * The first and the last reading of a date or time column that has a place on an axis, in microseconds as if UTC: what may be sent
   * to the server as a bound. Infinities and zero dates lie beyond it.
   */
  reach(column: BoundColumn): { readonly least: Position; readonly most: Position };
  /** True for a decimal or double that is neither infinite nor NaN (nor NULL); null: the column cannot hold these. */
  isNumber(column: BoundColumn): Sql | null;
  /**
   * How many of these values an expression reaches (`value <= expression`): a number from 0 to their number, NULL for NULL.
   * `expression` is the ordered form of `column`; values are ascending canonical texts without repetition, at most `rankLimit` of the column.
   */
  rank(expression: Sql, column: BoundColumn, values: readonly string[]): Sql;
  rankLimit(column: BoundColumn): number;
  /** Whether counting some hundred ranges of an index costs less than grouping its rows once. */
  readonly countsByRange: boolean;
  /**
   * Counts the rows of each stretch from one value (included) to the next, each by itself along an index that begins with the column:
   * rows of the stretch's number (from 1) and its count, as text; stretches without rows may be left out. `values` as for `rank`;
   * `rows`: `FROM table WHERE condition`. Null: the engine has no such statement that its index serves.
   */
  readonly countStretches: ((column: BoundColumn, values: readonly string[], rows: Sql) => Sql) | null;
  /**
   * Written behind a table and its alias: about this share of its rows (0 < share < 1), the same ones whenever it is asked, for about
   * that share of the cost. They come in whole pages. Null: the server reads all rows to choose some.
   */
  readonly sample: ((share: number) => Sql) | null;
  /** Ends a derived table whose expressions are to be computed once a row, however often the outer query names them; may be nothing. */
  readonly fence: Sql;
  /**
   * How long after the other one of a row's two times lies (naive times read in their `zone`): exact between the years 1700 and 2200.
   * NULL where either has no position.
   */
  lag(later: BoundCursor, earlier: BoundCursor): Lag;
  /**
   * When the transaction that wrote a row committed: an expression over the bare table, an instant or NULL where the server has
   * forgotten it; the same as text with its offset; and the question whether it keeps such times at all (one row: `on`, or how to
   * switch it on). Where it does not, the expressions fail. Null: not on this engine.
   */
  readonly commitTimestamp: { readonly expression: Sql; readonly text: Sql; readonly kept: Sql } | null;
  /**
   * One row: the oldest start of a transaction in this database that may still commit rows stamped in the past, as a time with its
   * offset (NULL: there is none); and `1` where we may see everybody's transactions, else `0`. Null: this engine does not say.
   */
  readonly oldestTransaction: Sql | null;
  /**
   * Replication slots. `slot`: a row where there is one of that name: `1` if it is read right now else `0`, `wal_status`, why it was
   * invalidated, bytes kept for it, bytes not confirmed, microseconds that nobody has read it, bytes until it is lost. `written`: one
   * row, the bytes of log written so far. Null: this engine has none.
   */
  readonly slots: { slot(name: string): Sql; readonly written: Sql } | null;
  /** Binary logs. `settings`: rows of a variable's name and value; `files`: a row a file, its name first, the oldest first. Null: none here. */
  readonly binaryLogs: { readonly settings: Sql; readonly files: Sql } | null;
}
