import { jsonCount } from "../domain/report.ts";
import { rows, runs } from "../domain/wording.ts";
import { type Concern, concernFindings, windowJson } from "./concerns.ts";
import { rule } from "./rule.ts";

/** Successful runs that counted no row, while the source now holds rows in their windows. */
export const emptyRun = rule("empty-run", ["check", "axis", "ledger"], (facts) => {
  const { ledger, axis } = facts;
  const concerns = ledger.successes.flatMap((run): readonly (Concern & { readonly run: string })[] => {
    if (run.rows !== 0n) return [];
    const there = ledger.rows(run.window);
    if (there === 0n) return [];
    const lacking = ledger.lacking?.(run.window) ?? null;
    return [
      {
        // All of them came later, by another run or an overlap.
        ...(lacking === 0n ? { severity: "info", part: "caught" } : { severity: "error" }),
        windows: [run.window],
        run: run.id,
        evidence: () => ({
          run: run.id,
          ...windowJson(run.window, axis),
          source_rows: jsonCount(there),
          rows_lacking: lacking === null ? null : jsonCount(lacking),
        }),
      },
    ];
  });
  return concernFindings(concerns, "runs", facts, ({ concerns: all, rows: there, lacking }) => {
    const who = runs(all.map(({ run }) => run));
    const has = `${who} succeeded with 0 rows, while the source now has ${rows(there)} in ${all.length === 1 ? "its window" : "their windows"}`;
    return lacking === null
      ? has
      : `${has}; the target lacks ${lacking === 0n ? "none of them now" : lacking.toString()}`;
  });
});
