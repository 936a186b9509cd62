import { freshness } from "./freshness.ts";
import { rule } from "./rule.ts";

/** The source's data clock is too old; where an origin is named, against the origin's clock instead of now. */
export const staleSource = rule("stale-source", ["check", "axis", "now", "sourceCursor", "origin"], (facts) => {
  const { axis, now, sourceCursor, origin } = facts;
  if (axis !== "time") return [];
  if (origin === null)
    return freshness(facts, { side: "source", clock: sourceCursor.clock, against: now, what: "now" });
  // An origin that shows nothing is nothing to be behind of.
  const clock = origin.cursor.clock;
  return clock === null
    ? []
    : freshness(facts, { side: "source", clock: sourceCursor.clock, against: clock, what: "origin" });
});
