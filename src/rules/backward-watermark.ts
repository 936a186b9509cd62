import { formatPosition } from "../domain/position.ts";
import { distance, runs } from "../domain/wording.ts";
import { rule } from "./rule.ts";

/** Successful runs whose window ends before that of a run that started earlier, and that are no backfills. */
export const backwardWatermark = rule("backward-watermark", ["axis", "ledger"], ({ axis, ledger }) => {
  const back = ledger.successes.flatMap((run, i) => {
    const before = ledger.watermarkBefore[i] ?? null;
    const { to } = run.window;
    return run.backfill || before === null || to === null || to >= before ? [] : [{ run, to, before }];
  });
  if (back.length === 0) return [];
  const worst = back.reduce((a, b) => (b.before - b.to > a.before - a.to ? b : a));
  return [
    {
      severity: "warn",
      says: `the watermark went back with ${runs(back.map(({ run }) => run.id))}, by up to ${distance(worst.before - worst.to, axis)}; if these are backfills, map \`kind\``,
      evidence: {
        runs: back.slice(-20).map(({ run, to, before }) => ({
          run: run.id,
          to: formatPosition(to, axis),
          watermark_before: formatPosition(before, axis),
        })),
        runs_total: back.length,
      },
    },
  ];
});
