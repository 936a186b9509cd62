import type { CursorUnit } from "./check.ts";
import { DURATION_FORM, type Duration, parseDuration } from "./duration.ts";
import { UsageError } from "./errors.ts";
import { type Position, readTime } from "./position.ts";
import { isTimezone, toInstant } from "./timezone.ts";

/** The rows a command is asked about, resolved. Half-open: `from` belongs to it, `to` does not; null is open without bound. */
export type Range =
  | { readonly by: "cursor"; readonly from: Position | null; readonly to: Position | null }
  /** Ends as written: the key column's kind reads them. */
  | { readonly by: "key"; readonly from: string | null; readonly to: string | null }
  /** The window of this ledger run, with its own ends. */
  | { readonly by: "run"; readonly run: string };

/** A range whose grammar is right and whose ends have not been read against an axis. */
export type RangeText =
  | { readonly by: "cursor" | "key"; readonly from: string | null; readonly to: string | null; readonly text: string }
  | { readonly by: "run"; readonly run: string; readonly text: string };

/** What the ends of a cursor range are read against. */
export type RangeAxis = {
  /** How the cursor counts; `time`: a column of a time type. */
  readonly unit: CursorUnit | "time";
  /** IANA zone of times that name none; null: UTC. */
  readonly timezone: string | null;
  /** Microseconds since the epoch. */
  readonly now: Position;
};

const FORM =
  "FROM..TO (dates, ISO times, -3d, or numbers where the cursor is one; either end may be missing), key:FROM..TO or run:ID";

/** Reads `--range` and the `range` of an `accept` entry (interface.md §2). Throws a `UsageError` that says what was expected. */
export function parseRange(text: string, axis: RangeAxis): Range {
  return resolveRange(readRange(text), axis);
}

/** The grammar alone: for a check file, or before there is a connection that knows the cursor's type. Throws a `UsageError`. */
export function readRange(text: string): RangeText {
  const trimmed = text.trim();
  const run = /^run:(.*)$/s.exec(trimmed);
  if (run) {
    const id = (run[1] ?? "").trim();
    if (id === "") throw wrong(text, "no run is named", "run:ID");
    return { by: "run", run: id, text: trimmed };
  }
  const by = trimmed.startsWith("key:") ? "key" : "cursor";
  const ends = by === "key" ? trimmed.slice(4) : trimmed;
  const cut = ends.indexOf("..");
  if (cut < 0) throw wrong(text, "the two dots between the ends are missing", FORM);
  const from = orNull(ends.slice(0, cut));
  const to = orNull(ends.slice(cut + 2));
  if (from === null && to === null) throw wrong(text, "both ends are missing", FORM);
  if (by === "cursor")
    for (const end of [from, to])
      if (end !== null && !looksRight(end)) throw wrong(text, `${JSON.stringify(end)} is no end`, FORM);
  return { by, from, to, text: trimmed };
}

/** Reads the ends of a range against the cursor's axis. A local time in a repeated hour starts at its first reading and ends after its second. */
export function resolveRange(range: RangeText, axis: RangeAxis): Range {
  if (range.by === "run") return { by: "run", run: range.run };
  if (range.by === "key") return { by: "key", from: range.from, to: range.to };
  const from = range.from === null ? null : readEnd(range.from, axis, "earlier", range.text);
  const to = range.to === null ? null : readEnd(range.to, axis, "later", range.text);
  if (from !== null && to !== null && from > to)
    throw wrong(
      range.text,
      "it ends before it starts",
      "the earlier end first",
      `did you mean ${range.to ?? ""}..${range.from ?? ""}?`,
    );
  return { by: "cursor", from, to };
}

const EPOCH: Readonly<Record<CursorUnit, bigint>> = {
  "epoch-s": 1_000_000n,
  "epoch-ms": 1_000n,
  "epoch-us": 1n,
  sequence: 1n,
};

function readEnd(end: string, axis: RangeAxis, reading: "earlier" | "later", text: string): Position {
  if (/^[+-]?\d+$/.test(end)) {
    if (axis.unit === "time")
      throw wrong(text, `${JSON.stringify(end)} is a number, and the cursor is a time`, "a date, an ISO time or -3d");
    return BigInt(end) * EPOCH[axis.unit];
  }
  if (axis.unit === "sequence")
    throw wrong(
      text,
      `${JSON.stringify(end)} is no integer, and the cursor is a sequence`,
      "numbers such as 1000..2000",
    );
  const ago = before(end);
  if (ago !== null) return axis.now - ago;
  const time = readTime(end);
  if (time === null) throw wrong(text, `${JSON.stringify(end)} is no date or time`, FORM);
  if (time.offset !== null) return time.local - time.offset;
  const zone = axis.timezone ?? "UTC";
  if (!isTimezone(zone))
    throw wrong(text, `the time zone ${JSON.stringify(zone)} is not known`, "an IANA name such as Europe/Prague");
  return toInstant(zone, time.local)[reading];
}

function looksRight(end: string): boolean {
  return /^[+-]?\d+$/.test(end) || before(end) !== null || readTime(end) !== null;
}

/** `-3d`: how long before now. */
function before(end: string): Duration | null {
  return end.startsWith("-") && /[a-z]$/.test(end) ? parseDuration(end.slice(1)) : null;
}

function orNull(end: string): string | null {
  const trimmed = end.trim();
  return trimmed === "" ? null : trimmed;
}

function wrong(
  text: string,
  what: string,
  expected: string,
  hint = `durations before now are written as -3d: a minus and ${DURATION_FORM}`,
): UsageError {
  return new UsageError(`range ${JSON.stringify(text)}: ${what}; expected ${expected}`, { hint });
}
