import type { Position } from "./position.ts";
import type { Window } from "./window.ts";

/** What became of a run. `running`: no end is written down (yet). */
export type RunOutcome = "success" | "failed" | "running";

/**
 * One line of a ledger: one execution of the pipeline. Wall-clock times are microseconds since the epoch; windows and the
 * data clock are positions on the cursor's axis.
 */
export type Run = {
  /** As the ledger writes it; a line number where it has none. */
  readonly id: string;
  /** What it claims to have covered; null: a run without a window (counted, and said). */
  readonly window: Window | null;
  readonly started: bigint;
  readonly finished: bigint | null;
  readonly outcome: RunOutcome;
  /** The ledger's own word. */
  readonly status: string;
  /** Rows that it read, by its own count; null: not written down. */
  readonly rows: bigint | null;
  /** A backfill: outside streaks and watermarks. */
  readonly backfill: boolean;
  /** The source's newest cursor value as the run itself saw it. */
  readonly dataClock: Position | null;
};

/** A line of a ledger that could not be read: where it stands and why. Holds no values of the line but its id. */
export type UnreadableRun = { readonly place: string; readonly why: string };

/** Whether a run counts towards coverage and streaks: it succeeded and covered something. */
export function succeeded(run: Run): run is Run & { readonly window: Window } {
  return run.outcome === "success" && run.window !== null;
}
