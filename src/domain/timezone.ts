import { daysFromCivil, type Position, SECOND } from "./position.ts";

/** Microseconds that local time is ahead of UTC (east is positive). */
export type Offset = bigint;

/** A moment at which a zone's offset changes: `offsetBefore` holds until just before it, `offsetAfter` from it on. */
export type Transition = { readonly utcMicros: Position; readonly offsetBefore: Offset; readonly offsetAfter: Offset };

const MILLISECOND = SECOND / 1000n;
const DAY = 86_400n * SECOND;

/** What ECMAScript's zone data answers for; beyond it the offset of the last answerable moment holds. */
const LIMIT = 8_640_000_000_000_000n;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Needs no zone data, whose loading takes longer than reading a project does. */
const isUtc = (zone: string): boolean => zone === "UTC";

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
    formats.set(zone, format);
  }
  return format;
}

/**
 * Whether a name is a zone of the IANA database. Bare offsets (`+02:00`) are none: PostgreSQL reads them with the sign reversed,
 * so that a check would mean something else on either side; `Etc/GMT-2` says it without doubt.
 */
export function isTimezone(zone: string): boolean {
  if (isUtc(zone)) return true;
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** How far local time in `zone` is ahead of UTC at a moment; local mean time has seconds. Throws a RangeError for an unknown zone. */
export function offsetAt(zone: string, utcMicros: Position): Offset {
  if (isUtc(zone)) return 0n;
  const floor = (utcMicros - (((utcMicros % MILLISECOND) + MILLISECOND) % MILLISECOND)) / MILLISECOND;
  const millis = floor > LIMIT ? LIMIT : floor < -LIMIT ? -LIMIT : floor;
  // The milliseconds only pick the offset; the moment itself stays a bigint.
  const text = formatOf(zone).format(Number(millis));
  const match = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(text);
  const [, sign, hours = "0", minutes = "0", seconds = "0"] = match ?? [];
  const offset = (BigInt(hours) * 3600n + BigInt(minutes) * 60n + BigInt(seconds)) * SECOND;
  return sign === "-" ? -offset : offset;
}

/**
 * The moments that a wall-clock reading in `zone` can mean. In a repeated hour (clocks set back) there are two, otherwise `earlier`
 * equals `later`. A reading that no clock showed (clocks set forward) is moved forward by the gap's length, as PostgreSQL does.
 */
export function toInstant(
  zone: string,
  localMicros: Position,
): { readonly earlier: Position; readonly later: Position } {
  // A day on either side lies outside every zone's offset (at most 16 h), and no zone has changed twice within two days.
  const before = offsetAt(zone, localMicros - DAY);
  const after = offsetAt(zone, localMicros + DAY);
  const readings = [before, after]
    .map((offset) => ({ instant: localMicros - offset, offset }))
    .filter(({ instant, offset }) => offsetAt(zone, instant) === offset)
    .map(({ instant }) => instant);
  const first = readings[0] ?? localMicros - before;
  const last = readings.at(-1) ?? first;
  return first <= last ? { earlier: first, later: last } : { earlier: last, later: first };
}

/** The wall-clock reading in `zone` at a moment, in microseconds as if it were UTC. */
export function toLocal(zone: string, utcMicros: Position): Position {
  return utcMicros + offsetAt(zone, utcMicros);
}

/**
 * The changes of a zone's offset from the start of `fromYear` to the start of `toYear` (not included), in order: for engines
 * that cannot convert zones themselves. Found by steps of two days (no zone has changed twice within seven) and halving.
 */
export function transitions(zone: string, fromYear: number, toYear: number): readonly Transition[] {
  const end = startOfYear(toYear);
  const found: Transition[] = [];
  let at = startOfYear(fromYear) - SECOND;
  let offset = offsetAt(zone, at);
  while (at < end) {
    const next = at + 2n * DAY < end ? at + 2n * DAY : end;
    const nextOffset = offsetAt(zone, next);
    if (nextOffset !== offset) {
      const utcMicros = firstWith(zone, at, next, nextOffset);
      if (utcMicros < end) found.push({ utcMicros, offsetBefore: offset, offsetAfter: nextOffset });
    }
    at = next;
    offset = nextOffset;
  }
  return found;
}

/** The first whole second in (low, high] whose offset is `offset`, which holds at `high`. Zone data changes on whole seconds only. */
function firstWith(zone: string, low: Position, high: Position, offset: Offset): Position {
  let before = low / SECOND;
  let from = high / SECOND;
  while (from - before > 1n) {
    const middle = (from + before) / 2n;
    if (offsetAt(zone, middle * SECOND) === offset) from = middle;
    else before = middle;
  }
  return from * SECOND;
}

function startOfYear(year: number): Position {
  return daysFromCivil(BigInt(year), 1n, 1n) * DAY;
}
