import type { Check } from "../domain/check.ts";
import { formatInstant, type Position } from "../domain/position.ts";
import { duration, moment, seconds } from "../domain/wording.ts";
import type { FindingDraft } from "./rule.ts";

/** One side's data clock against what it is measured by: the wall clock, or the origin's clock. */
export type Age = {
  readonly side: "source" | "target";
  /** Null: the side shows no cursor at all. */
  readonly clock: Position | null;
  readonly against: bigint;
  readonly what: "now" | "origin";
};

/** Nothing, or one finding: the clock is older than `freshness` allows (error is tested first). A side without a clock is stale. */
export function freshness(
  { check }: { readonly check: Check },
  { side, clock, against, what }: Age,
): readonly FindingDraft[] {
  const { warn, error } = check.expect.freshness;
  const age = clock === null ? null : against - clock;
  const beyond = (limit: bigint | null): limit is bigint => limit !== null && (age === null || age > limit);
  const limit = beyond(error) ? error : beyond(warn) ? warn : null;
  if (limit === null) return [];
  const allowed = `at most ${duration(limit)} is allowed`;
  return [
    {
      severity: beyond(error) ? "error" : "warn",
      says:
        clock === null || age === null
          ? `the ${side} is empty: no row has a cursor; ${allowed}`
          : `the newest row of the ${side} is from ${moment(clock)}, ${duration(age)} ${what === "now" ? "ago" : "behind its origin"}; ${allowed}`,
      sides: [side],
      evidence: {
        clock: clock === null ? null : formatInstant(clock),
        [what === "now" ? "now" : "origin_clock"]: formatInstant(against),
        age_seconds: age === null ? null : seconds(age),
        limit_seconds: seconds(limit),
      },
    },
  ];
}
