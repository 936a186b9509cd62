import { expect, test } from "vitest";
import type { ClockPicture } from "../../../src/domain/detail.ts";
import type { Duration } from "../../../src/domain/duration.ts";
import { withHistory } from "../../../src/flows/detail/with-history.ts";
import { detailOf, hourly, sceneOf } from "../../support/scenes.ts";
import { story } from "../../support/story.ts";
import { HOUR, t, timeline } from "../../support/timeline.ts";

const runsOf = (picture: ClockPicture | undefined): readonly string[] => picture?.runs.map(({ id }) => id) ?? [];

test("the picture is of the place where the row was lost, until it arrived and a run later", () => {
  const { detail } = sceneOf("story", story());
  const near = detail.clocks?.near;
  expect(runsOf(near)).toEqual(["810", "811", "812", "813", "814"]);
  expect(near?.lost).toEqual([
    {
      rows: 1n,
      cursors: { first: t("1 10:00"), last: t("1 10:00") },
      run: { id: "812", started: t("1 12:00:05") },
      arrivals: { first: t("1 22:52"), last: t("1 22:52") },
    },
  ]);
  expect(near?.runs.find(({ id }) => id === "812")).toMatchObject({
    empty: true,
    clock: t("1 01:40"),
    window: { from: t("1 08:00"), to: t("1 12:00") },
    dead: { from: t("1 08:00"), to: t("1 12:00"), rows: 1n, lacking: 1n },
  });
  // The lost row tells that the clock stood at 10:00 or beyond once it was there.
  expect(near?.clock).toContainEqual({
    at: t("1 22:52"),
    position: t("1 10:00"),
    witness: "lost-row",
    certainty: "at-least",
  });
  expect(runsOf(detail.clocks?.whole ?? undefined)).toHaveLength(9);
});

test("where nothing is lost it is of the newest runs", () => {
  const { near, whole } = sceneOf("healed", story(false)).detail.clocks ?? {};
  expect(near?.lost).toEqual([]);
  expect(near?.runs).toHaveLength(9);
  expect(whole).toBeNull();
});

test("a row that only a failed run held is lost there; one that none held, where the first run passed it over", () => {
  const { near } =
    sceneOf(
      "failed",
      hourly(24, (id) => id === 31 || id === 32, 10),
    ).detail.clocks ?? {};
  expect(near?.lost.map(({ run }) => run?.id)).toEqual(["run-10", "run-10"]);
  const told = hourly(24, (id) => id === 31);
  const holed = { ...told, runs: (told.runs ?? []).filter(({ id }) => id !== "run-10") };
  expect(sceneOf("holed", holed).detail.clocks?.near.lost.map(({ run }) => run?.id)).toEqual(["run-11"]);
});

test("what is not due yet is lost nowhere", () => {
  const told = hourly(24, (id) => id > 60);
  const early = { ...told, runs: (told.runs ?? []).slice(0, 20) };
  expect(sceneOf("pending", early).detail.clocks?.near.lost).toEqual([]);
});

test("a check without a ledger has a key space and no clocks", () => {
  const { detail } = sceneOf("plain", { rows: story().rows, runs: null, arrived: [1, 2, 3] });
  expect(detail.clocks).toBeNull();
  expect(detail.lag).toBeNull();
  expect(detail.keys?.parts.reduce((sum, { missing }) => sum + missing, 0)).toBe(16);
});

test("parts of a whole-number key are equal stretches, which hold their own keys and leave none out", () => {
  const { keys } = sceneOf(
    "wide",
    hourly(24 * 28, (id) => id % 500 === 7),
  ).detail;
  expect(keys).toMatchObject({ by: "number", first: "1", last: "2016" });
  const parts = keys?.parts ?? [];
  expect(parts).toHaveLength(240);
  expect(parts[0]?.from).toBe("1");
  expect(parts.at(-1)?.to).toBe("2016");
  for (const [i, part] of parts.slice(1).entries()) expect(BigInt(part.from)).toBe(BigInt(parts[i]?.to ?? 0) + 1n);
  for (const key of [7, 507, 1007, 1507, 2007])
    expect(parts.find(({ from, to }) => Number(from) <= key && key <= Number(to))?.missing).toBe(1);
});

test("other keys are placed by the chunks that were compared, as wide as they hold rows", () => {
  const { facts } = timeline(story());
  const texts = {
    ...facts,
    mapping: { ...facts.mapping, key: [{ source: "id", target: "id", as: { as: "text" } as const, note: null }] },
    source: { ...facts.source, keys: { first: ["a"], last: ["z"] } },
    comparison: facts.comparison && {
      ...facts.comparison,
      strip: [
        { keys: { from: null, to: ["k"] }, rows: 299n, chunks: 1, different: 1 },
        { keys: { from: ["k"], to: null }, rows: 99n, chunks: 1, different: 0 },
      ],
    },
  };
  const copy = { cursor: null, version: null, arrival: null, loaded: null };
  const { keys } = detailOf(texts, [
    { type: "extra", key: ["b"], target: copy },
    { type: "changed", key: ["k"], source: copy, target: copy, order: "target-newer", columns: null },
  ]);
  expect(keys?.parts).toMatchObject([
    { share: 0.75, to: "k", extra: 1, ahead: 0 },
    { share: 0.25, from: "k", extra: 0, ahead: 1 },
  ]);
  const { comparison } = texts;
  const unordered = detailOf({ ...texts, comparison: comparison && { ...comparison, strip: undefined as never } }, []);
  expect(unordered.keys).toMatchObject({
    parts: [],
    notes: [expect.stringContaining("do not order these keys alike")],
  });
});

test("freshness is the age of the newest row, against what the check allows", () => {
  const freshness = { warn: (6n * HOUR) as Duration, error: (24n * HOUR) as Duration };
  const { check } = timeline(story()).facts;
  const told = { ...story(), now: t("2 09:45"), check: { expect: { ...check.expect, freshness } } };
  expect(sceneOf("fresh", told).detail.freshness).toEqual({ source: 12n * HOUR, target: 12n * HOUR, ...freshness });
});

test("however many runs and lost rows there are, a picture holds some hundred of them and says so", () => {
  const { detail } = sceneOf(
    "many",
    hourly(24 * 29, (id) => id % 3 === 0),
  );
  // Every run lost a row: the place where rows were lost is the whole ledger.
  expect(detail.clocks?.whole).toBeNull();
  const near = detail.clocks?.near;
  expect(near?.runs.length).toBeLessThanOrEqual(160);
  expect(near?.lost.length).toBeLessThanOrEqual(600);
  expect(near?.clock.length).toBeLessThanOrEqual(400);
  expect(near?.notes.join()).toContain("a box stands for up to 5 runs");
  expect(near?.notes.join()).toContain("left out for want of room");
  // None is lost on the way.
  expect(near?.runs.reduce((sum, { many }) => sum + many, 0)).toBe(24 * 29);
  expect(near?.lost.reduce((sum, { rows }) => sum + rows, 0n)).toBe(BigInt(24 * 29));
});

test("the history is the check's own, oldest first, sixty audits at most", () => {
  const { detail } = sceneOf("a", story());
  const record = (n: number) => ({
    id: String(n),
    startedAt: `audit ${n}`,
    finishedAt: "",
    verdict: "pass" as const,
    checks: ["a", "b"].map((check) => ({
      check,
      verdict: check === "a" ? ("warn" as const) : ("pass" as const),
      sourceRows: 1,
      targetRows: 1,
      sourceClock: null,
      targetClock: null,
      findings: { error: 0, warn: 1, info: 0, recovered: 0 },
      rows: {},
      seconds: 1,
      ...(n === 0 ? { streak: 4 } : {}),
    })),
  });
  const records = Array.from({ length: 80 }, (_, n) => record(n));
  const history = withHistory(new Map([["a", detail]]), records).get("a")?.history ?? [];
  expect(history).toHaveLength(60);
  expect(history.at(-1)).toMatchObject({ startedAt: "audit 0", verdict: "warn", streak: 4 });
  expect(history[0]).toMatchObject({ startedAt: "audit 59", streak: null });
});
