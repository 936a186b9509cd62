import { scaleLinear } from "d3-scale";
import { type Axis, civilFromDays, formatInstant, type Position, SECOND } from "../../domain/position.ts";

/** A mark on an axis: what stands at it, and the day where a new one begins (or the axis does). */
export type Tick = { readonly at: Position; readonly label: string; readonly day: string | null };

const MINUTE = 60n;
const HOUR = 60n * MINUTE;
const DAY = 24n * HOUR;

/** Distances between marks, in seconds. */
const STEPS: readonly bigint[] = [
  1n,
  5n,
  15n,
  30n,
  ...[1n, 5n, 15n, 30n].map((n) => n * MINUTE),
  ...[1n, 3n, 6n, 12n].map((n) => n * HOUR),
  ...[1n, 2n, 7n, 14n, 28n, 91n, 364n, 3640n, 36400n, 364000n, 3640000n, 36400000n].map((n) => n * DAY),
];

/** At most `most` marks between two positions, at round places. Times are UTC. */
export function ticksOf(from: Position, to: Position, axis: Axis, most: number): readonly Tick[] {
  if (axis === "sequence")
    return scaleLinear([Number(from), Number(to)], [0, 1])
      .ticks(most)
      .filter(Number.isInteger)
      .map((n) => ({ at: BigInt(n), label: n.toLocaleString("en-US"), day: null }));
  const step = (STEPS.find((each) => (to - from) / (each * SECOND) < BigInt(most)) ?? 36400000n * DAY) * SECOND;
  // Weeks begin on Mondays; the epoch was a Thursday.
  const shift = step >= 7n * DAY * SECOND ? -3n * DAY * SECOND : 0n;
  const ticks: Tick[] = [];
  for (let at = ceiling(from - shift, step) + shift; at <= to; at += step) {
    const iso = formatInstant(at);
    const clock = iso.slice(iso.indexOf("T") + 1);
    const midnight = at % (DAY * SECOND) === 0n;
    const daily = step >= DAY * SECOND;
    ticks.push({
      at,
      label: daily
        ? dayOf(at, step >= 91n * DAY * SECOND)
        : step < MINUTE * SECOND
          ? clock.slice(0, 8)
          : clock.slice(0, 5),
      day: daily ? null : midnight || ticks.length === 0 ? dayOf(at, false) : null,
    });
  }
  return ticks;
}

function ceiling(n: bigint, step: bigint): bigint {
  const rest = ((n % step) + step) % step;
  return rest === 0n ? n : n - rest + step;
}

const WEEKDAYS = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `Mon 23 Nov`, or `Nov 2026`. */
function dayOf(at: Position, far: boolean): string {
  const day = DAY * SECOND;
  const days = at >= 0n ? at / day : (at - day + 1n) / day;
  const { year, month, day: date } = civilFromDays(days);
  const name = MONTHS[Number(month) - 1] ?? "";
  return far ? `${name} ${year}` : `${WEEKDAYS[Number(((days % 7n) + 7n) % 7n)] ?? ""} ${date} ${name}`;
}
