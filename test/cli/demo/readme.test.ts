import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { folderWith, tidemark } from "../tidemark.ts";

test("the README shows what the demo prints", async () => {
  using folder = folderWith({});
  const { stdout } = await tidemark(["demo", "--keep"], { cwd: folder.path });
  const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
  expect(story(readme)).toBe(story(stdout));
  expect(story(stdout)).toContain("missing-rows");
});

/** The findings as they are told, but for the way in which it was started, the week, and the engine that holds them. */
function story(text: string): string {
  const from = text.indexOf("── grades ──");
  const to = text.indexOf("What to try next:");
  return text
    .slice(from, to)
    .replaceAll("node bin/tidemark.mjs ", "tidemark ")
    .replaceAll(/\d{4}-\d{2}-\d{2}/g, "DATE")
    .replaceAll(/\((postgres|sqlite)\)/g, "(engine)");
}
