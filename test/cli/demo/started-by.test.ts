import { expect, test } from "vitest";
import { asTyped, startedBy } from "../../../src/cli/demo/started-by.ts";

const by = (script: string, environment: Readonly<Record<string, string>> = {}): string =>
  startedBy({ script, cwd: "/home/me/clone", environment });

test("what is to be typed is what was typed", () => {
  expect(by("/usr/local/bin/tidemark")).toBe("tidemark");
  expect(by("/home/me/clone/bin/tidemark.mjs")).toBe("node bin/tidemark.mjs");
  expect(by("/home/me/clone/bin/tidemark.mjs", { npm_command: "run-script" })).toBe("node bin/tidemark.mjs");
  expect(by("/home/me/other clone/bin/tidemark.mjs")).toBe("node '/home/me/other clone/bin/tidemark.mjs'");
  expect(by("/home/me/.npm/_npx/ab/node_modules/tidemark/bin/tidemark.mjs", { npm_command: "exec" })).toBe(
    "npx tidemark",
  );
  expect(by("/home/me/clone/node_modules/.bin/tidemark")).toBe("npx tidemark");
});

test("commands are written so, sentences stay", () => {
  const text =
    "  tidemark audit --checks x\n\u001b[36mtidemark trace grades 1\u001b[39m\nwhat tidemark says\ntidemark: fail\n";
  expect(asTyped(text, "npx tidemark")).toBe(
    "  npx tidemark audit --checks x\n\u001b[36mnpx tidemark trace grades 1\u001b[39m\nwhat tidemark says\ntidemark: fail\n",
  );
  expect(asTyped(text, "tidemark")).toBe(text);
});
