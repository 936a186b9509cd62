import { expect, test } from "vitest";
import { micros } from "../../compare/build.ts";
import { compared, meanwhile, openWorld } from "../../scenarios/world.ts";
import { describePairs, freshDatabase, type TestEngine } from "../../support/databases.ts";
import { checkFor, compareTwo, type Sql } from "../../scenarios/two-tables.ts";

/** Rows 1…n by the engine's own means. */
const filled = (n: number, value: string, then = ""): Sql => ({
  postgres: `create table t (id int primary key, v int, u int); insert into t select g, ${value}, g from generate_series(1, ${n}) g; ${then}; analyze t`,
  sqlite: `create table t (id integer primary key not null, v int, u int); insert into t select g, ${value}, g from (with recursive r (g) as (select 1 union all select g + 1 from r where g < ${n}) select g from r); ${then}`,
});

const N = 25_000;
/** A few more than are looked up one by one. */
const MANY = 20_500;

describePairs(
  [
    ["postgres", "postgres"],
    ["sqlite", "sqlite"],
  ],
  "so many differences that everything is compared again",
  (...pair) => {
    test("are all confirmed, and counted exactly", async () => {
      const { differences, facts } = await compareTwo(pair, {
        source: filled(N, "g"),
        target: filled(N, "g + 1", "delete from t where id % 100 = 0; insert into t values (-5, 1, 1)"),
      });
      const count = (type: string): number => differences.filter((d) => d.type === type).length;
      expect([count("changed"), count("missing"), count("extra")]).toEqual([N - N / 100, N / 100, 1]);
      expect(facts.comparison?.notes).toEqual([]);
    });

    test("are confirmed by their chunks' checksums, and where one has moved, by its rows", async () => {
      const [source, target] = pair;
      await using src = await freshDatabase(source);
      await using dst = await freshDatabase(target);
      const sqlOf = (engine: TestEngine, sql: Sql): string =>
        typeof sql === "string" ? sql : ((engine === "sqlite" ? sql.sqlite : sql.postgres) ?? "");
      await src.run(sqlOf(source, filled(N, "g")));
      await dst.run(sqlOf(target, filled(N, "g + 1")));
      await using world = await openWorld({ src, dst });
      const moving = meanwhile(world, () =>
        dst.run("update t set v = id where id between 7001 and 7010; update t set v = 0 where id = 7011"),
      );
      const asked = { compare: { chunkRows: 5_000, recheck: { rounds: 2, wait: micros(60_000_000n) } } };
      const { differences, facts } = await compared(checkFor(asked), moving);
      // Ten are equal now. One differs in another way than before, and still does at the third look.
      expect(differences).toHaveLength(N - 10);
      expect(new Set(differences.map(({ key }) => key[0])).has("7005")).toBe(false);
      expect(facts.comparison?.chunks).toBeGreaterThan(4);
    });

    test("are counted once however many looks there are, and rows that the first did not come to are not accused", async () => {
      const { differences, facts } = await compareTwo(
        pair,
        { source: filled(2 * MANY, "g"), target: filled(2 * MANY, "g + 1") },
        {
          compare: {
            chunkRows: 100_000,
            stopAfter: { differences: MANY, time: null },
            recheck: { rounds: 3, wait: micros(0n) },
          },
        },
      );
      expect(facts.comparison?.stopped).toMatch(/stop_after/);
      expect(differences.length).toBeGreaterThanOrEqual(MANY);
      expect(differences.length).toBeLessThan(2 * MANY);
      expect(new Set(differences.map(({ key }) => key[0])).size).toBe(differences.length);
      expect(facts.comparison?.notes).toEqual([]);
    });
  },
);
