import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Report } from "../../src/domain/report.ts";
import { freshDatabase, type TestDatabase } from "../support/databases.ts";
import { folderWith, type Ran, tidemark } from "./tidemark.ts";

const TABLES = `
create table t (id int primary key); insert into t values (1), (2), (3);
create table u (id int primary key); insert into u values (1), (3);
`;
const FILES = {
  "checks/tidemark.yaml": `connections: { a: { url: "\${DATABASE}" } }\ndefaults: { compare: { recheck: { wait: 0s } } }\n`,
  "checks/lossy.yaml": "source: { connection: a, table: t }\ntarget: { connection: a, table: u }\n",
  "checks/whole.yaml": "source: { connection: a, table: t }\ntarget: { connection: a, table: t }\n",
};

type Listed = {
  readonly older: number;
  readonly runs: readonly {
    readonly run: string;
    readonly verdict: string;
    readonly report: string | null;
    readonly html: string | null;
    readonly checks: readonly { readonly check: string; readonly findings: Readonly<Record<string, number>> }[];
  }[];
};

describe("tidemark report", () => {
  let database: TestDatabase;
  let folder: ReturnType<typeof folderWith>;
  const run = (...args: readonly string[]): Promise<Ran> =>
    tidemark(args, { cwd: folder.path, env: { DATABASE: database.url } });
  const listed = async (...args: readonly string[]): Promise<Listed> =>
    JSON.parse((await run("report", "--format", "json", ...args)).stdout) as Listed;
  const names = async (): Promise<readonly string[]> => (await listed()).runs.map((each) => each.run);

  beforeAll(async () => {
    database = await freshDatabase("sqlite", { load: TABLES });
    folder = folderWith(FILES);
    await run("audit", "whole");
    await run("audit");
  });
  afterAll(async () => {
    folder[Symbol.dispose]();
    await database[Symbol.asyncDispose]();
  });

  test("says what to type where there is no run yet", async () => {
    using empty = folderWith(FILES);
    const ran = await tidemark(["report"], { cwd: empty.path, env: { DATABASE: database.url } });
    expect(ran).toMatchObject({ code: 0, stdout: "No run yet: `tidemark audit` makes one.\n" });
    expect(await tidemark(["report", "latest"], { cwd: empty.path, env: { DATABASE: database.url } })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no audit has been recorded here yet") as string,
    });
  });

  test("lists runs, the newest first, with verdict, counts and checks", async () => {
    const { code, stdout } = await run("report");
    expect(code).toBe(0);
    const [head = "", newest = "", oldest = ""] = stdout.split("\n");
    expect(head).toMatch(/^run +verdict +found +time +checks$/);
    expect(newest).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z {2}✗ fail {3}1 error +\S+ s +lossy, whole$/);
    expect(oldest).toMatch(/Z {2}✓ pass {3}nothing +\S+ s +whole$/);
    expect(stdout).toMatch(/\none of them again: tidemark report 20\S+Z\n/);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  test("as JSON, with what was kept of each", async () => {
    const { runs, older } = await listed();
    expect(older).toBe(0);
    expect(runs.map(({ verdict, checks }) => [verdict, checks.map(({ check }) => check)])).toEqual([
      ["fail", ["lossy", "whole"]],
      ["pass", ["whole"]],
    ]);
    expect(runs[0]).toMatchObject({ report: `reports/${runs[0]?.run}/report.json` });
    expect(runs[0]?.checks[0]?.findings).toEqual({ error: 1, warn: 0, info: 0, recovered: 0 });
  });

  test("shows one again: by name, by the beginning of its time with colons, and as latest", async () => {
    const [newest = ""] = await names();
    const again = await run("report", newest);
    expect(again.code).toBe(0);
    expect(again.stdout).toContain(`run ${newest}\n`);
    expect(again.stdout).toMatch(/✗ fail +lossy +3 +2/);
    expect(again.stdout).toContain("tidemark repair lossy --range key:2..3\n");
    expect(again.stdout).toContain(`report: reports/${newest}/report.json\n`);
    expect(await run("report", "latest")).toEqual(again);
    const iso = newest.replace(/T(\d\d)-(\d\d)-(\d\d)/, "T$1:$2:$3");
    expect(await run("report", iso.slice(0, -1))).toEqual(again);
  });

  test("--format json is the kept report, word for word", async () => {
    const [newest = ""] = await names();
    const { stdout } = await run("report", "latest", "--format", "json");
    expect(stdout).toBe(readFileSync(join(folder.path, "reports", newest, "report.json"), "utf8"));
    expect((JSON.parse(stdout) as Report).checks).toHaveLength(2);
  });

  test("says where the HTML is, if there is one", async () => {
    const [newest = ""] = await names();
    const page = join(folder.path, "reports", newest, "report.html");
    rmSync(page, { force: true });
    expect((await run("report", newest)).stdout).not.toContain("\nhtml: ");
    writeFileSync(page, "<!doctype html>");
    expect((await run("report", newest)).stdout).toContain(`\nhtml: reports/${newest}/report.html\n`);
    expect((await listed()).runs[0]?.html).toBe(`reports/${newest}/report.html`);
  });

  test("an unknown run is a 2 that names the nearest, in time or in spelling", async () => {
    const [newest = "", oldest = ""] = await names();
    const unknown = async (name: string): Promise<string> => {
      const ran = await run("report", name);
      expect(ran).toMatchObject({ code: 2, stdout: "" });
      return ran.stderr;
    };
    expect(await unknown("2031-01-01")).toContain(`there is no run 2031-01-01; the nearest is ${newest}`);
    expect(await unknown("2001-01-01T05:30")).toContain(`the nearest is ${oldest}`);
    expect(await unknown("lastest")).toContain("the nearest is latest");
    expect(await unknown(newest.slice(0, 4))).toContain(`${newest.slice(0, 4)} may mean 2 runs: ${newest}, ${oldest}`);
  });

  test("of a run whose report is gone, what the state store knows; as JSON that is a 3", async () => {
    const [, oldest = ""] = await names();
    rmSync(join(folder.path, "reports", oldest), { recursive: true });
    const ran = await run("report", oldest);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain("✓ pass  whole: nothing\n");
    expect(ran.stdout).toContain("not kept any more");
    expect(await run("report", oldest, "--format", "json")).toMatchObject({ code: 3, stdout: "" });
    expect((await listed()).runs.map((each) => each.report === null)).toEqual([false, true]);
  });

  test("of a run that the state store does not know, what was kept", async () => {
    const [newest = ""] = await names();
    rmSync(join(folder.path, ".tidemark"), { recursive: true });
    const { runs } = await listed();
    expect(runs).toMatchObject([
      { run: newest, verdict: "fail", checks: [{ check: "lossy", findings: { error: 1 } }, {}] },
    ]);
    expect((await run("report", newest)).stdout).toContain("missing-rows");
  });

  test("lists the newest 30, and with --all the rest", async () => {
    const report = JSON.parse((await run("report", "latest", "--format", "json")).stdout) as Report;
    using many = folderWith({
      ...FILES,
      ...Object.fromEntries(
        Array.from({ length: 33 }, (_, i) => {
          const started = `2026-06-02T01:00:${String(i).padStart(2, "0")}.000Z`;
          const text = JSON.stringify({ ...report, started_at: started, finished_at: started });
          return [`reports/${started.replaceAll(":", "-")}/report.json`, text];
        }),
      ),
    });
    const list = (...args: readonly string[]): Promise<Ran> =>
      tidemark(["report", ...args], { cwd: many.path, env: { DATABASE: database.url } });
    const short = (await list()).stdout;
    expect(short.match(/^2026-/gm)).toHaveLength(30);
    expect(short).toContain("and 3 older: tidemark report --all\n");
    expect((await list("--all")).stdout.match(/^2026-/gm)).toHaveLength(33);
  });
});
