import type { Severity } from "../domain/finding.ts";
import type { Kind } from "../domain/kind.ts";

/** What a type cannot hold of another's values, said of the narrower one. */
export type Narrower = { readonly severity: Severity; readonly why: string };

type Of<K extends Kind["kind"]> = Extract<Kind, { readonly kind: K }>;

const CHARACTERS = ["ascii", "latin1", "bmp", "all"] as const;

/** Whether the target's type cannot hold every value of the source's, as far as declarations tell; null: it can, or nobody can say. */
export function narrower(source: Kind, target: Kind): Narrower | null {
  if (source.kind === "integer" && target.kind === "integer") return integers(source, target);
  if (source.kind === "integer" && target.kind === "decimal") return integerInDecimal(source, target);
  if (source.kind === "decimal" && target.kind === "decimal") return decimals(source, target);
  if (source.kind === "decimal" && target.kind === "integer") return decimalInInteger(source, target);
  if ((source.kind === "decimal" || source.kind === "integer") && target.kind === "float")
    return exactInFloat(source, target);
  if (source.kind === "float" && target.kind === "float")
    return target.bits < source.bits ? warn("keeps fewer digits") : null;
  if (source.kind === "text" && target.kind === "text") return texts(source, target);
  if (source.kind === "bytes" && target.kind === "bytes")
    return shorter(source.length, target.length) ? warn(`holds at most ${target.length} bytes`) : null;
  return times(source, target);
}

const warn = (why: string): Narrower => ({ severity: "warn", why });
const info = (why: string): Narrower => ({ severity: "info", why });

function integers(source: Of<"integer">, target: Of<"integer">): Narrower | null {
  return source.min < target.min || source.max > target.max ? warn(`holds ${target.min} to ${target.max} only`) : null;
}

/** Digits before the point that a decimal holds; null: any number. */
const whole = ({ precision, scale }: Of<"decimal">): number | null =>
  precision === null ? null : precision - (scale ?? 0);

function integerInDecimal(source: Of<"integer">, target: Of<"decimal">): Narrower | null {
  const digits = whole(target);
  if (digits === null) return null;
  const limit = 10n ** BigInt(Math.max(digits, 0));
  return source.max >= limit || -source.min >= limit ? warn(`holds ${digits} digits before the point only`) : null;
}

function decimals(source: Of<"decimal">, target: Of<"decimal">): Narrower | null {
  if (shorter(whole(source), whole(target))) return warn(`holds ${whole(target)} digits before the point only`);
  const scale = target.precision === null ? target.scale : (target.scale ?? 0);
  const has = source.precision === null ? source.scale : (source.scale ?? 0);
  return shorter(has, scale) ? warn(`keeps ${scale} digits after the point only`) : null;
}

function decimalInInteger(source: Of<"decimal">, target: Of<"integer">): Narrower | null {
  if (source.precision === null || (source.scale ?? 0) > 0) return warn("keeps no digits after the point");
  const most = 10n ** BigInt(source.precision) - 1n;
  return most > target.max || -most < target.min ? warn(`holds ${target.min} to ${target.max} only`) : null;
}

/** A double holds every integer up to 2^53 and 15 decimal digits exactly; a single 2^24 and 6. */
function exactInFloat(source: Of<"decimal"> | Of<"integer">, target: Of<"float">): Narrower | null {
  const digits = target.bits === 64 ? 15 : 6;
  const limit = target.bits === 64 ? 2n ** 53n : 2n ** 24n;
  const fits =
    source.kind === "integer"
      ? source.max <= limit && -source.min <= limit
      : source.precision !== null && source.precision <= digits;
  return fits ? null : warn(`keeps about ${digits} digits`);
}

function texts(source: Of<"text">, target: Of<"text">): Narrower | null {
  if (CHARACTERS.indexOf(target.characters) < CHARACTERS.indexOf(source.characters))
    return warn(`cannot hold every character (${target.characters} only)`);
  if (shorter(source.length, target.length)) return warn(`holds at most ${target.length} characters`);
  if (target.bytes === null || (source.bytes !== null && source.bytes <= target.bytes)) return null;
  const most = source.length === null ? null : BigInt(source.length) * 4n;
  if (most !== null && most <= target.bytes) return null;
  // Texts of that length are rare; the declaration alone is worth no more than a note, but for very short ones.
  return target.bytes >= 65_535n
    ? info(`holds at most ${target.bytes} bytes`)
    : warn(`holds at most ${target.bytes} bytes`);
}

function times(source: Kind, target: Kind): Narrower | null {
  const timed = (kind: Kind): kind is Of<"instant"> | Of<"local"> => kind.kind === "instant" || kind.kind === "local";
  if (timed(source) && target.kind === "date") return warn("keeps no time of day");
  const both = (timed(source) && timed(target)) || (source.kind === "time" && target.kind === "time");
  if (!both) return null;
  const from = source as Of<"instant">;
  const to = target as Of<"instant">;
  if (to.precision < from.precision)
    return warn(`keeps ${to.precision === 0 ? "no" : to.precision} digits of a second`);
  if (source.kind === "instant" && target.kind === "local") return info("keeps no zone");
  return source.kind === "time" && target.kind === "time" && source.zoned && !target.zoned
    ? info("keeps no zone")
    : null;
}

/** Whether a bound is below another; null is unbounded. */
function shorter<T extends number | bigint>(source: T | null, target: T | null): boolean {
  return target !== null && (source === null || target < source);
}
