import type { ClockPoint, LostRows } from "../../domain/detail.ts";
import type { Facts } from "../../domain/facts.ts";
import type { Position } from "../../domain/position.ts";
import type { Frame } from "./two-clocks.ts";

/** Readings of a picture at most. */
const READINGS = 400;

/**
 * The data clock from moment to moment, by time: what each run found, what earlier audits saw, what the source shows now, and (`rows`)
 * that it stood no lower than a lost row's cursor once that had arrived. Those before the frame but the last are left out.
 */
export function* clockPointsOf(facts: Facts, rows: readonly LostRows[], frame: Frame): Generator<ClockPoint> {
  // The newest of them that is no mere bound from above.
  let last: ClockPoint | null = null;
  for (const point of fromFrame(facts, rows, frame)) {
    if (point.at > frame.wall.to) return;
    const { certainty, position } = point;
    // A bound from below that says nothing new is no news.
    const known: Position | null = last?.position ?? null;
    if (certainty === "at-least" && known !== null && position !== null && position <= known) continue;
    yield point;
    if (certainty !== "at-most") last = point;
  }
}

/** Without what lies before the last exact reading before the frame. */
function* fromFrame(facts: Facts, rows: readonly LostRows[], { wall }: Frame): Generator<ClockPoint> {
  let before: ClockPoint[] | null = [];
  for (const point of byTime(facts, rows)) {
    if (before === null) yield point;
    else if (point.at < wall.from) {
      if (point.certainty === "exact") before = [point];
      else before.push(point);
    } else {
      yield* before;
      before = null;
      yield point;
    }
  }
  if (before !== null) yield* before;
}

/** All readings: those of the runs ascend already, and may be very many, so that the others are put between them. */
function* byTime({ ledger, source, now }: Facts, rows: readonly LostRows[]): Generator<ClockPoint> {
  if (ledger === null) return;
  const others: ClockPoint[] = ledger.observations.map(({ at, position }) => ({
    at,
    position,
    witness: "observations",
    certainty: "exact",
  }));
  others.push({ at: now, position: source.cursor?.clock ?? null, witness: "source-now", certainty: "exact" });
  for (const { arrivals, cursors } of rows)
    if (arrivals !== null)
      others.push({ at: arrivals.last, position: cursors.last, witness: "lost-row", certainty: "at-least" });
  others.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  let next = 0;
  for (const reading of ledger.clocks) {
    if (reading === null) continue;
    const { at } = reading;
    for (let other = others[next]; other !== undefined && other.at < at; other = others[++next]) yield other;
    yield reading;
  }
  yield* others.slice(next);
}

/** Few enough readings to draw: of those that are close in time, the last. */
export function thinned(
  points: Iterable<ClockPoint>,
  { wall }: Frame,
): { readonly points: readonly ClockPoint[]; readonly left: number } {
  const width = (wall.to - wall.from) / BigInt(READINGS) + 1n;
  const placeOf = ({ at }: ClockPoint): number => Number((at - wall.from) / width);
  const few: ClockPoint[] = [];
  const last = new Map<number, ClockPoint>();
  let all = 0;
  for (const point of points) {
    all++;
    if (all <= READINGS) few.push(point);
    last.set(placeOf(point), point);
  }
  if (all <= READINGS) return { points: few.map(asPoint), left: 0 };
  return { points: [...last.values()].map(asPoint), left: all - last.size };
}

/** Without what a reading of a run says beyond it. */
function asPoint({ at, position, witness, certainty }: ClockPoint): ClockPoint {
  return { at, position, witness, certainty };
}
