import type { Axis } from "./position.ts";
import type { Run } from "./run.ts";

/**
 * Whether a run's own data clock cannot be: it lies beyond the moment the run finished (`now` for a run without a finish). Such a
 * clock is no witness. On a sequence axis nothing can be said against it.
 */
export function dataClockIsIgnored(run: Run, axis: Axis, now: bigint): boolean {
  return axis === "time" && run.dataClock !== null && run.dataClock > (run.finished ?? now);
}
