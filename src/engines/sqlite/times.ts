import { civilFromDays, type Position, readTime, SECOND } from "../../domain/position.ts";
import { toInstant } from "../../domain/timezone.ts";

const DAY = 86_400n * SECOND;

/** What a stored value says of a moment: its reading in microseconds, and the offset it names (null: a naive reading). */
export type Reading = { readonly local: Position; readonly offset: Position | null };

/** The last second, millisecond and microsecond of the year 9999: how large a number of each unit can be. */
const LAST_SECOND = 253_402_300_799n;

/**
 * Reads a moment as SQLite's own functions do: text as ISO 8601, an integer as seconds since the epoch, a real number below 5373484.5
 * as a Julian day (kept to milliseconds) and a larger one as seconds. An integer too large for seconds counts milliseconds or
 * microseconds, as some libraries store them. Null: no moment.
 */
export function readMoment(x: bigint | number | string): Reading | null {
  if (typeof x === "string") return readTime(x);
  if (typeof x === "bigint") {
    const size = x < 0n ? -x : x;
    const unit =
      size <= LAST_SECOND
        ? SECOND
        : size < (LAST_SECOND + 1n) * 1000n
          ? 1000n
          : size < (LAST_SECOND + 1n) * SECOND
            ? 1n
            : null;
    return unit === null ? null : { local: x * unit, offset: 0n };
  }
  if (!Number.isFinite(x) || Math.abs(x) > Number(LAST_SECOND)) return null;
  if (x >= 0 && x < 5_373_484.5)
    return { local: BigInt(Math.round((x - 2_440_587.5) * 86_400_000)) * 1000n, offset: 0n };
  return { local: BigInt(Math.round(x * 1e6)), offset: 0n };
}

/** The moment of a reading. A naive one is taken in `zone`; of the two moments of a repeated hour it is the later, as PostgreSQL has it. */
export function instantOf(reading: Reading, zone: string): Position {
  if (reading.offset !== null) return reading.local - reading.offset;
  return zone === "UTC" ? reading.local : toInstant(zone, reading.local).later;
}

/** Brings microseconds to a number of digits of a second. */
export function atPrecision(micros: Position, digits: number, rounding: "cut" | "round"): Position {
  if (digits >= 6) return micros;
  const unit = 10n ** BigInt(6 - digits);
  const raised = rounding === "round" ? micros + unit / 2n : micros;
  return raised - (((raised % unit) + unit) % unit);
}

/** `YYYY-MM-DD HH:MM:SS`, a fraction without trailing zeros, ` BC` behind years before 1. */
export function momentText(micros: Position): string {
  const day = floorDay(micros);
  const rest = micros - day * DAY;
  const { date, era } = civil(day);
  return `${date} ${clockText(rest)}${era}`;
}

const USUAL =
  /^(?!0000)(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8]))[T ]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,6}))?(Z|\+00(?::?00)?)?$/;

/**
 * The same text for a moment in its usual spelling, by cutting alone: a tenth of the work, and most values are spelt so. Null where
 * that is not enough (the last days of a month, another offset, a fraction to be cut); `naive`: one without an offset may be taken as UTC.
 */
export function usualMomentText(text: string, precision: number, naive: boolean): string | null {
  const [, date, time, fraction = "", zone] = USUAL.exec(text) ?? [];
  if (date === undefined || (zone === undefined && !naive)) return null;
  const kept = fraction.replace(/0+$/, "");
  if (kept.length > precision) return null;
  return kept === "" ? `${date} ${time}` : `${date} ${time}.${kept}`;
}

/** `YYYY-MM-DD`, ` BC` behind years before 1; null where the moment is no midnight. */
export function dateText(micros: Position): string | null {
  const day = floorDay(micros);
  if (micros !== day * DAY) return null;
  const { date, era } = civil(day);
  return date + era;
}

const TIME = /^(-?)(\d{1,3}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?$/i;

/** The canonical text of a time of day (`HH:MM:SS`, a fraction, an offset where it is zoned); null where the text is none. */
export function timeText(text: string, precision: number, zoned: boolean, rounding: "cut" | "round"): string | null {
  const [, sign, hours, minutes = "0", seconds = "0", fraction = "", zone] = TIME.exec(text.trim()) ?? [];
  if (hours === undefined || Number(minutes) > 59 || Number(seconds) > 59 || (zone !== undefined) !== zoned)
    return null;
  const micros =
    (BigInt(hours) * 3600n + BigInt(minutes) * 60n + BigInt(seconds)) * SECOND +
    BigInt(fraction.slice(0, 6).padEnd(6, "0"));
  const offset =
    zone === undefined ? "" : /^z$/i.test(zone) ? "+00" : zone.replace(/^(...)(\d\d)$/, "$1:$2").replace(/:00$/, "");
  return `${sign}${clockText(atPrecision(micros, precision, rounding))}${offset}`;
}

function clockText(micros: Position): string {
  const seconds = micros / SECOND;
  const fraction = (micros % SECOND).toString().padStart(6, "0").replace(/0+$/, "");
  const time = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n]
    .map((n) => n.toString().padStart(2, "0"))
    .join(":");
  return fraction === "" ? time : `${time}.${fraction}`;
}

function civil(days: bigint): { readonly date: string; readonly era: string } {
  const { year, month, day } = civilFromDays(days);
  const bc = year < 1n;
  const pad = (n: bigint, width: number): string => n.toString().padStart(width, "0");
  return { date: `${pad(bc ? 1n - year : year, 4)}-${pad(month, 2)}-${pad(day, 2)}`, era: bc ? " BC" : "" };
}

function floorDay(micros: Position): bigint {
  return micros >= 0n ? micros / DAY : (micros - (DAY - 1n)) / DAY;
}
