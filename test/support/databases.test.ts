import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { available, describeEngines, freshDatabase, TEST_ENGINES } from "./databases.ts";

describeEngines(TEST_ENGINES, "a fresh database", (engine) => {
  test("runs several statements and answers in text, NULL being null", async () => {
    await using database = await freshDatabase(engine, {
      load: "create table t (a bigint, b varchar(10)); insert into t values (9007199254740993, null)",
    });
    await database.run("insert into t values (2, 'é'); insert into t values (3, '')");
    expect(await database.rows("select a, b from t order by a")).toEqual([
      ["2", "é"],
      ["3", ""],
      ["9007199254740993", null],
    ]);
  });

  test("is apart from another one", async () => {
    await using one = await freshDatabase(engine, { load: "create table t (a int)" });
    await using other = await freshDatabase(engine, { load: "create table t (a int)" });
    await one.run("insert into t values (1)");
    expect(await other.rows("select a from t")).toEqual([]);
    expect(other.url).not.toBe(one.url);
  });

  test("is gone when disposed of", async () => {
    const database = await freshDatabase(engine);
    const name = database.url.slice(database.url.lastIndexOf("/") + 1);
    await using witness = await freshDatabase(engine);
    const there = async (): Promise<boolean> => {
      if (engine === "sqlite") return existsSync(database.url.slice("sqlite:".length));
      const catalog =
        engine === "postgres" ? "pg_database where datname" : "information_schema.schemata where schema_name";
      return (await witness.rows(`select 1 from ${catalog} = '${name}'`)).length === 1;
    };
    await database.run("create table t (a int)");
    expect(await there()).toBe(true);
    await database[Symbol.asyncDispose]();
    expect(await there()).toBe(false);
  });
});

test("SQLite is always there", () => {
  expect(available("sqlite")).toBe(true);
});
