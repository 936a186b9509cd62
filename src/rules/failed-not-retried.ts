import { runs } from "../domain/wording.ts";
import { concernFindings } from "./concerns.ts";
import { gapConcern, gapsOf, lackingWords } from "./gaps.ts";
import { rule } from "./rule.ts";

/** Stretches that only runs without success held, and that a later success passed over. */
export const failedNotRetried = rule("failed-not-retried", ["check", "axis", "source", "ledger"], (facts) => {
  const { ledger, axis } = facts;
  const concerns = gapsOf(facts)
    .filter((gap) => gap.failed.length > 0)
    .map((gap) => gapConcern(gap, ledger, axis));
  return concernFindings(concerns, "stretches", facts, ({ concerns: all, rows, lacking }) => {
    const ids = [...new Set(all.flatMap(({ gap }) => gap.failed.map((run) => run.id)))];
    return `${runs(ids)} did not succeed and ${ids.length === 1 ? "its window was" : "their windows were"} never read again; ${lackingWords(rows, lacking)}`;
  });
});
