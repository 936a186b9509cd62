import { duration, seconds } from "../domain/wording.ts";
import { rule } from "./rule.ts";

/** Nobody reads the slot, so that the server keeps ever more log for it; an error once that lasts longer than the check allows. */
export const slotInactive = rule("slot-inactive", ["check", "cdc"], ({ check, cdc }) => {
  const { slot } = cdc;
  if (slot === null || slot.active) return [];
  const limit = check.cdc?.inactive ?? null;
  const forLong = slot.inactiveFor !== null && limit !== null && slot.inactiveFor > limit;
  return [
    {
      severity: forLong ? "error" : "warn",
      says: `nobody reads the replication slot ${slot.name}${slot.inactiveFor === null ? "" : `, for ${duration(slot.inactiveFor)}`}: the server keeps its log until somebody does`,
      evidence: {
        slot: slot.name,
        inactive_seconds: slot.inactiveFor === null ? null : seconds(slot.inactiveFor),
        allowed_seconds: limit === null ? null : seconds(limit),
      },
    },
  ];
});
