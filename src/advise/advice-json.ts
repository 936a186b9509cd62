import type { Json } from "../domain/finding.ts";
import { jsonCount } from "../domain/report.ts";
import { seconds } from "../domain/wording.ts";
import type { Advice } from "../domain/advice.ts";

/** Advice as JSON, version 1 (interface.md §6). On a sequence axis lengths are numbers of the cursor, and names end without `_seconds`. */
export function adviceJson(check: string, advice: Advice): { readonly [name: string]: Json } {
  const time = advice.axis === "time";
  const unit = time ? "_seconds" : "";
  const length = (n: bigint | null): Json => (n === null ? null : time ? seconds(n) : jsonCount(n));
  return {
    version: 1,
    check,
    rows: jsonCount(advice.rows),
    runs: advice.runs,
    arrivals: advice.arrivals,
    [`lag${unit}`]: { p50: length(advice.lag.p50), p99: length(advice.lag.p99), max: length(advice.lag.max) },
    [`overlap_in_force${unit}`]: length(advice.overlapInForce),
    [`needed_overlap${unit}`]: length(advice.needed),
    [`advised_overlap${unit}`]: length(advice.advised),
    [`run_interval${unit}`]: length(advice.interval),
    policies: advice.policies.map((each) => ({
      policy: each.policy,
      [`overlap${unit}`]: length(each.overlap),
      rows_lost: each.rowsLost === null ? null : jsonCount(each.rowsLost),
      rows_lost_counted: each.exact ? "exactly" : "at least",
      rows_reread: each.rowsReread === null ? null : jsonCount(each.rowsReread),
      rows_reread_counted: each.rereadExact ? "exactly" : "at most",
      behind_start_seconds: each.behindStart === null ? null : seconds(each.behindStart),
    })),
    notes: advice.notes,
  };
}
