import type { Position } from "../domain/position.ts";
import type { BoundCursor } from "./cursor.ts";
import type { BoundColumn } from "./dialect.ts";
import type { Sql } from "./statement.ts";

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
   * How many of these values the column reaches (`value <= column`): a number expression from 0 to their number, NULL for NULL.
   * Values are ascending canonical texts without repetition, at most `rankLimit` of them.
   */
  rank(column: BoundColumn, values: readonly string[]): Sql;
  readonly rankLimit: number;
  /** A time column's position in microseconds (`zone` for naive readings), as an exact integer expression; NULL without a position. */
  micros(cursor: BoundCursor): Sql;
  /**
   * When the transaction that wrote a row committed: an expression over the bare table, an instant or NULL where the server has
   * forgotten it, and the question whether it keeps such times at all (one row: `on`, or how to switch it on). Null: not on this engine.
   */
  readonly commitTimestamp: { readonly expression: Sql; readonly kept: Sql } | null;
  /**
   * One row, one value: the oldest start of a transaction that may still commit rows stamped in the past, as a time with its offset;
   * NULL where there is none. Null: this engine does not say.
   */
  readonly oldestTransaction: Sql | null;
}
