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

export const NO_COUNTS: RepairCounts = { inserted: 0n, updated: 0n, deleted: 0n, unchanged: 0n, keptNewer: 0n, quarantined: 0n, batches: 0n };

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
export type RepairRange = { readonly by: "whole" } | { readonly by: "range"; readonly text: string } | { readonly by: "report"; readonly text: string };

/** The limits that a repair holds to. */
export type RepairBounds = { readonly maxRows: number; readonly deleteExtra: boolean };

/** `running`: begun, and not known to have ended (its process may be dead). `stopped`: the breaker opened, or it failed. */
export type RepairStatus = "running" | "interrupted" | "stopped" | "finished";

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
