import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { folderWith, type Ran, tidemark } from "./tidemark.ts";

let folder: ReturnType<typeof folderWith>;

beforeEach(() => {
  folder = folderWith({
    "checks/tidemark.yaml": `connections: { src: { url: "sqlite:src.db" }, dst: { url: "sqlite:dst.db" } }\n`,
    "checks/orders.yaml": `source: { connection: src, table: orders }
target: { connection: dst, table: orders }
cursor: { column: at, unit: sequence }
compare: { recheck: { wait: 0s } }
`,
    "src.db": "",
    "dst.db": "",
  });
  const sql = "create table orders (id integer primary key, at integer, name text)";
  write("src.db", `${sql}; insert into orders values (1, 10, 'one'), (2, 20, 'two'), (3, 30, 'three')`);
  write("dst.db", `${sql}; insert into orders values (1, 10, 'one'), (2, 21, 'newer'), (9, 90, 'extra')`);
});
afterEach(() => folder[Symbol.dispose]());

const path = (name: string): string => join(folder.path, name);

function write(file: string, sql: string): void {
  const db = new DatabaseSync(path(file));
  db.exec(sql);
  db.close();
}

function names(): readonly unknown[] {
  const db = new DatabaseSync(path("dst.db"));
  const rows = db.prepare("select id, name from orders order by id").all();
  db.close();
  return rows.map((row) => `${String(row["id"])} ${String(row["name"])}`);
}

const run = async (...args: string[]): Promise<Ran> => await tidemark(args, { cwd: folder.path });

test("a plan says what would be done and how to do it, and writes nothing into the target or the reports", async () => {
  const ran = await run("repair", "orders");
  expect(ran.stderr).toBe("");
  expect(ran.code).toBe(0);
  expect(ran.stdout).toMatch(/insert +1 row/);
  expect(ran.stdout).toMatch(/1 row whose copy in the target is newer/);
  expect(ran.stdout).toContain("tidemark repair orders --apply");
  expect(names()).toEqual(["1 one", "2 newer", "9 extra"]);
  expect(existsSync(path("reports"))).toBe(false);
});

test("applied, it inserts, keeps what is newer (exit 1), says how to undo it; undo plans, then puts back", async () => {
  const ran = await run("repair", "orders", "--apply", "--format", "json");
  expect(ran.code).toBe(1);
  const json = JSON.parse(ran.stdout) as { id: string; undo: string; result: object; remaining: { code: string }[] };
  expect(json).toMatchObject({
    version: 1,
    check: "orders",
    range: null,
    applied: true,
    plan: { insert: 1, update: 0, delete: 0, unchanged: 1, kept_newer: 1, batches: 1 },
  });
  expect(json.result).toMatchObject({
    inserted: 1,
    updated: 0,
    deleted: 0,
    unchanged: 1,
    kept_newer: 1,
    quarantined: 0,
    batches: 1,
  });
  expect(json.remaining.map((f) => f.code)).toEqual(["ahead-rows", "extra-rows"]);
  expect(json.undo).toBe(`tidemark undo ${json.id}`);
  expect(names()).toEqual(["1 one", "2 newer", "3 three", "9 extra"]);
  const log = readdirSync(path("reports")).find((name) => name.endsWith(".undo.jsonl")) ?? "";
  expect(statSync(path(`reports/${log}`)).mode & 0o777).toBe(0o600);

  const planned = await run("undo", json.id);
  expect(planned).toMatchObject({ code: 0, stdout: expect.stringContaining("Nothing was written") });
  expect(names()).toHaveLength(4);
  expect(await run("undo", json.id, "--apply")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/removed +1 row/),
  });
  expect(names()).toEqual(["1 one", "2 newer", "9 extra"]);
  expect(await run("undo", json.id, "--apply")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("nothing to undo"),
  });
});

test("undo leaves alone what has changed since, names it, and ends with 1; no other check file stands in its way", async () => {
  const id = (JSON.parse((await run("repair", "orders", "--apply", "--format", "json")).stdout) as { id: string }).id;
  write("dst.db", "update orders set name = 'mine now' where id = 3");
  writeFileSync(path("checks/broken.yaml"), "source: [");
  const undone = await run("undo", id, "--apply", "--format", "json");
  expect(undone.code).toBe(1);
  expect(JSON.parse(undone.stdout)).toMatchObject({
    rows: { removed: 0, left_alone: 1 },
    left_alone: [{ key: { id: 3 }, reason: "it has changed since the repair" }],
  });
  expect(names()).toContain("3 mine now");
});

test("a saved plan is applied with --apply, and refused (exit 2) once the check has changed", async () => {
  const saved = await run("repair", "orders", "--range", "25..", "--plan", "plan.json");
  expect(saved).toMatchObject({ code: 0, stderr: expect.stringContaining("plan.json") });
  const plan = JSON.parse(readFileSync(path("plan.json"), "utf8")) as object;
  expect(plan).toMatchObject({
    tidemark_plan: 1,
    check: "orders",
    range: { by: "range", text: "25.." },
    counts: { insert: "1", update: "0" },
  });
  expect(await run("repair", "orders", "--plan", "plan.json", "--apply")).toMatchObject({ code: 0 });
  expect(names()).toContain("3 three");
  appendFileSync(path("checks/orders.yaml"), "settle: 1h\n");
  expect(await run("repair", "orders", "--plan", "plan.json", "--apply")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("stale"),
  });
});

test("a report's findings are repaired, also where they are only a part", async () => {
  await run("audit", "--format", "json=report.json");
  write("src.db", "insert into orders values (7, 70, 'later')");
  expect(await run("repair", "orders", "--report", "report.json", "--apply")).toMatchObject({ code: 1 });
  expect(names()).toEqual(["1 one", "2 newer", "3 three", "9 extra"]);
});

test("without anything to do it says so and ends with 0", async () => {
  const ran = await run("repair", "orders", "--range", "key:1..2", "--apply");
  expect(ran).toMatchObject({
    code: 0,
    stderr: "",
    stdout: expect.stringContaining("no differences to repair: nothing was written"),
  });
  expect(existsSync(path("reports"))).toBe(false);
});

test.for([
  [["repair", "order"], 2, "did you mean orders"],
  [["repair", "orders", "--range", "nonsense"], 2, "two dots"],
  [["repair", "orders", "--range", "2026-01-01.."], 2, "sequence"],
  [["repair", "orders", "--range", "1..2", "--run", "7"], 2, "expected one of them"],
  [["repair", "orders", "--run", "7"], 2, "no ledger"],
  [["repair", "orders", "--max-rows", "many"], 2, "whole number"],
  [["repair", "orders", "--rate", "0"], 2, "rows a second"],
  [["repair", "orders", "--max-rows", "0", "--apply"], 2, "max_rows"],
  [["repair", "orders", "--delete-extra", "--apply"], 2, "1 %"],
  [["repair", "orders", "--report", "nowhere.json"], 3, "nowhere.json"],
  [["undo", "nothing-of-that-name"], 2, "no undo log"],
  [["undo", "../x"], 2, "no id of a repair"],
] as const)("%j ends with %i and says why", async ([args, code, says]) => {
  const ran = await run(...args);
  expect(ran.stderr).toContain(says);
  expect(ran.code).toBe(code);
  expect(names()).toEqual(["1 one", "2 newer", "9 extra"]);
});
