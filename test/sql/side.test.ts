import { describe, expect, test } from "vitest";
import { sqliteDialect } from "../../src/engines/sqlite/dialect.ts";
import type { AgreedKind } from "../../src/domain/kind.ts";
import type { Dialect } from "../../src/sql/dialect.ts";
import {
  cutStatement,
  digestStatement,
  duplicatesStatement,
  fromSide,
  keysCondition,
  rowsStatement,
  type SideSpec,
  splitStatement,
  valuesStatement,
} from "../../src/sql/side.ts";
import { raw, render, type Sql, value } from "../../src/sql/statement.ts";
import { KINDS, tableOf } from "../compare/build.ts";
import { freshDatabase } from "../support/databases.ts";
import { openWorld } from "../scenarios/world.ts";

const table = tableOf({ a: KINDS.integer, b: KINDS.text, v: KINDS.text }, ["a", "b"], {
  name: { schema: null, name: "t" },
});
const bound = (name: string, as: AgreedKind) => ({
  info: table.columns.find((c) => c.name === name)!,
  as,
  zone: "UTC",
  rounding: "cut" as const,
});
const [a, b, v] = [bound("a", { as: "integer" }), bound("b", { as: "text" }), bound("v", { as: "text" })];

const spec = (over: Partial<SideSpec> = {}): SideSpec => ({
  dialect: sqliteDialect,
  table,
  where: null,
  scope: null,
  keyScope: null,
  key: [a, b],
  digested: [a, b, v],
  streamed: [],
  values: [a, b, v],
  copy: [null, null, null],
  digest: "sha256",
  ...over,
});
const ALL = { keys: { from: null, to: null }, buckets: null };
const rendered = (statement: Sql, dialect: Dialect = sqliteDialect) =>
  render(
    statement,
    (name) => dialect.quote(name),
    (n) => dialect.placeholder(n),
  );
const text = (statement: Sql, dialect: Dialect = sqliteDialect): string => rendered(statement, dialect).text;

describe("what narrows a side", () => {
  test("a user's condition ends on a line of its own, so that a comment in it swallows nothing", () => {
    const from = text(fromSide(spec({ where: "v <> 'x' -- not these", scope: raw("1 = 1") }), ALL));
    expect(from).toMatch(/\(v <> 'x' -- not these\n\)/);
  });

  test("all conditions hold together, each in parentheses", () => {
    const from = text(
      fromSide(spec({ where: "a = 1 OR a = 2", scope: raw("b = 'x' OR b = 'y'"), keyScope: raw("a > 0") }), ALL),
    );
    expect(from).toContain("(a = 1 OR a = 2\n) AND (b = 'x' OR b = 'y') AND (a > 0)");
  });

  test("nothing is left out where nothing narrows it", () =>
    expect(text(fromSide(spec(), ALL))).toBe('FROM "t" WHERE 1 = 1'));
});

test("values are parameters, never part of a statement", () => {
  const evil = "'); drop table t; --";
  const statements = [
    digestStatement(
      spec({ scope: value(evil) }),
      { keys: { from: ["1", evil], to: ["2", evil] }, buckets: null },
      false,
    ),
    valuesStatement(spec(), [
      ["1", evil],
      [null, evil],
    ]),
    cutStatement(spec(), { keys: { from: ["1", evil], to: null }, buckets: null }, 10),
  ];
  for (const statement of statements) {
    const { text, values } = rendered(statement);
    expect(text).not.toContain("drop table");
    expect(values).toContain(evil);
  }
});

describe("on a real table", () => {
  const answers = async (ask: (spec: SideSpec) => Sql, over: Partial<SideSpec> = {}): Promise<(string | null)[][]> => {
    await using db = await freshDatabase("sqlite");
    await db.run(
      "create table t (a integer, b text, v text); insert into t values (1, 'x', 'p'), (1, 'y', 'q'), (2, 'x', null), (null, 'x', 'r'), (null, null, 's'), (1, 'x', 'twice')",
    );
    await using world = await openWorld({ db });
    const database = await world.world.databases.open("db");
    const rows = await database.use((session) =>
      session.rows({
        what: "test",
        sql: ask(spec({ ...over, key: [a, b].map((c) => ({ ...c, info: { ...c.info, nullable: true } })) })),
      }),
    );
    return rows.map((row) => [...row]);
  };
  const keysOf = (rows: (string | null)[][]): string[] => rows.map((r) => `${r[0]} ${r[1]}`).toSorted();

  test("keys are looked up with their NULLs, together with whole ones", async () => {
    expect(
      keysOf(
        await answers((s) =>
          valuesStatement(s, [
            ["1", "y"],
            ["2", "x"],
            [null, "x"],
            [null, null],
            ["2", null],
          ]),
        ),
      ),
    ).toEqual(["1 y", "2 x", "null null", "null x"]);
  });

  test("a look-up goes beyond the scope, but not beyond the check's own condition", async () => {
    const asked = (s: SideSpec): Sql =>
      valuesStatement(s, [
        ["1", "y"],
        ["2", "x"],
      ]);
    expect(keysOf(await answers(asked, { scope: raw("1 = 0") }))).toEqual(["1 y", "2 x"]);
    expect(keysOf(await answers(asked, { where: "a = 1" }))).toEqual(["1 y"]);
    expect(await answers((s) => rowsStatement(s, ALL, false), { scope: raw("1 = 0") })).toEqual([]);
  });

  test("the groups of a split together hold every row, and each row in the group that a part asks for", async () => {
    const groups = await answers((s) => splitStatement(s, ALL, 4, false));
    expect(groups.reduce((n, g) => n + Number(g[1]), 0)).toBe(6);
    for (const [bucket, rows] of groups) {
      const part = await answers((s) =>
        rowsStatement(s, { keys: ALL.keys, buckets: { modulus: 4, of: [Number(bucket)] } }, false),
      );
      expect(part).toHaveLength(Number(rows));
    }
  });

  test("the sum of the groups is the sum of the whole, and wide hashes are others", async () => {
    const sum = (rows: (string | null)[][], at: number): bigint =>
      BigInt.asUintN(
        64,
        rows.reduce((n, r) => n + BigInt(r[at]!.split(".")[0]!), 0n),
      );
    const whole = await answers((s) => digestStatement(s, ALL, false));
    expect(sum(await answers((s) => splitStatement(s, ALL, 8, false)), 2)).toBe(sum(whole, 1));
    expect(sum(await answers((s) => digestStatement(s, ALL, true)), 1)).not.toBe(sum(whole, 1));
  });

  test("keys that stand more than once are counted with their rows", async () => {
    expect(await answers((s) => duplicatesStatement(s))).toEqual([["1", "2"]]);
  });

  test("asking for no key finds no row", async () => {
    expect(await answers((s) => valuesStatement(s, []))).toEqual([]);
    expect(text(keysCondition(spec(), []))).toBe("1 = 0");
  });
});
