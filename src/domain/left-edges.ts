import { type ClockReading, surelyAt } from "./clock.ts";
import type { Axis } from "./position.ts";
import { type Edge, leftEdge, successfulRuns } from "./ledger-index.ts";
import type { Run } from "./run.ts";

/**
 * The left edges that a run's window has: in the ledger, and as two policies without a look-back would have set it at the same starts:
 * `wallClock` reads up to the moment it starts, `dataClock` up to min(that moment, the data clock). Null: nothing lies before it, or
 * the policy cannot be replayed (a sequence axis has no wall clock; no clock is known).
 */
export type LeftEdges = {
  readonly ledger: Edge | null;
  readonly wallClock: Edge | null;
  readonly dataClock: Edge | null;
};

/**
 * The left edges at each of `successfulRuns(runs)`. The first regular run keeps its own under every policy; a backfill stands for the
 * next regular run, because look-backs are no business of a backfill. `clocks` are aligned with `runs`; a run whose clock nobody knows
 * moves the data-clock watermark nowhere, and one whose clock is known within bounds only as far as it surely had come: rows that lie behind
 * such an edge lie behind the policy's own.
 */
export function leftEdges(
  ledger: { readonly runs: readonly Run[]; readonly clocks: readonly (ClockReading | null)[] },
  axis: Axis,
): readonly LeftEdges[] {
  const clockOf = new Map(ledger.runs.map((run, i) => [run, ledger.clocks[i] ?? null]));
  const successes = successfulRuns(ledger.runs);
  const edges: (LeftEdges | null)[] = [];
  let wall: Edge | null = null;
  let data: Edge | null = null;
  let first = true;
  for (const run of successes) {
    if (run.backfill) {
      edges.push(null);
      continue;
    }
    const own = leftEdge(run.window);
    if (first) {
      wall = axis === "time" ? own : null;
      data = own;
    }
    edges.push({ ledger: own, wallClock: wall, dataClock: data });
    const closed = run.window.fromClosed;
    if (axis === "time") wall = { at: run.started, closed };
    const clock = surelyAt(clockOf.get(run) ?? null);
    if (clock !== null)
      data = later(data, { at: axis === "time" && run.started < clock ? run.started : clock, closed });
    first = false;
  }
  const none: LeftEdges = { ledger: null, wallClock: null, dataClock: null };
  let next = none;
  const filled: LeftEdges[] = [];
  for (const edge of edges.toReversed()) {
    next = edge ?? next;
    filled.push(next);
  }
  return filled.toReversed();
}

/** The later of two edges: no policy moves its watermark back. */
function later(a: Edge | null, b: Edge): Edge {
  return a === null || b.at > a.at ? b : a;
}
