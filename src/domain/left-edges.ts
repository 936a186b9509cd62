import { type ClockReading, surelyAt } from "./clock.ts";
import type { Axis } from "./position.ts";
import { type Edge, leftEdge, type Windowed } from "./ledger-index.ts";
import { type Run, succeeded } from "./run.ts";

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
 * The left edges at each of `successfulRuns(runs)`, by its ordinal. The first regular run keeps its own under every policy; a backfill
 * stands for the next regular run, because look-backs are no business of a backfill. `clocks` are aligned with `runs`; a run whose clock
 * nobody knows moves the data-clock watermark nowhere, and one whose clock is known within bounds only as far as it surely had come: rows
 * that lie behind such an edge lie behind the policy's own.
 */
export function leftEdges(
  ledger: { readonly runs: readonly Run[]; readonly clocks: readonly (ClockReading | null)[] },
  axis: Axis,
): (ordinal: number) => LeftEdges {
  const regular: Windowed[] = [];
  /** Of each successful run the regular one that it is or stands for, and of each regular run its edges. */
  const standsFor: number[] = [];
  const walls: (Edge | null)[] = [];
  const datas: (Edge | null)[] = [];
  let wall: Edge | null = null;
  let data: Edge | null = null;
  for (const [i, run] of ledger.runs.entries()) {
    if (!succeeded(run)) continue;
    standsFor.push(regular.length);
    if (run.backfill) continue;
    const { window, started } = run;
    if (regular.length === 0) {
      data = leftEdge(window);
      wall = axis === "time" ? data : null;
    }
    regular.push(run);
    walls.push(wall);
    datas.push(data);
    const closed = window.fromClosed;
    if (axis === "time") wall = { at: started, closed };
    const clock = surelyAt(ledger.clocks[i] ?? null);
    if (clock !== null) data = later(data, { at: axis === "time" && started < clock ? started : clock, closed });
  }
  return (ordinal) => {
    const at = standsFor[ordinal] ?? regular.length;
    const run = regular[at];
    return {
      ledger: run === undefined ? null : leftEdge(run.window),
      wallClock: walls[at] ?? null,
      dataClock: datas[at] ?? null,
    };
  };
}

/** The later of two edges: no policy moves its watermark back. */
function later(a: Edge | null, b: Edge): Edge {
  return a === null || b.at > a.at ? b : a;
}
