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
data clock 2026-06-02 01:40:00Z on both sides

✗ error  missing-rows  new
  3 rows of the source are missing from the target
  where    cursor from 2026-06-01 08:00:00Z to before
           2026-06-01 12:00:00.000001Z
           id 17 … 20
  evidence run 812; ahead by 10 h 20 min
  rows     id 17 (finalgrade); id 18; and 1 more
  why      closed-ahead-of-clock (observed): 3 rows, run 812
           run 812 closed its window 10 h 20 min ahead of the data clock, and no
           later window looks back
  tidemark repair grades --range 2026-06-01T08:00:00Z..2026-06-01T12:00:00.000001Z

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
  expect(text).toContain("id k4; and 9,007,199,254,740,988");
  expect(text).not.toContain("id k5");
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
  expect(text).toContain("closed-ahead-of-clock (observed): 3 rows, run 812");
  expect(text).toContain("undetermined: 1 row\n");
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
