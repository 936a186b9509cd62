import type { CauseCode } from "../domain/codes.ts";
import { names } from "../domain/wording.ts";
import type { Cause, Known, Lost, Verdict } from "./cause.ts";
import { arrivedTooLate, clockStood, holders, isLost, readingOf } from "./lost.ts";
import { mayBeOverwritten } from "./out-of-order-write.ts";

const ARRIVAL = "an arrival column";
const COMMITS = "track_commit_timestamp";
const CLOCK = "a data_clock in the ledger";
const AGAIN = "a second audit";
const STAMP = "a load stamp (`loaded:` in the check)";
const LEDGER = "the pipeline's runs (`runs:` in the check)";

/** None of the causes can be told from the others with what is known. Holds always; says between which, and what would tell. */
export const undetermined: Cause = {
  code: "undetermined",
  holds: (lost, known) => {
    if (lost.difference.type === "extra")
      return verdict(
        [],
        ["the source's deletions (a log, or a `deleted` mark)"],
        "the source may have deleted it, or something else wrote it to the target",
      );
    if (!isLost(lost.difference))
      return lost.difference.type === "changed" && lost.difference.order === "target-newer"
        ? verdict([], [], "the source was rolled back, or something else writes to the target")
        : verdict([], [AGAIN], "nothing says which side was written last");
    const [between, tells] = whatIsLeft(lost, known);
    return verdict(
      between,
      tells,
      `what is known fits ${names(between, between.length, 9)}; ${names(tells, tells.length, 9)} would tell`,
      holders(lost, known),
    );
  },
};

function verdict(
  between: readonly CauseCode[],
  tells: readonly string[],
  text: string,
  runs: readonly number[] = [],
): Verdict {
  return { confidence: "undetermined", between, tells, runs, says: () => text };
}

const LEFT = {
  noLedger: [
    ["failed-run", "uncovered-window", "closed-ahead-of-clock", "late-commit", "dropped-in-pipeline"],
    [LEDGER],
  ],
  behindOrDropped: [
    ["late-commit", "dropped-in-pipeline"],
    [ARRIVAL, COMMITS],
  ],
  aheadOrBehind: [
    ["closed-ahead-of-clock", "late-commit"],
    [CLOCK, AGAIN],
  ],
  behindDroppedOrOverwritten: [
    ["late-commit", "out-of-order-write", "dropped-in-pipeline"],
    [ARRIVAL, COMMITS, STAMP],
  ],
  open: [
    ["closed-ahead-of-clock", "late-commit", "dropped-in-pipeline"],
    [ARRIVAL, COMMITS, CLOCK, AGAIN],
  ],
  openOrOverwritten: [
    ["closed-ahead-of-clock", "late-commit", "out-of-order-write", "dropped-in-pipeline"],
    [ARRIVAL, COMMITS, CLOCK, AGAIN, STAMP],
  ],
} as const satisfies Record<string, readonly [readonly CauseCode[], readonly string[]]>;

function whatIsLeft(lost: Lost, known: Known): readonly [readonly CauseCode[], readonly string[]] {
  const reading = readingOf(lost, known);
  if (reading === null) return LEFT.noLedger;
  if (arrivedTooLate(lost, reading) === true) return LEFT.aheadOrBehind;
  const overwritten = mayBeOverwritten(lost, known);
  if (clockStood(lost, reading) === "passed")
    return overwritten ? LEFT.behindDroppedOrOverwritten : LEFT.behindOrDropped;
  return overwritten ? LEFT.openOrOverwritten : LEFT.open;
}
