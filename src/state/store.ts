import type { Sql } from "../sql/statement.ts";

/** Rows of a statement: every value as text, or null for NULL. */
export type StoredRow = readonly (string | null)[];

/** Sends statements within one transaction. */
export type Transaction = { rows(statement: Sql): Promise<readonly StoredRow[]> };

/** A database that keeps the state. All that the state does it does in such transactions, so that several processes can share it. */
export interface Store extends AsyncDisposable {
  /** A table of ours as this database names it. */
  readonly table: (name: string) => Sql;
  /**
   * Runs `work` in a transaction: all of it, or nothing where it throws. `write`: no other process writes what belongs to `subject`
   * in the meantime.
   */
  transaction<T>(access: "read" | "write", subject: string, work: (transaction: Transaction) => Promise<T>): Promise<T>;
}
