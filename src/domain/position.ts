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
  const day = micros >= 0n ? micros / DAY : (micros - (DAY - 1n)) / DAY;
  const rest = micros - day * DAY;
  const { year, month, day: dayOfMonth } = civilFromDays(day);
  const y = year < 0n ? `-${pad(-year, 6)}` : year > 9999n ? `+${pad(year, 6)}` : pad(year, 4);
  const seconds = rest / SECOND;
  const time = `${pad(seconds / 3600n, 2)}:${pad((seconds / 60n) % 60n, 2)}:${pad(seconds % 60n, 2)}`;
  return `${y}-${pad(month, 2)}-${pad(dayOfMonth, 2)}T${time}.${pad(rest % SECOND, 6)}Z`;
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
