import { type Axis, formatInstant, type Position, SECOND } from "./position.ts";

const UNITS: readonly (readonly [bigint, string])[] = [
  [86_400n * SECOND, "d"],
  [3_600n * SECOND, "h"],
  [60n * SECOND, "min"],
  [SECOND, "s"],
];

/** A length of time as people say it, in at most two units, cut downwards: `10 h 20 min`, `3 d`, `45 s`, `0.25 s`. Microseconds. */
export function duration(micros: bigint): string {
  const length = micros < 0n ? -micros : micros;
  if (length < SECOND) return length === 0n ? "0 s" : `${fraction(length)} s`;
  const parts: string[] = [];
  let left = length;
  for (const [size, unit] of UNITS) {
    if (left >= size || parts.length > 0) {
      if (left >= size) parts.push(`${left / size} ${unit}`);
      else if (parts.length === 1) break;
      left %= size;
    }
    if (parts.length === 2) break;
  }
  return parts.join(" ");
}

/** A length whose last digits matter although they are not said: `just over 5 h` where `duration` cuts something off. */
export function justOver(length: bigint, axis: Axis): string {
  if (axis === "sequence") return length.toString();
  const said = duration(length);
  return length < SECOND || parseSaid(said) === length ? said : `just over ${said}`;
}

/** The microseconds that a text of `duration` says. */
function parseSaid(text: string): bigint {
  const parts = [...text.matchAll(/(\d+) (d|h|min|s)\b/g)];
  return parts.reduce((sum, [, n = "0", unit]) => sum + BigInt(n) * (UNITS.find(([, u]) => u === unit)?.[0] ?? 0n), 0n);
}

const fraction = (micros: bigint): string => `0.${micros.toString().padStart(6, "0").replace(/0+$/, "")}`;

const WEEKDAYS = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"] as const;

/** A moment as people say it: `Mon 2026-06-01 12:00 UTC`, with seconds (and their fraction) only where there are any. */
export function moment(micros: bigint): string {
  const iso = formatInstant(micros);
  const [, day = "", time = "", seconds = "", rest = ""] = /^(.+)T(\d\d:\d\d):(\d\d)\.(\d{6})Z$/.exec(iso) ?? [];
  const days = micros >= 0n ? micros / (86_400n * SECOND) : (micros + 1n) / (86_400n * SECOND) - 1n;
  const weekday = WEEKDAYS[Number(((days % 7n) + 7n) % 7n)] ?? "";
  const part = rest.replace(/0+$/, "");
  const tail = part !== "" ? `:${seconds}.${part}` : seconds !== "00" ? `:${seconds}` : "";
  return `${weekday} ${day} ${time}${tail} UTC`;
}

/** A position as people say it on its axis. */
export function place(position: Position, axis: Axis): string {
  return axis === "time" ? moment(position) : position.toString();
}

/** The distance of two positions as people say it: a duration, or a number. */
export function distance(length: bigint, axis: Axis): string {
  return axis === "time" ? duration(length) : length.toString();
}

/** `1 row`, `2 rows`, `1,234,567 rows`. */
export function rows(n: bigint): string {
  return count(n, "row");
}

/** A number with its noun, which takes an `s` unless there is one of it. */
export function count(n: bigint | number, noun: string, plural = `${noun}s`): string {
  return `${grouped(n)} ${BigInt(n) === 1n ? noun : plural}`;
}

const grouped = (n: bigint | number): string => n.toString().replace(/\B(?=(\d{3})+$)/g, ",");

/** `812`, `812 and 813`, `812, 813 and 5 more`: the first names of a list whose length may be larger than what is given. */
export function names(shown: readonly string[], total = shown.length, limit = 3): string {
  const first = shown.slice(0, limit);
  const more = total - first.length;
  if (more > 0) return `${first.join(", ")} and ${grouped(more)} more`;
  const last = first.at(-1) ?? "";
  return first.length < 2 ? last : `${first.slice(0, -1).join(", ")} and ${last}`;
}

/** `run 812`, `runs 812 and 813`, `runs 812, 813, 814 and 9 more`. Tries that share an id are named once. */
export function runs(ids: readonly string[], total = ids.length): string {
  const each = [...new Set(ids)];
  const all = total - (ids.length - each.length);
  return `${all === 1 ? "run" : "runs"} ${names(each, all)}`;
}

/** Seconds of a length in microseconds, as a JSON number. */
export function seconds(micros: bigint): number {
  return Number(micros) / 1_000_000;
}
