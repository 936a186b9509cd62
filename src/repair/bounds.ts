import { RefusedError } from "../domain/errors.ts";
import type { PlanCounts, RepairBounds } from "../domain/repair.ts";
import { rows } from "../domain/wording.ts";
import { writesOf } from "./plan.ts";

/** The part of the target's rows that a repair may delete at most: one in this many. */
const DELETE_ONE_IN = 100n;

/**
 * Refuses a plan beyond its bounds, with a `RefusedError` that names the bound and how to lift it. `targetRows`: all rows of the target
 * under its `where`; asked only where rows are to be deleted.
 */
export function holdToBounds(counts: PlanCounts, bounds: RepairBounds, targetRows: bigint | null): void {
  const writes = writesOf(counts);
  if (writes > BigInt(bounds.maxRows))
    throw new RefusedError(
      `the plan writes ${rows(writes)}, and its bound is ${rows(BigInt(bounds.maxRows))} (max_rows)`,
      {
        hint: `give a smaller --range, or raise the bound: --max-rows ${writes}`,
      },
    );
  if (counts.delete > 0n && counts.delete * DELETE_ONE_IN > (targetRows ?? 0n))
    throw new RefusedError(
      `the plan deletes ${rows(counts.delete)} of the target's ${rows(targetRows ?? 0n)}, and a repair deletes 1 % of them at most`,
      {
        hint: "look at the source first: rows that are gone there may be missing by mistake. Without --delete-extra the rest is repaired",
      },
    );
}
