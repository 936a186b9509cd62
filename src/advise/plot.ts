import { distance } from "../domain/wording.ts";
import type { Advice } from "../domain/advice.ts";

/** One line of the plot: a length with its name, and how long its bar is (0 … 1 of the width). */
export type Bar = {
  readonly label: string;
  readonly length: bigint;
  readonly share: number;
  readonly mark: "lag" | "overlap";
};

/** Lag quantiles against overlaps, on one scale, ordered by length: where a lag lies above the overlap in force, rows are lost. */
export function bars(advice: Advice): readonly Bar[] {
  const { lag } = advice;
  const all = [
    { label: "lag p50", length: lag.p50, mark: "lag" as const },
    { label: "lag p99", length: lag.p99, mark: "lag" as const },
    { label: "lag max", length: lag.max, mark: "lag" as const },
    { label: "overlap in force", length: advice.overlapInForce, mark: "overlap" as const },
    { label: "overlap needed", length: advice.needed, mark: "overlap" as const },
    { label: "overlap advised", length: advice.advised, mark: "overlap" as const },
  ].flatMap(({ length, ...bar }) => (length === null ? [] : [{ ...bar, length }]));
  const longest = all.reduce((most, { length }) => (length > most ? length : most), 1n);
  // Lengths to the thousandth of the longest; a double holds those exactly.
  return all.map((bar) => ({ ...bar, share: Number((bar.length * 1000n) / longest) / 1000 }));
}

/** The plot as lines of text: `lag p99          ████████          14 h 7 min`. `width`: of the longest bar, in characters. */
export function plotLines(advice: Advice, width = 40): readonly string[] {
  const drawn = bars(advice);
  const widest = Math.max(...drawn.map(({ label }) => label.length));
  return drawn.map(({ label, length, share, mark }) => {
    const n = length > 0n ? Math.max(1, Math.round(share * width)) : 0;
    return `${label.padEnd(widest)}  ${(mark === "lag" ? "░" : "█").repeat(n).padEnd(width)}  ${distance(length, advice.axis)}`;
  });
}
