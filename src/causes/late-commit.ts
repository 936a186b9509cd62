import { duration, runs } from "../domain/wording.ts";
import type { Cause } from "./cause.ts";
import { arrivedTooLate, clockStood, holders, idsOf, readingOf } from "./lost.ts";
import { knowsUsualLag, OF_A_PART } from "./old-dated.ts";

/** The row became visible behind the data clock, after every window that holds it had been read. */
export const lateCommit: Cause = {
  code: "late-commit",
  holds: (lost, known) => {
    const reading = readingOf(lost, known);
    if (reading === null || arrivedTooLate(lost, reading) !== true || clockStood(lost, reading) !== "passed")
      return null;
    const held = holders(lost, known);
    const lag = known.axis === "time" ? (lost.a as bigint) - (lost.x as bigint) : null;
    return {
      confidence: knowsUsualLag(known) ? "observed" : "inferred",
      runs: held,
      ...(lag === null ? {} : { measure: lag }),
      says: () =>
        `it was committed ${lag === null ? "" : `${duration(lag)} after its cursor, `}behind the data clock and after ${runs(idsOf(held, known))} had read${knowsUsualLag(known) ? "" : OF_A_PART}`,
    };
  },
};
