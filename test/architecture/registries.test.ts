import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { importsOf, listFiles, readSources, ROOT } from "./source.ts";

/** Folders whose files are collected by an index: who adds one and forgets the index, or the test, is told so. */
const REGISTRIES = ["src/rules", "src/causes", "src/reporters", "src/ledgers/presets"];

test.for(REGISTRIES)("each file of %s is in its index, or is part of one that is", (folder, { skip }) => {
  const members = membersOf(folder);
  if (members.length === 0) skip(`${folder} is not there yet`);
  const imported = new Set(
    readSources("src")
      .flatMap(importsOf)
      .map(({ path }) => path),
  );
  expect(members.filter((path) => !imported.has(path))).toEqual([]);
});

test.for(REGISTRIES)("each file in the index of %s has a test beside it", (folder, { skip }) => {
  const listed = listedIn(`${folder}/index.ts`, folder);
  if (listed.length === 0) skip(`${folder} is not there yet`);
  expect(listed.filter((path) => !isContract(path) && !isTested(path))).toEqual([]);
});

test("each engine is in the index and has tests", ({ skip }) => {
  const engines = [...new Set(listFiles("src/engines").flatMap((path) => path.split("/").slice(2, -1)))];
  if (engines.length === 0) skip("there is no engine yet");
  const listed = listedIn("src/engines/index.ts", "src/engines").map((path) => path.split("/")[2]);
  expect(engines.filter((engine) => !listed.includes(engine))).toEqual([]);
  const tests = listFiles("test/engines").filter((path) => path.endsWith(".test.ts"));
  expect(engines.filter((engine) => !tests.some((path) => path.split(/[/.]/).includes(engine)))).toEqual([]);
});

/** The files directly in a folder, without its index. */
function membersOf(folder: string): readonly string[] {
  return listFiles(folder).filter(
    (path) => path.split("/").length === folder.split("/").length + 1 && basename(path) !== "index.ts",
  );
}

/** The files of a folder that its index imports. */
function listedIn(index: string, folder: string): readonly string[] {
  const source = readSources(folder).find(({ path }) => path === index);
  return source === undefined
    ? []
    : importsOf(source).flatMap(({ path }) => (path?.startsWith(`${folder}/`) ? [path] : []));
}

/** Whether a file says what the members of its folder are: `rule.ts` of `rules`. Their tests are its tests. */
function isContract(path: string): boolean {
  const [name = "", folder] = path.split("/").toReversed();
  return `${basename(name, ".ts")}s` === folder;
}

/** Whether `src/a/b.ts` has `test/a/b.test.ts`, or is named by a test of its folder that goes through a table of names. */
function isTested(path: string): boolean {
  const own = path.replace(/^src\//, "test/").replace(/\.ts$/, ".test.ts");
  const folder = own.slice(0, own.lastIndexOf("/"));
  const tests = listFiles(folder.slice(0, folder.lastIndexOf("/"))).filter((each) => each.endsWith(".test.ts"));
  const name = basename(path, ".ts");
  return tests.includes(own) || tests.some((each) => readFileSync(join(ROOT, each), "utf8").includes(`"${name}"`));
}
