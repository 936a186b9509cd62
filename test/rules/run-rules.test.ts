import { describe, expect, test } from "vitest";
import type { Check } from "../../src/domain/check.ts";
import type { Duration } from "../../src/domain/duration.ts";
import { findings, severities } from "../support/findings.ts";
import { story } from "../support/story.ts";
import { checkOf, HOUR, MINUTE, type RunLine, t, type Timeline } from "../support/timeline.ts";

/** Hourly runs from 9 on, five minutes after their windows' ends. */
const hourly = (n: number, change: (run: RunLine, i: number) => RunLine = (run) => run): readonly RunLine[] =>
  Array.from({ length: n }, (_, i) => {
    const to = t("1 09:00") + BigInt(i) * HOUR;
    return change({ id: `${i + 1}`, from: to - HOUR, to, started: to + 5n * MINUTE, rows: 1n }, i);
  });
const ROWS = Array.from({ length: 8 }, (_, i) => ({ id: i + 1, x: t("1 08:30") + BigInt(i) * HOUR }));
const ALL = ROWS.map(({ id }) => id);
const expecting = (changes: Partial<Check["expect"]>): Partial<Check> => ({
  expect: { ...checkOf().expect, ...changes },
});
const length = (n: bigint): Duration => n as Duration;

describe("empty-run", () => {
  const empty = (arrived: readonly number[], rows = ROWS): Timeline => ({
    rows,
    runs: hourly(4, (run, i) => (i === 1 ? { ...run, rows: 0n } : run)),
    arrived,
  });

  test("is an error while the target lacks rows of its window", () => {
    const [found] = findings("empty-run", empty(ALL.filter((id) => id !== 2)));
    expect(found).toMatchObject({
      id: "grades/empty-run",
      severity: "error",
      rows: 1,
      range: { cursor: { from: "2026-06-01T09:00:00.000001Z", to: "2026-06-01T10:00:00.000001Z" } },
      evidence: { rows_lacking: 1, runs_total: 1, runs: [{ run: "2", source_rows: 1, rows_lacking: 1 }] },
      fix: "tidemark repair grades --range 2026-06-01T09:00:00Z..2026-06-01T10:00:00.000001Z",
    });
  });
  test("is a note where all of them came by another way", () =>
    expect(severities("empty-run", empty(ALL))).toEqual(["info/caught"]));
  test("is none where the source has nothing there, or where nothing was counted", () => {
    expect(
      severities(
        "empty-run",
        empty(
          ALL,
          ROWS.filter(({ id }) => id !== 2),
        ),
      ),
    ).toEqual([]);
    expect(
      severities("empty-run", { rows: ROWS, runs: hourly(4, (run) => ({ ...run, rows: null })), arrived: [] }),
    ).toEqual([]);
  });
  test("two of each severity are one finding each", () => {
    const told = { rows: ROWS, runs: hourly(4, (run) => ({ ...run, rows: 0n })), arrived: [1, 2, 5, 6, 7, 8] };
    expect(
      findings("empty-run", told).map(({ severity, rows, evidence }) => [severity, rows, evidence["runs_total"]]),
    ).toEqual([
      ["error", 2, 2],
      ["info", 2, 2],
    ]);
  });
});

describe("zero-row-streak", () => {
  const streak = (zeros: readonly number[], more: Partial<Timeline> = {}): Timeline => ({
    rows: ROWS.filter(({ id }) => id > 5),
    runs: hourly(8, (run, i) => (zeros.includes(i) ? { ...run, rows: 0n } : run)),
    ...more,
  });

  test("counts as many runs in a row as the check says", () => {
    expect(severities("zero-row-streak", streak([1, 2]))).toEqual([]);
    expect(severities("zero-row-streak", streak([1, 2, 3]))).toEqual(["warn/quiet"]);
    expect(severities("zero-row-streak", streak([1, 2], { check: expecting({ zeroRowStreak: 2 }) }))).toEqual([
      "warn/quiet",
    ]);
    expect(severities("zero-row-streak", streak([0, 2, 3]))).toEqual([]);
  });
  test("is not broken by a failed run, and backfills are left out", () => {
    const runs = streak([1, 3, 4]).runs ?? [];
    const failed = runs.map((run, i) => (i === 2 ? { ...run, outcome: "failed" as const, rows: null } : run));
    expect(severities("zero-row-streak", { ...streak([]), runs: failed })).toEqual(["warn/quiet"]);
    const backfill = runs.map((run, i) => (i === 2 ? { ...run, backfill: true } : run));
    expect(severities("zero-row-streak", { ...streak([]), runs: backfill })).toEqual(["warn/quiet"]);
    const zeros = runs.map((run, i) => (i === 3 ? { ...run, backfill: true } : run));
    expect(severities("zero-row-streak", { ...streak([]), runs: zeros })).toEqual([]);
  });
  test("is an error while the target lacks rows of its windows, over once it has them, and a warning while it goes on", () => {
    const told = { rows: ROWS, runs: hourly(8, (run, i) => ([1, 2, 3].includes(i) ? { ...run, rows: 0n } : run)) };
    expect(severities("zero-row-streak", { ...told, arrived: ALL.filter((id) => id !== 3) })).toEqual(["error"]);
    expect(severities("zero-row-streak", { ...told, arrived: ALL })).toEqual(["info/ended"]);
    expect(severities("zero-row-streak", { ...told, runs: told.runs.slice(0, 4), arrived: ALL })).toEqual([
      "warn/quiet",
    ]);
  });
  test("says how long it was, who was first and last, and whether it still goes on", () => {
    const [found] = findings("zero-row-streak", streak([5, 6, 7]));
    expect(found?.evidence["streaks"]).toMatchObject([
      {
        length: 3,
        first: "6",
        last: "8",
        going_on: true,
        first_started: "2026-06-01T14:05:00.000000Z",
        source_rows: 3,
      },
    ]);
    expect(found?.says).toContain("3 successful runs in a row with 0 rows, 6 to 8");
  });
});

describe("closed-ahead-of-clock", () => {
  const ahead = (clock: string, more: Partial<Timeline> = {}): Timeline => ({
    rows: ROWS,
    runs: hourly(2, (run) => ({ ...run, dataClock: t(clock) })),
    ...more,
  });

  test("speaks of windows that end beyond the clock, not of those that end on it", () => {
    expect(severities("closed-ahead-of-clock", ahead("1 10:00"))).toEqual([]);
    expect(severities("closed-ahead-of-clock", ahead("1 09:59"))).toEqual(["warn/recent"]);
  });
  test("an open right end on the clock's next microsecond is not beyond it", () => {
    const runs = hourly(1, (run) => ({ ...run, dataClock: (run.to ?? 0n) - 1n }));
    expect(severities("closed-ahead-of-clock", { rows: [], runs, ends: "[)" })).toEqual([]);
    expect(severities("closed-ahead-of-clock", { rows: [], runs, ends: "(]" })).toEqual(["warn/recent"]);
  });
  test("is an error while the target lacks rows of the dead zone only", () => {
    const told = (lost: number) => ahead("1 09:15", { arrived: ALL.filter((id) => id !== lost) });
    const [found] = findings("closed-ahead-of-clock", told(2));
    expect(found).toMatchObject({
      severity: "error",
      rows: 1,
      evidence: {
        rows_lacking: 1,
        runs: [
          {
            run: "2",
            ahead_by_seconds: 2700,
            witness: "ledger",
            clock: "2026-06-01T09:15:00.000000Z",
            rows: 1,
            rows_lacking: 1,
          },
        ],
      },
    });
    expect(severities("closed-ahead-of-clock", told(1))).toEqual(["warn/recent"]);
  });
  test("is a note beyond the last ten runs, and where only the source now is the witness", () => {
    const runs = hourly(11, (run, i) => (i === 0 ? { ...run, dataClock: t("1 08:00") } : run));
    expect(severities("closed-ahead-of-clock", { rows: ROWS, runs, arrivals: false })).toContain("info/older");
    expect(severities("closed-ahead-of-clock", { rows: ROWS, runs: runs.slice(0, 10), arrivals: false })).toContain(
      "warn/recent",
    );
    const [now] = findings("closed-ahead-of-clock", { rows: ROWS, runs: hourly(9), arrivals: false });
    expect(now).toMatchObject({
      severity: "info",
      evidence: { runs: [{ run: "9", witness: "source-now", certainty: "at-most" }] },
    });
  });
  test("a bound from below shows nothing", () => {
    const runs = hourly(1);
    const clocks = [
      { position: t("1 08:10"), at: t("1 09:05"), witness: "observations" as const, certainty: "at-least" as const },
    ];
    expect(severities("closed-ahead-of-clock", { rows: ROWS, runs, ledger: { clocks } })).toEqual([]);
  });
  test("names the data clocks that it does not believe", () => {
    const runs = hourly(2, (run, i) => ({ ...run, dataClock: i === 0 ? t("1 09:00") - HOUR / 2n : t("2 10:00") }));
    const [found] = findings("closed-ahead-of-clock", { rows: [], runs });
    expect(found?.evidence["data_clocks_ignored"]).toEqual(["2"]);
  });
  test("tells the story of the noon run", () => {
    const [found] = findings("closed-ahead-of-clock", story());
    expect(found?.says).toBe(
      "run 812 closed its window at Mon 2026-06-01 12:00 UTC, 10 h 20 min ahead of the data clock; 1 row of the source lies in between now, the target lacks 1",
    );
  });
});

describe("wall-clock-window", () => {
  const wall = (n: number, off: bigint, more: Partial<Timeline> = {}): Timeline => ({
    rows: ROWS,
    runs: hourly(n, (run) => ({ ...run, started: (run.to ?? 0n) + off, dataClock: (run.to ?? 0n) - 20n * MINUTE })),
    ...more,
  });

  test("wants five runs of which nine in ten end at their own start or finish", () => {
    expect(severities("wall-clock-window", wall(5, MINUTE))).toEqual(["warn"]);
    expect(severities("wall-clock-window", wall(4, MINUTE))).toEqual([]);
    expect(severities("wall-clock-window", wall(5, MINUTE + 1n))).toEqual([]);
    const finishing = wall(5, -10n * MINUTE).runs?.map((run) => ({ ...run, finished: run.to })) ?? [];
    expect(severities("wall-clock-window", wall(5, 0n, { runs: finishing }))).toEqual(["warn"]);
    const oneOff =
      wall(10, 0n).runs?.map((run, i) => (i === 0 ? { ...run, started: run.started + 10n * MINUTE } : run)) ?? [];
    expect(severities("wall-clock-window", wall(5, 0n, { runs: oneOff }))).toEqual(["warn"]);
    const twoOff = oneOff.map((run, i) => (i === 1 ? { ...run, started: run.started + 10n * MINUTE } : run));
    expect(severities("wall-clock-window", wall(5, 0n, { runs: twoOff }))).toEqual([]);
  });
  test("needs a witness that saw the clock a minute behind", () => {
    const at = (behind: bigint) => wall(5, 0n).runs?.map((run) => ({ ...run, dataClock: run.started - behind })) ?? [];
    expect(severities("wall-clock-window", wall(5, 0n, { runs: at(MINUTE) }))).toEqual(["warn"]);
    expect(severities("wall-clock-window", wall(5, 0n, { runs: at(MINUTE - 1n) }))).toEqual([]);
    const blind = wall(5, 0n).runs?.map((run) => ({ ...run, dataClock: null })) ?? [];
    expect(severities("wall-clock-window", { rows: [], runs: blind, arrivals: false })).toEqual([]);
  });
  test("says by how much the clock stood behind", () =>
    expect(findings("wall-clock-window", story())[0]?.evidence).toMatchObject({
      runs_judged: 9,
      runs_ending_at_wall_clock: 9,
      run: "813",
      largest_distance_seconds: 48_005,
    }));
});

describe("uncovered-window", () => {
  const hole = (rows: Timeline["rows"], arrived: readonly number[]): Timeline => ({
    rows,
    arrived,
    runs: hourly(4).filter(({ id }) => id !== "2"),
  });

  test("is an error with rows that the target lacks, a warning without rows, a note with rows that it has", () => {
    expect(severities("uncovered-window", hole(ROWS, [1, 3, 4]))).toEqual(["error"]);
    expect(severities("uncovered-window", hole([], []))).toEqual(["warn/empty"]);
    expect(severities("uncovered-window", hole(ROWS, ALL))).toEqual(["info/filled"]);
  });
  test("names the stretch with its true ends, the runs around it, and the repair", () => {
    const [found] = findings("uncovered-window", hole(ROWS, [1, 3, 4]));
    expect(found).toMatchObject({
      rows: 1,
      range: { cursor: { from: "2026-06-01T09:00:00.000001Z", to: "2026-06-01T10:00:00.000001Z" } },
      evidence: { rows_lacking: 1, stretches: [{ run_before: "1", run_after: "3", source_rows: 1 }] },
    });
    expect(found?.says).toContain("from Mon 2026-06-01 09:00 UTC to Mon 2026-06-01 10:00 UTC");
  });
  test("windows that touch leave no hole, whichever end is closed; two open ends do", () => {
    const told = (ends: "(]" | "[)" | "[]" | "()") =>
      severities("uncovered-window", { rows: [], runs: hourly(3), ends });
    expect(["(]", "[)", "[]"].map((ends) => told(ends as "(]"))).toEqual([[], [], []]);
    expect(told("()")).toEqual(["warn/empty"]);
  });
  test("between two whole seconds of a cursor in seconds there is no hole", () => {
    const runs = hourly(3, (run) => ({ ...run, to: (run.to ?? 0n) - 1_000_000n }));
    const told = (unit: "epoch-s" | "epoch-us") =>
      severities("uncovered-window", {
        rows: [],
        runs,
        ends: "[]",
        check: { cursor: { column: "at", unit, page: 10 } },
      });
    expect(told("epoch-s")).toEqual([]);
    expect(told("epoch-us")).toEqual(["warn/empty"]);
  });
  test("a backfill covers as well as any run", () => {
    const runs = [
      ...(hole([], []).runs ?? []),
      { ...(hourly(4)[1] as RunLine), id: "b", started: t("2 00:00"), backfill: true },
    ];
    expect(severities("uncovered-window", { rows: [], runs })).toEqual([]);
  });
});

describe("failed-not-retried", () => {
  const failing = (runs: readonly RunLine[], arrived: readonly number[] = [1, 3, 4]): Timeline => ({
    rows: ROWS.slice(0, 4),
    runs,
    arrived,
  });
  const failed = hourly(4, (run, i) => (i === 1 ? { ...run, outcome: "failed", rows: null } : run));

  test("speaks of stretches that only failed runs held, and then no hole is reported there", () => {
    const [found] = findings("failed-not-retried", failing(failed));
    expect(found).toMatchObject({
      severity: "error",
      rows: 1,
      evidence: { stretches: [{ failed_runs: ["2"], rows_lacking: 1 }] },
    });
    expect(severities("uncovered-window", failing(failed))).toEqual([]);
  });
  test("a retry that succeeded settles it", () =>
    expect(
      severities(
        "failed-not-retried",
        failing([...failed, { ...(hourly(4)[1] as RunLine), id: "2b", started: t("1 10:30") }]),
      ),
    ).toEqual([]));
  test("nothing has passed over the last failed run yet", () => {
    const last = hourly(4, (run, i) => (i === 3 ? { ...run, outcome: "failed" } : run));
    expect(severities("failed-not-retried", failing(last))).toEqual([]);
  });
  test("what a failed run held of a larger hole is told apart from what none held", () => {
    const runs = hourly(5, (run, i) => (i === 1 ? { ...run, outcome: "failed" } : run)).filter(({ id }) => id !== "3");
    expect(severities("failed-not-retried", { rows: [], runs })).toEqual(["warn/empty"]);
    expect(findings("uncovered-window", { rows: [], runs })[0]?.evidence["stretches"]).toMatchObject([
      { from: "2026-06-01T10:00:00.000000Z", to: "2026-06-01T11:00:00.000000Z" },
    ]);
  });
});

describe("backward-watermark", () => {
  const back = (run: Partial<RunLine>): Timeline => ({
    rows: [],
    runs: [...hourly(4), { id: "5", from: t("1 09:00"), to: t("1 11:59"), started: t("1 13:00"), ...run }],
  });

  test("speaks of a window that ends before an earlier run's, not of one that ends with it or is a backfill", () => {
    expect(findings("backward-watermark", back({}))[0]).toMatchObject({
      severity: "warn",
      evidence: {
        runs: [{ run: "5", to: "2026-06-01T11:59:00.000000Z", watermark_before: "2026-06-01T12:00:00.000000Z" }],
      },
    });
    expect(severities("backward-watermark", back({ to: t("1 12:00") }))).toEqual([]);
    expect(severities("backward-watermark", back({ backfill: true }))).toEqual([]);
    expect(severities("backward-watermark", back({ outcome: "failed" }))).toEqual([]);
  });
});

describe("future-watermark", () => {
  const future = (to: bigint, rows: Timeline["rows"] = []): Timeline => ({
    rows,
    runs: [{ id: "1", from: t("1 08:00"), to, started: t("1 09:00"), finished: t("1 09:10") }],
  });

  test("allows what the check allows beyond the run's finish", () => {
    expect(severities("future-watermark", future(t("1 09:15")))).toEqual([]);
    expect(severities("future-watermark", future(t("1 09:15") + 1n))).toEqual(["error"]);
  });
  test("names the row that took the watermark there", () => {
    const [found] = findings(
      "future-watermark",
      future(t("2099-01-01T00:00:00Z"), [{ id: 7, x: t("2099-01-01T00:00:00Z") }]),
    );
    expect(found).toMatchObject({
      evidence: { source_row: { id: 7 }, runs: [{ run: "1", to: "2099-01-01T00:00:00.000000Z" }] },
    });
  });
});

describe("unfinished-run", () => {
  const open = (started: bigint, check: Partial<Check>): Timeline => ({
    rows: [],
    runs: [
      ...hourly(3),
      { id: "x", from: t("1 11:00"), to: t("1 12:00"), started, finished: null, outcome: "running" },
    ],
    now: t("1 14:00"),
    check,
  });

  test("takes the check's limit, else ten times the median", () => {
    const limited = expecting({ maxRun: length(HOUR) });
    expect(severities("unfinished-run", open(t("1 13:00"), limited))).toEqual([]);
    expect(severities("unfinished-run", open(t("1 13:00") - 1n, limited))).toEqual(["warn"]);
    expect(severities("unfinished-run", open(t("1 13:50"), {}))).toEqual([]);
    expect(findings("unfinished-run", open(t("1 13:49"), {}))[0]?.evidence).toMatchObject({
      limit_seconds: 600,
      limit_from: "10 times the median run",
      runs: [{ run: "x", for_seconds: 660 }],
    });
  });
});

describe("silent-ledger", () => {
  const silent = (now: string, every: Check["expect"]["every"], expectedStarts?: readonly bigint[]): Timeline => ({
    rows: [],
    runs: hourly(1),
    now: t(now),
    check: expecting({ every }),
    ...(expectedStarts === undefined ? {} : { ledger: { expectedStarts } }),
  });
  const every = { by: "distance", distance: length(2n * HOUR) } as const;
  const schedule = { by: "schedule", schedule: "0 * * * *", timezone: "UTC" } as const;
  const due = [10, 11, 12, 13].map((hour) => t(`1 ${hour}:00`));

  test("warns beyond the distance that is allowed, and errs beyond three times it", () => {
    expect(severities("silent-ledger", silent("1 11:05", every))).toEqual([]);
    expect(severities("silent-ledger", silent("1 11:06", every))).toEqual(["warn"]);
    expect(severities("silent-ledger", silent("1 15:05", every))).toEqual(["warn"]);
    expect(severities("silent-ledger", silent("1 15:06", every))).toEqual(["error"]);
    expect(severities("silent-ledger", silent("9 15:06", null))).toEqual([]);
  });
  test("warns when a scheduled run was missed, and errs when three were", () => {
    expect(severities("silent-ledger", silent("1 10:10", schedule, due))).toEqual([]);
    expect(severities("silent-ledger", silent("1 10:11", schedule, due))).toEqual(["warn"]);
    expect(severities("silent-ledger", silent("1 12:10", schedule, due))).toEqual(["warn"]);
    expect(severities("silent-ledger", silent("1 12:11", schedule, due))).toEqual(["error"]);
  });
  test("a run that started seconds before its time is the scheduled one", () => {
    const early = silent("1 09:30", schedule, [t("1 09:05:30"), t("1 10:05:30")]);
    expect(severities("silent-ledger", early)).toEqual([]);
  });
  test("a ledger without any run is silent since the stretch begins", () =>
    expect(findings("silent-ledger", { ...silent("1 11:06", every), runs: [] })[0]).toMatchObject({
      severity: "error",
      evidence: { last_run: null },
    }));
});

describe("count-disagrees", () => {
  const counted = (n: bigint, later: readonly RunLine[] = []): Timeline => ({
    rows: [...ROWS, { id: 20, x: t("1 09:45") }],
    runs: [...hourly(4, (run, i) => (i === 1 ? { ...run, rows: n } : run)), ...later],
  });

  test("speaks of a run that counted less than the source has now, never of one that counted more", () => {
    expect(severities("count-disagrees", counted(2n))).toEqual([]);
    expect(severities("count-disagrees", counted(3n))).toEqual([]);
    expect(findings("count-disagrees", counted(1n))[0]).toMatchObject({
      severity: "warn",
      evidence: { runs: [{ run: "2", run_rows: 1, source_rows: 2, covered_by_later_runs: false }] },
    });
  });
  test("is a note where later runs cover all of its window", () => {
    const again = (from: string, to: string, id: string): RunLine => ({
      id,
      from: t(from),
      to: t(to),
      started: t("1 20:00"),
      rows: 9n,
    });
    expect(
      severities("count-disagrees", counted(1n, [again("1 09:00", "1 09:30", "a"), again("1 09:30", "1 10:00", "b")])),
    ).toEqual(["info/covered"]);
    expect(severities("count-disagrees", counted(1n, [again("1 09:00", "1 09:30", "a")]))).toEqual(["warn"]);
  });
  test("leaves runs that counted nothing to empty-run", () =>
    expect(severities("count-disagrees", counted(0n))).toEqual([]));
});

describe("overlap-too-small", () => {
  test("tells the story: just over five hours, observed", () => {
    const [found] = findings("overlap-too-small", story());
    expect(found).toMatchObject({
      severity: "warn",
      rows: 1,
      evidence: {
        basis: "observed",
        overlap_in_force_seconds: 0,
        overlap_needed_seconds: 18_001,
        rows_needing_more: 1,
        lag_max_seconds: 50_820,
      },
    });
    expect(found?.says).toContain("needed more: just over 5 h would have reached");
  });
  test("says of how many rows the usual lags were told, where not of all", () => {
    const [found] = findings("overlap-too-small", {
      ...story(),
      facts: (facts) => {
        const { ledger } = facts;
        if (ledger === null || ledger.arrivals === null) throw new Error("no arrivals");
        return { ...facts, ledger: { ...ledger, arrivals: { ...ledger.arrivals, sampled: 1_000_000n } } };
      },
    });
    expect(found?.evidence).toMatchObject({ lag_rows_sampled: 1_000_000, lag_max_seconds: 50_820 });
    expect(findings("overlap-too-small", story())[0]?.evidence).not.toHaveProperty("lag_rows_sampled");
  });
  test("without arrivals it is bounded from below by the lost rows, and gone with them", () => {
    const [found] = findings("overlap-too-small", { ...story(), arrivals: false });
    // 10:00 was last read by the run of 12:00:05; the run after it had the watermark 12:00.
    expect(found?.evidence).toMatchObject({ basis: "inferred", overlap_needed_seconds: 7201, lag_max_seconds: 7205 });
    expect(severities("overlap-too-small", { ...story(false), arrivals: false })).toEqual([]);
  });
  test("a look-back that reaches exactly so far is enough where it is closed, and one second short where it is open", () => {
    const late = (ends: "(]" | "[)", back: bigint): Timeline => ({
      rows: [...ROWS.slice(0, 3).map((row) => ({ ...row, a: row.x })), { id: 9, x: t("1 08:40"), a: t("1 09:30") }],
      runs: hourly(3, (run, i) => (i === 0 ? run : { ...run, from: (run.from ?? 0n) - back })),
      ends,
    });
    expect(severities("overlap-too-small", late("[)", 20n * MINUTE))).toEqual([]);
    expect(severities("overlap-too-small", late("(]", 20n * MINUTE))).toEqual(["warn"]);
    expect(severities("overlap-too-small", late("(]", 20n * MINUTE + 1n))).toEqual([]);
  });
});

describe("repeated-window", () => {
  const twice = (run: Partial<RunLine>): Timeline => ({
    rows: [],
    runs: [...hourly(2), { ...(hourly(2)[1] as RunLine), id: "again", started: t("1 11:00"), ...run }],
  });

  test("is a note on two successful runs over the very same window", () => {
    expect(findings("repeated-window", twice({}))[0]).toMatchObject({
      severity: "info",
      evidence: { windows: [{ runs: ["2", "again"] }] },
    });
    expect(severities("repeated-window", twice({ outcome: "failed" }))).toEqual([]);
    expect(severities("repeated-window", twice({ to: t("1 10:01") }))).toEqual([]);
  });
  test("an idle run that keeps its watermark repeats nothing", () => {
    const idle = [1, 2, 3].map((i) => ({
      id: `${i}`,
      from: t("1 09:00"),
      to: t("1 09:00"),
      started: t("1 09:00") + BigInt(i),
    }));
    expect(severities("repeated-window", { rows: [], runs: idle })).toEqual([]);
  });
});

test("where the tables were not compared, ledgers are judged by what is known, and nothing is claimed of the target", () => {
  const told: Timeline = { ...story(), facts: (facts) => ({ ...facts, comparison: null }) };
  expect(findings("empty-run", told)[0]).toMatchObject({ severity: "error", fix: null });
  expect(findings("empty-run", told)[0]?.evidence).not.toHaveProperty("rows_lacking");
  expect(severities("missing-rows", told)).toEqual([]);
  expect(severities("closed-ahead-of-clock", told)).toEqual(["warn/recent"]);
});
