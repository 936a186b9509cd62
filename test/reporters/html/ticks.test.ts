import { expect, test } from "vitest";
import { ticksOf } from "../../../src/reporters/html/ticks.ts";
import { t } from "../../support/timeline.ts";

const labels = (from: bigint, to: bigint, most = 8): readonly string[] =>
  ticksOf(from, to, "time", most).map(({ label, day }) => (day === null ? label : `${label} ${day}`));

test("marks stand at round times, and a new day is named", () => {
  expect(labels(t("1 20:10"), t("2 04:10"), 9)).toEqual([
    "21:00 Mon 1 Jun",
    "22:00",
    "23:00",
    "00:00 Tue 2 Jun",
    "01:00",
    "02:00",
    "03:00",
    "04:00",
  ]);
  expect(labels(t("1 20:00:01"), t("1 20:00:20"))).toEqual(["20:00:05 Mon 1 Jun", "20:00:10", "20:00:15", "20:00:20"]);
});

test("days, Mondays and far years, so that there are never too many", () => {
  expect(labels(t("1 10:00"), t("4 10:00"), 4)).toEqual(["Tue 2 Jun", "Wed 3 Jun", "Thu 4 Jun"]);
  expect(labels(t("1 10:00"), t("30 10:00"), 5)).toEqual(["Mon 8 Jun", "Mon 15 Jun", "Mon 22 Jun", "Mon 29 Jun"]);
  for (const years of [1n, 30n, 900n, 9000n, 200_000n]) {
    const ticks = ticksOf(t("1 00:00"), t("1 00:00") + years * 31_536_000_000_000n, "time", 8);
    expect(ticks.length).toBeLessThanOrEqual(9);
  }
});

test("before the epoch as behind it", () => {
  expect(labels(-90_000_000_000n, 1n, 3)).toEqual(["00:00 Wed 31 Dec", "12:00", "00:00 Thu 1 Jan"]);
});

test("numbers of a sequence are whole, with their thousands apart", () => {
  expect(ticksOf(0n, 4000n, "sequence", 4).map(({ label }) => label)).toEqual([
    "0",
    "1,000",
    "2,000",
    "3,000",
    "4,000",
  ]);
  expect(ticksOf(1n, 3n, "sequence", 10).map(({ at }) => at)).toEqual([1n, 2n, 3n]);
});
