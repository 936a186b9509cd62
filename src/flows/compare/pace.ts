import type { Check } from "../../domain/check.ts";
import type { Clock, World } from "../ports.ts";
import type { SideName } from "./open-side.ts";

/** Spares servers that have other work: a statement takes about as long as it may, and is followed by a rest. */
export type Pace = {
  /** Rows of the next chunk. */
  readonly rows: () => number;
  /** Measures a statement, rests for as long as it took, and learns from how many rows it read; null: nothing to learn. */
  readonly through: <T>(
    side: SideName,
    statement: () => Promise<T>,
    rowsOf: ((answer: T) => bigint) | null,
  ) => Promise<T>;
};

/** How long a checksum may take. Seconds. */
const TARGET = 0.5;
/** Longest rest: a statement that cannot be cut, such as a count of everything, is not slept off for minutes. Seconds. */
const LONGEST_REST = 5;
const FIRST = 10_000;
const SMALLEST = 1_000;
const LARGEST = 1_000_000;

/**
 * The pace of a gentle comparison: half of the time its one connection a side rests, and chunks are as large as the slower side sums in
 * half a second. Sizes grow to twice and shrink to a quarter at most from one statement to the next, since a first one also pays for a cold cache.
 */
function gentlePace(clock: Clock, signal: AbortSignal): Pace {
  const size = { source: FIRST, target: FIRST };
  return {
    rows: () => Math.min(size.source, size.target),
    async through(side, statement, rowsOf) {
      const began = clock.seconds();
      const answer = await statement();
      const seconds = clock.seconds() - began;
      if (rowsOf !== null) size[side] = nextSize(size[side], Number(rowsOf(answer)), seconds);
      await clock.sleep(BigInt(Math.round(Math.min(LONGEST_REST, seconds) * 1e6)), signal);
      return answer;
    },
  };
}

/** A check's pace; null: as fast as the servers go. */
export function paceOf({ compare }: Check, { clock, signal }: Pick<World, "clock" | "signal">): Pace | null {
  return compare.gentle ? gentlePace(clock, signal) : null;
}

/** Rows that would have taken the target's time; unchanged after a chunk that says little, such as the last one. */
export function nextSize(size: number, rows: number, seconds: number): number {
  const fits = seconds > 0 ? (rows * TARGET) / seconds : Infinity;
  if (rows < size / 2 && seconds <= TARGET) return size;
  return Math.round(Math.min(LARGEST, Math.max(SMALLEST, size / 4, Math.min(size * 2, fits))));
}
