import { chmodSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keepReport } from "../../src/cli/keep-report.ts";
import { FileError } from "../../src/domain/errors.ts";
import { checkOf, passOf, reportOf } from "../reporters/reports.ts";
import { folderWith } from "./tidemark.ts";

const read = (...path: readonly string[]): unknown => JSON.parse(readFileSync(join(...path), "utf8"));

test("a report is kept in a folder of its own and in the latest one", () => {
  using folder = folderWith({});
  const reports = join(folder.path, "deep", "reports");
  const report = reportOf(checkOf());
  expect(keepReport(report, reports)).toBe(join(reports, "latest", "report.json"));
  expect(readdirSync(reports).toSorted()).toEqual(["2026-06-02T01-00-00.000Z", "latest"]);
  expect(read(reports, "latest", "report.json")).toEqual(report);
  expect(read(reports, "2026-06-02T01-00-00.000Z", "report.json")).toEqual(report);
  expect(lstatSync(join(reports, "latest")).isDirectory()).toBe(true);
});

test("an earlier report stays, also one of the same millisecond", () => {
  using folder = folderWith({});
  keepReport(reportOf(passOf("first")), folder.path);
  keepReport(reportOf(passOf("second")), folder.path);
  expect(read(folder.path, "2026-06-02T01-00-00.000Z", "report.json")).toEqual(reportOf(passOf("first")));
  expect(read(folder.path, "2026-06-02T01-00-00.000Z-2", "report.json")).toEqual(reportOf(passOf("second")));
  expect(read(folder.path, "latest", "report.json")).toEqual(reportOf(passOf("second")));
  expect(readdirSync(join(folder.path, "latest"))).toEqual(["report.json"]);
});

test("a folder that cannot be written to is a clear error", () => {
  using folder = folderWith({ reports: "a file stands in the way" });
  chmodSync(join(folder.path, "reports"), 0o400);
  const keep = (): unknown => keepReport(reportOf(), join(folder.path, "reports"));
  expect(keep).toThrow(FileError);
  expect(keep).toThrow(/the report cannot be written to .*reports: EEXIST|ENOTDIR/);
});
