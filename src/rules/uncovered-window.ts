import { count, place } from "../domain/wording.ts";
import { concernFindings } from "./concerns.ts";
import { gapConcern, gapsOf, lackingWords } from "./gaps.ts";
import { rule } from "./rule.ts";

/** Stretches between the first and the last successful window that no run held. */
export const uncoveredWindow = rule("uncovered-window", ["check", "axis", "source", "ledger"], (facts) => {
  const { ledger, axis } = facts;
  const concerns = gapsOf(facts)
    .filter((gap) => gap.failed.length === 0)
    .map((gap) => gapConcern(gap, ledger, axis));
  return concernFindings(concerns, "stretches", facts, ({ concerns: all, rows, lacking }) => {
    const [first] = all;
    const { from, to } = first?.gap.window ?? { from: null, to: null };
    const where = from === null || to === null ? "" : ` from ${place(from, axis)} to ${place(to, axis)}`;
    const what =
      all.length === 1
        ? `no window covers the stretch${where}`
        : `no window covers ${count(all.length, "stretch", "stretches")}, the first${where}`;
    return `${what}; ${lackingWords(rows, lacking)}`;
  });
});
