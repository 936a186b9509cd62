import { createHash } from "node:crypto";
import type { Check } from "../domain/check.ts";
import type { Fingerprints, PlanCounts, RepairBounds, RepairRange } from "../domain/repair.ts";
import type { TableInfo } from "../domain/table.ts";

/** Rows that would be written. */
export function writesOf(counts: PlanCounts): bigint {
  return counts.insert + counts.update + counts.delete;
}

/** The plan's id. */
export function planId(check: string, range: RepairRange, columns: readonly string[], bounds: RepairBounds): string {
  return hash([check, range.by, "text" in range ? range.text : "", columns, bounds.maxRows, bounds.deleteExtra]).slice(
    0,
    12,
  );
}

/** Fingerprints of everything that decides what a plan means: the check as it is read, and both tables' columns and unique indexes. */
export function fingerprintsOf(check: Check, source: TableInfo, target: TableInfo): Fingerprints {
  const schema = (table: TableInfo): unknown => [
    table.name,
    table.columns.map((c) => [c.name, c.type, c.nullable, c.hasDefault, c.generated]),
    table.indexes.filter((i) => i.unique).map((i) => [i.columns, i.byteOrder]),
    table.triggers,
    table.foreignKeys,
  ];
  return { check: hash(check), schema: hash([schema(source), schema(target)]) };
}

/** The guard in words. */
export function guardOf(version: string | null): string {
  return version === null
    ? "no version column: the source's copy wins"
    : `${version}: a row whose ${version} is newer in the target is left alone; an equal one is overwritten; NULL is older than any value`;
}

/** The hours in words; null: any. */
export function hoursOf({ between, timezone }: Check["repair"]): string | null {
  if (between === null) return null;
  const clock = (micros: bigint): string => {
    const minutes = micros / 60_000_000n;
    return `${(minutes / 60n).toString().padStart(2, "0")}:${(minutes % 60n).toString().padStart(2, "0")}`;
  };
  return `${clock(between.from)}-${clock(between.to)} ${timezone}`;
}

function hash(value: unknown): string {
  const text = JSON.stringify(value, (_name, x: unknown) => (typeof x === "bigint" ? `${x}n` : x));
  return createHash("sha256").update(text).digest("hex");
}
