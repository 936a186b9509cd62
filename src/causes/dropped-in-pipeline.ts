import { count, runs } from "../domain/wording.ts";
import type { Cause } from "./cause.ts";
import { holders, idsOf, readingOf } from "./lost.ts";

/** The row was there when a window that holds it was read, and is not in the target: the pipeline dropped it. */
export const droppedInPipeline: Cause = {
  code: "dropped-in-pipeline",
  holds: (lost, known) => {
    const reading = readingOf(lost, known);
    const { a } = lost;
    const { ledger, readings } = known;
    if (reading === null || a === null || ledger === null || readings === null || a > reading.lastStarted) return null;
    const there = ledger.won.at(lost.leaf).filter((i) => (ledger.successes[i]?.started ?? 0n) >= a);
    const held = there.map((i) => ledger.successAt[i] as number);
    // Counted by the first run that could have read it; a run without a count says nothing about reading.
    const counted = there.find((i) => ledger.successes[i]?.rows !== null);
    const read = counted === undefined ? null : (ledger.successes[counted]?.rows ?? null);
    const now = counted === undefined ? 0n : readings.rowsOf(counted);
    return {
      confidence: "observed",
      runs: held.length === 0 ? holders(lost, known) : held,
      detail: read === null ? null : read >= now ? "not-loaded" : "not-read",
      says: () =>
        `it was there when ${runs(idsOf(held, known))} read its window${
          read === null
            ? ""
            : read >= now
              ? `, which counted ${count(read, "row")} as the source does now: read and not loaded`
              : `, which counted ${count(read, "row")} where the source now has ${count(now, "row")}: not read`
        }`,
    };
  },
};
