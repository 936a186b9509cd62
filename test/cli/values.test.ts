import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { REPORTERS } from "../../src/reporters/index.ts";
import { folderWith, tidemark } from "./tidemark.ts";

const SOURCE = "the source's own secret";
const TARGET = "the target's own secret";

let folder: ReturnType<typeof folderWith>;

/** Audits one row that differs in one column, and gives what every format and the kept page say of it. */
async function audited(values: string, state = "state.db"): Promise<Readonly<Record<string, string>>> {
  const files = Object.keys(REPORTERS).map(
    (format) => [format, join(folder.path, `${values}-${state}.${format}`)] as const,
  );
  const ran = await tidemark(
    [
      "audit",
      values,
      "--save-facts",
      "facts.jsonl",
      ...files.flatMap(([format, file]) => ["--format", `${format}=${file}`]),
    ],
    { cwd: folder.path, env: { TIDEMARK_STATE: `sqlite:${join(folder.path, state)}` } },
  );
  expect(ran).toMatchObject({ code: 1 });
  return {
    ...Object.fromEntries(files.map(([format, file]) => [format, readFileSync(file, "utf8")])),
    facts: readFileSync(join(folder.path, "facts.jsonl"), "utf8"),
    kept: readFileSync(join(folder.path, "reports/latest/report.html"), "utf8"),
  };
}

beforeAll(() => {
  const check = (values: string): string =>
    `source: { connection: a, table: s }\ntarget: { connection: a, table: t }\nreport: { values: ${values} }\n`;
  folder = folderWith({
    "checks/tidemark.yaml":
      'connections: { a: { url: "sqlite:a.db" } }\ndefaults: { compare: { recheck: { wait: 0s } } }\n',
    "checks/mask.yaml": check("mask"),
    "checks/hash.yaml": check("hash"),
    "checks/show.yaml": check("show"),
  });
  const database = new DatabaseSync(join(folder.path, "a.db"));
  database.exec("pragma journal_mode = wal");
  for (const [table, secret] of [
    ["s", SOURCE],
    ["t", TARGET],
  ] as const) {
    database.exec(`create table ${table} (id integer primary key, name text not null, other text)`);
    database.prepare(`insert into ${table} values (17, ?, 'the same on both sides')`).run(secret);
  }
  database.close();
});
afterAll(() => folder[Symbol.dispose]());

test("keys and column names are told in every format, and no value is unless the check says so", async () => {
  for (const [format, text] of Object.entries(await audited("mask"))) {
    expect(text, format).not.toContain("own secret");
    expect(text, format).not.toContain("the same on both sides");
  }
});

test("`show` shows what differs, and nothing else", async () => {
  const { json = "", terminal = "", markdown = "", html = "", ...others } = await audited("show");
  expect(JSON.parse(json)).toMatchObject({
    checks: [
      {
        findings: expect.arrayContaining([
          expect.objectContaining({
            sample: [{ key: { id: 17 }, columns: ["name"], values: { name: { source: SOURCE, target: TARGET } } }],
          }),
        ]) as unknown,
      },
    ],
  });
  expect(terminal.replaceAll(/\s+/g, " ")).toContain(TARGET);
  expect(markdown).toContain(TARGET);
  expect(html).toContain("the target&#39;s own secret");
  for (const text of [json, terminal, markdown, html, ...Object.values(others)])
    expect(text).not.toContain("the same on both sides");
});

test("`hash` shows the same hash from night to night, which another state store does not", async () => {
  const hashes = async (state: string): Promise<readonly string[]> => {
    const all = await audited("hash", state);
    for (const [format, text] of Object.entries(all)) expect(text, format).not.toContain("own secret");
    return [...(all.json ?? "").matchAll(/"#[0-9a-f]{12}"/g)].map(([hash]) => hash);
  };
  const first = await hashes("one.db");
  expect(new Set(first).size).toBe(2);
  expect(await hashes("one.db")).toEqual(first);
  expect((await hashes("other.db")).filter((hash) => first.includes(hash))).toEqual([]);
});
