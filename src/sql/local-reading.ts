import type { Position } from "../domain/position.ts";
import { SECOND } from "../domain/position.ts";
import { type Offset, offsetAt } from "../domain/timezone.ts";

const DAY = 86_400n * SECOND;

/**
 * Wall-clock readings of one zone as positions, and back, in an order that never turns around: what an index on a naive column is
 * cut by. A reading of a repeated hour is its later moment, as PostgreSQL has it (the earlier ones have no reading). A reading that no
 * clock showed (clocks set forward) is the moment of the change: moved forward by the gap, 02:30 would come after 03:00.
 */
export type LocalReadings = {
  /** The moment of a reading. Never falls as the reading grows. */
  readonly instant: (local: Position) => Position;
  /** The smallest reading whose moment is at or beyond `instant`. */
  readonly firstAt: (instant: Position) => Position;
};

const UTC: LocalReadings = { instant: (local) => local, firstAt: (instant) => instant };
const known = new Map<string, LocalReadings>([["UTC", UTC]]);

/** The readings of an IANA zone. Throws a RangeError for an unknown one. */
export function localReadings(zone: string): LocalReadings {
  const found = known.get(zone);
  if (found !== undefined) return found;
  const readings = readingsOf(offsetsOf(zone));
  known.set(zone, readings);
  return readings;
}

function readingsOf(offset: (at: Position) => Offset): LocalReadings {
  // A day on either side lies outside every zone's offset, and no zone has changed twice within two days.
  return {
    instant(local) {
      const before = offset(local - DAY);
      const after = offset(local + DAY);
      if (before === after) return local - before;
      const change = changeIn(offset, local - DAY, local + DAY, after);
      if (local - after >= change) return local - after;
      return local - before < change ? local - before : change;
    },
    firstAt(instant) {
      const before = offset(instant - DAY);
      const after = offset(instant + DAY);
      if (before === after) return instant + after;
      const change = changeIn(offset, instant - DAY, instant + DAY, after);
      if (instant > change) return instant + after;
      // At the change the reading of its second pass (or of the gap's start) is the first: it passes over the hour's first pass.
      return instant + before < change + after ? instant + before : change + after;
    },
  };
}

/** The first whole second in (low, high] with the offset that holds at `high`. Zones change on whole seconds only. */
function changeIn(offset: (at: Position) => Offset, low: Position, high: Position, wanted: Offset): Position {
  let before = floorTo(low, SECOND) / SECOND;
  let from = -(floorTo(-high, SECOND) / SECOND);
  while (from - before > 1n) {
    const middle = (from + before) / 2n;
    if (offset(middle * SECOND) === wanted) from = middle;
    else before = middle;
  }
  return from * SECOND;
}

/** Offsets with a memory: two days whose ends agree have one offset, because no zone has changed twice within seven. */
function offsetsOf(zone: string): (at: Position) => Offset {
  const spans = new Map<Position, Offset | null>();
  return (at) => {
    const start = floorTo(at, 2n * DAY);
    let whole = spans.get(start);
    if (whole === undefined) {
      const first = offsetAt(zone, start);
      whole = first === offsetAt(zone, start + 2n * DAY) ? first : null;
      spans.set(start, whole);
    }
    return whole ?? offsetAt(zone, at);
  };
}

/** The largest multiple of `step` that is not above `n`. */
export function floorTo(n: bigint, step: bigint): bigint {
  const rest = n % step;
  return rest === 0n ? n : rest < 0n ? n - rest - step : n - rest;
}
