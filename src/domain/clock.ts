import type { Position } from "./position.ts";

/** Who says where the data clock stood, in the order in which they are believed. */
export type Witness = "ledger" | "arrivals" | "commit-timestamps" | "observations" | "source-now";

/**
 * A reading of a data clock: the newest cursor value visible at a moment. `position` null: nothing was visible.
 * `atLeast`/`atMost`: a bound rather than a value (stored observations around the moment).
 */
export type ClockReading = {
  readonly position: Position | null;
  /** The moment it speaks of: wall-clock microseconds since the epoch. */
  readonly at: bigint;
  readonly witness: Witness;
  readonly certainty: "exact" | "at-least" | "at-most";
  /** Beside an `at-most` reading: where the clock stood at least, if something says so. */
  readonly atLeast?: Position;
};

/** How far a clock had surely come; null: nobody knows, or nothing was visible. A bound from above says nothing of that. */
export function surelyAt(reading: ClockReading | null): Position | null {
  if (reading === null) return null;
  return reading.certainty === "at-most" ? (reading.atLeast ?? null) : reading.position;
}

/** What Tidemark itself saw during an earlier audit: the source's clock at a wall-clock moment (microseconds). */
export type Observation = { readonly at: bigint; readonly position: Position | null };
