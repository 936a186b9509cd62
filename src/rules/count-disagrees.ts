import { jsonCount } from "../domain/report.ts";
import { rows, runs } from "../domain/wording.ts";
import { type Concern, concernFindings, windowJson } from "./concerns.ts";
import { rule } from "./rule.ts";

/** Successful runs that counted fewer rows than the source now has in their windows. Runs that counted none are `empty-run`'s. */
export const countDisagrees = rule("count-disagrees", ["check", "axis", "ledger", "coverer"], (facts) => {
  const { ledger, axis, coverer } = facts;
  const concerns = ledger.successes.flatMap(
    (run): readonly (Concern & { readonly run: string; readonly less: bigint })[] => {
      const counted = run.rows;
      if (counted === null || counted === 0n) return [];
      const there = ledger.rows(run.window);
      if (counted >= there) return [];
      const covered = coverer.coveredLater(run);
      const lacking = ledger.lacking?.(run.window) ?? null;
      return [
        {
          ...(covered ? { severity: "info", part: "covered" } : { severity: "warn" }),
          windows: [run.window],
          run: run.id,
          less: there - counted,
          evidence: () => ({
            run: run.id,
            ...windowJson(run.window, axis),
            run_rows: jsonCount(counted),
            source_rows: jsonCount(there),
            rows_lacking: lacking === null ? null : jsonCount(lacking),
            covered_by_later_runs: covered,
          }),
        },
      ];
    },
  );
  return concernFindings(concerns, "runs", facts, ({ concerns: all }) => {
    const less = all.reduce((sum, concern) => sum + concern.less, 0n);
    return `${runs(all.map(({ run }) => run))} counted ${rows(less)} less than the source now has in ${all.length === 1 ? "its window" : "their windows"}${all[0]?.part === "covered" ? "; later runs read all of it again" : ", and no later run covers all of it"}`;
  });
});
