import type { FindingRange, Json, SampleRow } from "../../domain/finding.ts";
import { TOGETHER } from "./wrap.ts";

/** A formatted position without what says nothing: `2026-06-01T08:00:00.000000Z` → `2026-06-01 08:00:00Z`, held together by `wrap`. Numbers stay. */
export function moment(position: string): string {
  const time = /^([+-]?\d{4,6}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(\.\d+)?Z$/.exec(position);
  if (time === null) return position;
  const fraction = (time[3] ?? "").replace(/\.?0+$/, "");
  return `${time[1] ?? ""}${TOGETHER}${time[2] ?? ""}${fraction}Z`;
}

/** Where a finding's rows lie, as sentences; empty: the finding does not say. Cursor stretches are half-open. */
export function placeOf(range: FindingRange, keyNames: readonly string[]): readonly string[] {
  const places: string[] = [];
  const { cursor, key } = range;
  if (cursor !== undefined && (cursor.from !== null || cursor.to !== null)) {
    const from = cursor.from === null ? "" : `from ${moment(cursor.from)} `;
    const to = cursor.to === null ? "on" : cursor.from === cursor.to ? "" : `to before ${moment(cursor.to)}`;
    places.push(`cursor ${from}${to}`.trimEnd());
  }
  if (key !== undefined) {
    const name = keyNames.length > 0 ? keyNames.join(", ") : "key";
    const from = key.from.map(jsonText).join(", ");
    const to = key.to.map(jsonText).join(", ");
    places.push(from === to ? `${name} ${from}` : `${name} ${from} … ${to}`);
  }
  return places;
}

/** One row of a sample: `id 17 (finalgrade, userid)`. Values are there only where the check lets them be shown. */
export function sampleText(row: SampleRow): string {
  const key = Object.entries(row.key)
    .map(([name, part]) => `${name} ${jsonText(part)}`)
    .join(", ");
  const values = Object.entries(row.values ?? {}).map(
    ([name, { source, target }]) => `${name}: ${jsonText(source)} → ${jsonText(target)}`,
  );
  const shown = values.length > 0 ? values : (row.columns ?? []);
  return shown.length === 0 ? key : `${key} (${shown.join(", ")})`;
}

/** A JSON value in a sentence: texts bare, NULL as NULL, the rest as JSON. */
export function jsonText(value: Json): string {
  if (value === null) return "NULL";
  return typeof value === "string" ? moment(value) : typeof value === "object" ? JSON.stringify(value) : String(value);
}
