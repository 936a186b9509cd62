import type { AgreedKind, Kind } from "../domain/kind.ts";
import { civilFromDays, readTime, SECOND } from "../domain/position.ts";
import { toInstant } from "../domain/timezone.ts";
import { canonicalJson } from "./canonical-json.ts";

export { canonicalJson } from "./canonical-json.ts";

/** A column's canonical text in a row text; `plain` as `isPlain` says of its kind. */
export type ReferencePiece = { readonly text: string | null; readonly plain: boolean };

/**
 * The reference of `Dialect.rowText`, different for different rows. Per column, in order: NULL is `N`; a plain text is the text and a
 * comma behind it; any other text is its UTF-8 byte length, a colon, the text.
 */
export function referenceRowText(values: readonly ReferencePiece[]): string {
  return values
    .map(({ text, plain }) => (text === null ? "N" : plain ? `${text},` : `${utf8Length(text)}:${text}`))
    .join("");
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** What a printed value came from. */
export type PrintedColumn = {
  readonly kind: Kind;
  /** The zone of naive readings that are compared as instants. */
  readonly zone: string;
  readonly rounding: "cut" | "round";
};

/**
 * The canonical text (`AgreedKind`'s table) of a value as its server prints it (`Dialect.printed`), whichever engine that is. JSON comes
 * back in its canonical form. A text that is no value of the kind comes back as it is, so that it equals nothing but itself.
 */
export function canonicalOfPrinted(printed: string, as: AgreedKind, from: PrintedColumn): string {
  switch (as.as) {
    case "integer":
      return /^[+-]?\d+$/.test(printed) ? BigInt(printed.replace("+", "")).toString() : printed;
    case "decimal":
      return canonicalDecimal(printed, as.scale) ?? printed;
    case "float":
      return canonicalFloat(printed, from.kind.kind === "float" ? from.kind.bits : 64) ?? printed;
    case "boolean":
      return BOOLEANS[printed.toLowerCase()] ?? printed;
    case "bytes":
      return printed.replace(/^(\\x|0x)/, "").toLowerCase();
    case "uuid":
      return printed
        .replace(/^(\\x|0x)/, "")
        .replaceAll("-", "")
        .toLowerCase();
    case "time":
      return canonicalClock(printed, as.precision, from.rounding) ?? printed;
    case "instant":
    case "local":
      return canonicalMoment(printed, as, from) ?? printed;
    case "json":
      return canonicalJson(printed) ?? printed;
    case "text":
    case "date":
    case "other":
      return printed;
  }
}

const BOOLEANS: Readonly<Record<string, string>> = { t: "1", true: "1", f: "0", false: "0" };

const NAMED: Readonly<Record<string, string>> = {
  nan: "NaN",
  inf: "Infinity",
  infinity: "Infinity",
  "+infinity": "Infinity",
  "-inf": "-Infinity",
  "-infinity": "-Infinity",
};

/**
 * A decimal as any server spells it (`1.50`, `.5`, `15e-1`, `Infinity`) in canonical form: exactly `scale` digits after the point, or, for
 * null, none that are zeros at the end. Digits beyond the scale are kept, never rounded. Null: no decimal.
 */
export function canonicalDecimal(text: string, scale: number | null): string | null {
  const named = NAMED[text.toLowerCase()];
  if (named !== undefined) return named;
  const m = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text);
  if (!m || `${m[2] ?? ""}${m[3] ?? ""}` === "") return null;
  const exponent = Number(m[4] ?? "0");
  let whole = m[2] ?? "";
  let fraction = m[3] ?? "";
  if (exponent > 0) {
    fraction = fraction.padEnd(exponent, "0");
    whole += fraction.slice(0, exponent);
    fraction = fraction.slice(exponent);
  } else if (exponent < 0) {
    whole = whole.padStart(-exponent, "0");
    fraction = whole.slice(whole.length + exponent) + fraction;
    whole = whole.slice(0, whole.length + exponent);
  }
  whole = whole.replace(/^0+(?=\d)/, "") || "0";
  fraction = fraction.replace(/0+$/, "");
  if (scale !== null) fraction = fraction.padEnd(scale, "0");
  const plain = fraction === "" ? whole : `${whole}.${fraction}`;
  return m[1] === "-" && /[1-9]/.test(plain) ? `-${plain}` : plain;
}

/** A float in canonical form: `0`, or sign, digits without outer zeros, `e`, power of ten (`15e-1`). Null: no number. */
export function canonicalFloat(text: string, bits: 32 | 64): string | null {
  const named = NAMED[text.toLowerCase()];
  if (named !== undefined) return named;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return null;
  const n = bits === 32 ? Math.fround(Number(text)) : Number(text);
  if (n === 0) return "0";
  if (!Number.isFinite(n)) return n > 0 ? "Infinity" : "-Infinity";
  // ECMAScript prints the shortest digits that read back to the same double, as PostgreSQL 12 does.
  const [mantissa = "", exponent = "0"] = n.toExponential().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return `${whole}${fraction}e${Number(exponent) - fraction.length}`;
}

function canonicalClock(text: string, precision: number, rounding: "cut" | "round"): string | null {
  const m = /^(-?)(\d{1,3}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?([+-]\d{2}.*)?$/.exec(text);
  if (!m) return null;
  const [, minus = "", h = "0", min = "0", s = "0", f = "", offset = ""] = m;
  const read = ((BigInt(h) * 60n + BigInt(min)) * 60n + BigInt(s)) * SECOND + BigInt(f.slice(0, 6).padEnd(6, "0"));
  const micros = atPrecision(read, precision, rounding);
  const sign = minus !== "" && micros > 0n ? "-" : "";
  return `${sign}${clockText(micros)}${offset}`;
}

function canonicalMoment(
  text: string,
  as: AgreedKind & { readonly as: "instant" | "local" },
  from: PrintedColumn,
): string | null {
  const name = text.toLowerCase();
  if (name === "infinity" || name === "-infinity") return name;
  const read = readTime(text);
  if (read === null) return null;
  const moment =
    as.as === "local"
      ? read.local
      : read.offset !== null
        ? read.local - read.offset
        : from.kind.kind === "instant" || from.zone === "UTC"
          ? read.local
          : toInstant(from.zone, read.local).later;
  return momentText(atPrecision(moment, as.precision, from.rounding));
}

/** Cut towards the past, rounded half up. Servers differ among themselves where an exact half lies before their own epoch. */
function atPrecision(micros: bigint, precision: number, rounding: "cut" | "round"): bigint {
  const unit = 10n ** BigInt(6 - precision);
  const from = rounding === "round" ? micros + unit / 2n : micros;
  return from - (((from % unit) + unit) % unit);
}

const DAY = 86_400n * SECOND;
const pad = (n: bigint, width: number): string => n.toString().padStart(width, "0");

/** The canonical text of a moment in microseconds since the epoch. */
export function momentText(micros: bigint): string {
  const clock = ((micros % DAY) + DAY) % DAY;
  const { year, month, day } = civilFromDays((micros - clock) / DAY);
  const date = `${pad(year > 0n ? year : 1n - year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
  return `${date} ${clockText(clock)}${year > 0n ? "" : " BC"}`;
}

function clockText(micros: bigint): string {
  const seconds = micros / SECOND;
  const fraction = pad(micros % SECOND, 6).replace(/0+$/, "");
  const clock = `${pad(seconds / 3600n, 2)}:${pad((seconds / 60n) % 60n, 2)}:${pad(seconds % 60n, 2)}`;
  return fraction === "" ? clock : `${clock}.${fraction}`;
}

/**
 * The canonical texts of the moments that a naive reading (itself a canonical `local` text) can mean in a zone: two in the repeated hour
 * of a night when clocks are set back, one otherwise. The text itself where it is no time.
 */
export function readingsOf(local: string, zone: string): readonly string[] {
  const read = readTime(local);
  if (read === null) return [local];
  const { earlier, later } = toInstant(zone, read.local);
  return earlier === later ? [momentText(earlier)] : [momentText(earlier), momentText(later)];
}
