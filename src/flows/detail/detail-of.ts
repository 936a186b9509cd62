import { advise } from "../../advise/advise.ts";
import { tally } from "../../causes/tally.ts";
import type { CheckDetail, Freshness, LagPicture } from "../../domain/detail.ts";
import type { Difference } from "../../domain/difference.ts";
import type { Facts } from "../../domain/facts.ts";
import { keySpaceOf } from "./key-space.ts";
import { twoClocksOf } from "./two-clocks.ts";

/**
 * What the pictures of a check are drawn from: a pure function of what was read. Reads the differences a few times; what it gives is
 * bounded, however many there are. The history is the caller's to add: it lies in the state store.
 */
export function detailOf(facts: Facts, differences: Iterable<Difference>): CheckDetail {
  const compared = facts.comparison === null ? [] : differences;
  return {
    now: facts.now,
    axis: facts.axis,
    cursor: facts.check.cursor?.column ?? null,
    clocks: twoClocksOf(facts, compared),
    keys: keySpaceOf(facts, compared),
    lag: lagOf(facts, compared),
    freshness: freshnessOf(facts),
    history: [],
  };
}

function freshnessOf({ axis, now, source, target, check }: Facts): Freshness | null {
  if (axis !== "time") return null;
  const age = (side: Facts["source"]): bigint | null => {
    const clock = side.cursor?.clock ?? null;
    return clock === null ? null : now - clock;
  };
  const { warn, error } = check.expect.freshness;
  return { source: age(source), target: age(target), warn, error };
}

function lagOf(facts: Facts, differences: Iterable<Difference>): LagPicture | null {
  if (facts.ledger === null) return null;
  const advice = advise(facts, tally(facts, differences).bounds);
  return advice === null ? null : { advice, histogram: facts.ledger.arrivals?.histogram ?? [] };
}
