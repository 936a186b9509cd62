import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkOf, failureOf, passOf, reportOf } from "../reporters/reports.ts";
import { folderWith, tidemark } from "./tidemark.ts";

const VERSION = (
  JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { version: string }
).version;

describe("asked for itself", () => {
  test.each([[["--version"]], [["-V"]], [["audit", "--version"]]])("%j prints the version", async (args) => {
    expect(await tidemark(args)).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: "" });
  });

  test.each([[["--help"]], [["audit", "--help"]], [["merge", "--help"]], [["schema", "--help"]], [["demo", "--help"]]])(
    "%j prints help with examples",
    async (args) => {
      const { code, stdout, stderr } = await tidemark(args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain("Usage: tidemark");
      expect(stdout).toContain("Examples:\n  tidemark ");
      expect(stdout).toContain("--checks <dir>");
    },
  );

  test("without a command it prints help and is a 2", async () => {
    const { code, stdout, stderr } = await tidemark([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("Usage: tidemark");
  });
});

describe("asked wrongly, it is a 2 and says what, and what there is", () => {
  test.each<[readonly string[], readonly string[]]>([
    [["adit"], ["unknown command 'adit'", "Did you mean audit?"]],
    [
      ["audit", "--rnage", "1..2"],
      ["unknown option '--rnage'", "Did you mean --range?"],
    ],
    [["audit", "--no-such-flag"], ["--no-such-flag"]],
    [
      ["audit", "--format", "jsn"],
      ["--format jsn", "did you mean json?"],
    ],
    [
      ["audit", "--format", "powerpoint"],
      ["--format powerpoint: no such format", "terminal, json, markdown, html, junit, github, prometheus"],
    ],
    [
      ["audit", "--format"],
      ["--format", "missing"],
    ],
    [["audit", "--format", "json", "--format", "terminal"], ["both go to standard output"]],
    [
      ["audit", "--fail-on", "sometimes"],
      ["sometimes", "error, warn, never"],
    ],
    [
      ["audit", "--only", "row"],
      ["--only row", "did you mean rows?"],
    ],
    [["audit", "--shard", "3/2"], ["--shard 3/2"]],
    [
      ["audit", "--range", "yesterday"],
      ["yesterday", "expected FROM..TO"],
    ],
    [
      ["audit", "--quiet", "--verbose"],
      ["--quiet", "--verbose"],
    ],
    [
      ["audit", "--checks", "nowhere"],
      ["nowhere", "tidemark demo"],
    ],
    [["audit", "--facts", "f", "--exact"], ["--exact asks for a database"]],
    [
      ["audit", "--facts", "nowhere.jsonl"],
      ["nowhere.jsonl", "ENOENT"],
    ],
    [["merge"], ["missing required argument 'file'"]],
    [
      ["merge", "nowhere.json"],
      ["nowhere.json", "ENOENT"],
    ],
    [["repair"], ["missing required argument 'check'"]],
    [["repair", "cites", "--apply", "--yes"], ["no folder checks"]],
    [["doctor"], ["later version"]],
  ])("%j", async (args, words) => {
    using folder = folderWith({});
    const { code, stdout, stderr } = await tidemark(args, { cwd: folder.path });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    for (const word of words) expect(stderr).toContain(word);
    expect(stderr).not.toContain("node:internal");
  });

  test("a command that is yet to come still knows its check from no check", async () => {
    using folder = folderWith({
      "checks/tidemark.yaml": "connections: { a: { url: 'sqlite:a.db' } }\n",
      "checks/cities.yaml": "source: { connection: a, table: t }\ntarget: { connection: a, table: u }\n",
      "checks/bad.yaml": "sauce: {}\n",
    });
    const sync = (check: string) => tidemark(["sync", check], { cwd: folder.path });
    expect(await sync("cites")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("did you mean cities?") as string,
    });
    expect(await sync("bad")).toMatchObject({ code: 2, stderr: expect.stringContaining("bad.yaml:1:1") as string });
    expect(await sync("cities")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("later version") as string,
    });
  });

  test("mistakes in check files come all at once, before any connection", async () => {
    using folder = folderWith({
      "checks/tidemark.yaml": 'connections:\n  a: { url: "${URL_OF_A}" }\n',
      "checks/one.yaml": "source: { connection: b, table: t }\ntarget: { connection: a, table: t }\ncursr: x\n",
    });
    const { code, stdout, stderr } = await tidemark(["audit"], { cwd: folder.path });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("checks/tidemark.yaml:2:13: ");
    expect(stderr).toContain("URL_OF_A");
    expect(stderr).toMatch(/checks\/one\.yaml:3:1: .*cursr.*cursor/);
    expect(stderr).toContain("mistakes in the check files; nothing was done");
  });
});

describe("tidemark merge", () => {
  test("joins the parts, and its exit is the worst of them", async () => {
    using folder = folderWith({
      "1.json": JSON.stringify(reportOf(checkOf({ check: "b" }))),
      "2.json": JSON.stringify(reportOf(passOf("a"))),
      "3.json": JSON.stringify(reportOf(failureOf("c", "gone"))),
    });
    const merge = (...args: readonly string[]) => tidemark(["merge", ...args], { cwd: folder.path });
    expect(await merge("2.json")).toMatchObject({ code: 0 });
    expect(await merge("1.json", "2.json")).toMatchObject({ code: 1 });
    expect(await merge("1.json", "2.json", "--fail-on", "never")).toMatchObject({ code: 0 });
    const all = await merge("1.json", "2.json", "3.json", "--format", "json", "--format", "terminal=deep/all.txt");
    expect(all).toMatchObject({ code: 3, stderr: "" });
    expect((JSON.parse(all.stdout) as { checks: { check: string }[] }).checks.map(({ check }) => check)).toEqual([
      "a",
      "b",
      "c",
    ]);
    expect(readFileSync(join(folder.path, "deep/all.txt"), "utf8")).toContain("exit 3:");
  });

  test("says which file cannot be written, and is a 3", async () => {
    using folder = folderWith({ "1.json": JSON.stringify(reportOf(passOf("a"))), dir: "no folder" });
    const ran = await tidemark(["merge", "1.json", "--format", "json=dir/x.json", "--format", "terminal"], {
      cwd: folder.path,
    });
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain("cannot write dir/x.json");
    expect(ran.stdout).toContain("exit 3:");
  });
});

test("tidemark schema prints a JSON Schema", async () => {
  const { code, stdout, stderr } = await tidemark(["schema"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout)).toHaveProperty("$schema");
});
