import { describe, expect, test } from "vitest";
import type { Check } from "../../src/domain/check.ts";
import type { Duration } from "../../src/domain/duration.ts";
import type { CursorFacts, Facts } from "../../src/domain/facts.ts";
import { findings, severities } from "../support/findings.ts";
import { checkOf, HOUR, t, type Timeline } from "../support/timeline.ts";

const cursor = (side: "source" | "target", changes: Partial<CursorFacts>): NonNullable<Timeline["facts"]> => {
  return (facts: Facts) => {
    const known = facts[side].cursor;
    return { ...facts, [side]: { ...facts[side], cursor: known === null ? null : { ...known, ...changes } } };
  };
};
const fresh = (warn: bigint | null, error: bigint | null): Partial<Check> => ({
  expect: { ...checkOf().expect, freshness: { warn: warn as Duration | null, error: error as Duration | null } },
});
const BASE: Timeline = { rows: [{ id: 1, x: t("30 06:00") }], runs: null };

describe.each([
  ["stale-source", "source"],
  ["stale-target", "target"],
] as const)("%s", (code, side) => {
  const aged = (clock: bigint | null, check: Partial<Check>): Timeline => ({
    ...BASE,
    check,
    facts: cursor(side, { clock }),
  });

  test("is by the thresholds, error first, and only beyond them", () => {
    const at = (age: bigint, check: Partial<Check>) => severities(code, aged(t("30 12:00") - age, check));
    expect(at(6n * HOUR, fresh(6n * HOUR, 24n * HOUR))).toEqual([]);
    expect(at(6n * HOUR + 1n, fresh(6n * HOUR, 24n * HOUR))).toEqual(["warn"]);
    expect(at(24n * HOUR + 1n, fresh(6n * HOUR, 24n * HOUR))).toEqual(["error"]);
    expect(at(24n * HOUR + 1n, fresh(null, 24n * HOUR))).toEqual(["error"]);
    expect(at(24n * HOUR + 1n, fresh(null, null))).toEqual([]);
  });
  test("an empty table is stale", () => {
    expect(findings(code, aged(null, fresh(6n * HOUR, 24n * HOUR)))[0]).toMatchObject({
      severity: "error",
      evidence: { clock: null },
    });
    expect(severities(code, aged(null, fresh(6n * HOUR, null)))).toEqual(["warn"]);
  });
});

test("an origin is what the source is measured against", () => {
  const against = (clock: bigint | null): Timeline => ({
    ...BASE,
    check: fresh(HOUR, null),
    facts: (facts) => ({
      ...facts,
      origin: facts.source.cursor && { connection: "lms", cursor: { ...facts.source.cursor, clock } },
    }),
  });
  expect(severities("stale-source", against(t("30 07:00")))).toEqual([]);
  expect(findings("stale-source", against(t("30 07:00:01")))[0]?.says).toContain("behind its origin");
  expect(severities("stale-source", against(null))).toEqual([]);
});

describe("future-cursor", () => {
  test("names how many rows lie in the future, and one of them", () => {
    const rows = [
      { id: 1, x: t("30 12:05") },
      { id: 2, x: t("30 12:05") + 1n },
      { id: 3, x: t("2099-01-01T00:00:00Z") },
    ];
    expect(findings("future-cursor", { rows, runs: null })[0]).toMatchObject({
      severity: "error",
      rows: 2,
      sample: [{ key: { id: 2 } }],
      evidence: { newest: "2099-01-01T00:00:00.000000Z", allowed_seconds: 300 },
    });
    expect(severities("future-cursor", { rows: rows.slice(0, 1), runs: null })).toEqual([]);
  });
});

describe("null-cursor", () => {
  test("is an error where the target lacks any, a warning where it has all", () => {
    const rows = [
      { id: 1, x: null },
      { id: 2, x: null },
      { id: 3, x: t("1 10:00") },
    ];
    expect(findings("null-cursor", { rows, runs: null, arrived: [1, 3] })[0]).toMatchObject({
      severity: "error",
      rows: 2,
      evidence: { rows: 2, rows_lacking: 1 },
    });
    expect(severities("null-cursor", { rows, runs: null, arrived: [1, 2] })).toEqual(["warn"]);
    expect(severities("null-cursor", { rows: rows.slice(2), runs: null })).toEqual([]);
  });
});

describe("cursor-ties", () => {
  const tied = (n: number, page: number, rows: bigint | null = null): Timeline => ({
    rows: Array.from({ length: n }, (_, i) => ({ id: i + 1, x: t("1 09:30") })),
    runs: rows === null ? null : [{ id: "1", from: t("1 09:00"), to: t("1 10:00"), started: t("1 10:05"), rows }],
    check: { cursor: { column: "at", unit: null, page } },
  });

  test("wants more rows of one value than a page holds", () => {
    expect(severities("cursor-ties", tied(4, 4))).toEqual([]);
    expect(findings("cursor-ties", tied(5, 4))[0]).toMatchObject({
      severity: "warn",
      rows: 5,
      evidence: { position: "2026-06-01T09:30:00.000000Z", rows: 5, page: 4 },
    });
  });
  test("or more than any run that held the value has read", () => {
    expect(severities("cursor-ties", tied(6, 10_000, 5n))).toEqual(["warn"]);
    expect(severities("cursor-ties", tied(6, 10_000, 6n))).toEqual([]);
    expect(severities("cursor-ties", tied(6, 10_000, 0n))).toEqual([]);
  });
});

test("cursor-precision: a cursor that is cut to seconds is a note", () => {
  const told = (wholeSeconds: boolean | null) =>
    severities("cursor-precision", { ...BASE, facts: cursor("source", { wholeSeconds }) });
  expect([told(true), told(false), told(null)]).toEqual([["info"], [], []]);
});

describe("target-ahead", () => {
  const ahead = (by: bigint, precision = 6): Timeline => ({
    ...BASE,
    facts: (facts) => ({
      ...cursor("target", { clock: t("30 06:00") + by })(facts),
      mapping: {
        ...facts.mapping,
        compared: facts.mapping.compared.map((pair) =>
          pair.source === "at" ? { ...pair, as: { as: "instant", precision } } : pair,
        ),
      },
    }),
  });

  test("warns when the target's clock is beyond the source's, but for what rounding can do", () => {
    expect(severities("target-ahead", ahead(0n))).toEqual([]);
    expect(severities("target-ahead", ahead(1n))).toEqual(["warn"]);
    expect(severities("target-ahead", ahead(999n, 3))).toEqual([]);
    expect(severities("target-ahead", ahead(1000n, 3))).toEqual(["warn"]);
  });
  test("an empty side is ahead of nothing", () =>
    expect(severities("target-ahead", { ...BASE, facts: cursor("source", { clock: null }) })).toEqual([]));
});

test("on a sequence axis no clock is judged by the wall", () => {
  const told: Timeline = { rows: [{ id: 1, x: 5n }], runs: null, axis: "sequence", check: fresh(1n, 1n) };
  for (const code of ["stale-source", "stale-target", "future-cursor", "cursor-precision"] as const)
    expect(severities(code, { ...told, facts: cursor("source", { wholeSeconds: true, future: 1n }) })).toEqual([]);
});
