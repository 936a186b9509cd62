import { expect, test } from "vitest";
import { micros } from "../../compare/build.ts";
import { checkFor, compareTwo, type Sql } from "../../scenarios/two-tables.ts";
import { compared, meanwhile, openWorld } from "../../scenarios/world.ts";
import { keptDatabase } from "../../support/kept-databases.ts";
import { describePairs, freshDatabase, type TestDatabase, type TestEngine } from "../../support/databases.ts";

/** As many as no single answer of rows holds. */
const N = 24_000;

type Shape = { readonly key: string; readonly value: string; readonly of: string };

/** Rows g = 1…N under keys that no two engines order alike: `t` as it is, and `other`, the same as the other side has it. */
const tables = (t: Shape, other: Shape): Sql => {
  const fill = (name: string, { key, value, of }: Shape, series: (of: string) => string): string =>
    `insert into ${name} select ${key}, ${value}, g from ${series(of)}`;
  const both = (make: (name: string) => string, series: (of: string) => string): string =>
    [["t", t] as const, ["other", other] as const]
      .map(([name, shape]) => `drop table if exists ${name}; ${make(name)}; ${fill(name, shape, series)}`)
      .join("; ");
  return {
    postgres: both(
      (name) => `create table ${name} (id text not null primary key, v int, seq int)`,
      (of) => `generate_series(1, ${N}) g where ${of}`,
    ),
    mysql: both(
      (name) => `create table ${name} (id varchar(40) character set utf8mb4 not null primary key, v int, seq int)`,
      (of) => `(select seq as g from seq_1_to_${N}) s where ${of}`,
    ),
  };
};
const EQUAL: Shape = { key: "md5(concat('', g))", value: "g", of: "true" };

/** What a join says that `t` and `other` differ in, the other being the source. */
const JOINED = `select
  (select count(*) from other o left join t on t.id = o.id where t.id is null),
  (select count(*) from t left join other o on t.id = o.id where o.id is null),
  (select count(*) from t join other o on t.id = o.id where t.v <> o.v)`;

const joined = async (database: TestDatabase): Promise<number[]> => (await database.rows(JOINED))[0]!.map(Number);

const PAIRS: readonly (readonly [TestEngine, TestEngine])[] = [
  ["postgres", "mariadb"],
  ["mariadb", "postgres"],
  ["mariadb", "mariadb"],
  ["postgres", "postgres"],
];

const KINDS: readonly (readonly [string, Shape])[] = [
  ["one in a hundred changed", { ...EQUAL, value: "case when g % 100 = 0 then -g else g end" }],
  ["three in ten missing", { ...EQUAL, of: "g % 10 >= 3" }],
  ["all changed", { ...EQUAL, value: "-g" }],
  [
    "all of it, and a tenth under other keys",
    { key: "md5(concat(case when g % 10 = 0 then 'x' else '' end, g))", value: "-g", of: "g > 100" },
  ],
  ["no row left", { ...EQUAL, of: "g < 0" }],
];

describePairs(PAIRS, "keys that the two sides order differently", (...pair) => {
  for (const [what, target] of KINDS)
    for (const exact of pair[0] === pair[1] ? [false] : [false, true])
      test(`${what}${exact ? ", compared by values" : ""}: as many as a join finds, in a few passes`, async () => {
        const { differences, facts } = await compareTwo(
          pair,
          { source: tables(EQUAL, target), target: tables(target, EQUAL) },
          { options: { exact } },
        );
        const count = (type: string): number => differences.filter((d) => d.type === type).length;
        const expected = await joined(await keptDatabase(pair[1], "dst"));
        expect([count("missing"), count("extra"), count("changed")]).toEqual(expected);
        expect([facts.source.rows, facts.target.rows].map(Number)).toEqual([N, N - expected[0]! + expected[1]!]);
        // Whole rows are read a few times; beside it a thousand keys at a time are looked up again, or their columns named.
        expect(facts.comparison?.rowsFetched).toBeLessThanOrEqual(2 * N);
        expect(facts.comparison?.statements).toBeLessThan(200);
      });

  test("rows outside a range are left out of what differs all over, and their partners with them", async () => {
    const { differences } = await compareTwo(
      pair,
      { source: tables(EQUAL, EQUAL), target: tables({ ...EQUAL, value: "-g", of: "g % 7 <> 0" }, EQUAL) },
      { cursor: { column: "seq", unit: "sequence", page: 1 }, version: "seq", options: { range: `..${N - 999}` } },
    );
    expect(differences).toHaveLength(N - 1000);
  });
});

describePairs([["postgres", "mariadb"]], "a second look at keys that the two sides order differently", (...pair) => {
  test("is one more checksum where nothing moved, and finds what did", async () => {
    await using src = await freshDatabase(pair[0]);
    await using dst = await freshDatabase(pair[1]);
    const sqlOf = (sql: Sql, family: "postgres" | "mysql"): string => (typeof sql === "string" ? sql : sql[family]!);
    await src.run(sqlOf(tables(EQUAL, EQUAL), "postgres"));
    await dst.run(sqlOf(tables({ ...EQUAL, value: "-g" }, EQUAL), "mysql"));
    const asked = { compare: { recheck: { rounds: 2, wait: micros(60_000_000n) } } };
    await using still = await openWorld({ src, dst });
    const first = await compared(
      checkFor(asked),
      meanwhile(still, async () => {}),
    );
    expect(first.differences).toHaveLength(N);
    await using world = await openWorld({ src, dst });
    const moving = meanwhile(world, () => dst.run("update t set v = seq where seq between 7001 and 7010"));
    const second = await compared(checkFor(asked), moving);
    expect(second.differences).toHaveLength(N - 10);
    expect(first.facts.comparison!.statements).toBeLessThan(second.facts.comparison!.statements);
  });
});
