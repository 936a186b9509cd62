import type { TidemarkError } from "../../domain/errors.ts";
import type { RepairCounts, RepairRecord, RepairStatus } from "../../domain/repair.ts";
import type { BatchContext } from "./apply-batch.ts";
import type { Bulk } from "./bulk.ts";
import type { PaceSettings } from "./pacing.ts";
import type { TargetLink } from "./target-link.ts";
import type { UndoWriter } from "./undo-writer.ts";

/** What applying needs beside its rows. */
export type Applying = {
  readonly check: string;
  readonly context: BatchContext;
  /** Null: every row is looked at. */
  readonly bulk: Bulk | null;
  readonly link: TargetLink;
  readonly undo: UndoWriter;
  readonly record: RepairRecord;
  readonly settings: PaceSettings & {
    readonly batchRows: number;
    readonly maxRows: number;
    readonly maxPoison: number;
  };
  /** Rows to be looked at, for the progress. */
  readonly expected: bigint;
};

/** How applying ended. `stopped`: why before its end (the breaker, a failure, an interruption); null: it came to its end. */
export type Applied = {
  readonly counts: RepairCounts;
  readonly status: RepairStatus;
  readonly stopped: string | null;
  readonly failure: TidemarkError | null;
};
