import type { AgreedKind } from "../domain/kind.ts";
import type { ColumnInfo, TableInfo } from "../domain/table.ts";
import type { FactsDialect } from "./facts-dialect.ts";
import type { TextHash } from "./session.ts";
import type { Sql } from "./statement.ts";

/** A column of one side in a statement: what it is there, and what it is brought to. */
export type BoundColumn = {
  readonly info: ColumnInfo;
  readonly as: AgreedKind;
  /** The zone of naive readings where the pair is compared as instants; `UTC` otherwise. */
  readonly zone: string;
  /** How a finer value is brought to the agreed precision. */
  readonly rounding: "cut" | "round";
};

/** A column's text in a row text: `plain` texts hold neither a comma nor `N` and need no length. */
export type TextPiece = { readonly text: Sql; readonly plain: boolean; readonly nullable: boolean };

/** The ways to compare with a bound. */
export type Comparison = "<" | "<=" | ">" | ">=" | "=";

/**
 * What one engine says differently. All of these write SQL and nothing else; every engine that passes the contract suite
 * (`test/engines/contract.ts`) gives the same digests for the same rows.
 */
export interface Dialect {
  /** Engine id, for messages. */
  readonly id: string;
  quote(identifier: string): string;
  placeholder(n: number): string;
  /** `schema.table` as this engine writes it. */
  table(table: TableInfo): Sql;

  /**
   * The canonical text of a column (`AgreedKind`'s table), NULL for NULL. `json` and `other` print as the engine does.
   * Null: this engine cannot say it in SQL; then the printed form is fetched and `compare/reference.ts` brings it to the text.
   */
  text(column: BoundColumn): Sql | null;
  /** The column as the server prints it, as text. */
  printed(column: ColumnInfo): Sql;

  /**
   * One text for a row, different for different rows: NULL is `N`, a plain text ends in a comma, any other text is preceded by
   * its length in bytes and a colon (the reference is `compare/reference.ts`).
   */
  rowText(pieces: readonly TextPiece[]): Sql;
  /** The first 64 bits of a hash over a text's UTF-8 bytes, as a number of either sign. */
  hash(algorithm: TextHash, text: Sql): Sql;
  /** The hash of a text in full, as lower-case hex: stands in for a long value in a row text. */
  hashHex(algorithm: TextHash, text: Sql): Sql;
  /** A 64-bit hash of the columns that makes no text, equal on every server of the family; null: the engine has none for these. */
  typedHash(columns: readonly BoundColumn[]): Sql | null;
  /**
   * One row, one number: typed hashes over constants of every type that `typedHash` hashes as it is. Two servers whose answers agree
   * hash alike. Null: this engine has no typed hashes.
   */
  readonly typedProbe: Sql | null;
  /**
   * Two columns over a number expression that may be NULL: rows, and the exact sum of the hashes (any sign) as text, to which every
   * row without a hash adds `NO_HASH` (`digest.ts`, which reads them).
   */
  digest(hash: Sql): readonly [Sql, Sql];
  /** `hash` modulo a power of two (at most 2^20), as a number from 0. */
  bucket(hash: Sql, modulus: number): Sql;

  /** A parameter holding a canonical text, of the column's own type, so that an index on the column serves. */
  value(text: string, column: BoundColumn): Sql;
  /** The column as it is ordered and compared in key ranges: by bytes for text, by value otherwise. */
  ordered(column: BoundColumn): Sql;
  /** Rows at or beyond a key (`>=`), or before one (`<`), in key order over several columns, in the form its planner turns into an index range. */
  keyBound(columns: readonly BoundColumn[], operator: ">=" | "<", key: readonly string[]): Sql;
  /** Rows whose key is one of these; no part is NULL. */
  keyIn(columns: readonly BoundColumn[], keys: readonly (readonly string[])[]): Sql;

  /**
   * What a unique index on the column takes for equal: `bytes` (its canonical texts), `blanks` (bytes, but for trailing blanks), or the
   * name of a rule that two columns share where they treat texts alike (a collation).
   */
  equality(column: ColumnInfo): string;

  /** How many characters a text column holds, NULL for NULL. */
  characters(column: ColumnInfo): Sql;
  /** A number expression as text; for counts. */
  countText(expression: Sql): Sql;
  /** `LIMIT n OFFSET m`. */
  page(limit: number, offset: bigint): Sql;

  /** What is said differently beyond the comparison: clocks, profiles along the cursor, logs. */
  readonly facts: FactsDialect;
}
