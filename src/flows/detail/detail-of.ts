import { advise } from "../../advise/advise.ts";
import { tally } from "../../causes/tally.ts";
import type { Advice } from "../../domain/advice.ts";
import type { CheckDetail, Freshness } from "../../domain/detail.ts";
import type { Difference } from "../../domain/difference.ts";
import type { Facts } from "../../domain/facts.ts";
import { keyCounter } from "./key-space.ts";
import { clockDrawer } from "./two-clocks.ts";

/**
 * What the pictures of a check are drawn from: a pure function of what was read. Reads the differences twice; what it gives is bounded,
 * however many there are. The history is the caller's to add: it lies in the state store.
 */
export function detailOf(facts: Facts, differences: Iterable<Difference>): CheckDetail {
  const compared = facts.comparison === null ? [] : differences;
  const keys = keyCounter(facts);
  const clocks = clockDrawer(facts);
  const look = (difference: Difference): void => {
    keys?.add(difference);
    clocks?.count(difference);
  };
  const advice = adviceOf(facts, tapped(compared, look));
  return {
    now: facts.now,
    axis: facts.axis,
    cursor: facts.check.cursor?.column ?? null,
    clocks: clocks?.draw(compared) ?? null,
    keys: keys?.done() ?? null,
    lag: advice === null ? null : { advice, histogram: facts.ledger?.arrivals?.histogram ?? [] },
    freshness: freshnessOf(facts),
    history: [],
  };
}

/** The same differences, each looked at as it passes. */
function* tapped(differences: Iterable<Difference>, look: (difference: Difference) => void): Iterable<Difference> {
  for (const difference of differences) {
    look(difference);
    yield difference;
  }
}

/** Reads all of the differences, also where there is no ledger to advise on: who else looks at them does so as they pass. */
function adviceOf(facts: Facts, differences: Iterable<Difference>): Advice | null {
  if (facts.ledger !== null) return advise(facts, tally(facts, differences).bounds);
  for (const difference of differences) void difference;
  return null;
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
