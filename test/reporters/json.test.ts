import { expect, test } from "vitest";
import { json } from "../../src/reporters/json.ts";
import { checkOf, PIPE, reportOf } from "./reports.ts";

test("the JSON report is the report, nothing added and nothing lost", () => {
  const report = reportOf(checkOf());
  const text = json(report, PIPE);
  expect(JSON.parse(text)).toEqual(report);
  expect(text.endsWith("}\n")).toBe(true);
});

test("its first words say which version of which program it is", () => {
  expect(Object.keys(JSON.parse(json(reportOf(), PIPE)) as object)).toEqual([
    "version",
    "tool",
    "started_at",
    "finished_at",
    "verdict",
    "checks",
  ]);
});

test("a count beyond 2^53 keeps every digit", () => {
  const check = checkOf({ source: { ...checkOf().source, rows: "9007199254740993" } });
  expect(json(reportOf(check), PIPE)).toContain('"rows": "9007199254740993"');
});
