import { describe, expect, test } from "vitest";
import { LEDGER_FIELDS } from "../../src/domain/check.ts";
import { formatInstant, parseInstant } from "../../src/domain/position.ts";
import type { Run } from "../../src/domain/run.ts";
import { type LedgerLine, readRun, type RunReading } from "../../src/ledgers/read-run.ts";

const READING: RunReading = {
  axis: "time",
  unit: null,
  window: "(]",
  timezone: "UTC",
  success: new Set(["success", "ok"]),
  backfill: new Set(["backfill"]),
  kept: new Set(LEDGER_FIELDS),
};
const LINE: LedgerLine = {
  id: "812",
  from: "2026-06-01 08:00:00",
  to: "2026-06-01 12:00:00.000001",
  started: "2026-06-01 12:00:05+00",
  finished: "2026-06-01T12:00:17Z",
  status: "SUCCESS",
  rows: "0",
  kind: "scheduled",
  data_clock: null,
};
const at = (text: string): bigint => parseInstant(text) ?? 0n;

function read(line: LedgerLine, reading: Partial<RunReading> = {}): Run {
  const run = readRun({ ...LINE, ...line }, "runs, line 1", { ...READING, ...reading });
  if (run === null || "why" in run) throw new Error(`unreadable: ${run?.why}`);
  return run;
}

function why(line: LedgerLine, reading: Partial<RunReading> = {}): string {
  const run = readRun({ ...LINE, ...line }, "runs, line 1", { ...READING, ...reading });
  return run !== null && "why" in run ? `${run.place}: ${run.why}` : "readable";
}

test("a line becomes a run, to the microsecond", () => {
  expect(read({})).toEqual({
    id: "812",
    window: { from: at("2026-06-01 08:00"), fromClosed: false, to: at("2026-06-01 12:00:00.000001"), toClosed: true },
    started: at("2026-06-01 12:00:05"),
    finished: at("2026-06-01 12:00:17"),
    outcome: "success",
    status: "SUCCESS",
    rows: 0n,
    backfill: false,
    dataClock: null,
  });
});

test("times without a zone are in the ledger's, the others are not", () => {
  const run = read({ from: "2026-06-01 08:00:00", to: "2026-06-01 12:00:00+02:00" }, { timezone: "Europe/Prague" });
  expect([run.window?.from, run.window?.to]).toEqual([at("2026-06-01 06:00"), at("2026-06-01 10:00")]);
});

test.each([
  ["epoch-s" as const, "1780308000", "2026-06-01T10:00:00.000000Z"],
  ["epoch-s" as const, "1780308000.25", "2026-06-01T10:00:00.250000Z"],
  ["epoch-ms" as const, "1780308000123", "2026-06-01T10:00:00.123000Z"],
  ["epoch-us" as const, "1780308000123456", "2026-06-01T10:00:00.123456Z"],
  // A time beside a number cursor is a time.
  ["epoch-s" as const, "2026-06-01 10:00:00", "2026-06-01T10:00:00.000000Z"],
  // A number beside a time cursor tells its unit by its size.
  [null, "1780308000", "2026-06-01T10:00:00.000000Z"],
  [null, "1780308000123", "2026-06-01T10:00:00.123000Z"],
  [null, "1780308000123456", "2026-06-01T10:00:00.123456Z"],
])("a window end for a cursor of unit %s that reads %s is %s", (unit, to, instant) => {
  expect(formatInstant(read({ to }, { unit }).window?.to ?? 0n)).toBe(instant);
});

test("the ends of a sequence keep all their digits", () => {
  const run = read({ from: "9223372036854775806", to: "9223372036854775807", data_clock: "5.0" }, { axis: "sequence" });
  expect([run.window?.from, run.window?.to, run.dataClock]).toEqual([9223372036854775806n, 9223372036854775807n, 5n]);
});

test("NULL from is open below, NULL to is no window", () => {
  expect(read({ from: null }).window?.from).toBeNull();
  expect(read({ from: "-infinity" }).window?.from).toBeNull();
  expect(read({ to: null }).window).toBeNull();
  expect(read({ to: "" }).window).toBeNull();
});

test("rows may be unknown", () => {
  expect(read({ rows: null }).rows).toBeNull();
  expect(read({ rows: "12.0" }).rows).toBe(12n);
});

test.each([
  ["Ok", "2026-06-01 12:01", "success"],
  ["success", null, "success"],
  ["running", null, "running"],
  ["RUNNING", "2026-06-01 12:01", "running"],
  ["queued", null, "running"],
  ["failed", null, "failed"],
  ["failed", "2026-06-01 12:01", "failed"],
  ["weird", "2026-06-01 12:01", "failed"],
  ["weird", null, "running"],
  [null, null, "running"],
  [null, "2026-06-01 12:01", "failed"],
] as const)("status %s with the end %s is %s", (status, finished, outcome) => {
  expect(read({ status, finished }).outcome).toBe(outcome);
});

test("a ledger without status words tells success by the end", () => {
  const kept = new Set(LEDGER_FIELDS.filter((field) => field !== "status"));
  expect(read({ status: null }, { kept }).outcome).toBe("success");
  expect(read({ status: null, finished: null }, { kept }).outcome).toBe("running");
});

test("the kind says what is a backfill", () => {
  expect(read({ kind: "backfill" }).backfill).toBe(true);
  expect(read({ kind: null }).backfill).toBe(false);
});

test("a run without an id is called by its place", () => {
  expect(read({ id: null }).id).toBe("runs, line 1");
});

test("a run that waits to start is none yet", () => {
  expect(readRun({ ...LINE, started: null, status: "queued" }, "runs, line 1", READING)).toBeNull();
});

describe("what cannot be read is said without its values", () => {
  test.each([
    [{ started: null }, {}, "started is empty"],
    [{ started: "yesterday" }, {}, "started is no time"],
    [{ to: "06/01/2026" }, {}, "to is neither a time nor a number"],
    [
      { to: "2026-06-01" },
      { axis: "sequence" as const, from: null },
      "from is no number, and the cursor is a sequence; to is no number, and the cursor is a sequence",
    ],
    [{ from: "1", to: "1.5" }, { axis: "sequence" as const }, "to has a fraction, and the cursor is a sequence"],
    [{ rows: "-1" }, {}, "rows is no count"],
    [{ rows: "many" }, {}, "rows is no number"],
    [{ finished: "x", data_clock: "y" }, {}, "finished is no time; data_clock is neither a time nor a number"],
  ])("%o", (line, reading, expected) => {
    expect(why(line, reading)).toBe(`runs, line 1 (run 812): ${expected}`);
  });
});
