import type { CursorUnit, LedgerField } from "../domain/check.ts";
import { type Axis, type Position, readTime } from "../domain/position.ts";
import type { Run, RunOutcome, UnreadableRun } from "../domain/run.ts";
import { type WindowEnds, windowOf } from "../domain/window.ts";
import { floorOfDecimal, readDecimal } from "../sql/decimal.ts";
import { localReadings } from "../sql/local-reading.ts";

/** One line of a ledger as texts, by field; NULL is null, and so is a field that the ledger does not have. */
export type LedgerLine = { readonly [field in LedgerField]?: string | null };

/** How a ledger's lines are to be read. */
export type RunReading = {
  readonly axis: Axis;
  /** The cursor's; null for a cursor whose type says all. */
  readonly unit: CursorUnit | null;
  readonly window: WindowEnds;
  /** IANA zone of times that name none. */
  readonly timezone: string;
  /** Status words that mean success, in lower case. */
  readonly success: ReadonlySet<string>;
  /** Kinds that mean a backfill. */
  readonly backfill: ReadonlySet<string>;
  /** Fields that the ledger keeps at all. */
  readonly kept: ReadonlySet<LedgerField>;
};

/** Words of schedulers and scripts for a run that may still come to something. */
const RUNNING: ReadonlySet<string> = new Set(
  "running run started start starting queued pending scheduled waiting processing active initializing restarting deferred in_progress in-progress inprogress up_for_retry up_for_reschedule"
    .split(" ")
    .concat("in progress"),
);
/** Words for a run that came to nothing, whether or not its end was written down. */
const FAILED: ReadonlySet<string> = new Set(
  "failed fail failure error errored aborted abort cancelled canceled killed crashed dead timeout timed_out terminated interrupted skipped incomplete partial upstream_failed removed".split(
    " ",
  ),
);

/** A waiting run that has not started covered nothing and says nothing. */
const WAITING: ReadonlySet<string> = new Set(["queued", "pending", "scheduled", "waiting"]);

/**
 * Reads one line. Window ends and the data clock are read by their own type: times as times (`timezone` where they name no zone),
 * numbers in the cursor's unit (where it has none: seconds, milliseconds or microseconds since the epoch by their size), text as an
 * ISO time or a number. NULL `from` (or `-infinity`) is open below, NULL `to` a run without a window. Null: a run that waits to start.
 */
export function readRun(line: LedgerLine, place: string, reading: RunReading): Run | UnreadableRun | null {
  const text = (field: LedgerField): string | null => {
    const value = line[field]?.trim();
    return value === undefined || value === "" ? null : value;
  };
  const wrong: string[] = [];
  const read = <T>(field: LedgerField, how: (text: string) => T | string): T | null => {
    const value = text(field);
    const result = value === null ? null : how(value);
    if (typeof result !== "string") return result;
    wrong.push(`${field} ${result}`);
    return null;
  };
  const word = text("status")?.toLowerCase() ?? null;
  const started = read("started", (t) => readMoment(t, reading));
  if (started === null && wrong.length === 0) {
    if (word !== null && WAITING.has(word)) return null;
    wrong.push("started is empty");
  }
  const finished = read("finished", (t) => readMoment(t, reading));
  const from = read("from", (t) => (/^-inf(inity)?$/i.test(t) ? null : readPosition(t, reading)));
  const to = read("to", (t) => readPosition(t, reading));
  const rows = read("rows", readCount);
  const dataClock = read("data_clock", (t) => readPosition(t, reading));
  if (wrong.length > 0 || started === null) return { place: placeOf(place, text("id")), why: wrong.join("; ") };
  return {
    id: text("id") ?? place,
    window: to === null ? null : windowOf(from, to, reading.window),
    started,
    finished,
    outcome: outcomeOf(word, finished, reading),
    status: text("status") ?? "",
    rows,
    backfill: reading.backfill.has(text("kind") ?? ""),
    dataClock,
  };
}

const placeOf = (place: string, id: string | null): string => (id === null ? place : `${place} (run ${id})`);

function outcomeOf(word: string | null, finished: bigint | null, reading: RunReading): RunOutcome {
  const open = reading.kept.has("finished") && finished === null;
  if (word === null) return open ? "running" : reading.kept.has("status") ? "failed" : "success";
  if (reading.success.has(word)) return "success";
  if (RUNNING.has(word)) return "running";
  return open && !FAILED.has(word) ? "running" : "failed";
}

/** A position, or why the text is none. */
function readPosition(text: string, reading: RunReading): Position | string {
  const number = readDecimal(text);
  if (reading.axis === "sequence") {
    if (number === null) return "is no number, and the cursor is a sequence";
    const whole = floorOfDecimal(number, 1n);
    return isWhole(number, whole) ? whole : "has a fraction, and the cursor is a sequence";
  }
  if (number === null) return readInstant(text, reading) ?? "is neither a time nor a number";
  switch (reading.unit) {
    case "epoch-s":
      return floorOfDecimal(number, 1_000_000n);
    case "epoch-ms":
      return floorOfDecimal(number, 1000n);
    case "epoch-us":
      return floorOfDecimal(number, 1n);
    default:
      return bySize(number);
  }
}

/** A moment of the wall clock, or why the text is none. */
function readMoment(text: string, reading: RunReading): bigint | string {
  const number = readDecimal(text);
  return number === null ? (readInstant(text, reading) ?? "is no time") : bySize(number);
}

function readInstant(text: string, { timezone }: RunReading): Position | null {
  const time = readTime(text);
  if (time === null) return null;
  return time.offset === null ? localReadings(timezone).instant(time.local) : time.local - time.offset;
}

/** Below 10^11 seconds since the epoch (until the year 5138), below 10^14 milliseconds (since 1973), else microseconds. */
function bySize(number: ReturnType<typeof readDecimal> & object): Position {
  const whole = floorOfDecimal(number, 1n);
  const size = whole < 0n ? -whole : whole;
  return floorOfDecimal(number, size < 10n ** 11n ? 1_000_000n : size < 10n ** 14n ? 1000n : 1n);
}

function readCount(text: string): bigint | string {
  const number = readDecimal(text);
  if (number === null) return "is no number";
  const whole = floorOfDecimal(number, 1n);
  return whole < 0n || !isWhole(number, whole) ? "is no count" : whole;
}

function isWhole(number: ReturnType<typeof readDecimal> & object, whole: bigint): boolean {
  return number.scale <= 0 || number.digits === whole * 10n ** BigInt(number.scale);
}
