import { createHmac } from "node:crypto";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Report } from "../../src/domain/report.ts";
import { type Heard, type Listener, listen } from "../alerts/listener.ts";
import { available, freshDatabase, type TestDatabase } from "../support/databases.ts";
import { folderWith, type Ran, tidemark } from "./tidemark.ts";

const ROWS = 20;
const TABLES = `
create table grades (id int primary key, name varchar(40) not null);
create table copy (id int primary key, name varchar(40) not null);
${["grades", "copy"].map((table) => `insert into ${table} values ${Array.from({ length: ROWS }, (_, i) => `(${i}, 'x${i}')`).join()};`).join("\n")}
create table moved (id int primary key, extra int);
insert into moved values (1, 1);
create table moved_copy (id int primary key);
insert into moved_copy values (1);
`;

const GRADES = "source: { connection: a, table: grades }\ntarget: { connection: a, table: copy }\n";
const MOVED = "source: { connection: a, table: moved }\ntarget: { connection: a, table: moved_copy }\n";

// PostgreSQL, where it is, keeps the tables; the state is a file all the same.
const engine = available("postgres") ? "postgres" : "sqlite";

describe(`tidemark audit with alerts, on ${engine}`, () => {
  let listener: Listener;
  let database: TestDatabase;
  let folder: ReturnType<typeof folderWith>;

  beforeEach(async () => {
    listener = await listen();
    database = await freshDatabase(engine, { load: TABLES });
    folder = folderWith({ "checks/grades.yaml": GRADES });
    project(`{ slack: "${slackUrl()}", at: warn }`);
  });
  afterEach(async () => {
    folder[Symbol.dispose]();
    await database[Symbol.asyncDispose]();
    await listener[Symbol.asyncDispose]();
  });

  const slackUrl = (): string => listener.url("/services/T0/B0/opensesame42opensesame");

  function project(alerts: string, more = ""): void {
    writeFileSync(
      join(folder.path, "checks/tidemark.yaml"),
      `connections: { a: { url: "\${DATABASE}" } }\nalerts: [${alerts}]\ndefaults: { compare: { recheck: { wait: 0s } } }\n${more}`,
    );
  }

  const write = (name: string, text: string): void => writeFileSync(join(folder.path, "checks", name), text);
  const audit = (...args: readonly string[]): Promise<Ran> =>
    tidemark(["audit", ...args], { cwd: folder.path, env: { DATABASE: database.url } });

  /** The messages that Slack has got since the last time, as text. */
  const slack = (): readonly string[] =>
    listener.take().map(({ body }) => {
      const { blocks } = JSON.parse(body) as { blocks: { text?: { text: string }; elements?: { text: string }[] }[] };
      return blocks.map(({ text, elements }) => text?.text ?? elements?.[0]?.text ?? "").join("\n");
    });

  test("tells of a gap once, of more of it, and of its end; and is silent in between", async () => {
    await audit();
    expect(slack()).toEqual([]);

    await database.run("delete from copy where id in (1, 2)");
    expect((await audit()).code).toBe(1);
    const [first = "", ...more] = slack();
    expect(more).toEqual([]);
    expect(first).toContain("1 new error");
    expect(first).toContain("`grades`  `missing-rows`  2 rows");
    expect(first).toMatch(/```\ntidemark repair grades --range key:1\.\.3\n```/);
    expect(first).not.toMatch(/'?x1'?/);

    expect((await audit()).code).toBe(1);
    expect(slack()).toEqual([]);

    await database.run("delete from copy where id in (5, 6, 7)");
    await audit();
    const [worse = "", ...others] = slack();
    expect(others).toEqual([]);
    expect(worse).toContain("1 worse error");
    expect(worse).toContain("5 rows, 2 before");

    await database.run("insert into copy select * from grades where id not in (select id from copy)");
    expect((await audit()).code).toBe(0);
    const [over = ""] = slack();
    expect(over).toContain("✅ *recovered*  `grades`  `missing-rows`: gone (was error, 5 rows");
    await audit();
    expect(slack()).toEqual([]);
  });

  test("is delivered after a 429", async () => {
    await database.run("delete from copy where id = 1");
    listener.answerWith({ status: 429, headers: { "retry-after": "0" } });
    expect(await audit()).toMatchObject({ code: 1, stderr: expect.not.stringContaining("not delivered") as string });
    expect(listener.take()).toHaveLength(2);
  });

  test("is delivered next time where nobody answered, which is a 3 and says nothing secret", async () => {
    await database.run("delete from copy where id = 1");
    await listener.stop();
    const ran = await audit();
    expect(ran.code).toBe(3);
    expect(ran.stdout).toContain("missing-rows");
    expect(ran.stderr).toMatch(
      /the Slack alert was not delivered: no answer from 127\.0\.0\.1:\d+ \(ECONNREFUSED\), 4 times\n/,
    );
    expect(ran.stderr).toContain("sent again with the next audit");
    expect(ran.stdout + ran.stderr).not.toContain("opensesame");

    await listener.start();
    expect((await audit()).code).toBe(1);
    const [late = ""] = slack();
    expect(late).toContain("1 new error");
    expect(late).toContain("it could not be told before");
    await audit();
    expect(slack()).toEqual([]);
  });

  test("signs the report for a webhook, and keeps two alerts apart", async () => {
    project(`{ slack: "${slackUrl()}", at: warn }, { webhook: "${listener.url("/ops")}", at: error, secret: s3cret }`);
    write("moved.yaml", MOVED);
    expect((await audit()).code).toBe(0);
    expect(listener.take().map(({ path }) => path)).toEqual(["/services/T0/B0/opensesame42opensesame"]);

    await database.run("delete from copy where id = 1");
    const ran = await audit("--format", "json");
    const heard = new Map(listener.take().map((each): [string, Heard] => [each.path.split("/")[1] ?? "", each]));
    expect([...heard.keys()].toSorted()).toEqual(["ops", "services"]);
    const { body, headers } = heard.get("ops")!;
    expect(body).toBe(ran.stdout);
    expect(headers["tidemark-signature"]).toBe(`sha256=${createHmac("sha256", "s3cret").update(body).digest("hex")}`);
    expect((JSON.parse(body) as Report).checks.map(({ check }) => check)).toEqual(["grades", "moved"]);
  });

  test("a check that cannot finish is told once, and hides no other's end", async () => {
    await database.run("delete from copy where id = 1");
    await audit();
    slack();
    await database.run("alter table copy rename to away");
    expect((await audit()).code).toBe(3);
    const [lost = ""] = slack();
    expect(lost).toContain("*new: could not finish*  `grades`");
    expect(lost).not.toContain("recovered");
    expect((await audit()).code).toBe(3);
    expect(slack()).toEqual([]);
    await database.run("alter table away rename to copy");
    await audit();
    const [back = ""] = slack();
    expect(back).toContain("`incomplete`: the check finishes again");
    expect(back).not.toContain("missing-rows");
  });

  test("--no-alert tells nobody, and the next audit tells it then; --alert with nobody to tell is a mistake", async () => {
    await database.run("delete from copy where id = 1");
    expect((await audit("--no-alert")).code).toBe(1);
    expect(slack()).toEqual([]);
    expect((await audit("--alert")).code).toBe(1);
    expect(slack()).toHaveLength(1);
    project("");
    expect(await audit("--alert")).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("--alert: there is nobody to alert") as string,
    });
  });

  test("an applied repair sends Slack a note of what it did; a plan, a repair without work and --no-alert send none", async () => {
    writeFileSync(join(folder.path, "checks/grades.yaml"), `${GRADES}key: [id]\n`);
    const repair = (...args: readonly string[]): Promise<Ran> =>
      tidemark(["repair", "grades", ...args], { cwd: folder.path, env: { DATABASE: database.url } });
    project(`{ slack: "${slackUrl()}", at: error }, { webhook: "${listener.url("/ops")}" }`);
    await database.run("delete from copy where id in (1, 2)");
    expect((await repair()).code).toBe(0);
    expect(slack()).toEqual([]);
    expect((await repair("--apply")).code).toBe(0);
    const [note = "", ...more] = slack();
    expect(more).toEqual([]);
    expect(note).toContain("repair of grades: done");
    expect(note).toContain("*2 rows inserted, 0 updated, 0 deleted*");
    expect(note).toContain("nothing differs there any more");
    expect(note).toMatch(/```\ntidemark undo \S+\n```/);
    expect((await repair("--apply")).code).toBe(0);
    await database.run("delete from copy where id = 1");
    expect((await repair("--apply", "--no-alert")).code).toBe(0);
    expect(slack()).toEqual([]);

    await database.run("delete from copy where id = 1");
    listener.answerWith({ status: 404, text: "no_service" });
    const untold = await repair("--apply");
    expect(untold.code).toBe(3);
    expect(untold.stderr).toContain("Slack's note of the repair was not delivered");
    expect(untold.stderr).not.toContain("opensesame");
  });

  test("an audit of a part tells what it found, and calls nothing recovered", async () => {
    await database.run("delete from copy where id in (1, 15)");
    await audit();
    slack();
    await database.run("insert into copy select * from grades where id not in (select id from copy)");
    await audit("--range", "key:0..10");
    await audit("--only", "schema");
    expect(slack()).toEqual([]);
    await database.run("insert into copy values (99, 'more')");
    await audit("--range", "key:50..");
    const [part = ""] = slack();
    expect(part).toContain("`extra-rows`  1 row");
    expect(part).toContain("Only a part was asked for");
    await audit();
    expect(slack()).toEqual([expect.stringContaining("`missing-rows`: gone") as string]);
  });

  test("tells again after as long as it was asked to", async () => {
    project(`{ slack: "${slackUrl()}", repeat_after: 1s }`);
    await database.run("delete from copy where id = 1");
    await audit();
    await new Promise((done) => setTimeout(done, 1000));
    await audit();
    expect(slack()).toEqual([
      expect.stringContaining("*new: error*") as string,
      expect.stringMatching(/\*still: error\*[^]+\nsince \w{3} 20/) as string,
    ]);
  });

  test("a table called <!channel> pings nobody", async () => {
    const name = engine === "postgres" ? '"<!channel>"' : '"<!channel>"';
    await database.run(`alter table grades rename to ${name}; delete from copy where id = 1`);
    write(
      "<!channel>.yaml",
      'source: { connection: a, table: "<!channel>" }\ntarget: { connection: a, table: copy }\n',
    );
    rmSync(join(folder.path, "checks/grades.yaml"));
    expect((await audit()).code).toBe(1);
    const [{ body } = { body: "" }] = listener.take();
    expect(body).toContain("&lt;!channel&gt;");
    expect(body).not.toContain("<!");
  });

  test("leads to the report where the reports are served", async () => {
    project(`{ slack: "${slackUrl()}" }`, "reports_url: https://reports.example/tidemark?token=t\n");
    await database.run("delete from copy where id = 1");
    await audit();
    const [text = ""] = slack();
    const [, path = ""] = /<https:\/\/reports\.example\/tidemark\/([^?]+)\?token=t\|Open the report>/.exec(text) ?? [];
    expect(path).toMatch(/^2\d{3}-/);
    expect(existsSync(join(folder.path, "reports", path))).toBe(true);
  });
});
