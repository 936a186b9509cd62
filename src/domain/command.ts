import type { CursorUnit } from "./check.ts";
import type { Json } from "./finding.ts";
import { type Axis, formatInstant, type Position, SECOND } from "./position.ts";

/** The rows that a repair is told to look at. Half-open; null is open without bound. */
export type CommandRange =
  | { readonly by: "cursor"; readonly from: Position | null; readonly to: Position | null }
  | { readonly by: "key"; readonly from: string; readonly to: string };

/** What the ends of a cursor range are written in. */
export type CommandAxis = { readonly axis: Axis; readonly unit: CursorUnit | null };

/** `tidemark repair grades --range 2026-06-01T08:00:00Z..2026-06-01T12:00:00.000001Z`, as it is typed into a shell. */
export function repairCommand(check: string, range: CommandRange | null, axis: CommandAxis): string {
  const words = ["tidemark", "repair", check];
  const text = range === null ? "" : rangeText(range, axis);
  // A text that starts with a minus would be read as another option.
  if (text.startsWith("-")) words.push(`--range=${text}`);
  else if (range !== null) words.push("--range", text);
  return words.map(shellQuote).join(" ");
}

/** What would have lost nothing: how far to look back, and where to end. */
export function adviseCommand(check: string): string {
  return ["tidemark", "advise", check].map(shellQuote).join(" ");
}

/** One row's story; null: a part of its key is NULL, or could be taken for an option. */
export function traceCommand(check: string, key: readonly Json[]): string | null {
  const parts = key.map((part) => (part === null || typeof part === "object" ? "-" : String(part)));
  if (parts.length === 0 || parts.some((part) => part.startsWith("-") || part === "")) return null;
  return ["tidemark", "trace", check, ...parts].map(shellQuote).join(" ");
}

/** A range in the grammar of `--range`: times without a fraction that says nothing. */
export function rangeText(range: CommandRange, { axis, unit }: CommandAxis): string {
  if (range.by === "key") return `key:${range.from}..${range.to}`;
  const from = range.from === null ? "" : endText(range.from, axis, unit, "from");
  const to = range.to === null ? "" : endText(range.to, axis, unit, "to");
  return `${from}..${to}`;
}

const EPOCH: Readonly<Record<CursorUnit, bigint>> = {
  "epoch-s": SECOND,
  "epoch-ms": 1000n,
  "epoch-us": 1n,
  sequence: 1n,
};

/** Times are written as such, also for cursors that count from the epoch: people read them, and `--range` takes both. */
function endText(end: Position, axis: Axis, unit: CursorUnit | null, side: "from" | "to"): string {
  if (axis === "sequence") return end.toString();
  const year = formatInstant(end);
  // Years that ISO cannot say in four digits are written as counts, where the cursor is one.
  if (/^[+-]/.test(year) && unit !== null) return ceiling(end, EPOCH[unit], side).toString();
  return year.replace(/\.?0+Z$/, "Z");
}

function ceiling(end: Position, step: bigint, side: "from" | "to"): bigint {
  const floor = end / step - (end % step < 0n ? 1n : 0n);
  return side === "to" && end % step !== 0n ? floor + 1n : floor;
}

/** A word that a POSIX shell reads back unchanged. */
export function shellQuote(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
