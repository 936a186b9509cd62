import type { Advice } from "../../domain/advice.ts";
import { advise } from "../../advise/advise.ts";
import type { CheckDetail, Freshness, LagPicture } from "../../domain/detail.ts";
import type { Difference } from "../../domain/difference.ts";
import type { Facts } from "../../domain/facts.ts";
import type { Tally } from "../../domain/tally.ts";
import { keyCounter } from "./key-space.ts";
import { clockDrawer } from "./two-clocks.ts";

/** Draws a check: shown every difference once, then asked for what its pictures are drawn from. */
export type DetailDrawer = {
  readonly look: (difference: Difference) => void;
  /** `bounds`: of the same differences, which are read once more where rows were lost to runs that are drawn. */
  draw(bounds: Tally["bounds"], differences: Iterable<Difference>): CheckDetail;
};

/**
 * What the pictures of a check are drawn from: a function of what was read. What it gives is bounded, however many differences there
 * are. The history is the caller's to add: it lies in the state store.
 */
export function detailDrawer(facts: Facts): DetailDrawer {
  const keys = keyCounter(facts);
  const clocks = clockDrawer(facts);
  return {
    look(difference) {
      keys?.add(difference);
      clocks?.count(difference);
    },
    draw(bounds, differences) {
      const advice = facts.ledger === null ? null : advise(facts, bounds);
      return {
        now: facts.now,
        axis: facts.axis,
        cursor: facts.check.cursor?.column ?? null,
        clocks: clocks?.draw(differences) ?? null,
        keys: keys?.done() ?? null,
        lag: advice === null ? null : lagPicture(facts, advice),
        freshness: freshnessOf(facts),
        history: [],
      };
    },
  };
}

function lagPicture({ ledger }: Facts, advice: Advice): LagPicture {
  const { histogram = [], sampled = null } = ledger?.arrivals ?? {};
  return { advice, histogram, sampled };
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
