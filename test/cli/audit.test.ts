import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Report } from "../../src/domain/report.ts";
import {
  describeEngine,
  describeEngines,
  freshDatabase,
  TEST_ENGINES,
  type TestDatabase,
} from "../support/databases.ts";
import { folderWith, type Ran, type Running, tidemark } from "./tidemark.ts";

const CITIES = `
create table cities (id int primary key, name varchar(40) not null);
insert into cities values (1, 'Brno'), (2, 'Olomouc'), (3, 'Zlín');
create table cities_copy (id int primary key, name varchar(40) not null);
insert into cities_copy values (1, 'Brno'), (2, 'Olomouc'), (3, 'Zlín');
create table lossy (id int primary key, name varchar(40) not null);
insert into lossy values (1, 'Brno'), (3, 'Zlín');
`;

const check = (target: string): string =>
  `source: { connection: a, table: cities }\ntarget: { connection: a, table: ${target} }\n`;

const PROJECT = {
  "checks/tidemark.yaml": `connections: { a: { url: "\${DATABASE}" }, dark: { url: "\${DARK:-sqlite:none.db}" } }
defaults: { compare: { recheck: { wait: 0s } } } # nothing moves here
`,
  "checks/whole.yaml": check("cities_copy"),
  "checks/lossy.yaml": check("lossy"),
  "checks/deep/gone.yaml": check("cities_of_yesterday"),
};

/** A command in a folder with these checks, on a database. */
async function run(
  database: TestDatabase,
  folder: string,
  args: readonly string[],
  running: Running = {},
): Promise<Ran> {
  return await tidemark(args, { ...running, cwd: folder, env: { DATABASE: database.url, ...running.env } });
}

const parsed = ({ stdout }: Ran): Report => JSON.parse(stdout) as Report;

describeEngines(TEST_ENGINES, "tidemark audit", (engine) => {
  let database: TestDatabase;
  let folder: ReturnType<typeof folderWith>;
  const audit = (...args: readonly string[]): Promise<Ran> => run(database, folder.path, ["audit", ...args]);

  beforeAll(async () => {
    database = await freshDatabase(engine, { load: CITIES });
    folder = folderWith(PROJECT);
  });
  afterAll(async () => {
    folder[Symbol.dispose]();
    await database[Symbol.asyncDispose]();
  });

  test("is a 0 where all is whole", async () => {
    const ran = await audit("whole", "--format", "json");
    expect(ran).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^whole: pass, 3 source rows, 3 target rows, /) as string,
    });
    expect(parsed(ran)).toMatchObject({
      version: 1,
      verdict: "pass",
      checks: [
        {
          check: "whole",
          verdict: "pass",
          source: { engine, rows: 3 },
          target: { rows: 3 },
          findings: [],
          error: null,
        },
      ],
    });
  });

  test("is a 1 where a row is missing, and says which, and what to type next", async () => {
    const ran = await audit("lossy");
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(/✗ fail +lossy +3 +2/);
    expect(ran.stdout).toContain("missing-rows");
    expect(ran.stdout).toContain("id 2");
    expect(ran.stdout).toMatch(/^ {2}tidemark repair lossy/m);
    expect(ran.stdout).toContain("exit 1: there are errors\nreport: reports/latest/report.html\n");
    expect(await audit("lossy", "--fail-on", "never")).toMatchObject({ code: 0 });
  });

  test("is a 3 where a check cannot finish, and the others are done all the same", async () => {
    const ran = await audit("--format", "json");
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain("deep/gone: could not finish: ");
    expect(ran.stderr).toContain("cities_of_yesterday");
    const report = parsed(ran);
    expect(report.verdict).toBe("incomplete");
    expect(report.checks.map(({ check, verdict }) => [check, verdict])).toEqual([
      ["deep/gone", "incomplete"],
      ["lossy", "fail"],
      ["whole", "pass"],
    ]);
    expect(report.checks[0]?.error).toMatchObject({ code: "schema" });
  });

  test("parts made by several runners merge to what one would have made", async () => {
    const one = parsed(await audit("--format", "json"));
    await audit("--shard", "1/2", "--format", "json=1.json");
    await audit("--shard", "2/2", "--format", "json=2.json");
    const merged = await run(database, folder.path, ["merge", "1.json", "2.json", "--format", "json"]);
    expect(merged.code).toBe(3);
    expect(timeless(parsed(merged))).toEqual(timeless(one));
  });

  test("facts that were saved are judged to the same report when the database is gone", async () => {
    const saved = await audit("--save-facts", "facts.jsonl", "--format", "json");
    const judged = await tidemark(["audit", "--facts", "facts.jsonl", "--format", "json"], { cwd: folder.path });
    expect(judged).toMatchObject({ code: saved.code, stderr: "" });
    expect(parsed(judged)).toEqual(parsed(saved));
    const fewer = await tidemark(["audit", "whole", "--facts", "facts.jsonl", "--only", "schema"], {
      cwd: folder.path,
    });
    expect(fewer.code).toBe(0);
    expect(await tidemark(["audit", "hole", "--facts", "facts.jsonl"], { cwd: folder.path })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("did you mean whole?") as string,
    });
  });

  test("--only keeps to the groups that are named", async () => {
    const ran = await audit("lossy", "--only", "schema", "--format", "json");
    expect(ran.code).toBe(0);
    expect(parsed(ran).checks[0]?.findings.filter(({ group }) => group !== "schema")).toEqual([]);
  });

  test("--quiet says nothing beside the result, --verbose every statement", async () => {
    expect((await audit("whole", "--quiet")).stderr).toBe("");
    const loud = await audit("whole", "--verbose");
    expect(loud.stderr).toMatch(/^a: .+: SELECT /im);
    expect(loud.stderr).not.toContain("Olomouc");
  });

  test("--exact comes to the same", async () => {
    expect(await audit("whole", "--exact")).toMatchObject({ code: 0 });
    expect(await audit("lossy", "--exact")).toMatchObject({ code: 1 });
  });
});

/** A report without what the clock says and what earlier audits knew. */
function timeless(report: Report): unknown {
  const varying = ["seconds", "statements", "state", "started_at", "finished_at"];
  return JSON.parse(JSON.stringify(report), (name: string, value: unknown) => (varying.includes(name) ? null : value));
}

describe("reports", () => {
  test("are kept, a folder a run, and again in latest", async () => {
    await using database = await freshDatabase("sqlite", { load: CITIES });
    using folder = folderWith(PROJECT);
    const first = await run(database, folder.path, ["audit", "whole", "--format", "json"]);
    await run(database, folder.path, ["audit", "whole", "--format", "json=a.json", "--format", "terminal"]);
    const reports = join(folder.path, "reports");
    const others = ["latest", "index.html", "badges"];
    expect(readdirSync(reports).filter((name) => !others.includes(name))).toHaveLength(2);
    const own = join(reports, parsed(first).started_at.replaceAll(":", "-"), "report.json");
    expect(JSON.parse(readFileSync(own, "utf8"))).toEqual(parsed(first));
    const latest = readFileSync(join(reports, "latest", "report.json"), "utf8");
    expect(latest).toBe(readFileSync(join(folder.path, "a.json"), "utf8"));
  });

  test("that cannot be written are a 3 and a clear line, and the result is printed all the same", async () => {
    await using database = await freshDatabase("sqlite", { load: CITIES });
    using folder = folderWith({ ...PROJECT, reports: "a file" });
    const ran = await run(database, folder.path, ["audit", "whole"]);
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain("the report cannot be written to ");
    expect(ran.stdout).toContain("✓ pass");
    expect(ran.stdout).toContain("exit 3: ");
    expect(
      await run(database, folder.path, ["audit", "whole"], { env: { TIDEMARK_REPORTS: join(folder.path, "other") } }),
    ).toMatchObject({ code: 0 });
    expect(existsSync(join(folder.path, "other", "latest", "report.json"))).toBe(true);
  });

  test("recover once, and a recovered finding fails nothing", async () => {
    await using database = await freshDatabase("sqlite", { load: CITIES });
    using folder = folderWith(PROJECT);
    const states = async (): Promise<unknown> => {
      const ran = await run(database, folder.path, ["audit", "lossy", "--format", "json"]);
      const missing = parsed(ran).checks[0]?.findings.find(({ code }) => code === "missing-rows");
      return [ran.code, missing?.state];
    };
    expect(await states()).toEqual([1, "new"]);
    expect(await states()).toEqual([1, "ongoing"]);
    await database.run("insert into lossy values (2, 'Olomouc')");
    expect(await states()).toEqual([0, "recovered"]);
    expect(await states()).toEqual([0, undefined]);
  });
});

describeEngines(["postgres", "mariadb"], "many checks over connections that allow few sessions", (engine) => {
  test("all come to their end", async () => {
    await using database = await freshDatabase(engine, { load: CITIES });
    const names = Array.from({ length: 6 }, (_, n) => `check-${n}`);
    // Half of them take the connections the other way round: the way in which two can wait for each other.
    const checks = names.map((name, n) => [
      `checks/${name}.yaml`,
      n % 2 === 0
        ? "source: { connection: a, table: cities }\ntarget: { connection: b, table: cities_copy }\n"
        : "source: { connection: b, table: cities }\ntarget: { connection: a, table: cities_copy }\n",
    ]);
    using folder = folderWith({
      "checks/tidemark.yaml":
        'connections: { a: { url: "${DATABASE}", max_connections: 1 }, b: { url: "${DATABASE}", max_connections: 2 } }\n',
      ...(Object.fromEntries(checks) as Record<string, string>),
    });
    const ran = await run(database, folder.path, ["audit", "--format", "json"]);
    expect(ran.code).toBe(0);
    expect(parsed(ran).checks.map(({ check, verdict }) => `${check} ${verdict}`)).toEqual(
      names.map((name) => `${name} pass`),
    );
  });

  test("also where both sides share the only session", async () => {
    await using database = await freshDatabase(engine, { load: CITIES });
    using folder = folderWith({
      ...PROJECT,
      "checks/tidemark.yaml": 'connections: { a: { url: "${DATABASE}", max_connections: 1 } }\n',
    });
    expect(await run(database, folder.path, ["audit", "whole"])).toMatchObject({ code: 0 });
  });
});

describe("a secret", () => {
  const DARK = { "checks/dark.yaml": "source: { connection: dark, table: t }\ntarget: { connection: a, table: t }\n" };

  test.each(["postgres", "mysql", "mariadb"])(
    "in the URL of a server that does not answer is nowhere [%s]",
    async (scheme) => {
      await using database = await freshDatabase("sqlite", { load: CITIES });
      using folder = folderWith({ ...PROJECT, ...DARK });
      const env = { DARK: `${scheme}://reader:opensesame%4042@127.0.0.1:9/nowhere` };
      for (const more of [[], ["--verbose"], ["--format", "json"]]) {
        const ran = await run(database, folder.path, ["audit", "dark", ...more], { env });
        expect(ran.code).toBe(3);
        expect(ran.stdout + ran.stderr).toContain("127.0.0.1");
        expect(ran.stdout + ran.stderr).not.toContain("opensesame");
        expect(ran.stdout + ran.stderr).not.toContain("node:internal");
      }
      expect(readFileSync(join(folder.path, "reports/latest/report.json"), "utf8")).not.toContain("opensesame");
    },
  );
});

describeEngine("postgres", "Ctrl-C", () => {
  const SLOW = `
    create table slow (id int primary key, name text);
    insert into slow select n, 'x' from generate_series(1, 5) n;
    create view sleeping as select id, name, pg_sleep(30) is null as slept from slow;
    create table target (id int primary key, name text, slept boolean)`;

  test.each(["SIGINT", "SIGTERM"] as const)("as %s cancels on the server and is a 130", async (signal) => {
    await using database = await freshDatabase("postgres", { load: SLOW });
    using folder = folderWith({
      "checks/tidemark.yaml": 'connections: { a: { url: "${DATABASE}" } }\n',
      "checks/slow.yaml":
        "source: { connection: a, table: sleeping }\ntarget: { connection: a, table: target }\nkey: [id]\n",
    });
    const sleeping = async (): Promise<number> =>
      (
        await database.rows(
          "select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'",
        )
      ).length;
    let stop: (() => void) | undefined;
    const running = run(database, folder.path, ["audit", "--verbose"], {
      watch: (_, send) => {
        stop ??= () => send(signal);
      },
    });
    await expect.poll(sleeping, { timeout: 20_000, interval: 50 }).toBeGreaterThan(0);
    stop?.();
    const ran = await running;
    expect(ran.code).toBe(130);
    expect(ran.stderr).toContain("tidemark: interrupted");
    expect(ran.stdout).toBe("");
    await expect.poll(sleeping, { timeout: 5_000, interval: 50 }).toBe(0);
  });
});

test("a bug is a 70 with its stack, and the check is said to be incomplete", async () => {
  await using database = await freshDatabase("sqlite", { load: CITIES });
  using folder = folderWith(PROJECT);
  // The judge is handed facts that no audit ever wrote.
  await run(database, folder.path, ["audit", "whole", "--save-facts", "facts.jsonl"]);
  const path = join(folder.path, "facts.jsonl");
  const lines = readFileSync(path, "utf8").split("\n");
  writeFileSync(path, lines.map((line) => line.replace('"compared":[', '"compared_":[')).join("\n"));
  const ran = await tidemark(["audit", "--facts", "facts.jsonl"], { cwd: folder.path });
  expect(ran.code).toBe(70);
  expect(ran.stderr).toContain("TypeError");
  expect(ran.stderr).toContain("this is a bug of Tidemark's");
  rmSync(path);
});
