import type { RepairRecord } from "../domain/repair.ts";

/** A repair's record as JSON: 64-bit numbers stand as `{"n":"…"}`. */
export function repairText(record: RepairRecord): string {
  return JSON.stringify(record, (_name, x: unknown) => (typeof x === "bigint" ? { n: x.toString() } : x));
}

/** The inverse of `repairText`. */
export function readRepair(text: string): RepairRecord {
  return JSON.parse(text, (_name, x: unknown) =>
    x !== null && typeof x === "object" && "n" in x && typeof x.n === "string" ? BigInt(x.n) : x,
  ) as RepairRecord;
}
