import type { Json } from "./finding.ts";
import type { Key } from "./key.ts";
import { scaled } from "./key.ts";
import type { AgreedKind } from "./kind.ts";
import { formatInstant, parseInstant } from "./position.ts";

/** A key as JSON: integers as numbers where those are exact, all else as canonical texts. */
export function keyJson(key: Key, kinds: readonly AgreedKind[]): readonly Json[] {
  return key.map((part, i) => partJson(part, kinds[i]));
}

function partJson(part: string | null, kind: AgreedKind | undefined): Json {
  if (part === null || kind?.as !== "integer") return part;
  const n = Number(part);
  return Number.isSafeInteger(n) ? n : part;
}

/**
 * A key just behind another in key order: the excluded end of a stretch that ends with it. Integers and uuids count one up, texts and
 * bytes get the smallest tail, dates and times the next day or microsecond, decimals one more digit. Kinds without a next value
 * (floats, times of day, json, others) and NULL keep the value: there the end is the last key itself.
 */
export function keyBehind(key: Key, kinds: readonly AgreedKind[]): Key {
  const last = key.length - 1;
  return key.map((part, i) => {
    const kind = kinds[i];
    return i !== last || part === null || kind === undefined ? part : (behind(part, kind) ?? part);
  });
}

/** The smallest canonical text behind another that is easily said; null: there is none. */
export function behind(part: string, kind: AgreedKind): string | null {
  switch (kind.as) {
    case "integer":
      return (BigInt(part) + 1n).toString();
    case "uuid":
      return (BigInt(`0x${part}`) + 1n).toString(16).padStart(32, "0").slice(-32);
    case "text":
      return `${part}\u0000`;
    case "bytes":
      return `${part}00`;
    case "decimal": {
      if (!/^-?\d+(\.\d*)?$/.test(part)) return null;
      const { digits, scale } = scaled(part);
      return decimal(kind.scale === null ? digits * 10n + 1n : digits + 1n, kind.scale === null ? scale + 1 : scale);
    }
    case "date":
    case "instant":
    case "local": {
      const at = parseInstant(part);
      if (at === null || part.endsWith("BC")) return null;
      const next = formatInstant(at + (kind.as === "date" ? 86_400_000_000n : 1n));
      return kind.as === "date" ? next.slice(0, next.indexOf("T")) : next.replace("T", " ").replace(/\.?0*Z$/, "");
    }
    default:
      return null;
  }
}

function decimal(digits: bigint, scale: number): string {
  const sign = digits < 0n ? "-" : "";
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, "0");
  return scale === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -scale)}.${text.slice(-scale)}`;
}
