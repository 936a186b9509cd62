import { expect, test } from "vitest";
import { tally } from "../../src/causes/tally.ts";
import type { Difference } from "../../src/domain/difference.ts";
import { readRange } from "../../src/domain/range.ts";
import { HOUR, MINUTE, t, timeline } from "../support/timeline.ts";

/** Nightly loads at 22:00, runs every four hours at the wall clock: what is changed in the day lands when its windows are closed. */
const DAYS = [1, 2, 3, 4, 5, 6, 7, 8];
const RUNS = DAYS.flatMap((day) =>
  [0, 4, 8, 12, 16, 20].map((hour) => {
    const from = t(`${day} 00:00`) + BigInt(hour) * HOUR;
    return { id: `${day}/${hour}`, from, to: from + 4n * HOUR, started: from + 4n * HOUR };
  }),
);
/** One row an hour on the second and the sixth of June, and one row each night that comes in time. */
const LOST = [2, 6].flatMap((day) =>
  Array.from({ length: 16 }, (_, i) => ({
    id: day * 100 + i,
    x: t(`${day} 01:00`) + BigInt(i) * HOUR,
    a: t(`${day} 22:00`),
  })),
);
const CAME = DAYS.map((day) => ({ id: day, x: t(`${day} 21:00`), a: t(`${day} 22:00`) }));
const TOLD = { rows: [...LOST, ...CAME], runs: RUNS, arrived: CAME.map(({ id }) => id) };

test("a night's loss is one incident with its runs and one stretch to repair; another night is another", () => {
  const { facts, differences } = timeline(TOLD);
  const [missing] = tally(facts, differences).findings;
  const [cause] = missing?.causes ?? [];
  expect(cause).toMatchObject({ code: "closed-ahead-of-clock", rows: 32n });
  expect(cause?.incidents).toMatchObject([
    { rows: 16n, repair: { from: t("2 00:00"), to: t("2 16:00") + 1n } },
    { rows: 16n, repair: { from: t("6 00:00"), to: t("6 16:00") + 1n } },
  ]);
  expect(cause?.incidents[0]?.runs.map((run) => facts.ledger?.runs[run]?.id)).toEqual(["2/0", "2/4", "2/8", "2/12"]);
});

test("rows by run add up to the rows, where each row has one run", () => {
  const { facts, differences } = timeline(TOLD);
  const [missing] = tally(facts, differences).findings;
  const runs = missing?.causes[0]?.runs ?? [];
  expect(runs).toHaveLength(8);
  expect(runs.reduce((sum, { rows }) => sum + rows, 0n)).toBe(32n);
});

test("the sample holds the first twenty keys in key order, however the differences come", () => {
  const rows = Array.from({ length: 50 }, (_, i) => ({ id: i + 1, x: t("1 01:00") }));
  const { facts, differences } = timeline({ rows, runs: RUNS, arrived: [] });
  const [missing] = tally(facts, differences.toReversed()).findings;
  expect(missing?.sample.map(({ key }) => key[0])).toEqual(Array.from({ length: 20 }, (_, i) => `${i + 1}`));
  expect(missing?.keys).toEqual({ first: ["1"], last: ["50"] });
  expect(missing?.cursors).toEqual({ first: t("1 01:00"), last: t("1 01:00") });
});

test("a hole's stretch is all of the hole; other causes' stretches are their rows", () => {
  const { facts, differences } = timeline({
    rows: [
      { id: 1, x: t("1 05:00") },
      { id: 2, x: t("1 06:00") },
      { id: 3, x: t("1 09:00") },
    ],
    runs: RUNS.filter(({ id }) => id !== "1/4"),
    arrived: [],
  });
  const [missing] = tally(facts, differences).findings;
  const byCode = new Map(missing?.causes.map((cause) => [cause.code, cause]));
  expect(byCode.get("uncovered-window")?.incidents).toMatchObject([
    { rows: 2n, repair: { from: t("1 04:00") + 1n, to: t("1 08:00") } },
  ]);
  expect(byCode.get("undetermined")?.incidents).toMatchObject([
    { repair: { from: t("1 09:00"), to: t("1 09:00") + 1n } },
  ]);
});

test("rows of an accepted range are counted apart, half-open, and only while the entry holds", () => {
  const rows = [1, 2, 3].map((hour) => ({ id: hour, x: t(`1 0${hour}:00`) }));
  const entry = {
    finding: "missing-rows",
    range: readRange("2026-06-01T02:00:00Z..2026-06-01T03:00:00Z"),
    reason: null,
  } as const;
  const count = (until: bigint | null) => {
    const { facts, differences } = timeline({
      rows,
      runs: RUNS,
      arrived: [],
      check: { accept: [{ ...entry, until }] },
    });
    return tally(facts, differences).findings.map(({ accepted, sample }) => [
      accepted,
      sample.map(({ key }) => key[0]),
    ]);
  };
  expect(count(null)).toEqual([
    [null, ["1", "3"]],
    [0, ["2"]],
  ]);
  expect(count(t("30 12:00"))).toEqual([[null, ["1", "2", "3"]]]);
});

test.each([
  ["key:2..3", ["2"]],
  ["run:1/0", ["1", "2", "3"]],
  ["run:1/4", []],
  ["key:abc..", []],
])("accepts the rows of %s", (range, keys) => {
  const rows = [1, 2, 3].map((hour) => ({ id: hour, x: t(`1 0${hour}:00`) }));
  const accept = [{ finding: "missing-rows" as const, range: readRange(range), reason: null, until: null }];
  const { facts, differences } = timeline({ rows, runs: RUNS, arrived: [], check: { accept } });
  const accepted = tally(facts, differences).findings.find((each) => each.accepted === 0);
  expect(accepted?.sample.map(({ key }) => key[0]) ?? []).toEqual(keys);
});

test("lost rows without an arrival say what the first run after those that held them needed", () => {
  const { facts, differences } = timeline({ rows: [{ id: 1, x: t("1 05:00") }], runs: RUNS, arrived: [] });
  // Held by 1/4, which started at 08:00; the run of 12:00 had the watermark 08:00 before it.
  expect(tally(facts, differences).bounds).toMatchObject({
    rows: 1n,
    behind: 1n,
    needed: 3n * HOUR + 1_000_000n,
    lag: 3n * HOUR,
  });
});

test("rows without a cursor are counted for what the target lacks of them", () => {
  const { facts, differences } = timeline({
    rows: [
      { id: 1, x: null },
      { id: 2, x: null },
    ],
    runs: RUNS,
    arrived: [2],
  });
  expect(tally(facts, differences).nullCursorsLacking).toBe(1n);
});

test("columns that differ are named once", () => {
  const copy = { cursor: t("1 05:00"), version: "1", arrival: null, loaded: null };
  const changed = (id: number, columns: readonly string[] | null): Difference => ({
    type: "changed",
    key: [`${id}`],
    source: copy,
    target: copy,
    order: "same",
    columns,
  });
  const { facts } = timeline({ rows: [{ id: 1, x: t("1 05:00") }], runs: RUNS });
  const [found] = tally(facts, [changed(1, ["a", "b"]), changed(2, ["b", "c"]), changed(3, null)]).findings;
  expect(found).toMatchObject({ finding: "changed-rows", columns: ["a", "b", "c"], lacking: 0n });
});

test("a hundred thousand differences of one stretch are one incident", () => {
  const { facts } = timeline({ rows: [{ id: 1, x: t("1 05:00") }], runs: RUNS });
  function* many(): Generator<Difference> {
    for (let i = 0; i < 100_000; i++)
      yield {
        type: "missing",
        key: [`${i}`],
        source: {
          cursor: t("1 05:00") + BigInt(i),
          version: null,
          arrival: t("1 05:00") + MINUTE + BigInt(i),
          loaded: null,
        },
      };
  }
  const [found] = tally(facts, many()).findings;
  expect(found).toMatchObject({
    rows: 100_000n,
    causes: [{ code: "dropped-in-pipeline", incidents: [{ rows: 100_000n }] }],
  });
});
