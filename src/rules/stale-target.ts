import { freshness } from "./freshness.ts";
import { rule } from "./rule.ts";

/** The target's data clock is too old. */
export const staleTarget = rule("stale-target", ["check", "axis", "now", "targetCursor"], (facts) =>
  facts.axis === "time"
    ? freshness(facts, { side: "target", clock: facts.targetCursor.clock, against: facts.now, what: "now" })
    : [],
);
