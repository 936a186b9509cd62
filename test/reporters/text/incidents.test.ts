import { describe, expect, test } from "vitest";
import type { Finding } from "../../../src/domain/finding.ts";
import { incidentsOf } from "../../../src/reporters/text/incidents.ts";
import { causeOf, findingOf } from "../reports.ts";

const at = (from: string, to: string) => ({
  cursor: { from: `2026-06-01T${from}:00.000000Z`, to: `2026-06-01T${to}:00.000001Z` },
});
const missing = findingOf({
  range: at("08:00", "12:00"),
  evidence: { rows_lacking: 3 },
  causes: [causeOf()],
  fix: "tidemark repair grades --range 8..12",
});
const run = (part: Partial<Finding>): Finding =>
  findingOf({ code: "empty-run", group: "runs", causes: [], sample: [], evidence: { rows_lacking: "2" }, ...part });
const told = (...findings: readonly Finding[]) =>
  incidentsOf(findings).map(({ first, others }) => [first, ...others].map(({ code }) => code));

describe("an incident", () => {
  test("is what counts the same lost rows, its explanation before what it led to", () => {
    const streak = run({ code: "zero-row-streak", range: at("02:00", "10:00") });
    const ahead = run({ code: "closed-ahead-of-clock", range: at("11:00", "13:00") });
    expect(told(missing, streak, ahead)).toEqual([["closed-ahead-of-clock", "missing-rows", "zero-row-streak"]]);
    expect(incidentsOf([missing, ahead])[0]?.explained).toBe(true);
    expect(incidentsOf([missing, streak])[0]?.explained).toBe(false);
  });
  test("stands where the report names its first finding", () => {
    const alone = findingOf({ code: "changed-rows", evidence: { rows_lacking: 0 }, range: at("08:00", "12:00") });
    expect(told(alone, missing, run({ range: at("08:00", "09:00") }))).toEqual([
      ["changed-rows"],
      ["missing-rows", "empty-run"],
    ]);
  });
  test("joins what a later finding bridges", () => {
    const early = run({ range: at("01:00", "02:00") });
    const late = run({ code: "count-disagrees", range: at("03:00", "04:00") });
    expect(told(early, late)).toHaveLength(2);
    expect(told(early, late, run({ code: "uncovered-window", range: at("01:30", "03:30") }))).toEqual([
      ["empty-run", "count-disagrees", "uncovered-window"],
    ]);
  });
  test.each([
    [
      "touches it at an end that it leaves out",
      { range: { cursor: { from: "2026-06-01T12:00:00.000001Z", to: null } } },
    ],
    ["lacks no rows", { evidence: { rows_lacking: 0 } }],
    ["does not say where", { range: {} }],
    ["is accepted", { accepted: true }],
    ["is over", { state: "recovered" as const }],
  ])("leaves out what %s", (_, part) => {
    expect(told(missing, run({ range: at("08:00", "12:00"), ...part }))).toHaveLength(2);
  });
  test("holds numbers and open ends apart as it does times", () => {
    const range = (from: string | null, to: string | null) => ({ cursor: { from, to } });
    expect(told({ ...missing, range: range("9", "10") }, run({ range: range("10", null) }))).toHaveLength(2);
    expect(told({ ...missing, range: range("9", "11") }, run({ range: range("10", null) }))).toHaveLength(1);
  });
});

describe("the repair of an incident", () => {
  test("is that of the rows findings whose range holds them all", () => {
    const stale = findingOf({
      ...missing,
      code: "stale-rows",
      range: at("10:00", "12:00"),
      fix: "tidemark repair grades",
    });
    expect(incidentsOf([stale, missing, run({ range: at("02:00", "12:00") })])[0]?.repair).toBe(missing.fix);
    const further = { ...stale, range: at("10:00", "13:00") };
    expect(incidentsOf([missing, further])[0]?.repair).toBeNull();
  });
  test("is the finding's own where it stands alone", () => {
    expect(incidentsOf([missing])).toEqual([{ first: missing, others: [], explained: false, repair: null }]);
  });
});
