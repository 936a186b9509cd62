import type { Evidence, Json } from "../../domain/finding.ts";
import { amount, size, span } from "./amount.ts";
import { EVIDENCE_WORDS } from "./evidence-words.ts";
import { jsonText } from "./place.ts";
import { TOGETHER } from "./wrap.ts";

/**
 * Evidence as short phrases: `ahead by 10 h 20 min`, `rows lacking 3`. A name's ending says its unit (`_seconds`, `_bytes`). Lists show
 * their first entries; what is nested deeper stays for the JSON report. `leaveOut`: whether to say nothing of a name and its value's text.
 */
export function evidenceText(
  evidence: Evidence,
  leaveOut: (name: string, value: string) => boolean,
): readonly string[] {
  return Object.entries(evidence).flatMap(([name, value]) => {
    if (typeof value === "boolean") return leaveOut(name, "") ? [] : [value ? spaced(name) : `not ${spaced(name)}`];
    const unit = /^(.*)_(seconds|bytes)$/.exec(name);
    const text = unit !== null && isNumeric(value) ? measure(Number(value), unit[2]) : plainText(name, value);
    if (text === null || leaveOut(name, text.replaceAll(TOGETHER, " "))) return [];
    const words = EVIDENCE_WORDS[name];
    if (words !== undefined) return words(text) ?? [];
    return [`${spaced(unit !== null && isNumeric(value) ? (unit[1] ?? name) : name)} ${text}`];
  });
}

const LISTED = 5;

const spaced = (name: string): string => name.replaceAll("_", " ");

function measure(value: number, unit: string | undefined): string {
  return unit === "seconds" ? span(value) : size(value);
}

/** Null: nothing to say in a sentence. */
function plainText(name: string, value: Json): string | null {
  if (value === null || value === "") return null;
  if (Array.isArray(value)) {
    const plain = (value as readonly Json[]).filter((each) => each === null || typeof each !== "object");
    if (plain.length === 0 || plain.length < value.length) return null;
    const more = plain.length - LISTED;
    return `${plain.slice(0, LISTED).map(jsonText).join(", ")}${more > 0 ? ` and ${amount(more)} more` : ""}`;
  }
  if (typeof value === "object") return null;
  return typeof value === "number" && Number.isInteger(value) && !/^(run|id|year)$/.test(name)
    ? amount(value)
    : jsonText(value);
}

function isNumeric(value: Json): value is number | string {
  return typeof value === "number" || (typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value));
}
