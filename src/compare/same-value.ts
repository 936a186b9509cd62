import type { Treatment } from "../domain/check.ts";
import { scaled } from "../domain/key.ts";
import type { AgreedKind } from "../domain/kind.ts";
import { formatInstant, parseInstant, type Position } from "../domain/position.ts";
import { toInstant, toLocal } from "../domain/timezone.ts";
import { canonicalJson } from "./reference.ts";

/** When two values of a column pair count as the same. Values are canonical texts (`AgreedKind`), or null. */
export type Sameness = (source: string | null, target: string | null) => boolean;

/** What decides over sameness beside the texts. */
export type SamenessRule = {
  readonly as: AgreedKind;
  readonly treat: readonly Treatment[];
  /** |a − b| at most this, a plain decimal; null: none. */
  readonly tolerance: string | null;
  /** Zones of naive readings that are compared as moments; `UTC` elsewhere. */
  readonly zones: { readonly source: string; readonly target: string };
  /** Whether one side keeps single precision and the other more. */
  readonly single: boolean;
  /** Digits of a second that are compared where the sides keep different ones; null: they keep the same. */
  readonly precision: number | null;
  /** Whether a finer value may have been rounded (and not only cut) on its way. */
  readonly mayRound: boolean;
};

/** Compiles a rule once for a column. The result is symmetric but for the zones. */
export function sameness(rule: SamenessRule): Sameness {
  const normal = normalization(rule);
  const tolerance = rule.tolerance === null ? null : scaled(rule.tolerance);
  return (source, target) => {
    const a = normal(source);
    const b = normal(target);
    if (a === b) return true;
    if (a === null || b === null) return false;
    if (rule.as.as === "json") return sameJson(a, b);
    if (rule.single && sameSingle(a, b)) return true;
    if (tolerance !== null) return within(a, b, tolerance);
    if (rule.precision !== null && sameAtPrecision(a, b, rule.precision, rule.mayRound)) return true;
    return rule.as.as === "instant" && sameReading(a, b, rule);
  };
}

function normalization(rule: SamenessRule): (text: string | null) => string | null {
  const steps = rule.treat.flatMap((t): ((s: string) => string)[] =>
    t === "trim"
      ? [(s) => s.trim()]
      : t === "case"
        ? [(s) => s.toUpperCase().toLowerCase()]
        : t === "nfc"
          ? [(s) => s.normalize("NFC")]
          : [],
  );
  const emptyIsNull = rule.treat.includes("empty-as-null");
  if (steps.length === 0 && !emptyIsNull) return (text) => text;
  return (text) => {
    if (text === null) return null;
    const done = steps.reduce((s, step) => step(s), text);
    return emptyIsNull && done === "" ? null : done;
  };
}

/** Whether both numbers are one and the same single; what a single cannot hold is none. */
function sameSingle(a: string, b: string): boolean {
  const x = Math.fround(Number(a));
  return Number.isFinite(x) && x === Math.fround(Number(b));
}

function sameJson(a: string, b: string): boolean {
  const x = canonicalJson(a);
  return x !== null && x === canonicalJson(b);
}

/** A number's canonical text, plain (`-1.5`) or as a float (`-15e-1`), as digits and scale; null for NaN and the infinities. */
export function exactNumber(text: string): { readonly digits: bigint; readonly scale: number } | null {
  const m = /^(-?\d+(?:\.\d*)?)(?:e([+-]?\d+))?$/.exec(text);
  if (!m) return null;
  const { digits, scale } = scaled(m[1] ?? "0");
  const exponent = Number(m[2] ?? "0");
  return exponent <= scale
    ? { digits, scale: scale - exponent }
    : { digits: digits * 10n ** BigInt(exponent - scale), scale: 0 };
}

function within(a: string, b: string, tolerance: { readonly digits: bigint; readonly scale: number }): boolean {
  const x = exactNumber(a);
  const y = exactNumber(b);
  if (!x || !y) return false;
  const scale = Math.max(x.scale, y.scale, tolerance.scale);
  const at = (n: { readonly digits: bigint; readonly scale: number }): bigint =>
    n.digits * 10n ** BigInt(scale - n.scale);
  const gap = at(x) - at(y);
  return (gap < 0n ? -gap : gap) <= at(tolerance);
}

/** A time of day (`HH:MM:SS.f`) or a moment as microseconds; null where it is neither. */
function micros(text: string): Position | null {
  const clock = /^(-?)(\d+):(\d{2}):(\d{2})(?:\.(\d{1,6}))?([+-]\d{2}.*)?$/.exec(text);
  if (!clock) return parseInstant(text);
  const [, minus, h = "0", m = "0", s = "0", f = ""] = clock;
  const value = ((BigInt(h) * 60n + BigInt(m)) * 60n + BigInt(s)) * 1_000_000n + BigInt(f.padEnd(6, "0"));
  return minus ? -value : value;
}

function sameAtPrecision(a: string, b: string, precision: number, mayRound: boolean): boolean {
  const x = micros(a);
  const y = micros(b);
  if (x === null || y === null) return false;
  const unit = 10n ** BigInt(6 - precision);
  const floor = (n: bigint): bigint => n - (((n % unit) + unit) % unit);
  if (floor(x) === floor(y)) return true;
  return mayRound && (floor(x + unit / 2n) === floor(y) || floor(y + unit / 2n) === floor(x));
}

/** In the repeated hour of a night a naive reading stands for two moments: either may match, at the precision that both sides keep. */
function sameReading(a: string, b: string, rule: SamenessRule): boolean {
  const x = readings(a, rule.zones.source);
  const y = readings(b, rule.zones.target);
  const { precision, mayRound } = rule;
  return x.some((m) => y.some((n) => m === n || (precision !== null && sameAtPrecision(m, n, precision, mayRound))));
}

function readings(text: string, zone: string): readonly string[] {
  const moment = parseInstant(text);
  if (zone === "UTC" || moment === null) return [moment === null ? text : formatInstant(moment)];
  const both = toInstant(zone, toLocal(zone, moment));
  return [formatInstant(both.earlier), formatInstant(both.later)];
}
