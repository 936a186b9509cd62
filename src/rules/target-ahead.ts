import { formatPosition } from "../domain/position.ts";
import { distance, place } from "../domain/wording.ts";
import { rule } from "./rule.ts";

/** The target's data clock is beyond the source's: something else writes there, or the source was rolled back. */
export const targetAhead = rule(
  "target-ahead",
  ["check", "axis", "sourceCursor", "targetCursor", "mapping"],
  ({ check, axis, sourceCursor, targetCursor, mapping }) => {
    const from = sourceCursor.clock;
    const to = targetCursor.clock;
    if (from === null || to === null || to <= from) return [];
    const as = mapping.compared.find((pair) => pair.source === check.cursor?.column)?.as;
    // A target that keeps fewer digits of a second may have rounded up.
    const rounding = as?.as === "instant" || as?.as === "local" ? 10n ** BigInt(6 - as.precision) : 1n;
    if (to - from < rounding) return [];
    return [
      {
        severity: "warn",
        says: `the target's newest row (${place(to, axis)}) is ${distance(to - from, axis)} newer than the source's (${place(from, axis)})`,
        sides: ["target"],
        evidence: { source_clock: formatPosition(from, axis), target_clock: formatPosition(to, axis) },
      },
    ];
  },
);
