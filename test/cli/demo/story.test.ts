import { describe, expect, test } from "vitest";
import { HERO, simulate } from "../../../src/cli/demo/simulate.ts";
import { plantStory } from "../../../src/cli/demo/story.ts";
import { must } from "../../../src/domain/errors.ts";
import { formatInstant, parseInstant } from "../../../src/domain/position.ts";
import { describeEngine, freshDatabase } from "../../support/databases.ts";

const NOW = must(parseInstant("2026-06-03T09:10:00Z"), "a time");
const HOUR = 3_600_000_000n;
const story = simulate(NOW);
const inTarget = new Map(story.target.map((row) => [row.id, row.timemodified]));
const lost = story.source.filter(({ id, timemodified }) => inTarget.get(id) !== timemodified);
const time = (position: bigint) => formatInstant(position).slice(0, 16);

describe("the story", () => {
  test("is of the latest Monday whose Tuesday 02:00 has passed", () => {
    const mondayAt = (now: string) => time(simulate(must(parseInstant(now), "a time")).monday);
    expect(mondayAt("2026-06-03T09:10:00Z")).toBe("2026-06-01T00:00");
    expect(mondayAt("2026-06-02T02:00:00Z")).toBe("2026-06-01T00:00");
    expect(mondayAt("2026-06-02T01:59:59Z")).toBe("2026-05-25T00:00");
    expect(mondayAt("2026-06-08T23:00:00Z")).toBe("2026-06-01T00:00");
  });
  test("is the same every time", () => {
    expect(simulate(NOW)).toEqual(story);
  });
  test("is a few thousand rows long", () => {
    expect(story.source.length).toBeGreaterThan(3000);
    expect(story.source.length).toBeLessThan(6000);
  });
  test("loses the grade of Monday 10:00, and a handful with it, all changed later in that day's windows", () => {
    expect(story.hero).toMatchObject({ id: HERO, finalgrade: "88.25000" });
    expect([time(story.hero.timemodified), time(story.hero.loadedAt)]).toEqual([
      "2026-06-01T10:00",
      "2026-06-01T22:52",
    ]);
    expect(lost.map(({ id }) => id)).toEqual([42, HERO, 4712, 4713, 4714]);
    for (const { timemodified } of lost) expect(timemodified).toBeGreaterThanOrEqual(story.hero.timemodified);
    expect(inTarget.get(42)).toBeLessThan(story.monday);
    expect(inTarget.has(HERO)).toBe(false);
  });
  test("has three runs with nothing on Monday, the last of them 13 h 20 min ahead of the data clock", () => {
    const monday = story.runs.filter(({ to }) => to > story.monday + 2n * HOUR);
    expect(monday.map(({ id, to, rows }) => [id, time(to), rows])).toEqual([
      [811, "2026-06-01T08:00", 0],
      [812, "2026-06-01T12:00", 0],
      [813, "2026-06-01T15:00", 0],
      [814, "2026-06-02T01:00", 25],
    ]);
    const clock = story.source
      .filter(({ loadedAt }) => loadedAt <= story.monday + 12n * HOUR)
      .map((r) => r.timemodified);
    expect(time(clock.reduce((a, b) => (a > b ? a : b)))).toBe("2026-06-01T01:40");
  });
  test("has a ledger without holes, whose every right edge is the wall clock", () => {
    for (const [n, run] of story.runs.entries()) {
      expect(run.started - run.to).toBe(5_000_000n);
      const before = story.runs[n - 1];
      if (before !== undefined) expect(run.from).toBe(before.to);
    }
  });
  test("ends before now", () => {
    const last = [...story.source.map((r) => r.loadedAt), ...story.runs.map((r) => r.finished)];
    for (const moment of last) expect(moment).toBeLessThan(NOW);
  });
});

for (const dialect of ["postgres", "sqlite"] as const)
  describeEngine(dialect, "planting the story", () => {
    test("makes the source, the target and the ledger as they were played", async () => {
      await using source = await freshDatabase(dialect);
      await using target = await freshDatabase(dialect);
      const planted = await plantStory({
        dialect,
        source: (sql) => source.run(sql),
        target: (sql) => target.run(sql),
        now: NOW,
      });
      expect(planted).toEqual(story);
      const count = "select count(*) from grades";
      expect(await source.rows(count)).toEqual([[String(story.source.length)]]);
      expect(await target.rows(count)).toEqual([[String(story.target.length)]]);
      expect(await target.rows("select run_id, rows_extracted from sync_runs where run_id > 810 order by 1")).toEqual([
        ["811", "0"],
        ["812", "0"],
        ["813", "0"],
        ["814", "25"],
      ]);
      expect(
        await source.rows(
          `select userid from grades where id = ${HERO} and timemodified = '2026-06-01T10:00:00.000000Z' and finalgrade = 88.25`,
        ),
      ).toEqual([["1234"]]);
    });
  });
