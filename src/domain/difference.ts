import type { Key } from "./key.ts";
import type { Position } from "./position.ts";

/** What is known of one copy of a row, beside its key. Null: no such column, or NULL. */
export type Copy = {
  /** The cursor on its axis. */
  readonly cursor: Position | null;
  /** The version column's canonical text (the cursor's where the check names no version). */
  readonly version: string | null;
  /** When it became visible in the source, microseconds; source copies only. */
  readonly arrival: bigint | null;
  /** When the pipeline wrote it, microseconds; target copies only. */
  readonly loaded: bigint | null;
};

/**
 * One key whose rows are not the same on both sides. `missing`: only the source has it. `extra`: only the target.
 * `changed`: both, and they differ; `order` says which side's version is newer (`none`: no version to compare by).
 */
export type Difference =
  | { readonly type: "missing"; readonly key: Key; readonly source: Copy }
  | { readonly type: "extra"; readonly key: Key; readonly target: Copy }
  | {
      readonly type: "changed";
      readonly key: Key;
      readonly source: Copy;
      readonly target: Copy;
      readonly order: "source-newer" | "same" | "target-newer" | "none";
      /** Source names of the columns that differ; null: not asked (past the limit of rows whose values are fetched). */
      readonly columns: readonly string[] | null;
      /** Fingerprint of the values that differ, by which a later look tells whether they are still what they were; absent: not fetched. */
      readonly seen?: string;
      /** Values of the columns that differ, as the check lets them be shown (cut short, or salted hashes); absent: it lets none. */
      readonly values?: readonly ShownValues[];
    };

/** What both sides hold in a column (by its source name), as the check lets it be shown; null: NULL. */
export type ShownValues = { readonly column: string; readonly source: string | null; readonly target: string | null };

/** A column that differs in one and the same way in nearly every sampled row. */
export type SystematicDifference = {
  readonly column: string;
  readonly transformation: string;
  /** Sampled common rows, and how many of them it explains. */
  readonly sampled: number;
  readonly explained: number;
  /** Rows that differ in nothing else, over the whole table. */
  readonly rows: bigint;
  /** The line of the check file that would accept it; null: none would. */
  readonly accept: string | null;
};

/** A key that stands more than once on a side. */
export type DuplicateKeys = {
  readonly side: "source" | "target";
  readonly keys: bigint;
  readonly rows: bigint;
  readonly sample: readonly Key[];
};
