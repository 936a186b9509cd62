import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Keeping, keepReport } from "../../src/cli/keep-report.ts";
import { FileError } from "../../src/domain/errors.ts";
import type { Report } from "../../src/domain/report.ts";
import { auditedCheck } from "../../src/state/audited-check.ts";
import { checkOf, passOf, PIPE, reportOf } from "../reporters/reports.ts";
import { folderWith } from "./tidemark.ts";

const read = (...path: readonly string[]): unknown => JSON.parse(readFileSync(join(...path), "utf8"));
const text = (...path: readonly string[]): string => readFileSync(join(...path), "utf8");
const keep = (report: Report, folder: string, more: Partial<Keeping> = {}): string =>
  keepReport(report, { folder, keep: null, history: [], ...more }, PIPE);
const DAY = 86_400_000_000n;

test("a report is kept in a folder of its own and in the latest one, as JSON and as a page", () => {
  using folder = folderWith({});
  const reports = join(folder.path, "deep", "reports");
  const report = reportOf(checkOf());
  expect(keep(report, reports)).toBe(join(reports, "latest", "report.html"));
  expect(readdirSync(reports).toSorted()).toEqual(["2026-06-02T01-00-00.000Z", "badges", "index.html", "latest"]);
  for (const at of ["latest", "2026-06-02T01-00-00.000Z"]) {
    expect(readdirSync(join(reports, at)).toSorted()).toEqual(["report.html", "report.json"]);
    expect(read(reports, at, "report.json")).toEqual(report);
    expect(text(reports, at, "report.html")).toContain("<!doctype html>");
  }
  expect(lstatSync(join(reports, "latest")).isDirectory()).toBe(true);
});

test("an earlier report stays, also one of the same millisecond", () => {
  using folder = folderWith({});
  keep(reportOf(passOf("first")), folder.path);
  keep(reportOf(passOf("second")), folder.path);
  expect(read(folder.path, "2026-06-02T01-00-00.000Z", "report.json")).toEqual(reportOf(passOf("first")));
  expect(read(folder.path, "2026-06-02T01-00-00.000Z-2", "report.json")).toEqual(reportOf(passOf("second")));
  expect(read(folder.path, "latest", "report.json")).toEqual(reportOf(passOf("second")));
});

test("what is older than `keep` goes, with its pages; what is no run of ours stays", () => {
  using folder = folderWith({ "notes/mine.txt": "x", "2026-05-01.txt": "x" });
  const at = (started_at: string): Report => ({ ...reportOf(passOf("a")), started_at });
  for (const started of ["2026-05-01T00:00:00.000Z", "2026-05-26T01:00:00.000Z", "2026-05-26T00:59:59.999Z"])
    keep(at(started), folder.path);
  keep(at("2026-06-02T01:00:00.000Z"), folder.path, { keep: 7n * DAY });
  expect(readdirSync(folder.path).toSorted()).toEqual([
    "2026-05-01.txt",
    "2026-05-26T01-00-00.000Z",
    "2026-06-02T01-00-00.000Z",
    "badges",
    "index.html",
    "latest",
    "notes",
  ]);
});

test("the index shows every check as it stood last, with links to what is still kept", () => {
  using folder = folderWith({});
  const earlier = { ...reportOf(passOf("billing/orders"), checkOf()), started_at: "2026-06-01T01:00:00.000Z" };
  keep(earlier, folder.path);
  const record = ({ started_at, finished_at, verdict, checks }: Report, id: string) => ({
    id,
    startedAt: started_at,
    finishedAt: finished_at,
    verdict,
    checks: checks.map(auditedCheck),
  });
  const gone = { ...reportOf(passOf("old")), started_at: "2025-01-01T00:00:00.000Z" };
  const report = reportOf(passOf("grades"));
  keep(report, folder.path, { history: [record(report, "3"), record(earlier, "2"), record(gone, "1")] });
  const index = text(folder.path, "index.html");
  const rowOf = (check: string): string =>
    new RegExp(`<tr>(?:(?!</tr>).)*>${check}<.*?</tr>`, "s").exec(index)?.[0] ?? "";
  expect(rowOf("grades")).toContain("✓ pass");
  expect(rowOf("grades")).toContain('href="2026-06-02T01-00-00.000Z/report.html"');
  expect(rowOf("grades")).toContain('aria-label="fail, pass"');
  expect(rowOf("billing/orders")).toContain('href="2026-06-01T01-00-00.000Z/report.html"');
  expect(rowOf("billing/orders")).toContain('href="badges/billing/orders.svg"');
  expect(rowOf("old")).toContain("2025-01-01");
  expect(rowOf("old")).not.toContain("<a ");
});

test("the index knows this report also where the history could not be asked", () => {
  using folder = folderWith({});
  keep(reportOf(checkOf()), folder.path);
  expect(text(folder.path, "index.html")).toContain("✗ fail");
});

test("each check has a badge, in a folder where its name has one", () => {
  using folder = folderWith({});
  keep(reportOf(passOf("billing/orders")), folder.path);
  expect(text(folder.path, "badges", "billing", "orders.svg")).toContain("billing/orders: pass");
});

test("nothing half-written is left behind", () => {
  using folder = folderWith({});
  keep(reportOf(checkOf()), folder.path);
  const all = readdirSync(folder.path, { recursive: true }).map(String);
  expect(all.filter((name) => name.endsWith(".part"))).toEqual([]);
});

test("a folder that cannot be written to is a clear error", () => {
  using folder = folderWith({ reports: "a file stands in the way" });
  chmodSync(join(folder.path, "reports"), 0o400);
  const keeping = (): unknown => keep(reportOf(), join(folder.path, "reports"));
  expect(keeping).toThrow(FileError);
  expect(keeping).toThrow(/the report cannot be written to .*reports: EEXIST|ENOTDIR/);
});

test("a folder of ours that lost its page is pruned all the same", () => {
  using folder = folderWith({});
  mkdirSync(join(folder.path, "2020-01-01T00-00-00.000Z"));
  writeFileSync(join(folder.path, "2020-01-01T00-00-00.000Z", "report.json"), "{}");
  keep(reportOf(), folder.path, { keep: DAY });
  expect(existsSync(join(folder.path, "2020-01-01T00-00-00.000Z"))).toBe(false);
});
