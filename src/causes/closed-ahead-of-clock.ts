import type { Axis } from "../domain/position.ts";
import { distance, runs } from "../domain/wording.ts";
import type { Cause } from "./cause.ts";
import { arrivedTooLate, clockStood, holders, idsOf, readingOf } from "./lost.ts";

/** Every window that holds the row was read before the data clock had reached it: the window closed over rows that were still to come. */
export const closedAheadOfClock: Cause = {
  code: "closed-ahead-of-clock",
  holds: (lost, known) => {
    const reading = readingOf(lost, known);
    if (reading === null || arrivedTooLate(lost, reading) === false || clockStood(lost, reading) !== "before")
      return null;
    const held = holders(lost, known);
    const ahead = typeof reading.most === "bigint" && lost.x !== null ? lost.x - reading.most : null;
    return {
      // The source as it stands now is no evidence of how it stood then.
      confidence: reading.now ? "inferred" : "observed",
      runs: held,
      ...(ahead === null ? {} : { measure: ahead }),
      says: () =>
        `${runs(idsOf(held, known))} read up to a point beyond it while the data clock stood ${
          ahead === null ? "nowhere: nothing was visible yet" : `${distance(ahead, known.axis as Axis)} before it`
        }`,
    };
  },
};
