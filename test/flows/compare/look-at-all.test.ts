import { expect, test } from "vitest";
import { describePairs } from "../../support/databases.ts";
import { compareTwo, type Sql } from "../../scenarios/two-tables.ts";

/** Rows 1…n by the engine's own means. */
const filled = (n: number, value: string, then = ""): Sql => ({
  postgres: `create table t (id int primary key, v int, u int); insert into t select g, ${value}, g from generate_series(1, ${n}) g; ${then}; analyze t`,
  sqlite: `create table t (id integer primary key not null, v int, u int); insert into t select g, ${value}, g from (with recursive r (g) as (select 1 union all select g + 1 from r where g < ${n}) select g from r); ${then}`,
});

const N = 25_000;

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
  },
);
