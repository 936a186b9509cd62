import type { CauseFinding, Finding, SampleRow } from "../../domain/finding.ts";
import { counted } from "./amount.ts";
import { evidenceText } from "./evidence.ts";
import { jsonText, keyText, tuple } from "./place.ts";
import { TOGETHER } from "./wrap.ts";

/** How a finding is marked: a symbol and a word for the same thing. */
export type Mark = { readonly symbol: string; readonly word: "error" | "warning" | "info" | "accepted" | "recovered" };

export function markOf(finding: Finding): Mark {
  if (finding.state === "recovered") return { symbol: "✓", word: "recovered" };
  if (finding.accepted === true) return { symbol: "·", word: "accepted" };
  return MARKS[finding.severity];
}

const MARKS: Readonly<Record<Finding["severity"], Mark>> = {
  error: { symbol: "✗", word: "error" },
  warn: { symbol: "!", word: "warning" },
  info: { symbol: "·", word: "info" },
};

/** When it began, to the minute; null: the evidence does not say. */
export function sinceOf({ evidence }: Finding): string | null {
  const since = evidence.since ?? evidence.first_seen;
  return typeof since === "string" ? jsonText(since.replace(/:\d\d\.\d+Z$/, ":00.000000Z")) : null;
}

/** The evidence as phrases, but for what has a line of its own, is nothing, or is said by the sentences or the columns already. */
export function evidenceOf({ evidence, rows, says, columns, causes }: Finding): readonly string[] {
  const known = evidence.rows_lacking === rows ? ["rows_lacking"] : [];
  const own = new Set(["since", "first_seen", "runs_total", "streaks_total", "sql", "accept", ...known]);
  const said = [says, ...causes.map((cause) => cause.says), (columns ?? []).join(", ")].map(plain);
  return evidenceText(
    evidence,
    (name, value) => own.has(name) || value === "0" || value === "0 s" || said.some((text) => contains(text, value)),
  );
}

/** The first rows of a sample, the key's columns named once: `id 17 (finalgrade), 18, and 3 more`. Values only where the report has them. */
export function sampleOf({ sample, rows, columns }: Finding, most: number): string {
  const shown = sample.slice(0, most).map((row) => rowText(row, columns ?? []));
  const total = rows === null ? BigInt(sample.length) : BigInt(rows);
  const more = total - BigInt(shown.length);
  const names = tuple(Object.keys(sample[0]?.key ?? {}));
  return `${names} ${shown.join(", ")}${more > 0n ? `, and ${counted(more.toString(), "more", "more")}` : ""}`;
}

/** A row's key with the columns that differ, unless those are the finding's. */
function rowText({ key, columns = [], values = {} }: SampleRow, known: readonly string[]): string {
  const shown = Object.entries(values).map(
    ([name, { source, target }]) => `${name}: ${keyText(source)} → ${keyText(target)}`,
  );
  const differing = shown.length > 0 ? shown : columns.join() === known.join() ? [] : columns;
  return `${tuple(Object.values(key).map(keyText))}${differing.length === 0 ? "" : ` (${differing.join(", ")})`}`;
}

/** `closed-ahead-of-clock (observed)`: a cause, with its rows and the first of its runs where its sentence does not tell them. */
export function causeHead(cause: CauseFinding, most: number): string {
  const { code, confidence, says, rows, runs_total } = cause;
  const runs = cause.runs.slice(0, most);
  const more = runs_total - runs.length;
  const held = `${runs_total === 1 ? "run" : "runs"} ${runs.join(", ")}${more > 0 ? ` and ${counted(more, "more", "more")}` : ""}`;
  return [
    `${code}${confidence === code ? "" : ` (${confidence})`}`,
    ...(contains(plain(says), plain(counted(rows, "row"))) ? [] : [counted(rows, "row")]),
    ...(runs.every((run) => contains(plain(says), run)) ? [] : [held]),
  ].join(", ");
}

/** Whether a text holds these words, not as a part of longer ones. */
function contains(text: string, words: string): boolean {
  if (words === "") return true;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1))
    if (!/[\p{L}\p{N}]$/u.test(text.slice(0, at)) && !/^[\p{L}\p{N}]/u.test(text.slice(at + words.length))) return true;
  return false;
}

const plain = (text: string): string => text.replaceAll(TOGETHER, " ").replaceAll("`", "");

/** Whether a fix is there to be copied: a command or a statement, and not advice in words. */
export function isCopied(fix: string): boolean {
  return /^(?:tidemark|alter|create|grant|drop|set|update|delete|insert|analyze)\s/i.test(fix);
}

/** A fix line by line, as it can be typed where one stands. */
export function typed(fix: string, commandSuffix: string): readonly string[] {
  return fix.split("\n").map((line) => (line.startsWith("tidemark ") ? line + commandSuffix : line));
}
