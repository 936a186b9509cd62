import type { Key } from "../../domain/key.ts";
import type { RepairCounts } from "../../domain/repair.ts";

/** A row that could not be written, and why, without any of its values. */
export type Refused = { readonly key: Key; readonly reason: string };

/** The target holds something else than what was written there: a trigger, a type that cuts or rounds. The transaction must be rolled back. */
export class NotAsWritten extends Error {
  override readonly name = "NotAsWritten";
  readonly rows: readonly Refused[];
  constructor(rows: readonly Refused[]) {
    super("the target holds something else than what was written");
    this.rows = rows;
  }
}

/** Failed while it committed: what became of it is not known. */
export class UnsureCommit extends Error {
  override readonly name = "UnsureCommit";
  readonly counts: RepairCounts;
  constructor(counts: RepairCounts, cause: unknown) {
    super("a commit without an answer", { cause });
    this.counts = counts;
  }
}
