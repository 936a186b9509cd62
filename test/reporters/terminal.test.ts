import { stripVTControlCharacters, styleText } from "node:util";
import { describe, expect, test } from "vitest";
import type { CheckReport } from "../../src/domain/report.ts";
import type { ReporterOptions } from "../../src/reporters/reporter.ts";
import { terminal } from "../../src/reporters/terminal.ts";
import { widthOf } from "../../src/reporters/text/wrap.ts";
import { causeOf, checkOf, failureOf, findingOf, passOf, PIPE, reportOf } from "./reports.ts";

const print = (checks: readonly CheckReport[], options: Partial<ReporterOptions> = {}): string =>
  terminal(reportOf(...checks), { ...PIPE, ...options });

test("a report reads from the verdicts over the findings to what it comes to", () => {
  const ending = { exit: 3, means: "not everything could be looked at", kept: "reports/latest/report.json" };
  const failed = failureOf("no-table", "the connection ods has no table cities_of_yesterday", "the nearest is cities");
  expect(print([checkOf(), passOf("cities"), failed], { ending })).toBe(`\
              check     source rows  target rows   time
✗ fail        grades        120,000      119,997  1.2 s
✓ pass        cities        120,000      119,997  1.2 s
? incomplete  no-table            –            –  1.2 s

── grades ──
ods: lms.grade_grades (postgres) → crm: public.grades (mysql)
data clock (newest row) 2026-06-02 01:40 UTC on both sides

✗ error  missing-rows  new
  3 rows of the source are missing from the target
  where    2026-06-01 08:00 – 12:00 UTC
           id 17 … 19
  rows     id 17 (finalgrade), 18, and 1 more
  why      closed-ahead-of-clock (observed), 3 rows: run 812 closed its window
           10 h 20 min ahead of the data clock, and no later window looks back
  tidemark repair grades --range 2026-06-01T08:00:00Z..2026-06-01T12:00:00.000001Z

one row's story:
  tidemark trace grades 17

── no-table ──
ods: lms.grade_grades (postgres) → crm: public.grades (mysql)

? could not finish  schema
  the connection ods has no table cities_of_yesterday
  hint: the nearest is cities

? incomplete  3 checks: 1 passed, 1 failed, 1 could not finish; 1 error,
0 warnings
exit 3: not everything could be looked at
report: reports/latest/report.json
`);
});

describe("the width", () => {
  const long = findingOf({
    says: `a sentence that is ${"very ".repeat(40)}long`,
    causes: [
      causeOf({
        says: `because of ${"this and ".repeat(40)}that`,
        runs: ["a", "b", "c", "d", "e", "f"],
        runs_total: 40,
      }),
    ],
    sample: Array.from({ length: 20 }, (_, id) => ({ key: { id, name: "somebody's name" }, columns: ["feedback"] })),
    rows: 5000,
  });

  test.each([40, 80, 120])("of %i columns is passed by commands only", (columns) => {
    const lines = print([checkOf({ findings: [long] })], { columns }).split("\n");
    const wide = lines.filter((line) => widthOf(line) > columns && !line.trimStart().startsWith("tidemark "));
    // The table's lines are as wide as names and counts are.
    expect(wide.filter((line) => !line.includes("120,000") && !line.includes("source rows"))).toEqual([]);
  });

  test("never breaks a command", () => {
    const fix = `tidemark repair grades --range ${"2026-06-01T08:00:00Z".repeat(10)}..`;
    expect(print([checkOf({ findings: [findingOf({ fix })] })], { columns: 40 }).split("\n")).toContain(`  ${fix}`);
  });
});

test("only five keys of a sample are shown, and how many more there are", () => {
  const sample = Array.from({ length: 20 }, (_, id) => ({ key: { id: `k${id}` } }));
  const text = print([checkOf({ findings: [findingOf({ sample, rows: "9007199254740993" })] })]);
  expect(text).toContain("k4, and 9,007,199,254,740,988 more");
  expect(text).not.toContain("k5");
});

test("colour adds nothing but colour", () => {
  const style: ReporterOptions["style"] = (style, text) => styleText(style as "bold", text, { validateStream: false });
  const checks = [checkOf(), passOf("b"), failureOf("c", "gone")];
  const coloured = print(checks, { style });
  expect(coloured).toContain("\u001b[31m");
  expect(stripVTControlCharacters(coloured)).toBe(print(checks));
});

test("severity, state and acceptance are words", () => {
  const text = print([
    checkOf({
      findings: [
        findingOf({ severity: "error", state: "worse" }),
        findingOf({ severity: "warn", state: "ongoing" }),
        findingOf({ severity: "info", state: "new" }),
        findingOf({ severity: "info", accepted: true }),
        findingOf({ severity: "info", state: "recovered", code: "zero-row-streak" }),
      ],
    }),
  ]);
  for (const words of [
    "error  missing-rows  worse",
    "warning  missing-rows  ongoing",
    "info  missing-rows  new",
    "accepted  missing-rows",
    "recovered  zero-row-streak",
  ])
    expect(text).toContain(words);
  expect(text).toContain("1 error, 1 warning, 1 recovered");
});

test("a finding that is over is told in one sentence, without its command", () => {
  const text = print([checkOf({ findings: [findingOf({ severity: "info", state: "recovered" })] })]);
  expect(text).toContain("3 rows of the source are missing");
  expect(text).not.toContain("tidemark repair");
  expect(text).not.toContain("where");
});

test("a command carries the folder of checks, other lines do not", () => {
  const sql = "ALTER TABLE grades ADD UNIQUE (id)";
  const text = print([checkOf({ findings: [findingOf(), findingOf({ fix: sql })] })], {
    commandSuffix: " --checks demo/checks",
  });
  expect(text).toMatch(/\.000001Z --checks demo\/checks\n/);
  expect(text).toContain(`  ${sql}\n`);
});

test("what belongs to one incident stands together, its cause first, and its command is told once", () => {
  const range = { cursor: { from: "2026-06-01T08:00:00.000000Z", to: "2026-06-01T12:00:00.000001Z" } };
  const lost = { range, evidence: { rows_lacking: 3 }, fix: "tidemark repair grades" };
  const run = { ...lost, group: "runs", sample: [], causes: [] } as const;
  const says = "run 812 closed its window ahead of the data clock";
  const text = print([
    checkOf({
      findings: [
        findingOf({ ...lost, causes: [causeOf({ says: "3 rows lost by run 812" })] }),
        findingOf({
          ...run,
          code: "empty-run",
          says: "run 812 succeeded with 0 rows",
          fix: "tidemark repair grades --range 1..2",
        }),
        findingOf({ ...run, code: "closed-ahead-of-clock", says }),
      ],
    }),
  ]);
  expect(text).toContain(`\
✗ error  closed-ahead-of-clock  new
  ${says}
  led to   missing-rows, empty-run
  where    2026-06-01 08:00 – 12:00 UTC
  tidemark repair grades

  ✗ error  missing-rows  new
    3 rows of the source are missing from the target
    where    2026-06-01 08:00 – 12:00 UTC
    rows     id 17 (finalgrade), 18, and 1 more
    why      closed-ahead-of-clock (observed): 3 rows lost by run 812
    next     the repair above

  ✗ error  empty-run  new
    run 812 succeeded with 0 rows
    where    2026-06-01 08:00 – 12:00 UTC
    next     the repair above
`);
  expect(text.match(/tidemark repair/g)).toHaveLength(1);
});

test("where one repair does not mend all, each has its own", () => {
  const range = (from: string, to: string) => ({ cursor: { from, to } });
  const lost = { evidence: { rows_lacking: 3 }, causes: [] };
  const text = print([
    checkOf({
      findings: [
        findingOf({ ...lost, range: range("1", "6"), fix: "tidemark repair grades --range 1..6" }),
        findingOf({ ...lost, code: "stale-rows", range: range("5", "9"), fix: "tidemark repair grades --range 5..9" }),
      ],
    }),
  ]);
  expect(text).toContain("  also     stale-rows\n");
  expect(text).toContain("\n  tidemark repair grades --range 1..6\n");
  expect(text).toContain("\n    tidemark repair grades --range 5..9\n");
});

test("what stands for longer says since when", () => {
  const evidence = { first_seen: "2026-06-01T01:02:03.456789Z" };
  const text = print([checkOf({ findings: [findingOf({ state: "ongoing", evidence })] })]);
  expect(text).toContain("✗ error  missing-rows  ongoing since 2026-06-01 01:02 UTC\n");
});

test("where nothing is to be mended, a row's story is what to look at next", () => {
  const sample = [{ key: { id: -1 } }, { key: { id: null } }, { key: { id: "vé 3" } }];
  const text = print([checkOf({ findings: [findingOf({ code: "extra-rows", sample, fix: null })] })]);
  expect(text).toContain("\n  tidemark trace grades 'vé 3'\n");
  expect(text).not.toContain("one row's story");
});

test("advice in words is wrapped like any sentence", () => {
  const fix = `widen the window ${"a little and ".repeat(10)}run again`;
  const text = print([checkOf({ findings: [findingOf({ fix })] })]);
  expect(text).toContain("  next     widen the window");
  expect(text.split("\n").every((line) => widthOf(line) <= 80 || line.includes("tidemark "))).toBe(true);
});

test("each cause shows its rows, runs, confidence and command of its own", () => {
  const causes = [
    causeOf({ fix: "tidemark repair grades --run 812" }),
    causeOf({ code: "undetermined", confidence: "undetermined", rows: 1, runs: [] }),
  ];
  const text = print([checkOf({ findings: [findingOf({ causes })] })]);
  expect(text).toContain("closed-ahead-of-clock (observed), 3 rows: run 812 closed");
  expect(text).toContain("undetermined, 1 row: ");
  expect(text).toContain("  tidemark repair grades --run 812\n");
});

test("what was left out of the comparison is said, also where nothing was found", () => {
  const compared = {
    ...checkOf().compared!,
    not_compared: [{ column: "geom", why: "no common text form" }],
    notes: ["created: compared at milliseconds"],
    stopped: "100,000 differences",
  };
  const runs = {
    read: 3,
    successful: 2,
    empty: 0,
    without_window: 1,
    unreadable: [{ place: "line 7", why: "no start" }],
    first: null,
    last: null,
  };
  const text = print([checkOf({ verdict: "pass", findings: [], compared, runs })]);
  for (const words of [
    "not compared: geom (no common text form)",
    "created: compared at milliseconds",
    "ended early: 100,000 differences",
    "line 7: no start",
    "1 run without a window",
  ])
    expect(text).toContain(words);
});

test("a key cannot steer the terminal", () => {
  const text = print([
    checkOf({ check: "a\u001b[2Jb", findings: [findingOf({ sample: [{ key: { id: "\u001b[31m\u202e\r" } }] })] }),
  ]);
  for (const character of ["\u001b", "\r", "\u202e"]) expect(text).not.toContain(character);
  expect(text).toContain("\\u001b[31m\\u202e\\u000d");
});

test("an audit of no check says so and passes", () => {
  expect(print([])).toBe("No check was asked for.\n\n✓ pass  0 checks; 0 errors, 0 warnings\n");
});
