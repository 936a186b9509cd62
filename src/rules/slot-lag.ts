import { jsonCount } from "../domain/report.ts";
import { duration, seconds } from "../domain/wording.ts";
import { size } from "./size.ts";
import { rule } from "./rule.ts";

/** The slot's reader is behind: by the log that the server must keep for it, or by what it has not confirmed. */
export const slotLag = rule("slot-lag", ["check", "cdc"], ({ check, cdc }) => {
  const { slot, bytesPerSecond } = cdc;
  if (check.cdc === null || slot === null) return [];
  const { warn, error } = check.cdc;
  const lag = largest(slot.restartLag, slot.confirmedLag);
  if (lag === null) return [];
  const limit = error !== null && lag >= error ? error : warn !== null && lag >= warn ? warn : null;
  if (limit === null) return [];
  const left = timeLeft(slot.safeBytes, bytesPerSecond);
  return [
    {
      severity: limit === error ? "error" : "warn",
      says: `the reader of slot ${slot.name} is behind: the server keeps ${size(slot.restartLag)} of log for it, ${size(slot.confirmedLag)} are not confirmed (limit ${size(limit)})${left === null ? "" : `; at the present rate the slot is lost in ${duration(left)}`}`,
      evidence: {
        slot: slot.name,
        restart_lag_bytes: slot.restartLag === null ? null : jsonCount(slot.restartLag),
        confirmed_lag_bytes: slot.confirmedLag === null ? null : jsonCount(slot.confirmedLag),
        limit_bytes: jsonCount(limit),
        bytes_per_second: bytesPerSecond,
        time_left_seconds: left === null ? null : seconds(left),
      },
    },
  ];
});

function largest(a: bigint | null, b: bigint | null): bigint | null {
  return a === null ? b : b === null || a > b ? a : b;
}

/** Microseconds until the server drops the slot, at the measured rate; null: it never does, or no rate was measured. */
function timeLeft(safeBytes: bigint | null, bytesPerSecond: number | null): bigint | null {
  if (safeBytes === null || bytesPerSecond === null || bytesPerSecond <= 0) return null;
  return safeBytes <= 0n ? 0n : BigInt(Math.round((Number(safeBytes) / bytesPerSecond) * 1_000_000));
}
