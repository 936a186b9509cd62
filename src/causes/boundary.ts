import { runs } from "../domain/wording.ts";
import type { Cause } from "./cause.ts";
import { holders, idsOf, readingOf } from "./lost.ts";

/** The row lies exactly on an end of every window that holds it, and other rows with the same cursor did come. */
export const boundary: Cause = {
  code: "boundary",
  holds: (lost, known) => {
    const reading = readingOf(lost, known);
    if (reading === null || known.readings === null || lost.x === null) return null;
    if (known.readings.ending(lost.leaf) < reading.windows) return null;
    if (known.readings.presentAt(lost.x) <= 0n) return null;
    const held = holders(lost, known);
    return {
      confidence: "observed",
      runs: held,
      says: () =>
        `it lies exactly on the end of ${runs(idsOf(held, known))}, and other rows with the same cursor arrived`,
    };
  },
};
