import { describe, expect, test } from "vitest";
import { brokenLayers } from "./layers.ts";
import { parseSource, readSources, show } from "./source.ts";

test("imports follow the layers", () => {
  const sources = readSources("src");
  expect(sources.length).toBeGreaterThan(0);
  expect(brokenLayers(sources).map(show)).toEqual([]);
});

describe("the layer test", () => {
  const check = (path: string, text: string): readonly string[] => brokenLayers([parseSource(path, text)]).map(show);

  test.each([
    ["src/domain/run.ts", 'import { x } from "../sql/statement.ts"'],
    ["src/rules/future.ts", 'import type { X } from "../sql/statement.ts"'],
    ["src/causes/late.ts", 'import { x } from "../rules/rule.ts"'],
    ["src/compare/pair.ts", 'import { readFileSync } from "node:fs"'],
    ["src/reporters/json.ts", 'export { x } from "../engines/engine.ts"'],
    ["src/engines/mysql/dialect.ts", 'import { x } from "../mariadb/dialect.ts"'],
    ["src/engines/sqlite/dialect.ts", 'import { x } from "../mysql/dialect.ts"'],
    ["src/engines/postgres/driver.ts", 'import { x } from "../index.ts"'],
    ["src/engines/engine.ts", 'import { x } from "./postgres/index.ts"'],
    ["src/engines/session-pool.ts", 'import { x } from "./index.ts"'],
    ["src/state/sqlite.ts", 'import { x } from "../engines/sqlite/driver.ts"'],
    ["src/flows/audit.ts", 'import { x } from "../engines/index.ts"'],
    ["src/flows/audit.ts", 'const x = await import("../state/index.ts")'],
    ["src/flows/audit.ts", 'import pg from "pg"'],
    ["src/ledgers/sql.ts", 'import mysql from "mysql2/promise"'],
    ["src/config/load.ts", 'import { main } from "../cli/main.ts"'],
    ["src/domain/run.ts", 'type X = import("../flows/audit.ts").X'],
    ["src/misc/run.ts", 'import { x } from "../domain/run.ts"'],
  ])("forbids in %s: %s", (path, text) => {
    expect(check(path, text)).toEqual([expect.stringContaining(`${path}:1: imports`)]);
  });

  test.each([
    ["src/rules/future.ts", 'import { rule } from "./rule.ts"; import type { Run } from "../domain/run.ts"'],
    ["src/engines/mariadb/dialect.ts", 'import { x } from "../mysql/dialect.ts"; import pg from "pg"'],
    ["src/engines/index.ts", 'import { x } from "./mysql/index.ts"'],
    ["src/engines/mysql/database.ts", 'import { x } from "../session-pool.ts"'],
    ["src/engines/session-pool.ts", 'import { x } from "./turns.ts"; import type { X } from "./engine.ts"'],
    ["src/flows/audit.ts", 'import { x } from "../compare/pair.ts"; import { createHash } from "node:crypto"'],
    ["src/cli/compose.ts", 'import { x } from "../engines/index.ts"; import { readFileSync } from "node:fs"'],
    ["src/config/load.ts", '// import { main } from "../cli/main.ts"\nimport { readFile } from "node:fs/promises"'],
  ])("allows in %s: %s", (path, text) => {
    expect(check(path, text)).toEqual([]);
  });
});
