import type { Finding, Json } from "./finding.ts";
import type { Key } from "./key.ts";

/** Rows of a repair by what becomes of them. Counts are exact and may pass 2^32. */
export type PlanCounts = {
  readonly insert: bigint;
  readonly update: bigint;
  /** Rows only the target has; 0 unless deletions were asked for. */
  readonly delete: bigint;
  /** Rows in question that are the same already. */
  readonly unchanged: bigint;
  /** Rows whose copy in the target is newer: left alone. */
  readonly keptNewer: bigint;
  /** Rows only the target has that are left alone, since nobody asked to delete them. */
  readonly extra: bigint;
};

/** What a repair did. */
export type RepairCounts = {
  readonly inserted: bigint;
  readonly updated: bigint;
  readonly deleted: bigint;
  /** Found to be the same when their batch came to them. */
  readonly unchanged: bigint;
  readonly keptNewer: bigint;
  readonly quarantined: bigint;
  readonly batches: bigint;
};

export const NO_COUNTS: RepairCounts = {
  inserted: 0n,
  updated: 0n,
  deleted: 0n,
  unchanged: 0n,
  keptNewer: 0n,
  quarantined: 0n,
  batches: 0n,
};

/** The sum of two. */
export function addCounts(a: RepairCounts, b: RepairCounts): RepairCounts {
  return {
    inserted: a.inserted + b.inserted,
    updated: a.updated + b.updated,
    deleted: a.deleted + b.deleted,
    unchanged: a.unchanged + b.unchanged,
    keptNewer: a.keptNewer + b.keptNewer,
    quarantined: a.quarantined + b.quarantined,
    batches: a.batches + b.batches,
  };
}

/** Which rows a repair is asked about; `text` in the grammar of `--range` with its ends resolved, so that it means the same tomorrow. */
export type RepairRange =
  | { readonly by: "whole" }
  | { readonly by: "range"; readonly text: string }
  | { readonly by: "report"; readonly text: string };

/** The limits that a repair holds to. */
export type RepairBounds = { readonly maxRows: number; readonly deleteExtra: boolean };

/** `running`: begun, and not known to have ended (its process may be dead). `stopped`: the breaker opened, or it failed. */
export type RepairStatus = "running" | "interrupted" | "stopped" | "finished" | "undone";

/** A repair in the state store: its checkpoint. Written when it begins, and after every batch. */
export type RepairRecord = {
  readonly id: string;
  readonly plan: string;
  readonly check: string;
  readonly range: RepairRange;
  readonly bounds: RepairBounds;
  readonly status: RepairStatus;
  /** Wall-clock microseconds. */
  readonly startedAt: bigint;
  readonly updatedAt: bigint;
  /** The last key whose batch is committed, in key order; null: none yet. */
  readonly lastKey: Key | null;
  readonly counts: RepairCounts;
};

/** A repair as one can read it before it happens. */
export type RepairPlan = {
  /** A hash of check, range, columns and bounds: the same question has the same id. */
  readonly id: string;
  readonly check: string;
  readonly connection: string;
  /** The target table as people call it. */
  readonly table: string;
  readonly range: RepairRange;
  readonly bounds: RepairBounds;
  /** Source names of the columns that are written. */
  readonly columns: readonly string[];
  readonly counts: PlanCounts;
  readonly batches: bigint;
  /** Rows that are read again when it is applied. */
  readonly reread: bigint;
  /** At the set rate. */
  readonly estimatedSeconds: number;
  readonly rowsPerSecond: number;
  /** What keeps newer rows safe, in words. */
  readonly guard: string;
  /** The hours in which it may write, in words; null: any. */
  readonly hours: string | null;
  readonly triggers: readonly string[];
  readonly foreignKeys: readonly string[];
  /** Foreign keys of other tables that deletions would follow; empty without deletions. */
  readonly cascades: readonly string[];
  /** What else one should know before saying yes. */
  readonly notes: readonly string[];
  readonly fingerprints: Fingerprints;
  /** Wall-clock microseconds. */
  readonly createdAt: bigint;
};

/** What a saved plan must find unchanged. */
export type Fingerprints = { readonly check: string; readonly schema: string };

/** What a repair came to, for those who tell it. */
export type RepairReport = {
  readonly plan: RepairPlan;
  /** The repair's id where it was applied, else the plan's. */
  readonly id: string;
  /** Whether it was applied; also where there was nothing to do. */
  readonly applied: boolean;
  /** Null: nothing was applied. */
  readonly result: (RepairCounts & { readonly seconds: number }) | null;
  readonly status: RepairStatus | null;
  /** Why it stopped before its end; null: it did not. */
  readonly stopped: string | null;
  /** What still differs in the range, looked at anew. Not looked at after a failure. */
  readonly remaining: readonly Finding[];
  /** Whether there is something to undo. */
  readonly undoable: boolean;
  /** The file that names the rows which the target refused; null: it refused none. */
  readonly quarantine: string | null;
};

/** What an undo came to, or would. Rows: `removed` that the repair had inserted, `restored` that it had overwritten, `reinserted` that it had deleted. */
export type UndoCounts = {
  readonly removed: bigint;
  readonly restored: bigint;
  readonly reinserted: bigint;
  /** Are as they were before the repair already. */
  readonly untouched: bigint;
  /** Have changed since, or could not be put back: left alone. */
  readonly leftAlone: bigint;
};

export type UndoReport = {
  readonly id: string;
  readonly check: string;
  readonly connection: string;
  readonly table: string;
  readonly counts: UndoCounts;
  readonly applied: boolean;
  /** Why it stopped before its end; null: it did not. */
  readonly stopped: string | null;
  /** Some of the rows that were left alone (at most 20), and why. */
  readonly leftAlone: readonly { readonly key: { readonly [column: string]: Json }; readonly reason: string }[];
};
