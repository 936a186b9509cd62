import type { Key } from "../domain/key.ts";
import type { AgreedKind } from "../domain/kind.ts";
import type { TableName } from "../domain/table.ts";

/**
 * The undo log of a repair, `<repair-id>.undo.jsonl`: a header, then per batch one line a row and, once the batch is known to be
 * committed, its mark. Rows are on the disk before their batch commits; so a batch without a mark may or may not have happened, and a
 * batch may stand there twice (its first attempt failed). Whoever undoes looks at each row: one that is as it was `before` needs nothing,
 * one that is as the repair left it (`after`) is put back, any other has changed since and is left alone.
 */
export type UndoLine = UndoHeader | UndoRow | UndoMark;

export type UndoHeader = {
  readonly tidemark_undo: 1;
  readonly id: string;
  readonly check: string;
  readonly connection: string;
  readonly table: TableName;
  /** Target names and agreed kinds of the key. */
  readonly key: readonly { readonly column: string; readonly as: AgreedKind; readonly zone: string }[];
  /** Target columns whose images stand in `before`, in order: every column but those that the server computes. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Target columns that the repair set. */
  readonly written: readonly string[];
};

/** `i` inserted, `u` updated, `d` deleted. `after`: a fingerprint of the row as the repair left it; null for `d`. */
export type UndoRow = {
  readonly batch: number;
  readonly op: "i" | "u" | "d";
  readonly key: Key;
  readonly before: readonly (string | null)[] | null;
  readonly after: string | null;
};

/** Batch n is committed. */
export type UndoMark = { readonly committed: number };

/** One line of the log as data; null: it is none. */
export function readUndoLine(text: string): UndoLine | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as UndoLine) : null;
  } catch {
    return null;
  }
}
