import type { AgreedKind } from "../domain/kind.ts";
import { formatInstant, parseInstant } from "../domain/position.ts";
import type { ColumnInfo } from "../domain/table.ts";
import { toLocal } from "../domain/timezone.ts";
import { decimalText, readDecimal } from "./decimal.ts";

/**
 * A source's canonical text (of the kind that the pair agreed on, without what `treat` would make of it) as a text of the target column's
 * own kind. What the target cannot hold stays as it is, for its server to refuse. `zone`: the target's, for naive times agreed as instants.
 */
export function targetText(text: string, as: AgreedKind, target: ColumnInfo, zone: string): string {
  const { kind } = target;
  switch (kind.kind) {
    case "integer":
    case "boolean":
      return wholeText(text);
    case "decimal":
      return plainText(text);
    case "local":
    case "date": {
      if (as.as !== "instant" || zone === "UTC") return kind.kind === "date" ? dateText(text) : text;
      const moment = parseInstant(text);
      if (moment === null || text.endsWith("BC")) return text;
      const local = formatInstant(toLocal(zone, moment))
        .replace("T", " ")
        .replace(/\.?0*Z$/, "");
      return kind.kind === "date" ? dateText(local) : local;
    }
    case "text":
      // Text that stands for a uuid is written as most write it, where there is room.
      return as.as === "uuid" && (kind.length === null || kind.length >= 36) ? hyphenated(text) : text;
    default:
      return text;
  }
}

/**
 * Whether `targetText` of this pair of kinds is the canonical text itself, and one that a server reads as a value of the column wherever it
 * reads texts.
 */
export function passesAsText(as: AgreedKind, { kind }: ColumnInfo, zone: string): boolean {
  switch (kind.kind) {
    case "integer":
    case "boolean":
      return as.as === "integer" || as.as === "boolean";
    case "decimal":
      return as.as === "integer" || as.as === "decimal";
    case "local":
      return as.as === "local" || (as.as === "instant" && zone === "UTC");
    case "date":
      return as.as === "date";
    case "text":
      return as.as !== "uuid" && as.as !== "bytes";
    case "bytes":
      return false;
    default:
      return true;
  }
}

/** A date that came with a midnight is a date; any other time of day is left for the server, or the look back, to refuse. */
function dateText(text: string): string {
  return text.replace(/ 00:00:00(?= BC$|$)/, "");
}

/** `2.00` and `2e0` as `2`; a fraction stays, for the server to refuse. */
function wholeText(text: string): string {
  const plain = plainText(text);
  return /^-?\d+\.0*$/.test(plain) ? plain.slice(0, plain.indexOf(".")) : plain;
}

/** `15e-1` as `1.5`. Names and what is no number stay. */
function plainText(text: string): string {
  if (!text.includes("e")) return text;
  const number = readDecimal(text);
  if (number === null) return text;
  const { digits, scale } = number;
  return scale <= 0 ? (digits * 10n ** BigInt(-scale)).toString() : decimalText(digits, 10n ** BigInt(scale));
}

function hyphenated(hex: string): string {
  return hex.length === 32 ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5") : hex;
}
