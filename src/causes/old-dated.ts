import { duration, runs } from "../domain/wording.ts";
import type { ArrivalFacts } from "../domain/facts.ts";
import type { Cause, Known, Lost } from "./cause.ts";
import { arrivedTooLate, clockStood, holders, idsOf, readingOf } from "./lost.ts";

/** How many times the usual lag a row must lag behind before it counts as imported. */
const FACTOR = 10n;

/** The row arrived after its windows had been read, far later than rows do, or with a crowd of late ones: someone imported old rows. */
export const oldDated: Cause = {
  code: "old-dated",
  holds: (lost, known) => {
    const reading = readingOf(lost, known);
    if (reading === null || arrivedTooLate(lost, reading) !== true || clockStood(lost, reading) !== "passed")
      return null;
    const crowd = crowdOf(lost, known);
    if (!farLater(lost, known) && crowd === null) return null;
    const held = holders(lost, known);
    const lag = known.axis === "time" ? (lost.a as bigint) - (lost.x as bigint) : null;
    return {
      confidence: "observed",
      runs: held,
      ...(lag === null ? {} : { measure: lag }),
      says: () =>
        `it arrived ${lag === null ? "" : `${duration(lag)} behind its cursor, `}long after ${runs(idsOf(held, known))} had read${
          crowd === null ? "" : `, together with ${crowd - 1n} other late rows`
        }: old rows were imported`,
    };
  },
};

/** The lag that 99 % of the rows do not exceed which reached the target; of all rows, where those are not told apart. */
function usualLag({ arrivals }: Known): bigint | null {
  return arrivals?.lagOfArrived?.p99 ?? arrivals?.lag?.p99 ?? null;
}

function farLater({ a, x }: Lost, known: Known): boolean {
  const usual = usualLag(known);
  return known.axis === "time" && usual !== null && isFarLater((a as bigint) - (x as bigint), usual);
}

/** Whether a lag alone shows that old rows were imported. `usual`: the lag that 99 % of the rows do not exceed. */
export function isFarLater(lag: bigint, usual: bigint): boolean {
  return lag > FACTOR * (usual > 0n ? usual : 0n);
}

/**
 * Whether a late row that is not far later than the usual lag may be so after all: a comparison of some rows only does not know which of
 * the others reached the target, so that the lags of lost ones are among the usual. Rows that lag less than this one mostly did reach it.
 */
export function mayBeOldDated({ a, x }: Lost, known: Known): boolean {
  const { range, someKeys, comparison } = known.facts;
  const whole = range === null && someKeys !== true && comparison !== null && comparison.stopped === null;
  const parts = known.arrivals?.histogram;
  if (whole || known.axis !== "time" || parts === undefined) return false;
  const lag = (a as bigint) - (x as bigint);
  const usual = lesserLag(parts, lag);
  return usual !== null && lag > FACTOR * (usual > 0n ? usual : 0n);
}

type Parts = NonNullable<ArrivalFacts["histogram"]>;
const lesserLags = new WeakMap<Parts, Map<number, bigint | null>>();

/** The lag that 99 % of the rows do not exceed which lag less than this one; null: none does. The same for all lags of one part. */
function lesserLag(parts: Parts, lag: bigint): bigint | null {
  let [lesser, end] = [0, parts.length];
  while (lesser < end) {
    const middle = (lesser + end) >>> 1;
    if ((parts[middle] as Parts[number]).most < lag) lesser = middle + 1;
    else end = middle;
  }
  const known = lesserLags.get(parts) ?? new Map<number, bigint | null>();
  lesserLags.set(parts, known);
  const found = known.get(lesser) ?? p99Of(parts.slice(0, lesser));
  known.set(lesser, found);
  return found;
}

function p99Of(parts: Parts): bigint | null {
  let rank = (parts.reduce((sum, { rows }) => sum + rows, 0n) * 99n + 99n) / 100n;
  return parts.find(({ rows }) => (rank -= rows) <= 0n)?.most ?? null;
}

const crowds = new WeakMap<object, ReadonlyMap<bigint, bigint>>();

function crowdOf({ a, x }: Lost, known: Known): bigint | null {
  const { axis, arrivals } = known;
  if (arrivals?.imports === undefined) return null;
  let crowd = crowds.get(arrivals);
  if (crowd === undefined) {
    crowd = new Map(arrivals.imports.map(({ arrival, rows }) => [arrival, rows]));
    crowds.set(arrivals, crowd);
  }
  // A row of the crowd is one that is late itself.
  const usual = usualLag(known);
  if (axis === "time" && usual !== null && (a as bigint) - (x as bigint) <= usual) return null;
  return crowd.get(a as bigint) ?? null;
}
