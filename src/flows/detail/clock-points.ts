import type { ClockPoint, LostRows } from "../../domain/detail.ts";
import type { Facts } from "../../domain/facts.ts";
import type { Frame } from "./two-clocks.ts";

/** Readings of a picture at most. */
const READINGS = 400;

/**
 * The data clock from moment to moment, by time: what each run found, what earlier audits saw, what the source shows now, and (`rows`)
 * that it stood no lower than a lost row's cursor once that had arrived. Those before the frame but the last are left out.
 */
export function clockPointsOf(facts: Facts, rows: readonly LostRows[], { wall }: Frame): readonly ClockPoint[] {
  const { ledger, source } = facts;
  if (ledger === null) return [];
  const points: ClockPoint[] = ledger.clocks.filter((reading) => reading !== null);
  for (const { at, position } of ledger.observations)
    points.push({ at, position, witness: "observations", certainty: "exact" });
  const now = source.cursor?.clock ?? null;
  points.push({ at: facts.now, position: now, witness: "source-now", certainty: "exact" });
  for (const { arrivals, cursors } of rows)
    if (arrivals !== null)
      points.push({ at: arrivals.last, position: cursors.last, witness: "lost-row", certainty: "at-least" });
  const ordered = points.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const before = ordered.findLastIndex(({ at, certainty }) => at < wall.from && certainty === "exact");
  const told: ClockPoint[] = [];
  // The newest of them that is no mere bound from above.
  let last: ClockPoint | null = null;
  for (const point of ordered.slice(Math.max(0, before))) {
    if (point.at > wall.to) break;
    // A bound from below that says nothing new is no news.
    if (
      point.certainty === "at-least" &&
      last !== null &&
      last.position !== null &&
      point.position !== null &&
      point.position <= last.position
    )
      continue;
    told.push(point);
    if (point.certainty !== "at-most") last = point;
  }
  return told;
}

/** Few enough readings to draw: of those that are close in time, the last. */
export function thinned(
  points: readonly ClockPoint[],
  { wall }: Frame,
): { readonly points: readonly ClockPoint[]; readonly left: number } {
  if (points.length <= READINGS) return { points: points.map(asPoint), left: 0 };
  const width = (wall.to - wall.from) / BigInt(READINGS) + 1n;
  const last = new Map<bigint, ClockPoint>();
  for (const point of points) last.set((point.at - wall.from) / width, point);
  return { points: [...last.values()].map(asPoint), left: points.length - last.size };
}

/** Without what a reading of a run says beyond it. */
function asPoint({ at, position, witness, certainty }: ClockPoint): ClockPoint {
  return { at, position, witness, certainty };
}
