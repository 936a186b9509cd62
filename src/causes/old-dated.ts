import { duration, runs } from "../domain/wording.ts";
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
      confidence: knowsUsualLag(known) ? "observed" : "inferred",
      runs: held,
      ...(lag === null ? {} : { measure: lag }),
      says: () =>
        `it arrived ${lag === null ? "" : `${duration(lag)} behind its cursor, `}long after ${runs(idsOf(held, known))} had read${
          crowd === null ? "" : `, together with ${crowd - 1n} other late rows`
        }: old rows were imported${knowsUsualLag(known) ? "" : OF_A_PART}`,
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
 * Whether it is known how late rows usually are that reached the target, which tells late commits from imports: only a comparison of all
 * rows knows which of them did. Where some were compared, lost ones may be among the others, and their lags among the usual.
 */
export function knowsUsualLag({ axis, facts: { range, someKeys, comparison } }: Known): boolean {
  return axis !== "time" || (range === null && someKeys !== true && comparison !== null && comparison.stopped === null);
}

/** What a verdict adds where that is not known. */
export const OF_A_PART =
  " (only some rows were compared: an audit of all of them tells how late rows usually are, and so a late commit from an import)";

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
