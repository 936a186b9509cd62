import { formatInstant } from "../domain/position.ts";
import { duration, runs, seconds } from "../domain/wording.ts";
import { rule } from "./rule.ts";

const FACTOR = 10n;

/** Runs that started, wrote down no end, and are older than a run may be. */
export const unfinishedRun = rule("unfinished-run", ["check", "now", "ledger"], ({ check, now, ledger }) => {
  const limit = check.expect.maxRun ?? usual(ledger.facts.runs);
  if (limit === null) return [];
  const open = ledger.facts.runs.filter(
    (run) => run.outcome === "running" && run.finished === null && now - run.started > limit,
  );
  if (open.length === 0) return [];
  const oldest = open.reduce((a, b) => (b.started < a.started ? b : a));
  return [
    {
      severity: "warn",
      says: `${runs(open.map((run) => run.id))} never ended: started ${duration(now - oldest.started)} ago${open.length === 1 ? "" : " at most"}, longer than ${duration(limit)}`,
      evidence: {
        runs: open.slice(-20).map((run) => ({
          run: run.id,
          started: formatInstant(run.started),
          status: run.status,
          for_seconds: seconds(now - run.started),
        })),
        runs_total: open.length,
        limit_seconds: seconds(limit),
        limit_from: check.expect.maxRun === null ? "10 times the median run" : "expect.max_run",
      },
    },
  ];
});

/** Ten times the median length of the runs that ended; null: none did. */
function usual(all: readonly { readonly started: bigint; readonly finished: bigint | null }[]): bigint | null {
  const lengths = all
    .flatMap(({ started, finished }) => (finished === null || finished < started ? [] : [finished - started]))
    .toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const median = lengths[lengths.length >> 1];
  return median === undefined ? null : median * FACTOR;
}
