import { rule } from "./rule.ts";

/** The server has given up the slot, or does not have it: what it kept for its reader is gone. */
export const slotLost = rule("slot-lost", ["cdc"], ({ cdc }) => {
  const { slot, slotMissing } = cdc;
  if (slotMissing !== null)
    return [
      {
        severity: "error",
        says: `the server has no replication slot ${slotMissing}: nothing keeps the log for its reader; compare everything`,
        evidence: { slot: slotMissing, exists: false },
      },
    ];
  if (slot === null || (slot.walStatus !== "lost" && slot.invalidationReason === null)) return [];
  return [
    {
      severity: "error",
      says: `the replication slot ${slot.name} is lost${slot.invalidationReason === null ? "" : ` (${slot.invalidationReason})`}: changes are missing from its stream; compare everything and create it anew`,
      evidence: { slot: slot.name, wal_status: slot.walStatus, invalidation_reason: slot.invalidationReason },
    },
  ];
});
