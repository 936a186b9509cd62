import { describe, expect, test } from "vitest";
import type { Acceptance, Check } from "../../src/domain/check.ts";
import { FINDING_GROUPS } from "../../src/domain/codes.ts";
import type { Difference } from "../../src/domain/difference.ts";
import { readRange } from "../../src/domain/range.ts";
import { RULES } from "../../src/rules/index.ts";
import { diagnose, diagnosed, findings, severities } from "../support/findings.ts";
import { story } from "../support/story.ts";
import { HOUR, t, type Timeline, timeline } from "../support/timeline.ts";

type Entry = Partial<Acceptance> & Pick<Acceptance, "finding">;
const accepting = (...accept: readonly Entry[]): Partial<Check> => ({
  accept: accept.map((entry) => ({ range: null, reason: null, until: null, ...entry })),
});
const RUNS = [9, 10, 11].map((hour, i) => ({
  id: `${i + 1}`,
  from: t("1 08:00") + BigInt(i) * HOUR,
  to: t("1 09:00") + BigInt(i) * HOUR,
  started: t("1 09:05") + BigInt(hour - 9) * HOUR,
}));
const LOST: Timeline = {
  rows: [1, 2, 3].map((id) => ({ id, x: t("1 07:30") + BigInt(id) * HOUR })),
  runs: RUNS,
  arrived: [3],
};

test("every code but unused-accept has its rule, in the order of the findings", () => {
  const wanted = Object.values(FINDING_GROUPS)
    .flat()
    .filter((code) => code !== "unused-accept");
  expect(RULES.map(({ code }) => code)).toEqual(wanted);
});

test("a rule is not asked where a fact that it needs was not read", () => {
  const nothing = timeline({ rows: [], runs: null }).facts;
  const findings = diagnose(
    { ...nothing, axis: null, source: { ...nothing.source, cursor: null }, comparison: null },
    [],
  );
  expect(findings).toEqual([]);
});

describe("the noon run's story", () => {
  test("is told in one finding a code, errors first", () => {
    const told = { ...story(), check: { expect: { ...timeline(story()).facts.check.expect, zeroRowStreak: 2 } } };
    expect(diagnosed(told).map(({ severity, id }) => `${severity} ${id}`)).toEqual([
      "error grades/missing-rows",
      "error grades/empty-run",
      "error grades/zero-row-streak",
      "error grades/closed-ahead-of-clock",
      "warn grades/closed-ahead-of-clock/recent",
      "warn grades/wall-clock-window",
      "warn grades/overlap-too-small",
    ]);
  });
  test("names the row, the run, the cause, and the repair over the run's window", () => {
    const fix = "tidemark repair grades --range 2026-06-01T08:00:00Z..2026-06-01T12:00:00.000001Z";
    expect(findings("missing-rows", story())[0]).toMatchObject({
      says: "1 row of the source is missing from the target",
      rows: 1,
      range: {
        cursor: { from: "2026-06-01T08:00:00.000000Z", to: "2026-06-01T12:00:00.000001Z" },
        key: { from: [17], to: [18] },
      },
      sample: [{ key: { id: 17 } }],
      evidence: { rows_lacking: 1 },
      fix,
      causes: [
        {
          code: "closed-ahead-of-clock",
          rows: 1,
          runs: ["812"],
          runs_total: 1,
          confidence: "observed",
          evidence: { beyond_clock_max_seconds: 30_000, witnesses: ["arrivals"], rows_by_run: { "812": 1 } },
          fix,
          says: "1 row lost by run 812, which closed its window at Mon 2026-06-01 12:00 UTC, 10 h 20 min ahead of the data clock",
        },
      ],
    });
  });
  test("is quieter once it is healed", () =>
    expect(diagnosed(story(false)).filter(({ severity }) => severity === "error")).toEqual([]));
});

describe.each([
  ["missing-rows", "error"],
  ["stale-rows", "error"],
  ["changed-rows", "error"],
  ["ahead-rows", "error"],
  ["extra-rows", "warn"],
  ["pending-rows", "info"],
] as const)("%s", (code, severity) => {
  const copy = { cursor: t("1 08:30"), version: "1", arrival: null, loaded: null };
  const changed = (order: "source-newer" | "same" | "target-newer" | "none"): Difference => ({
    type: "changed",
    key: ["1"],
    source: copy,
    target: copy,
    order,
    columns: ["grade"],
  });
  const differences: Readonly<Record<string, readonly Difference[]>> = {
    "missing-rows": [{ type: "missing", key: ["1"], source: copy }],
    "stale-rows": [changed("source-newer")],
    "changed-rows": [changed("same"), changed("none")],
    "ahead-rows": [changed("target-newer")],
    "extra-rows": [{ type: "extra", key: ["1"], target: copy }],
    "pending-rows": [
      { type: "missing", key: ["1"], source: { ...copy, cursor: t("2 08:30") } },
      { ...changed("source-newer"), source: { ...copy, cursor: t("2 08:30") } } as Difference,
    ],
  };

  test(`is ${severity}, counts its rows and no others`, () => {
    const told: Timeline = {
      rows: [{ id: 1, x: t("1 08:30") }],
      runs: RUNS,
      differences: Object.values(differences).flat(),
    };
    const found = findings(code, told);
    expect(found).toMatchObject([{ severity, rows: differences[code]?.length, state: "new", group: "rows" }]);
  });
});

describe("duplicate-keys", () => {
  test("names the side, the keys and the rows", () => {
    const told: Timeline = {
      ...LOST,
      arrived: [1, 2, 3],
      facts: (facts) => ({
        ...facts,
        comparison: facts.comparison && {
          ...facts.comparison,
          duplicates: [
            { side: "source", keys: 0n, rows: 0n, sample: [] },
            { side: "target", keys: 2n, rows: 5n, sample: [["7"]] },
          ],
        },
      }),
    };
    expect(findings("duplicate-keys", told)[0]).toMatchObject({
      severity: "error",
      sides: ["target"],
      rows: 5,
      sample: [{ key: { id: 7 } }],
      says: "2 keys more than once in the target (5 rows)",
    });
    expect(severities("duplicate-keys", LOST)).toEqual([]);
  });
});

describe("systematic-difference", () => {
  test("is one finding a column, with the line that would accept it", () => {
    const systematic = [
      {
        column: "at",
        transformation: "2 h later in the target",
        sampled: 100,
        explained: 100,
        rows: 1000n,
        accept: "treat: …",
      },
    ];
    const told: Timeline = {
      ...LOST,
      arrived: [1, 2, 3],
      facts: (facts) => ({ ...facts, comparison: facts.comparison && { ...facts.comparison, systematic } }),
    };
    expect(findings("systematic-difference", told)[0]).toMatchObject({
      id: "grades/systematic-difference/at",
      severity: "error",
      rows: 1000,
      columns: ["at"],
      fix: "treat: …",
    });
  });

  test("offers the `timezone:` setting for times that are shifted", () => {
    const fixOf = (transformation: string, timezone: string | null = null): unknown => {
      const shifted = { column: "at", transformation, sampled: 9, explained: 9, rows: 9n, accept: null };
      return findings("systematic-difference", {
        ...LOST,
        facts: (facts) => ({
          ...facts,
          check: { ...facts.check, target: { ...facts.check.target, timezone } },
          comparison: facts.comparison && { ...facts.comparison, systematic: [shifted] },
        }),
      })[0]?.fix;
    };
    const told = fixOf("shifted by +02:00");
    expect(told).toContain("`target: { timezone: Etc/GMT-2 }` where the target keeps local time");
    expect(told).toContain("`source: { timezone: Etc/GMT+2 }` where the source does");
    expect(fixOf("shifted by -05:00")).toContain("target: { timezone: Etc/GMT+5 }");
    expect(fixOf("shifted by +05:45")).toMatch(/^say in `timezone:`/);
    expect(fixOf("shifted by +02:00", "Europe/Prague")).toMatch(/^say in `timezone:`/);
    expect(fixOf("cut to whole seconds")).toBeNull();
  });
});

test("a check's severity holds for a code, and `off` silences it; what is healed stays a note", () => {
  expect(severities("missing-rows", { ...LOST, check: { severity: { "missing-rows": "warn" } } })).toEqual(["warn"]);
  expect(severities("missing-rows", { ...LOST, check: { severity: { "missing-rows": "off" } } })).toEqual([]);
  expect(
    severities("pending-rows", { ...LOST, runs: RUNS.slice(0, 1), check: { severity: { "pending-rows": "error" } } }),
  ).toEqual(["error"]);
  const healed = { ...story(false), check: { severity: { "empty-run": "warn" } } } as const;
  expect(severities("empty-run", healed)).toEqual(["info/caught"]);
});

test("only the wanted groups are judged", () => {
  const { facts, differences } = timeline(story());
  const groups = diagnose(facts, differences, ["runs", "clock"]).map(({ group }) => group);
  expect(new Set(groups)).toEqual(new Set(["runs"]));
});

describe("repairs", () => {
  test("go by the key where rows have no cursor, and by nothing where the key cannot be said", () => {
    const rows = [
      { id: 4, x: null },
      { id: 9, x: null },
      { id: 10, x: t("1 08:30") },
    ];
    expect(findings("missing-rows", { rows, runs: RUNS, arrived: [10] })[0]?.fix).toBe(
      "tidemark repair grades --range key:4..10",
    );
    const text: Timeline = {
      rows,
      runs: RUNS,
      arrived: [10],
      facts: (facts) => ({
        ...facts,
        mapping: { ...facts.mapping, key: [{ source: "id", target: "id", as: { as: "text" }, note: null }] },
      }),
    };
    expect(findings("missing-rows", text)[0]?.fix).toBe("tidemark repair grades");
  });
  test("of one row end just behind it, and are quoted for the shell", () => {
    const told = { ...LOST, arrived: [2, 3], check: { name: "it's/grades" } };
    expect(findings("missing-rows", told)[0]?.fix).toBe(
      "tidemark repair 'it'\\''s/grades' --range 2026-06-01T08:30:00Z..2026-06-01T08:30:00.000001Z",
    );
  });
  test("are not offered for what a repair would not mend", () => {
    const copy = { cursor: t("1 08:30"), version: "1", arrival: null, loaded: null };
    const extra: Difference = { type: "extra", key: ["1"], target: copy };
    expect(findings("extra-rows", { rows: [], runs: RUNS, differences: [extra] })[0]?.fix).toBeNull();
  });
});

describe("unused-accept", () => {
  test("an accepted finding stays as a note that says so", () => {
    const [found] = findings("missing-rows", { ...LOST, check: accepting({ finding: "missing-rows" }) });
    expect(found).toMatchObject({ severity: "info", accepted: true, rows: 2 });
    expect(severities("unused-accept", { ...LOST, check: accepting({ finding: "missing-rows" }) })).toEqual([]);
  });
  test("an accepted range takes its rows out of the finding, under an id of its own", () => {
    const range = readRange("2026-06-01T08:00:00Z..2026-06-01T09:00:00Z");
    const found = findings("missing-rows", { ...LOST, check: accepting({ finding: "missing-rows", range }) });
    expect(found.map(({ id, severity, rows }) => [id, severity, rows])).toEqual([
      ["grades/missing-rows", "error", 1],
      ["grades/missing-rows/2026-06-01T08:00:00Z..2026-06-01T09:00:00Z", "info", 1],
    ]);
  });
  test("a finding about runs is accepted where all of its stretch lies in the range", () => {
    const empty = { ...LOST, runs: RUNS.map((run) => ({ ...run, rows: 0n })), arrived: [1, 2, 3] };
    const with_ = (range: string) =>
      severities("empty-run", {
        ...empty,
        check: { ...accepting({ finding: "empty-run", range: readRange(range) }), severity: { "empty-run": "warn" } },
      });
    const accepted = (range: string) =>
      findings("empty-run", { ...empty, check: accepting({ finding: "empty-run", range: readRange(range) }) })[0]
        ?.accepted ?? false;
    expect(with_("2026-06-01..2026-06-02")).toEqual(["info/caught"]);
    expect(accepted("2026-06-01..2026-06-02")).toBe(true);
    expect(accepted("2026-06-01T08:30:00Z..2026-06-02")).toBe(false);
  });
  test("an entry that matched nothing, or is past its until, is reported", () => {
    const until = t("30 12:00");
    const told = (...accept: readonly Entry[]) => findings("unused-accept", { ...LOST, check: accepting(...accept) });
    expect(told({ finding: "extra-rows" })[0]?.evidence["entries"]).toMatchObject([
      { finding: "extra-rows", why: "matches nothing" },
    ]);
    expect(told({ finding: "missing-rows", until })[0]?.evidence["entries"]).toMatchObject([{ why: "past its until" }]);
    expect(told({ finding: "missing-rows", until: until + 1n })).toEqual([]);
  });
  test("what was not looked at is not called unused", () => {
    const { facts, differences } = timeline({ ...LOST, check: accepting({ finding: "future-cursor" }) });
    expect(diagnose(facts, differences, ["rows"]).filter(({ code }) => code === "unused-accept")).toEqual([]);
    const ranged = { ...facts, range: { from: null, fromClosed: false, to: t("1 09:00"), toClosed: false } };
    expect(diagnose(ranged, differences).filter(({ code }) => code === "unused-accept")).toEqual([]);
  });
});

test("a cause is as sure as its least sure row, and says how many are of each kind", () => {
  const rows = [
    { id: 1, x: t("1 07:00") },
    { id: 2, x: t("1 09:30") },
    { id: 3, x: t("1 10:30") },
  ];
  const [found] = findings("missing-rows", { rows, runs: RUNS.filter(({ id }) => id !== "2"), arrived: [3] });
  expect(found?.causes[0]).toMatchObject({
    code: "uncovered-window",
    rows: 2,
    confidence: "inferred",
    evidence: { rows_by_confidence: { observed: 1, inferred: 1, undetermined: 0 } },
  });
});

test("reports hold no values of rows but keys", () => {
  const copy = { cursor: t("1 08:30"), version: "sesame", arrival: null, loaded: null };
  const difference: Difference = {
    type: "changed",
    key: ["1"],
    source: copy,
    target: { ...copy, version: "open" },
    order: "same",
    columns: ["grade"],
  };
  const text = JSON.stringify(diagnosed({ ...LOST, differences: [difference] }));
  expect(text).toContain('"grade"');
  expect(text).not.toMatch(/sesame|open"/);
});
