import { describe, expect, test } from "vitest";
import { engineNames } from "./engine-names.ts";
import { parseSource, readSources, show } from "./source.ts";

test("shared code never names an engine", () => {
  expect(engineNames(readSources("src")).map(show)).toEqual([]);
});

describe("the engine-name test", () => {
  const check = (path: string, text: string): readonly string[] => engineNames([parseSource(path, text)]).map(show);

  test.each([
    "if (engine === 'postgres') go();",
    "const pgClient = 1;",
    "const MYSQL_PORT = 3306;",
    "const text = { mariadb: 'x' };",
    "url.startsWith('sqlite:');",
    "const u = `postgres://${host}`;",
    "import { x } from '../engines/mysql/index.ts';",
    "import { connect } from 'pg';",
  ])("finds %s", (text) => {
    expect(check("src/flows/audit.ts", text)).toHaveLength(1);
    for (const place of [
      "src/engines/mysql/dialect.ts",
      "src/engines/index.ts",
      "src/cli/compose.ts",
      "src/cli/demo-story.ts",
      "src/state/postgres-store.ts",
    ])
      expect(check(place, text)).toEqual([]);
  });

  test("lets comments and prose name products", () => {
    expect(
      check(
        "src/rules/slot.ts",
        "// postgres keeps it\nconst hint = 'PostgreSQL 13 or newer shows this'; const pgsize = 1;",
      ),
    ).toEqual([]);
  });
});
