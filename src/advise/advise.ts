import type { Advice } from "../domain/advice.ts";
import { surelyAt } from "../domain/clock.ts";
import type { Facts } from "../domain/facts.ts";
import { type LedgerIndex, indexLedger } from "../domain/ledger-index.ts";
import { groupNeeds, overlapInForce } from "../domain/overlap.ts";
import type { Axis } from "../domain/position.ts";
import type { CursorProfile } from "../domain/facts.ts";
import type { OverlapBounds } from "../domain/tally.ts";
import { roundUp } from "./natural-unit.ts";
import { replay } from "./replay.ts";

/**
 * Replays the ledger's starts under three policies. `bounds`: what the lost rows without a known arrival say (`tally(…).bounds`).
 * `reread`: the source's profile cut at `lookBackEnds(facts, needed)`, for an exact count of rows that an overlap reads again; without it
 * the ledger's own cuts bound that from above. Null: there is no ledger, no cursor, or no regular successful run.
 */
export function advise(facts: Facts, bounds: OverlapBounds, reread: CursorProfile | null = null): Advice | null {
  const { axis } = facts;
  if (facts.ledger === null || axis === null) return null;
  const ledger = indexLedger(facts.ledger, facts.comparison !== null);
  const regular = ledger.successes.filter((run) => !run.backfill);
  if (regular.length === 0) return null;
  const { arrivals } = facts.ledger;
  const needed = neededOverlapOf(ledger, axis, bounds);
  const lag = lagOf(ledger, axis, bounds);
  const interval = intervalOf(ledger, axis);
  const base = needed > lag.max ? needed : lag.max;
  const advised = roundUp(base + (base > interval ? base : interval), axis);
  return {
    axis,
    rows: arrivals?.rows ?? ledger.rows({ from: null, fromClosed: false, to: null, toClosed: false }),
    runs: regular.length,
    arrivals: arrivals === null ? "bounded" : "observed",
    lag,
    overlapInForce: overlapInForce(ledger),
    needed,
    advised,
    interval,
    policies: replay(ledger, axis, bounds, needed, reread),
    notes: notesOf(ledger, bounds),
  };
}

/** The largest look-back that any row needed: as arrivals show, and as lost rows without one bound it from below. */
export function neededOverlapOf(ledger: LedgerIndex, axis: Axis, bounds: OverlapBounds): bigint {
  let needed = bounds.needed;
  for (const group of ledger.facts.arrivals?.groups ?? []) {
    const needs = groupNeeds(ledger, group, axis)?.needed ?? 0n;
    if (needs > needed) needed = needs;
  }
  return needed;
}

function lagOf(ledger: LedgerIndex, axis: Axis, bounds: OverlapBounds): Advice["lag"] {
  const { arrivals } = ledger.facts;
  const lag = axis === "time" ? (arrivals?.lag ?? null) : null;
  const largest = (arrivals?.groups ?? []).reduce(
    (most, group) => (group.largestLag > most ? group.largestLag : most),
    0n,
  );
  const most = lag?.max ?? largest;
  return { p50: lag?.p50 ?? null, p99: lag?.p99 ?? null, max: bounds.lag > most ? bounds.lag : most };
}

function intervalOf({ successes }: LedgerIndex, axis: Axis): bigint {
  const regular = successes.filter((run) => !run.backfill);
  const lengths =
    axis === "time"
      ? regular.slice(1).map((run, i) => run.started - (regular[i]?.started ?? run.started))
      : regular.flatMap(({ window: { from, to } }) => (from === null || to === null || to < from ? [] : [to - from]));
  return lengths.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))[lengths.length >> 1] ?? 0n;
}

function notesOf(ledger: LedgerIndex, bounds: OverlapBounds): readonly string[] {
  const { arrivals, clocks } = ledger.facts;
  const late = arrivals?.groups.find((group) => group.nextRun === null)?.rows ?? 0n;
  const unknown = ledger.successAt.filter((at) => surelyAt(clocks[at] ?? null) === null).length;
  return [
    ...(arrivals === null
      ? [
          `nobody knows when rows arrived: ${bounds.rows === 0n ? "no lost row says anything, and rows that came late and were caught are not seen" : "the lost rows bound the overlap from below"}; an arrival column would tell`,
        ]
      : []),
    ...(late > 0n ? [`${late} rows arrived after the last run: no policy has had a chance to read them`] : []),
    ...(unknown > 0
      ? [
          `the data clock is not known at ${unknown} of ${ledger.successes.length} runs: there the data-clock policy waits`,
        ]
      : []),
    "rows from before the first window are left out",
  ];
}
