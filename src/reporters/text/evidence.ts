import type { Evidence, Json } from "../../domain/finding.ts";
import { amount, size, span } from "./amount.ts";
import { jsonText } from "./place.ts";

/**
 * Evidence as short phrases: `ahead by 10 h 20 min`, `rows lacking 3`. A name's ending says its unit (`_seconds`, `_bytes`).
 * Lists show their first entries; what is nested deeper stays for the JSON report.
 */
export function evidenceText(evidence: Evidence, without: ReadonlySet<string>): readonly string[] {
  return Object.entries(evidence)
    .filter(([name]) => !without.has(name))
    .flatMap(([name, value]) => phrase(name, value) ?? []);
}

const LISTED = 5;

function phrase(name: string, value: Json): string | null {
  if (value === null || value === "") return null;
  const unit = /^(.*)_(seconds|bytes)$/.exec(name);
  const words = (unit?.[1] ?? name).replaceAll("_", " ");
  if (unit !== null && isNumeric(value)) {
    const number = Number(value);
    return `${words} ${unit[2] === "seconds" ? span(number) : size(number)}`;
  }
  if (typeof value === "boolean") return value ? words : `not ${words}`;
  if (Array.isArray(value)) {
    const plain = (value as readonly Json[]).filter((each) => each === null || typeof each !== "object");
    if (plain.length === 0 || plain.length < value.length) return null;
    const more = plain.length - LISTED;
    return `${words} ${plain.slice(0, LISTED).map(jsonText).join(", ")}${more > 0 ? ` and ${amount(more)} more` : ""}`;
  }
  if (typeof value === "object") return null;
  return `${words} ${typeof value === "number" && Number.isInteger(value) && !/^(run|id|year)$/.test(name) ? amount(value) : jsonText(value)}`;
}

function isNumeric(value: Json): value is number | string {
  return typeof value === "number" || (typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value));
}
