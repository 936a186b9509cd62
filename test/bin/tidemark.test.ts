import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { ROOT } from "../architecture/source.ts";

/** Makes Node say that it is an old one, in the first process only. */
const OLD = `data:text/javascript,${encodeURIComponent(
  "if (!process.env.TIDEMARK_REEXECUTED) Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } })",
)}`;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tidemark-bin-"));
  cpSync(join(ROOT, "bin"), join(folder, "bin"), { recursive: true });
  put("package.json", '{ "type": "module" }');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("hands the arguments over and ends with the result", () => {
  put("dist/cli/main.js", "export const main = async (argv) => (console.log(JSON.stringify(argv)), 3);");
  expect(run(["audit", "a b"])).toMatchObject({ status: 3, stdout: '["audit","a b"]\n', stderr: "" });
});

test("runs the source of a clone that has not been built", () => {
  put("src/cli/main.ts", "export const main = async (argv: readonly string[]): Promise<number> => argv.length;");
  expect(run(["a", "b"])).toMatchObject({ status: 2, stderr: "" });
});

test("says so when it is not whole", () => {
  const { status, stderr } = run(["audit"]);
  expect(status).toBe(70);
  expect(stderr).toMatch(/^tidemark is not built/);
});

test("an old Node without a newer one at hand gets one line and exit code 2", () => {
  put("dist/cli/main.js", "export const main = async () => 0;");
  const { status, stderr, stdout } = run(["audit"], ["--import", OLD]);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toMatch(/^tidemark needs Node 24 or newer, this is 20\.1\.0: .*nodejs\.org.*\n$/);
});

test("an old Node hands over to the clone's own newer one, with arguments, input and exit code", () => {
  ownNode();
  put(
    "dist/cli/main.js",
    `export const main = async (argv) => { for await (const piece of process.stdin) console.log(argv[0] + piece); return 7; };`,
  );
  const { status, stdout, stderr } = run(["said "], ["--import", OLD], "hello");
  expect({ status, stdout, stderr }).toEqual({ status: 7, stdout: "said hello\n", stderr: "" });
});

test("a signal to the old Node reaches the new one, which may end in its own way", async () => {
  ownNode();
  put(
    "dist/cli/main.js",
    `export const main = () => new Promise((resolve) => { const t = setInterval(() => {}, 1000);
      process.once("SIGTERM", () => { clearInterval(t); resolve(130); }); console.log("up"); });`,
  );
  const parent = start(["--import", OLD]);
  await output(parent);
  parent.kill("SIGTERM");
  expect(await new Promise((resolve) => parent.once("exit", resolve))).toBe(130);
});

test("when the old Node is killed, the new one ends too", async () => {
  ownNode();
  put(
    "dist/cli/main.js",
    "export const main = () => new Promise(() => { setInterval(() => {}, 1000); console.log(process.pid); });",
  );
  const parent = start(["--import", OLD]);
  const pid = Number(await output(parent));
  onTestFinished(() => {
    // Where the test failed, the new one would outlive it.
    if (parent.stdout?.destroyed === false) process.kill(pid, "SIGKILL");
  });
  expect(() => process.kill(pid, 0)).not.toThrow();
  parent.kill("SIGKILL");
  // The pipe of its output closes when the last process that holds it is gone; a process that lived on would never let it.
  await new Promise((resolve) => parent.once("close", resolve));
});

function put(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** The Node of these tests as the one that a clone carries. */
function ownNode(): void {
  put("node_modules/node/package.json", JSON.stringify({ version: process.versions.node }));
  mkdirSync(join(folder, "node_modules/node/bin"));
  symlinkSync(process.execPath, join(folder, "node_modules/node/bin/node"));
}

function command(args: readonly string[], flags: readonly string[]): readonly string[] {
  return [...flags, join(folder, "bin/tidemark.mjs"), ...args];
}

function run(args: readonly string[], flags: readonly string[] = [], input = ""): ReturnType<typeof spawnSync> {
  return spawnSync(process.execPath, command(args, flags), { encoding: "utf8", input });
}

function start(flags: readonly string[]): ChildProcess {
  return spawn(process.execPath, command([], flags), { stdio: ["ignore", "pipe", "inherit"] });
}

function output(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => child.stdout?.once("data", (piece: Buffer) => resolve(piece.toString().trim())));
}
