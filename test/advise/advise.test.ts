import { describe, expect, test } from "vitest";
import { adviceJson } from "../../src/advise/advice-json.ts";
import { advise } from "../../src/advise/advise.ts";
import { roundUp } from "../../src/advise/natural-unit.ts";
import { bars, plotLines } from "../../src/advise/plot.ts";
import { lookBackEnds } from "../../src/advise/replay.ts";
import { tally } from "../../src/causes/tally.ts";
import { must } from "../../src/domain/errors.ts";
import { indexLedger } from "../../src/domain/ledger-index.ts";
import { story } from "../support/story.ts";
import { HOUR, MINUTE, profileOf, type RunLine, t, type Timeline, timeline } from "../support/timeline.ts";

function adviceOf(told: Timeline, exact = false) {
  const { facts, differences } = timeline(told);
  const { bounds } = tally(facts, differences);
  const first = must(advise(facts, bounds), "there is a ledger");
  if (!exact) return first;
  const index = indexLedger(must(facts.ledger, "there is a ledger"), true);
  return must(advise(facts, bounds, profileOf([...lookBackEnds(index, first.needed)], told.rows)), "there is a ledger");
}

test("the noon run's story: the wall clock lost a row, the data clock would have lost none, just over five hours would have reached it", () => {
  const advice = adviceOf(story());
  expect(advice).toMatchObject({
    rows: 19n,
    runs: 9,
    arrivals: "observed",
    lag: { max: t("1 22:52") - t("1 08:45") },
    overlapInForce: 0n,
    needed: 5n * HOUR + 1_000_000n,
    // Twice the largest lag of 14 h 7 min, rounded up to whole days.
    advised: 48n * HOUR,
    policies: [
      { policy: "wall-clock", rowsLost: 1n, exact: false },
      { policy: "data-clock", rowsLost: 0n, exact: true },
      { policy: "overlap", overlap: 5n * HOUR + 1_000_000n, rowsLost: 0n },
    ],
  });
});

test("without arrivals it bounds from below and says so", () => {
  const advice = adviceOf({ ...story(), arrivals: false });
  expect(advice).toMatchObject({
    arrivals: "bounded",
    needed: 2n * HOUR + 1_000_000n,
    lag: { p50: null, p99: null, max: 2n * HOUR + 5_000_000n },
  });
  expect(advice.policies[0]).toMatchObject({ rowsLost: 1n, exact: false });
  expect(advice.notes[0]).toContain("nobody knows when rows arrived");
});

/** Hourly runs at the wall clock; each row of the half hour arrives `lag` later. */
const hourly = (lag: bigint, n = 6): Timeline => ({
  rows: Array.from({ length: n }, (_, i) => {
    const x = t("1 08:30") + BigInt(i) * HOUR;
    return { id: i + 1, x, a: x + lag };
  }),
  runs: Array.from({ length: n }, (_, i): RunLine => {
    const to = t("1 09:00") + BigInt(i) * HOUR;
    return { id: `${i}`, from: to - HOUR, to, started: to };
  }),
});

describe("policies", () => {
  test("a lag of forty minutes loses every row at the wall clock, none at the data clock, and the look-back reads none twice but what lies in it", () => {
    const advice = adviceOf({ ...hourly(40n * MINUTE), arrived: [] }, true);
    expect(advice.needed).toBe(30n * MINUTE + 1_000_000n);
    // The sixth row arrives after the last run.
    expect(advice.policies).toMatchObject([
      { policy: "wall-clock", rowsLost: 5n, exact: true, rowsReread: 0n, behindStart: 0n },
      { policy: "data-clock", rowsLost: 0n, exact: true, rowsReread: 0n },
      { policy: "overlap", rowsLost: 0n, rowsReread: 0n, rereadExact: true },
    ]);
    expect(advice.notes).toContain("1 rows arrived after the last run: no policy has had a chance to read them");
  });
  test("rows that came in time are read again by a look-back, as many as lie in it", () => {
    const told = hourly(MINUTE);
    // One row of 10:10 arrives at 11:20, so that fifty minutes and a second are needed.
    const rows = [...told.rows, { id: 50, x: t("1 10:10"), a: t("1 11:20") }];
    const advice = adviceOf({ ...told, rows, arrived: told.rows.map(({ id }) => id) }, true);
    expect(advice.needed).toBe(50n * MINUTE + 1_000_000n);
    // Five look-backs of fifty minutes hold one row of the half hour each; the late row is read once, for the first time.
    expect(advice.policies[2]).toMatchObject({ rowsReread: 5n, rereadExact: true });
  });
  test("the profile of the ledger alone bounds rows read again from above", () => {
    const told = hourly(MINUTE);
    const rows = [...told.rows, { id: 50, x: t("1 10:10"), a: t("1 11:20") }];
    const [, , overlap] = adviceOf({ ...told, rows, arrived: told.rows.map(({ id }) => id) }).policies;
    expect(overlap?.rereadExact).toBe(false);
    expect(overlap?.rowsReread).toBeGreaterThanOrEqual(5n);
  });
  test("a policy that cannot be replayed says nothing instead of zero", () => {
    const blind = adviceOf({
      ...hourly(0n),
      arrivals: false,
      ledger: { clocks: hourly(0n).runs?.map(() => null) ?? [] },
    });
    expect(blind.policies[1]).toMatchObject({ policy: "data-clock", rowsLost: null, rowsReread: null });
    const sequence = adviceOf({
      rows: [{ id: 1, x: 5n }],
      runs: [{ id: "1", from: 0n, to: 10n, started: t("1 09:00") }],
      axis: "sequence",
      arrivals: false,
    });
    expect(sequence.policies[0]).toMatchObject({ policy: "wall-clock", rowsLost: null });
  });
});

test("nothing is advised without a ledger or a regular run", () => {
  const without = timeline({ rows: [], runs: null });
  expect(advise(without.facts, tally(without.facts, []).bounds)).toBeNull();
  const backfills = timeline({ rows: [], runs: (hourly(0n).runs ?? []).map((run) => ({ ...run, backfill: true })) });
  expect(advise(backfills.facts, tally(backfills.facts, []).bounds)).toBeNull();
});

test.each([
  [0n, 0n],
  [1n, MINUTE],
  [MINUTE + 1n, 2n * MINUTE],
  [25n * MINUTE, 30n * MINUTE],
  [5n * HOUR, 6n * HOUR],
  [24n * HOUR, 24n * HOUR],
  [159_800_000_000n, 48n * HOUR],
])("rounds %s µs up to %s", (length, rounded) => expect(roundUp(length, "time")).toBe(rounded));

test("rounds up numbers of a sequence to 1, 2 or 5 with zeros", () =>
  expect([1n, 3n, 7n, 11n, 4001n].map((n) => roundUp(n, "sequence"))).toEqual([1n, 5n, 10n, 20n, 5000n]));

test("the JSON form names what the interface names", () => {
  expect(adviceJson("grades", adviceOf(story(), true))).toMatchObject({
    version: 1,
    check: "grades",
    rows: 19,
    arrivals: "observed",
    lag_seconds: { max: 50_820 },
    overlap_in_force_seconds: 0,
    needed_overlap_seconds: 18_001,
    advised_overlap_seconds: 172_800,
    policies: [
      { policy: "wall-clock", overlap_seconds: 0, rows_lost: 1, rows_reread: 0 },
      { policy: "data-clock", overlap_seconds: 0, rows_lost: 0, rows_reread: 0 },
      { policy: "overlap", overlap_seconds: 18_001, rows_lost: 0 },
    ],
  });
});

test("the plot draws lags and overlaps on one scale", () => {
  const advice = adviceOf(story());
  const drawn = bars(advice);
  expect(drawn.find(({ label }) => label === "overlap advised")?.share).toBe(1);
  expect(drawn.find(({ label }) => label === "overlap in force")?.share).toBe(0);
  const lines = plotLines(advice, 20);
  expect(lines).toHaveLength(6);
  expect(lines.at(-1)).toBe(`overlap advised   ${"█".repeat(20)}  2 d`);
});
