import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { REPORTERS } from "../../src/reporters/index.ts";
import { folderWith, type Ran, tidemark } from "./tidemark.ts";

let folder: ReturnType<typeof folderWith>;
const audit = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> =>
  tidemark(["audit", ...args], { cwd: folder.path, env: { GITHUB_STEP_SUMMARY: "", ...env } });
const read = (name: string): string => readFileSync(join(folder.path, name), "utf8");

beforeAll(() => {
  folder = folderWith({
    "checks/tidemark.yaml": `connections: { a: { url: "sqlite:a.db" } }
reports: { folder: reports, keep: 30d }
defaults: { compare: { recheck: { wait: 0s } } }
`,
    "checks/lossy.yaml": "source: { connection: a, table: s }\ntarget: { connection: a, table: t }\n",
    "reports/2020-01-01T00-00-00.000Z/report.json": "{}",
  });
  const database = new DatabaseSync(join(folder.path, "a.db"));
  database.exec(
    "pragma journal_mode = wal; create table s (id integer primary key); create table t (id integer primary key)",
  );
  database.exec("insert into s values (1), (2); insert into t values (1)");
  database.close();
});
afterAll(() => folder[Symbol.dispose]());

test("every format is written to its file, and old runs go as `keep` says", async () => {
  const formats = Object.keys(REPORTERS);
  const ran = await audit(formats.flatMap((format) => ["--format", `${format}=out/${format}`]));
  expect(ran).toMatchObject({ code: 1, stdout: "" });
  expect(ran.stderr).not.toContain("not yet used");
  expect(formats.filter((format) => !/missing.rows/.test(read(`out/${format}`)))).toEqual([]);
  expect(existsSync(join(folder.path, "reports/2020-01-01T00-00-00.000Z"))).toBe(false);
  expect(read("reports/index.html")).toContain("lossy");
});

test("a job of GitHub's gets annotations, and a summary behind what other steps have written", async () => {
  writeFileSync(join(folder.path, "summary.md"), "a step before\n");
  const ran = await audit(["--format", "github"], { GITHUB_STEP_SUMMARY: join(folder.path, "summary.md") });
  expect(ran.stdout).toMatch(/^::error title=lossy%3A missing-rows \(\w+\)::1 row of the source/);
  expect(read("summary.md")).toMatch(/^a step before\n## ❌ fail: tidemark audit of /);
});

test("the summary is written for that format alone; one that cannot be written is a 3", async () => {
  await audit(["--format", "json"], { GITHUB_STEP_SUMMARY: join(folder.path, "none.md") });
  expect(existsSync(join(folder.path, "none.md"))).toBe(false);
  const ran = await audit(["--format", "github"], { GITHUB_STEP_SUMMARY: join(folder.path, "no/such/folder.md") });
  expect(ran.code).toBe(3);
  expect(ran.stderr).toContain("ENOENT");
});

test("facts that were kept are drawn again; a merged report of a whole audit has no pictures and says so", async () => {
  await audit(["--save-facts", "facts.jsonl", "--format", "json=r.json"]);
  await audit(["--facts", "facts.jsonl", "--format", "html=again.html"]);
  expect(read("again.html")).toContain("Key space");
  expect(existsSync(join(folder.path, "r.pictures.json"))).toBe(false);
  const merged = await tidemark(["merge", "r.json", "--format", "html=merged.html"], { cwd: folder.path });
  expect(merged.stderr).toContain("no pictures of the checks in r.json: there is no r.pictures.json");
  expect(read("merged.html")).toContain("There are no pictures");
  expect(read("merged.html")).toContain("missing-rows");
});

test("the merged page of shards has their pictures, from beside the file or from the folder of reports", async () => {
  await audit(["--shard", "1/1", "--format", "json=part.json"]);
  for (const part of ["part.json", "reports/latest/report.json"]) {
    const merged = await tidemark(["merge", part, "--format", "html=merged.html"], { cwd: folder.path });
    expect(merged).toMatchObject({ code: 1, stdout: "", stderr: "" });
    expect(read("merged.html")).toContain("Key space");
    expect(read("merged.html")).not.toContain("There are no pictures");
  }
});

test("what was asked for decides which cases of JUnit are skipped and which fail", async () => {
  await audit(["--only", "schema", "--fail-on", "never", "--format", "junit=schema.xml"]);
  expect(read("schema.xml")).toContain('name="missing-rows" time="0.000"><skipped message="not asked for"/>');
  await audit(["--fail-on", "never", "--format", "junit=never.xml"]);
  expect(read("never.xml")).toContain('failures="0"');
});
