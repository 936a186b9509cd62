import type { AgreedKind } from "./kind.ts";
import { InvariantError } from "./errors.ts";
import { parseInstant } from "./position.ts";

/**
 * The values of a row's key columns as canonical texts of their agreed kinds, in the order of the check's `key`.
 * A null part is a NULL in a key column, which no unique index forbids.
 */
export type Key = readonly (string | null)[];

/** One string per key, different for different keys: parts carry their length. */
export function keyIdentity(key: Key): string {
  return key.map((part) => (part === null ? "n" : `${part.length}:${part}`)).join("");
}

/** A stretch of keys in key order: `from` included, `to` excluded; null is open without bound. */
export type KeyRange = { readonly from: Key | null; readonly to: Key | null };

export const ALL_KEYS: KeyRange = { from: null, to: null };

/**
 * Compares two keys in the order in which `KeyRange` cuts them: numbers by value, times by moment, texts by their UTF-8 bytes.
 * NULL stands before everything. Returns a negative number, 0 or a positive one.
 */
export function compareKeys(a: Key, b: Key, kinds: readonly AgreedKind[]): number {
  // By number: it is asked of every differing row, several times.
  for (let i = 0; i < kinds.length; i++) {
    const order = comparePart(a[i] ?? null, b[i] ?? null, kinds[i] as AgreedKind);
    if (order !== 0) return order;
  }
  return 0;
}

/** Compares two canonical texts of one kind; NULL stands before everything. */
export function comparePart(a: string | null, b: string | null, kind: AgreedKind): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  switch (kind.as) {
    case "integer":
    case "boolean":
      if (isPlain(a) && isPlain(b)) return a.length - b.length || (a < b ? -1 : 1);
      // SQLite keeps any text in any column.
      return WHOLE.test(a) && WHOLE.test(b) ? sign(BigInt(a) - BigInt(b)) : compareBytes(a, b);
    case "decimal":
      return compareDecimals(a, b);
    case "float":
      return Number(a) - Number(b) || compareBytes(a, b);
    case "date":
    case "instant":
    case "local":
      return compareTimes(a, b);
    default:
      return compareBytes(a, b);
  }
}

const WHOLE = /^-?\d+$/;

/** Whether a text is digits alone, the first of them no zero: of two such the longer is the larger number. */
function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 57 || code < (i === 0 ? 49 : 48)) return false;
  }
  return text.length > 0;
}

const sign = (n: bigint): number => (n < 0n ? -1 : n > 0n ? 1 : 0);

/** Compares two strings as their UTF-8 bytes: code point order, which JavaScript's own `<` is not beyond U+FFFF. */
export function compareBytes(a: string, b: string): number {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    // Surrogates (U+D800–DFFF) stand for code points above every other unit of UTF-16.
    const xs = x >= 0xd800 && x <= 0xdfff;
    const ys = y >= 0xd800 && y <= 0xdfff;
    return xs === ys ? x - y : xs ? 1 : -1;
  }
  return a.length - b.length;
}

const NAMES: Readonly<Record<string, number>> = { "-infinity": -1, "-Infinity": -1, infinity: 1, Infinity: 1, NaN: 2 };

function compareTimes(a: string, b: string): number {
  const named = (NAMES[a] ?? 0) - (NAMES[b] ?? 0);
  if (named !== 0 || a in NAMES || b in NAMES) return named;
  const x = parseInstant(a);
  const y = parseInstant(b);
  return x === null || y === null ? compareBytes(a, b) : sign(x - y);
}

/** Compares two plain decimals exactly. Throws an `InvariantError` on anything that is none. */
export function compareDecimals(a: string, b: string): number {
  const named = (NAMES[a] ?? 0) - (NAMES[b] ?? 0);
  if (named !== 0 || a in NAMES || b in NAMES) return named;
  const x = scaled(a);
  const y = scaled(b);
  const scale = x.scale > y.scale ? x.scale : y.scale;
  return sign(x.digits * 10n ** BigInt(scale - x.scale) - y.digits * 10n ** BigInt(scale - y.scale));
}

/** A plain decimal as an integer and the number of its digits after the point. */
export function scaled(decimal: string): { readonly digits: bigint; readonly scale: number } {
  const m = /^(-?)(\d+)(?:\.(\d*))?$/.exec(decimal);
  if (!m) throw new InvariantError("a plain decimal was promised");
  const fraction = m[3] ?? "";
  const digits = BigInt((m[2] ?? "") + fraction);
  return { digits: m[1] ? -digits : digits, scale: fraction.length };
}
