import type { AgreedKind } from "../../domain/kind.ts";
import { atPrecision, dateText, instantOf, momentText, readMoment, timeText, usualMomentText } from "./times.ts";

/** A value as SQLite hands it over. NULL is asked before. */
export type Stored = bigint | number | string | Uint8Array;

/** What a value is brought to; plain data, so that it can stand in a statement. */
export type Form = {
  readonly as: AgreedKind;
  /** IANA zone of naive readings compared as instants. */
  readonly zone: string;
  readonly rounding: "cut" | "round";
};

/**
 * The canonical text of a stored value (`AgreedKind`'s table). SQLite keeps any value in any column: one that does not fit its
 * declared kind gets a text that no fitting value has, so that it shows as a difference and nothing fails.
 */
export function canonicalText(x: Stored, { as, zone, rounding }: Form): string {
  switch (as.as) {
    case "integer":
    case "boolean":
      return typeof x === "bigint" ? x.toString() : typeof x === "number" ? plainDecimal(x) : misfit(x);
    case "decimal":
      return decimalText(x, as.scale) ?? misfit(x);
    case "float":
      return floatText(x, as.bits) ?? misfit(x);
    case "bytes":
      return x instanceof Uint8Array ? hex(x) : misfit(x);
    case "uuid":
      return uuidText(x);
    case "date":
    case "instant":
    case "local":
      return timeOf(x, as, zone, rounding) ?? misfit(x);
    case "time":
      return (typeof x === "string" ? timeText(x, as.precision, as.zoned, rounding) : null) ?? misfit(x);
    case "text":
      return typeof x === "string" ? x : x instanceof Uint8Array ? misfit(x) : printed(x);
    default:
      return printed(x);
  }
}

/** A value as text without loss: integers in full, reals as their shortest decimal, blobs in hex. */
export function printed(x: Stored): string {
  return typeof x === "string" ? x : x instanceof Uint8Array ? hex(x) : String(x);
}

/** A real number in plain digits: of the shortest decimal that reads back to the same double. */
export function plainDecimal(x: number): string {
  if (!Number.isFinite(x)) return String(x);
  const { sign, digits, exponent } = shortest(x);
  if (digits === "") return "0";
  if (exponent >= 0) return sign + digits + "0".repeat(exponent);
  const point = digits.length + exponent;
  return point > 0
    ? `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
    : `${sign}0.${"0".repeat(-point)}${digits}`;
}

/** Names no fitting value: an exclamation mark, the storage class, the bytes in hex. It holds no comma, as plain texts may not. */
function misfit(x: Stored): string {
  if (typeof x === "string") return `!text:${Buffer.from(x, "utf8").toString("hex")}`;
  if (x instanceof Uint8Array) return `!blob:${hex(x)}`;
  return `!${typeof x === "bigint" ? "integer" : "real"}:${x}`;
}

const hex = (x: Uint8Array): string => Buffer.from(x.buffer, x.byteOffset, x.byteLength).toString("hex");

/** A double's sign, its shortest digits without zeros at either end ("" for zero), and the power of ten behind the last of them. */
function shortest(x: number): { readonly sign: string; readonly digits: string; readonly exponent: number } {
  if (x === 0) return { sign: "", digits: "", exponent: 0 };
  const [mantissa = "", power = "0"] = Math.abs(x).toExponential().split("e");
  const digits = mantissa.replace(".", "");
  return { sign: x < 0 ? "-" : "", digits, exponent: Number(power) - digits.length + 1 };
}

const NAMED = /^(NaN|-?Infinity)$/;

function decimalText(x: Stored, scale: number | null): string | null {
  if (x instanceof Uint8Array) return null;
  const plain = typeof x === "number" ? plainDecimal(x) : x.toString();
  if (NAMED.test(plain)) return plain;
  const [, sign = "", whole, fraction = ""] = /^([+-]?)0*(\d+)(?:\.(\d*))?$/.exec(plain) ?? [];
  if (whole === undefined) return null;
  // More digits than the scale has stay: they are a difference.
  const kept = fraction.replace(/0+$/, "").padEnd(scale ?? 0, "0");
  const text = kept === "" ? whole : `${whole}.${kept}`;
  return sign === "-" && /[1-9]/.test(text) ? `-${text}` : text;
}

function floatText(x: Stored, bits: 32 | 64): string | null {
  if (x instanceof Uint8Array) return null;
  if (typeof x === "string") return NAMED.test(x) ? x : null;
  const double = bits === 32 ? Math.fround(Number(x)) : Number(x);
  if (!Number.isFinite(double)) return String(double);
  const { sign, digits, exponent } = shortest(double);
  return digits === "" ? "0" : `${sign}${digits}e${exponent}`;
}

function uuidText(x: Stored): string {
  if (x instanceof Uint8Array) return x.length === 16 ? hex(x) : misfit(x);
  if (typeof x !== "string") return misfit(x);
  const bare = x.toLowerCase().replaceAll("-", "");
  return /^[0-9a-z]+$/.test(bare) ? bare : misfit(x);
}

/** Times that are none and stand for themselves: PostgreSQL's infinities, MySQL's zero dates. */
const ITSELF = /^(-?infinity|\d{4}-\d{2}-\d{2}( \d{2}:\d{2}:\d{2})?)$/;

function timeOf(
  x: Stored,
  as: AgreedKind & { readonly as: "date" | "instant" | "local" },
  zone: string,
  rounding: "cut" | "round",
): string | null {
  if (x instanceof Uint8Array) return null;
  if (typeof x === "string" && as.as !== "date") {
    const usual = usualMomentText(x, as.precision, as.as === "local" || zone === "UTC");
    if (usual !== null) return usual;
  }
  const reading = readMoment(x);
  if (reading === null) return typeof x === "string" && ITSELF.test(x) ? x : null;
  if (as.as === "date") {
    const micros = instantOf(reading, "UTC");
    // A date with a time of day behind it is more than a date.
    return dateText(micros) ?? momentText(micros);
  }
  const micros = instantOf(reading, as.as === "instant" ? zone : "UTC");
  return momentText(atPrecision(micros, as.precision, rounding));
}
