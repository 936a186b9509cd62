import type { Kind } from "./kind.ts";

/** A name that may be qualified: `schema` null means what the connection finds by itself. */
export type TableName = { readonly schema: string | null; readonly name: string };

/** A column as the server declares it. */
export type ColumnInfo = {
  readonly name: string;
  /** The declaration as a person would write it (`numeric(12,2)`). */
  readonly type: string;
  readonly kind: Kind;
  readonly nullable: boolean;
  readonly hasDefault: boolean;
  /** Computed by the server: never written. */
  readonly generated: boolean;
  /** Position in the table, from 1. */
  readonly ordinal: number;
};

/** An index or a constraint made of plain columns. Partial, invalid, invisible and expression indexes are left out by the engine. */
export type IndexInfo = {
  readonly name: string;
  readonly columns: readonly string[];
  readonly unique: boolean;
  readonly primary: boolean;
  /** Whether its order (and, if unique, its equality) of text columns is the order of their bytes. */
  readonly byteOrder: boolean;
};

/** A table or view as it is now. Row counts are the server's estimates; null: it has none. */
export type TableInfo = {
  readonly name: TableName;
  readonly relation: "table" | "view" | "partitioned" | "foreign";
  readonly columns: readonly ColumnInfo[];
  /** Columns of the primary key, in its order; empty: none. */
  readonly primaryKey: readonly string[];
  readonly indexes: readonly IndexInfo[];
  readonly estimatedRows: bigint | null;
  /** How far the heap's order follows the primary key's, from -1 to 1; null: unknown. Tables stored in key order say 1. */
  readonly keyOrder: number | null;
  /**
   * Values of the primary key's first column that cut the rows into parts of about one size, ascending, as the server prints them;
   * empty: it keeps no such statistics. Good for choosing chunks, which stay right when these are old.
   */
  readonly keyQuantiles: readonly string[];
  readonly triggers: readonly string[];
  readonly foreignKeys: readonly string[];
};

/** The column of that exact name; null: there is none. */
export function columnNamed(table: TableInfo, name: string): ColumnInfo | null {
  return table.columns.find((c) => c.name === name) ?? null;
}

/** Whether an index or constraint makes exactly these columns unique, in whatever order. */
export function uniqueOn(table: TableInfo, columns: readonly string[]): IndexInfo | null {
  const wanted = new Set(columns);
  return (
    table.indexes.find((i) => i.unique && i.columns.length === wanted.size && i.columns.every((c) => wanted.has(c))) ??
    null
  );
}

/** Whether some index starts with these columns, in this order. */
export function indexStartsWith(table: TableInfo, columns: readonly string[]): IndexInfo | null {
  return table.indexes.find((i) => columns.every((c, n) => i.columns[n] === c)) ?? null;
}

/** `schema.name`, or the bare name. */
export function formatTableName(name: TableName): string {
  return name.schema === null ? name.name : `${name.schema}.${name.name}`;
}
