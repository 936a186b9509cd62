import type { Cause } from "./cause.ts";
import { isLost } from "./lost.ts";

/** No run holds the row: it lies in a hole between windows, or before the first one (of those that were read from the ledger). */
export const uncoveredWindow: Cause = {
  code: "uncovered-window",
  holds: (lost, { ledger, readings }) => {
    if (ledger === null || lost.leaf < 0 || lost.windows > 0 || !isLost(lost.difference)) return null;
    if (ledger.successes.length + ledger.failures.length === 0 || (readings?.failed(lost.leaf) ?? 0) > 0) return null;
    // Left of all windows, or on the open end of the first: earlier runs may have been left out of the audited stretch, so that this is
    // not seen, only concluded.
    return lost.leaf <= 1
      ? { confidence: "inferred", says: () => "it lies before the first window that was audited" }
      : { confidence: "observed", says: () => "no window holds it" };
  },
};
