import { runs } from "../domain/wording.ts";
import type { Cause } from "./cause.ts";
import { failedHolders, idsOf, isLost } from "./lost.ts";

/** Only runs that did not succeed hold the row. */
export const failedRun: Cause = {
  code: "failed-run",
  holds: (lost, known) => {
    if (lost.windows > 0 || lost.leaf < 0 || !isLost(lost.difference)) return null;
    if ((known.readings?.failed(lost.leaf) ?? 0) === 0) return null;
    const held = failedHolders(lost, known);
    return {
      confidence: "observed",
      runs: held,
      says: () => `only ${runs(idsOf(held, known))} held it, and did not succeed`,
    };
  },
};
