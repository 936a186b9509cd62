import { formatInstant } from "../domain/position.ts";
import { duration, moment, runs, seconds } from "../domain/wording.ts";
import { sampleRow } from "./row-findings.ts";
import { rule } from "./rule.ts";

/** Windows that end after their run had finished: nothing can have been read there, and nothing will be until that moment. */
export const futureWatermark = rule(
  "future-watermark",
  ["check", "axis", "now", "ledger", "sourceCursor", "mapping"],
  ({ check, axis, now, ledger, sourceCursor, mapping }) => {
    if (axis !== "time") return [];
    const ahead = ledger.successes.flatMap((run) => {
      const { to } = run.window;
      const over = run.finished ?? now;
      return to === null || to - over <= check.expect.future ? [] : [{ run, to, by: to - over }];
    });
    if (ahead.length === 0) return [];
    const worst = ahead.reduce((a, b) => (b.by > a.by ? b : a));
    const row = sourceCursor.futureSample;
    return [
      {
        severity: "error",
        says: `${runs(ahead.map(({ run }) => run.id))} closed a window in the future, up to ${moment(worst.to)}, ${duration(worst.by)} after the run had finished${row === null ? "" : "; a source row with a cursor in the future did it"}`,
        sample: row === null ? [] : [sampleRow(row.key, null, mapping)],
        evidence: {
          runs: ahead.slice(-20).map(({ run, to, by }) => ({
            run: run.id,
            to: formatInstant(to),
            finished: run.finished === null ? null : formatInstant(run.finished),
            beyond_seconds: seconds(by),
          })),
          runs_total: ahead.length,
          source_row: row === null ? null : { ...sampleRow(row.key, null, mapping).key },
        },
      },
    ];
  },
);
