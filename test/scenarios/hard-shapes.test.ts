import { expect, test } from "vitest";
import { describeEngines, describePairs, freshDatabase, type TestEngine } from "../support/databases.ts";
import { checkFor, compareTwo, found, type Sql } from "./two-tables.ts";
import { compared, openWorld } from "./world.ts";

type Pair = readonly [TestEngine, TestEngine];

const PAIRS: readonly Pair[] = [
  ["postgres", "postgres"],
  ["postgres", "mariadb"],
  ["mariadb", "mariadb"],
  ["sqlite", "sqlite"],
];

/** Rows 1…n by the engine's own means. */
const sequence = (n: number): { readonly postgres: string; readonly mysql: string; readonly sqlite: string } => ({
  postgres: `generate_series(1, ${n}) g`,
  mysql: `(with recursive r (g) as (select 1 union all select g + 1 from r where g < ${n}) select g from r) r`,
  sqlite: `(with recursive r (g) as (select 1 union all select g + 1 from r where g < ${n}) select g from r) r`,
});

const filled = (n: number, columns: string, primary: string, expressions: string, then = ""): Sql => {
  const from = sequence(n);
  const of = (family: keyof typeof from, before = "", after = ""): string =>
    `${before}create table t (${columns}, primary key (${primary})); insert into t select ${expressions} from ${from[family]}; ${then}${after}`;
  return {
    postgres: of("postgres", "", "; analyze t"),
    mysql: of("mysql", `set max_recursive_iterations = 10000000; `),
    sqlite: of("sqlite"),
  };
};

describePairs(PAIRS, "sparse keys", (...pair) => {
  // Three clusters of 20,000 ids, spread over 10^18.
  const sparse = (then = ""): Sql =>
    filled(60_000, "id bigint not null, v varchar(20)", "id", "(g % 3) * 400000000000000000 + g, 'v'", then);

  test("13 · take fewer than 60 statements a side, equal or with one row that differs", async () => {
    const equal = await compareTwo(pair, { source: sparse(), target: sparse() });
    expect(equal.lines).toEqual([]);
    expect(equal.facts.source.rows).toBe(60_000n);
    expect(equal.facts.comparison?.statements).toBeLessThan(120);
    const one = await compareTwo(pair, {
      source: sparse(),
      target: sparse("update t set v = 'other' where id = 400000000000030001"),
    });
    expect(one.lines).toEqual(["changed 18:400000000000030001 v"]);
    expect(one.facts.comparison?.statements).toBeLessThan(120);
  });
});

describePairs(PAIRS, "a composite key of which one tenant holds 99 % of the rows", (...pair) => {
  const tenants = (then = ""): Sql =>
    filled(
      40_000,
      "tenant int not null, id int not null, v int",
      "tenant, id",
      "case when g % 100 = 0 then g % 7 else 3 end, g, g",
      then,
    );

  test("14 · is cut into even chunks, and each row that differs is found", async () => {
    const { lines, facts } = await compareTwo(
      pair,
      {
        source: tenants(),
        target: tenants(
          "delete from t where tenant = 3 and id = 20001; update t set v = -1 where tenant = 3 and id = 39999; insert into t values (9, 1, 1)",
        ),
      },
      { compare: { chunkRows: 2000 } },
    );
    expect(lines).toEqual(["changed 1:35:39999 v", "extra 1:91:1", "missing 1:35:20001"]);
    expect(facts.comparison?.chunks).toBeGreaterThanOrEqual(20);
    expect(facts.comparison?.chunks).toBeLessThanOrEqual(22);
    expect(facts.comparison?.chunksDifferent).toBeLessThanOrEqual(3);
  });
});

describePairs([["postgres", "postgres"]], "the statements of a composite key", (...pair) => {
  test("14 · are ranges of its index, but for the last one of each side", async () => {
    await using db = await freshDatabase(pair[0]);
    await db.run(
      "create table t (tenant int, id int, v text, primary key (tenant, id)); insert into t select case when g % 100 = 0 then g % 7 else 3 end, g, repeat('x', 200) from generate_series(1, 60000) g; create table u as table t; alter table u add primary key (tenant, id)",
    );
    await db.run("analyze t; analyze u");
    const scans = async (): Promise<number> =>
      Number(
        (
          await db.rows("select coalesce(sum(seq_scan), 0) from pg_stat_user_tables where relname in ('t', 'u')")
        )[0]?.[0],
      );
    await db.rows("select pg_stat_force_next_flush()");
    const before = await scans();
    {
      await using world = await openWorld({ src: db, dst: db });
      await compared(checkFor({ target: { table: { schema: null, name: "u" } }, compare: { chunkRows: 2000 } }), world);
    }
    // Sessions report what they scanned when they end.
    await expect
      .poll(
        async () => (await db.rows("select count(*) from pg_stat_activity where datname = current_database()"))[0]?.[0],
      )
      .toBe("1");
    await db.rows("select pg_stat_clear_snapshot()");
    // The last chunk is open above: by the first column's statistics alone, as PostgreSQL judges row comparisons, that is nearly all rows.
    expect((await scans()) - before).toBeLessThanOrEqual(2);
  });
});

describePairs(PAIRS, "a large chunk", (...pair) => {
  const wide = (then = ""): Sql => filled(50_000, "id int not null, v int", "id", "g, g % 1000", then);

  test("is split down to the rows that differ", async () => {
    const { lines, facts } = await compareTwo(
      pair,
      {
        source: wide(),
        target: wide(
          "update t set v = v + 1 where id in (1, 25000, 50000); delete from t where id between 30000 and 30002; insert into t values (50001, 1)",
        ),
      },
      { compare: { chunkRows: 1_000_000 } },
    );
    expect(lines).toEqual([
      "changed 1:1 v",
      "changed 5:25000 v",
      "changed 5:50000 v",
      "extra 5:50001",
      "missing 5:30000",
      "missing 5:30001",
      "missing 5:30002",
    ]);
    expect(facts.comparison?.rowsFetched).toBeLessThan(20_000);
  });

  test("whose rows differ in many places is read again a few times only", async () => {
    const { differences, facts } = await compareTwo(
      pair,
      { source: wide(), target: wide("update t set v = -1 where id % 50 = 0") },
      { compare: { chunkRows: 1_000_000 } },
    );
    expect(differences).toHaveLength(1000);
    expect(facts.comparison?.statements).toBeLessThan(130);
  });
});

describePairs(
  [
    ["mariadb", "mariadb"],
    ["postgres", "mariadb"],
    ["mysql", "mysql"],
  ],
  "a row longer than max_allowed_packet",
  (...pair) => {
    test("5 · is compared all the same", async () => {
      const make = (tail: string): Sql => {
        const long = (extra: string): string => `concat(repeat('a', 9000000), '${extra}')`;
        const rows = `insert into t select 1, ${long("")}, ${long(tail)}; insert into t values (2, 'x', 'y')`;
        return {
          postgres: `create table t (id int primary key, a text, b text); ${rows}`,
          mysql: `create table t (id int primary key, a longtext, b longtext) character set utf8mb4; ${rows}`,
        };
      };
      expect((await compareTwo(pair, { source: make("x"), target: make("x") })).lines).toEqual([]);
      expect((await compareTwo(pair, { source: make("x"), target: make("z") })).lines).toEqual(["changed 1:1 b"]);
    });
  },
);

describePairs(PAIRS, "columns of one side", (...pair) => {
  test("16 · are said and left alone", async () => {
    const { lines, facts } = await compareTwo(pair, {
      source: "create table t (id int primary key, a int, only_here int); insert into t values (1, 1, 5)",
      target: "create table t (id int primary key, a int, only_there int); insert into t values (1, 1, 6)",
    });
    expect(lines).toEqual([]);
    expect(facts.mapping).toMatchObject({ missingInTarget: ["only_here"], missingInSource: ["only_there"] });
  });
});

describePairs(PAIRS, "empty tables", (...pair) => {
  const empty = "create table t (id int primary key, v int)";
  const three = `${empty}; insert into t values (1, 1), (2, 2), (3, 3)`;

  test("18 · an empty target lacks every row, an empty source has only extra ones, both empty are equal", async () => {
    expect((await compareTwo(pair, { source: three, target: empty })).lines).toEqual([
      "missing 1:1",
      "missing 1:2",
      "missing 1:3",
    ]);
    expect((await compareTwo(pair, { source: empty, target: three })).lines).toEqual([
      "extra 1:1",
      "extra 1:2",
      "extra 1:3",
    ]);
    const { lines, facts } = await compareTwo(pair, { source: empty, target: empty });
    expect(lines).toEqual([]);
    expect([facts.source.rows, facts.target.rows]).toEqual([0n, 0n]);
  });
});

describeEngines(["postgres", "mariadb", "sqlite", "mysql"], "a table that is not there", (engine) => {
  test("18 · is named, with what is there", async () => {
    await using db = await freshDatabase(engine);
    await db.run("create table orders (id int primary key)");
    await using world = await openWorld({ src: db, dst: db });
    const check = checkFor({ source: { table: { schema: null, name: "order" } } });
    await expect(compared(check, world)).rejects.toMatchObject({
      code: "schema",
      message: expect.stringContaining("order") as string,
      hint: expect.stringContaining("orders") as string,
    });
  });
});

test("18 · a server that is not there is named by its connection, never by its URL", async () => {
  await using world = await openWorld({
    src: { url: "postgres://someone:sesame@127.0.0.1:1/nowhere" },
    dst: { url: "mariadb://someone:sesame@127.0.0.1:1/nowhere" },
  });
  const failure = await compared(checkFor({}), world).then(found, (error: unknown) => error);
  expect(failure).toMatchObject({ code: "connect" });
  expect(String(failure)).not.toContain("sesame");
});

describePairs(
  [
    ["postgres", "postgres"],
    ["mariadb", "mariadb"],
  ],
  "a table that may not be read",
  (engine) => {
    test("18 · is a failure that says so", async () => {
      await using db = await freshDatabase(engine);
      const role = `tm_reader_${process.pid}`;
      await db.run("create table t (id int primary key)");
      const url = new URL(db.url);
      [url.username, url.password] = [role, "sesame"];
      const database = url.pathname.slice(1);
      await db.run(
        engine === "postgres"
          ? `create role ${role} login password 'sesame'`
          : `create user ${role} identified by 'sesame'; create table open_to_all (id int); grant select on ${database}.open_to_all to ${role}`,
      );
      try {
        await using world = await openWorld({ src: { url: url.href }, dst: db });
        await expect(compared(checkFor({}), world)).rejects.toMatchObject({
          code: expect.stringMatching(/schema|statement/) as string,
        });
      } finally {
        await db.run(engine === "postgres" ? `drop role ${role}` : `drop user ${role}`);
      }
    });
  },
);
