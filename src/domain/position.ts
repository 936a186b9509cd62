/**
 * A value on a cursor's axis: microseconds since 1970-01-01T00:00:00Z on a time axis, a plain integer on a sequence axis.
 * Never a `Date` and never a `number`: both lose what databases keep.
 */
export type Position = bigint;

/** What a cursor counts: moments (`time`) or a growing number (`sequence`). */
export type Axis = "time" | "sequence";

/** One second on a time axis. */
export const SECOND: Position = 1_000_000n;

const DAY = 86_400n * SECOND;

/**
 * Days since 1970-01-01 of a date of the proleptic Gregorian calendar; years before 1 are astronomical (0 is 1 BC).
 * Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
 */
export function daysFromCivil(year: bigint, month: bigint, day: bigint): bigint {
  const y = month <= 2n ? year - 1n : year;
  const era = (y >= 0n ? y : y - 399n) / 400n;
  const yearOfEra = y - era * 400n;
  const dayOfYear = (153n * (month + (month > 2n ? -3n : 9n)) + 2n) / 5n + day - 1n;
  const dayOfEra = yearOfEra * 365n + yearOfEra / 4n - yearOfEra / 100n + dayOfYear;
  return era * 146097n + dayOfEra - 719468n;
}

/** The date of a day number counted from 1970-01-01; the inverse of `daysFromCivil`. */
export function civilFromDays(days: bigint): { readonly year: bigint; readonly month: bigint; readonly day: bigint } {
  const z = days + 719468n;
  const era = (z >= 0n ? z : z - 146096n) / 146097n;
  const dayOfEra = z - era * 146097n;
  const yearOfEra = (dayOfEra - dayOfEra / 1460n + dayOfEra / 36524n - dayOfEra / 146096n) / 365n;
  const dayOfYear = dayOfEra - (365n * yearOfEra + yearOfEra / 4n - yearOfEra / 100n);
  const mp = (5n * dayOfYear + 2n) / 153n;
  const month = mp < 10n ? mp + 3n : mp - 9n;
  return { year: yearOfEra + era * 400n + (month <= 2n ? 1n : 0n), month, day: dayOfYear - (153n * mp + 2n) / 5n + 1n };
}

const pad = (n: bigint, width: number): string => n.toString().padStart(width, "0");

/** `2026-06-01T10:00:00.000000Z`: always six digits of a second, always UTC. Years outside 0–9999 carry a sign and six digits. */
export function formatInstant(micros: Position): string {
  if (micros > -EXACT && micros < EXACT) return formatNear(Number(micros));
  const day = micros >= 0n ? micros / DAY : (micros - (DAY - 1n)) / DAY;
  const rest = micros - day * DAY;
  const { year, month, day: dayOfMonth } = civilFromDays(day);
  const y = year < 0n ? `-${pad(-year, 6)}` : year > 9999n ? `+${pad(year, 6)}` : pad(year, 4);
  const seconds = rest / SECOND;
  const time = `${pad(seconds / 3600n, 2)}:${pad((seconds / 60n) % 60n, 2)}:${pad(seconds % 60n, 2)}`;
  return `${y}-${pad(month, 2)}-${pad(dayOfMonth, 2)}T${time}.${pad(rest % SECOND, 6)}Z`;
}

/** Up to here, the years 1684 to 2255, a double holds every microsecond, and its arithmetic costs a fraction of a bigint's. */
const EXACT = 2n ** 53n;

const two = (n: number): string => (n < 10 ? `0${n}` : `${n}`);

/** As `formatInstant`, whose algorithm it is. */
function formatNear(micros: number): string {
  const days = Math.floor(micros / 86_400e6);
  const rest = micros - days * 86_400e6;
  const z = days + 719_468;
  const era = Math.floor(z / 146_097);
  const dayOfEra = z - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const mp = Math.floor((5 * dayOfYear + 2) / 153);
  const month = mp < 10 ? mp + 3 : mp - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const seconds = Math.floor(rest / 1e6);
  const date = `${year}-${two(month)}-${two(dayOfYear - Math.floor((153 * mp + 2) / 5) + 1)}`;
  const time = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return `${date}T${time}.${String(rest - seconds * 1e6).padStart(6, "0")}Z`;
}

const TIME =
  /^([+-]?\d{1,6})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|[+-]\d{2}(?::?\d{2}(?::?\d{2})?)?)?(\s+BC)?$/i;

/** What a text says of a moment: its microseconds as if it were UTC, and the offset it names, in microseconds (null: none named). */
export type ReadTime = { readonly local: Position; readonly offset: Position | null };

/**
 * Reads a date or time as databases and people write it (`2026-06-01`, `2026-06-01 10:00:00.5+02`, `0044-03-15 BC`).
 * More than six digits of a second are cut. Returns null where the text is no time (also `infinity`).
 */
export function readTime(text: string): ReadTime | null {
  return readUsual(text) ?? readAny(text);
}

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** As servers print most times: `2026-06-01 10:00:00`, with a fraction or not, without a zone or in UTC. Null: anything else. */
function readUsual(text: string): ReadTime | null {
  const digits = (at: number, count: number): number => {
    let n = 0;
    for (let i = at; i < at + count; i++) {
      const digit = text.charCodeAt(i) - 48;
      // A code beyond the end is NaN.
      if (!(digit >= 0 && digit <= 9)) return Number.NaN;
      n = n * 10 + digit;
    }
    return n;
  };
  const is = (at: number, mark: string): boolean => text[at] === mark;
  const year = digits(0, 4);
  const month = digits(5, 2);
  const day = digits(8, 2);
  const seconds = digits(11, 2) * 3600 + digits(14, 2) * 60 + digits(17, 2);
  if (!is(4, "-") || !is(7, "-") || !is(13, ":") || !is(16, ":") || (!is(10, " ") && !is(10, "T"))) return null;
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 1 : 0;
  if (!(year >= 1) || !(seconds < 86_400) || !(day >= 1 && day <= (LENGTHS[month - 1] ?? 0) + leap)) return null;
  if (digits(14, 2) > 59 || digits(17, 2) > 59) return null;
  let end = 19;
  let micros = 0;
  if (is(19, ".")) {
    for (end = 20; end < 26 && digits(end, 1) >= 0; end++) micros = micros * 10 + digits(end, 1);
    if (end === 20) return null;
    micros *= 10 ** (26 - end);
  }
  const zone = text.length === end ? null : text.slice(end);
  if (zone !== null && zone !== "Z" && zone !== "+00") return null;
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const days =
    era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468;
  return {
    local: BigInt(days * 86_400 + seconds) * SECOND + BigInt(micros),
    offset: zone === null ? null : 0n,
  };
}

function readAny(text: string): ReadTime | null {
  const m = TIME.exec(text.trim());
  if (!m) return null;
  const [, y = "", mo = "", d = "", h = "0", mi = "0", s = "0", f = "", zone, bc] = m;
  const year = bc ? 1n - BigInt(y) : BigInt(y);
  const month = BigInt(mo);
  const day = BigInt(d);
  if (month < 1n || month > 12n || day < 1n || day > 31n || BigInt(h) > 24n || BigInt(mi) > 59n || BigInt(s) > 60n)
    return null;
  const back = civilFromDays(daysFromCivil(year, month, day));
  if (back.month !== month || back.day !== day) return null;
  const seconds = BigInt(h) * 3600n + BigInt(mi) * 60n + BigInt(s);
  const local = daysFromCivil(year, month, day) * DAY + seconds * SECOND + BigInt(f.slice(0, 6).padEnd(6, "0"));
  return { local, offset: zone === undefined ? null : readOffset(zone) };
}

function readOffset(zone: string): Position {
  if (zone === "Z" || zone === "z") return 0n;
  const digits = zone.slice(1).replaceAll(":", "").padEnd(6, "0");
  const seconds = BigInt(digits.slice(0, 2)) * 3600n + BigInt(digits.slice(2, 4)) * 60n + BigInt(digits.slice(4, 6));
  return (zone.startsWith("-") ? -seconds : seconds) * SECOND;
}

/** The moment a text names, taken as UTC where it names no zone; null where it is no time. */
export function parseInstant(text: string): Position | null {
  const read = readTime(text);
  return read === null ? null : read.local - (read.offset ?? 0n);
}

/** A position as people read it on its axis. */
export function formatPosition(position: Position, axis: Axis): string {
  return axis === "time" ? formatInstant(position) : position.toString();
}
