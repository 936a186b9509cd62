import type { ClockReading, Observation, Witness } from "../../domain/clock.ts";
import type { Axis, Position } from "../../domain/position.ts";
import type { Run } from "../../domain/run.ts";

/** Everybody who can say where the source's clock stood. */
export type Witnesses = {
  readonly axis: Axis;
  /** `expect.future`: a clock that the ledger puts further than this beyond its run's finish is not believed. */
  readonly now: bigint;
  /** At a run's start, by what had arrived; null: no arrivals are known. */
  readonly arrivals: {
    readonly witness: Witness;
    readonly at: (start: bigint) => Position | null;
    /** At starts before this, rows may be counted that arrived later: the clock stood no further. Null: at none. */
    readonly sureFrom: bigint | null;
    /** The newest cursor among rows with an unknown arrival: a lower clock may have stood further. */
    readonly unknown: Position | null;
  } | null;
  /** Ascending by time. */
  readonly observations: readonly Observation[];
  /** The source's clock now. */
  readonly sourceClock: Position | null;
};

/**
 * Where the data clock stood at each run's start, one after the other, by the first witness who can say, in the order of `Witness`;
 * aligned with the runs, which ascend by start. A ledger's `data_clock` beyond its run's finish is no witness. The source now speaks for the newest
 * successful run only: it can have stood no further then.
 */
export function* clocksOf(runs: readonly Run[], witnesses: Witnesses): Generator<ClockReading | null> {
  const newest = runs.findLastIndex((run) => run.outcome === "success");
  let seen = 0;
  const { observations } = witnesses;
  for (const [i, run] of runs.entries()) {
    while ((observations[seen]?.at ?? run.started + 1n) <= run.started) seen++;
    yield byLedger(run, witnesses) ??
      byArrivals(run, witnesses) ??
      byObservations(run, observations[seen - 1] ?? null, observations[seen] ?? null) ??
      (i === newest && witnesses.sourceClock !== null
        ? { position: witnesses.sourceClock, at: run.started, witness: "source-now", certainty: "at-most" }
        : null);
  }
}

function byLedger(run: Run, { axis, now }: Witnesses): ClockReading | null {
  if (run.dataClock === null || (axis === "time" && run.dataClock > (run.finished ?? now))) return null;
  return { position: run.dataClock, at: run.started, witness: "ledger", certainty: "exact" };
}

function byArrivals(run: Run, { arrivals }: Witnesses): ClockReading | null {
  if (arrivals === null) return null;
  const position = arrivals.at(run.started);
  if (arrivals.sureFrom !== null && run.started < arrivals.sureFrom)
    return { position, at: run.started, witness: arrivals.witness, certainty: "at-most" };
  const hidden = arrivals.unknown !== null && (position === null || arrivals.unknown > position);
  return { position, at: run.started, witness: arrivals.witness, certainty: hidden ? "at-least" : "exact" };
}

/**
 * A clock stands no further back than it was seen before, and no further ahead than it is seen after. Where both are known and
 * differ, the bound counts that decides whether the run closed ahead of the clock.
 */
function byObservations(run: Run, before: Observation | null, after: Observation | null): ClockReading | null {
  const reading = (o: Observation, certainty: ClockReading["certainty"]): ClockReading => ({
    position: o.position,
    at: run.started,
    witness: "observations",
    certainty,
  });
  if (before !== null && (before.at === run.started || (after !== null && before.position === after.position)))
    return reading(before, "exact");
  const to = run.window?.to ?? null;
  const ahead = after !== null && to !== null && (after.position === null || after.position < to);
  if (after !== null && (ahead || before === null)) {
    const least = before?.position ?? null;
    return least === null ? reading(after, "at-most") : { ...reading(after, "at-most"), atLeast: least };
  }
  return before === null ? null : reading(before, "at-least");
}
