import type { ClockReading, Observation } from "./clock.ts";
import type { Position } from "./position.ts";
import type { Run } from "./run.ts";

/** What can be asked where the data clock stood when a run started. Absent: no such witness. */
export type ClockWitnesses = {
  /** The newest cursor among source rows that had arrived by the run's start, as they stand now; null: none had. */
  readonly arrivals?: { readonly position: Position | null; readonly by: "arrivals" | "commit-timestamps" };
  /** Tidemark's own, ascending by time. */
  readonly observations: readonly Observation[];
  /** The source's clock now, for the newest run only: it stood there at most. */
  readonly sourceNow?: { readonly position: Position | null; readonly at: bigint };
};

/**
 * Where the data clock stood at a run's start, from the first witness that can say (findings.md §1): the run's own data clock (unless it
 * lies beyond the run's finish), arrivals, stored observations (the last before bounds it from below, the first after from above), the
 * source now. Null: nobody can say. `now`: for runs without a finish.
 */
export function clockAt(run: Run, witnesses: ClockWitnesses, now: bigint): ClockReading | null {
  const at = run.started;
  if (run.dataClock !== null && !dataClockIsIgnored(run, now))
    return { position: run.dataClock, at, witness: "ledger", certainty: "exact" };
  if (witnesses.arrivals !== undefined)
    return { position: witnesses.arrivals.position, at, witness: witnesses.arrivals.by, certainty: "exact" };
  const observed = observedAt(at, witnesses.observations);
  if (observed !== null) return observed;
  if (witnesses.sourceNow === undefined) return null;
  return { position: witnesses.sourceNow.position, at, witness: "source-now", certainty: "at-most" };
}

/** Whether a run's own data clock cannot be: it lies beyond the moment the run finished. Cursors that are no times cannot be judged. */
export function dataClockIsIgnored(run: Run, now: bigint): boolean {
  return run.dataClock !== null && run.dataClock > (run.finished ?? now);
}

function observedAt(at: bigint, observations: readonly Observation[]): ClockReading | null {
  const next = firstFrom(observations, at);
  const after = observations[next];
  const before = after?.at === at ? after : observations[next - 1];
  const reading = { at, witness: "observations" } as const;
  if (before !== undefined && after !== undefined && before.position === after.position)
    return { ...reading, position: after.position, certainty: "exact" };
  const least = before?.position ?? null;
  if (after !== undefined)
    return {
      ...reading,
      position: after.position,
      certainty: "at-most",
      // A clock that was seen to go back bounds nothing from below.
      ...(least !== null && (after.position === null || least <= after.position) ? { atLeast: least } : {}),
    };
  return least === null ? null : { ...reading, position: least, certainty: "at-least" };
}

/** The index of the first observation at or after a moment. */
function firstFrom(observations: readonly Observation[], at: bigint): number {
  let low = 0;
  let high = observations.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((observations[middle] as Observation).at < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
