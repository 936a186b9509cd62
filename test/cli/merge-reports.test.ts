import { join } from "node:path";
import { expect, test } from "vitest";
import { mergeReports } from "../../src/cli/merge-reports.ts";
import { picturesText } from "../../src/cli/pictures-file.ts";
import { UsageError } from "../../src/domain/errors.ts";
import type { CheckReport } from "../../src/domain/report.ts";
import { checkOf, failureOf, passOf, reportOf } from "../reporters/reports.ts";
import { sceneOf } from "../support/scenes.ts";
import { story } from "../support/story.ts";
import { folderWith } from "./tidemark.ts";

const text = (...checks: readonly CheckReport[]): string => JSON.stringify(reportOf(...checks));

test("parts become one report: all checks by name, the worst verdict, the whole time", () => {
  using folder = folderWith({
    "1.json": JSON.stringify({
      ...reportOf(passOf("c"), checkOf({ check: "a" })),
      started_at: "2026-06-02T00:00:00.000Z",
    }),
    "2.json": JSON.stringify({ ...reportOf(failureOf("b", "gone")), finished_at: "2026-06-02T02:00:00.000Z" }),
  });
  const { report: merged } = mergeReports([join(folder.path, "1.json"), join(folder.path, "2.json")]);
  expect(merged.checks.map(({ check }) => check)).toEqual(["a", "b", "c"]);
  expect(merged).toMatchObject({
    version: 1,
    verdict: "incomplete",
    started_at: "2026-06-02T00:00:00.000Z",
    finished_at: "2026-06-02T02:00:00.000Z",
  });
  expect(merged.checks[0]).toEqual(checkOf({ check: "a" }));
});

test("one report merged alone stays what it is", () => {
  using folder = folderWith({ "1.json": text(checkOf(), passOf("z")) });
  const { tool: _, ...merged } = mergeReports([join(folder.path, "1.json")]).report;
  const { tool: __, ...report } = reportOf(checkOf(), passOf("z"));
  expect(merged).toEqual(report);
});

test.each([
  ["nonsense", "it is no JSON report of Tidemark's"],
  ["[]", "it is no JSON report of Tidemark's"],
  ['{"version":1}', "it is no JSON report of Tidemark's"],
  ['{"version":1,"tool":{"name":"other"}}', "it is no JSON report of Tidemark's"],
  ['{"version":2,"tool":{"name":"tidemark"}}', "it is version 2, and this Tidemark reads version 1"],
  ['{"version":1,"tool":{"name":"tidemark"},"checks":[]}', "parts of the report are missing"],
  [JSON.stringify({ ...reportOf(), checks: [{ check: "a" }] }), "parts of the report are missing"],
])("%s is refused", (content, why) => {
  using folder = folderWith({ "x.json": content });
  const merge = (): unknown => mergeReports([join(folder.path, "x.json")]);
  expect(merge).toThrow(UsageError);
  expect(merge).toThrow(why);
});

test("a check in two reports is refused, with both their names", () => {
  using folder = folderWith({ "1.json": text(passOf("a")), "2.json": text(passOf("a")) });
  expect(() => mergeReports(["1.json", "2.json"].map((name) => join(folder.path, name)))).toThrow(
    /the check a is in .*1\.json and in .*2\.json/,
  );
});

test("a file that is not there is named", () => {
  expect(() => mergeReports(["/nowhere/x.json"])).toThrow("cannot read /nowhere/x.json: ENOENT");
});

test("pictures come from beside each part; where they do not, the part is named with the reason", () => {
  const details = new Map([["a", sceneOf("a", story()).detail]]);
  const report = reportOf(passOf("a"));
  using folder = folderWith({
    "1.json": JSON.stringify(report),
    "1.pictures.json": picturesText(report, details),
    "2.json": text(passOf("b")),
    "3.json": text(passOf("c")),
    "3.pictures.json": picturesText({ ...reportOf(), started_at: "2020-01-01T00:00:00.000Z" }, new Map()),
    "4.json": text(passOf("d")),
    "4.pictures.json": "{}",
    "5.json": text(),
  });
  const path = (name: string): string => join(folder.path, name);
  const merged = mergeReports(["1.json", "2.json", "3.json", "4.json", "5.json"].map(path));
  expect(merged.details).toEqual(details);
  expect(merged.without).toEqual([
    { file: path("2.json"), why: `there is no ${path("2.pictures.json")}` },
    { file: path("3.json"), why: `${path("3.pictures.json")} is of another audit` },
    { file: path("4.json"), why: `${path("4.pictures.json")} holds none that this Tidemark reads` },
  ]);
});
