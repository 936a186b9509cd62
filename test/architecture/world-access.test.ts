import { describe, expect, test } from "vitest";
import { parseSource, readSources, show } from "./source.ts";
import { worldAccess } from "./world-access.ts";

test("the world is touched only at its doors", () => {
  expect(worldAccess(readSources("src")).map(show)).toEqual([]);
});

describe("the world-access test", () => {
  const check = (path: string, text: string): readonly string[] => worldAccess([parseSource(path, text)]).map(show);

  test.each([
    "const t = Date.now();",
    "const t = new Date();",
    "const t = Date();",
    "const r = Math.random();",
    "const e = process.env;",
    "const e = process?.['env'];",
    "const e = globalThis.process;",
    "console.log(1);",
    "await fetch('https://example.org');",
    "import { env } from 'node:process';",
  ])("finds %s", (text) => {
    expect(check("src/flows/audit.ts", text)).toHaveLength(1);
    expect(check("src/cli/audit.ts", text)).toEqual([]);
  });

  test("looks past comments, strings, types and other people's methods", () => {
    const text = "// Date.now()\nconst s = 'process.env'; type D = Date; client.fetch(); Date.UTC(2026, 0);";
    expect(check("src/domain/run.ts", text)).toEqual([]);
  });
});
