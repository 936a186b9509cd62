import { describe, expect, test } from "vitest";
import type { Facts } from "../../src/domain/facts.ts";
import { windowOf } from "../../src/domain/window.ts";
import { t, timeline } from "../support/timeline.ts";
import { diagnose } from "../support/findings.ts";

/** Two runs that read nothing; the target lacks row 2, which lies in the second one's window. */
const told = (facts: (facts: Facts) => Facts, arrived: readonly number[]) =>
  timeline({
    rows: [
      { id: 1, x: t("1 09:00") },
      { id: 2, x: t("1 11:00") },
    ],
    runs: [
      { id: "a", from: t("1 08:00"), to: t("1 10:00"), started: t("1 10:00"), rows: 0n },
      { id: "b", from: t("1 10:00"), to: t("1 12:00"), started: t("1 12:00"), rows: 0n },
    ],
    arrived,
    facts,
  });

const emptyRuns = (facts: (facts: Facts) => Facts, arrived = [1, 2]) => {
  const { facts: read, differences } = told(facts, arrived);
  return diagnose(read, differences)
    .filter(({ code }) => code === "empty-run")
    .map(({ severity, evidence }) => ({
      severity,
      runs: (evidence["runs"] as { run: string }[]).map(({ run }) => run),
      lacking: evidence["rows_lacking"] ?? null,
    }));
};

describe("run findings of an audit with --range", () => {
  test("without one, both runs are told, and that the target lacks nothing", () => {
    expect(emptyRuns((facts) => facts)).toEqual([{ severity: "info", runs: ["a", "b"], lacking: 0 }]);
  });

  test("a run outside it is not said to have been caught: nobody looked there", () => {
    const range = windowOf(t("1 07:00"), t("1 11:00"), "[)");
    expect(emptyRuns((facts) => ({ ...facts, range }))).toEqual([{ severity: "info", runs: ["a"], lacking: 0 }]);
  });

  test("a window that reaches out of it by its very last position is outside", () => {
    const short = windowOf(t("1 07:00"), t("1 10:00"), "[)");
    expect(emptyRuns((facts) => ({ ...facts, range: short }))).toEqual([]);
    const enough = windowOf(t("1 07:00"), t("1 10:00") + 1n, "[)");
    expect(emptyRuns((facts) => ({ ...facts, range: enough }))).toEqual([
      { severity: "info", runs: ["a"], lacking: 0 },
    ]);
  });

  test("what the target lacks inside it is told as ever", () => {
    const range = windowOf(t("1 10:00"), null, "[)");
    expect(emptyRuns((facts) => ({ ...facts, range }), [1])).toEqual([{ severity: "error", runs: ["b"], lacking: 1 }]);
  });

  test.each([
    ["of some keys", (facts: Facts): Facts => ({ ...facts, someKeys: true })],
    [
      "that ended early",
      (facts: Facts): Facts => ({
        ...facts,
        comparison: facts.comparison && { ...facts.comparison, stopped: "stop_after: the time was up" },
      }),
    ],
  ])("a comparison %s says of no run what the target lacks", (_, partial) => {
    expect(emptyRuns(partial)).toEqual([{ severity: "error", runs: ["a", "b"], lacking: null }]);
  });
});
