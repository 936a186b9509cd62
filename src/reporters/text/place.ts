import type { FindingRange, Json } from "../../domain/finding.ts";
import { formatInstant, parseInstant } from "../../domain/position.ts";
import { TOGETHER } from "./wrap.ts";

/**
 * A formatted position as people write it: `2026-06-01T08:00:00.000000Z` → `2026-06-01 08:00 UTC`, seconds and their fraction only where
 * there are any, held together by `wrap`. Numbers stay.
 */
export function moment(position: string): string {
  const { day, time } = dayAndTime(position) ?? {};
  return day === undefined || time === undefined ? position : together(day, time, "UTC");
}

/**
 * Where a finding's rows lie, as people say it: `2026-06-01 08:00 – 12:00 UTC`, `cursor 10 – 19`, `id 17 … 19`. Empty: the finding does not
 * say. Half-open ends are told by the rounder of the moment itself and the microsecond before it; exact ones are for commands and JSON.
 */
export function placeOf(range: FindingRange, keyNames: readonly string[]): readonly string[] {
  return [...cursorPlace(range), ...keyPlace(range, keyNames)];
}

/** The stretch of the cursor; empty: the finding does not say. */
export function cursorPlace({ cursor }: FindingRange): readonly string[] {
  if (cursor === undefined || (cursor.from === null && cursor.to === null)) return [];
  const from = cursor.from === null ? null : rounder(cursor.from, "from");
  const to = cursor.to === null ? null : cursor.to === cursor.from ? from : rounder(cursor.to, "to");
  const [a, b] = [from, to].map((end) => (end === null ? null : dayAndTime(end)));
  if (a === undefined || b === undefined) return [];
  // Numbers would stand there without a word of what they are.
  const word = (a ?? b ?? null) === null ? "cursor " : "";
  if (from === null) return [`${word}up to ${moment(to ?? "")}`];
  if (to === null) return [`${word}from ${moment(from)} on`];
  if (from === to) return [`${word}${moment(from)}`];
  if (a === null || b === null) return [`${word}${from} – ${to}`];
  if (a.day === b.day) return [`${together(a.day, a.time)} ${together("–", b.time, "UTC")}`];
  return [`${together(a.day, a.time)} ${together("–", b.day, b.time, "UTC")}`];
}

/** The stretch of the key, with its last key where that can be told from the end, which lies behind it; empty: the finding does not say. */
export function keyPlace({ key }: FindingRange, keyNames: readonly string[]): readonly string[] {
  if (key === undefined) return [];
  const name = keyNames.length > 0 ? tuple(keyNames) : "key";
  const from = tuple(key.from.map(keyText));
  // Kinds without a next value end with the last key itself.
  const last = from === tuple(key.to.map(keyText)) ? key.from : [...key.to.slice(0, -1), before(key.to.at(-1) ?? null)];
  const to = tuple(last.map(keyText));
  return [from === to ? `${name} ${from}` : `${name} ${from} … ${to}`];
}

/** `a`, `(a, b)`: the parts of a key, or its columns. */
export function tuple(parts: readonly string[]): string {
  return parts.length === 1 ? (parts[0] ?? "") : `(${parts.join(", ")})`;
}

/** A JSON value in a sentence: moments as people write them, other texts bare, NULL as NULL, the rest as JSON. */
export function jsonText(value: Json): string {
  return typeof value === "string" ? moment(value) : keyText(value);
}

/** A value as it is: a key that looks like a moment may be one that is written just so. */
export function keyText(value: Json): string {
  if (value === null) return "NULL";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const together = (...words: readonly string[]): string => words.join(TOGETHER);

function dayAndTime(position: string): { readonly day: string; readonly time: string } | null {
  const parts = /^([+-]?\d{4,6}-\d{2}-\d{2})T(\d{2}:\d{2})(:\d{2})(\.\d+)?Z$/.exec(position);
  if (parts === null) return null;
  const [, day = "", time = "", seconds = "", digits = ""] = parts;
  const fraction = digits.replace(/\.?0+$/, "");
  return { day, time: `${time}${fraction === "" && seconds === ":00" ? "" : `${seconds}${fraction}`}` };
}

/** Of an end and the position before it the one that is said in fewer digits: windows are closed now here, now there. */
function rounder(end: string, side: "from" | "to"): string {
  const at = dayAndTime(end) === null ? null : parseInstant(end);
  // A number's end lies behind the last one that is meant.
  if (at === null) return side === "to" && /^-?\d+$/.test(end) ? (BigInt(end) - 1n).toString() : end;
  const earlier = formatInstant(at - 1n);
  const length = (position: string): number => dayAndTime(position)?.time.length ?? position.length;
  const [own, other] = [length(end), length(earlier)];
  return other < own || (other === own && side === "to") ? earlier : end;
}

/** What a key's part was before it was counted one up (domain/key-bounds.ts); kinds that cannot be told from JSON stay. */
function before(part: Json): Json {
  if (typeof part === "number") return part - 1;
  if (typeof part !== "string") return part;
  if (part.endsWith("\u0000")) return part.slice(0, -1);
  if (/^-?\d+$/.test(part)) return (BigInt(part) - 1n).toString();
  const day = /^\d{4}-\d{2}-\d{2}$/.test(part) ? parseInstant(part) : null;
  return day === null ? part : formatInstant(day - 86_400_000_000n).slice(0, 10);
}
