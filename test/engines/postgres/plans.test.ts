import { afterAll, beforeAll, expect, test } from "vitest";
import type { AgreedKind } from "../../../src/domain/kind.ts";
import type { TableInfo } from "../../../src/domain/table.ts";
import type { Database } from "../../../src/sql/session.ts";
import type { BoundColumn } from "../../../src/sql/dialect.ts";
import { raw, type Sql, sql } from "../../../src/sql/statement.ts";
import { describeEngine, freshDatabase, type TestDatabase } from "../../support/databases.ts";
import { open } from "../../support/open.ts";
import { ask, bind } from "../contract.ts";

const INTEGER: AgreedKind = { as: "integer" };
const TEXT: AgreedKind = { as: "text" };

/** Keys with an index that a range of them must be read along, and a key in the middle of 20,000 rows. */
const KEYS: readonly {
  readonly type: string;
  readonly as: AgreedKind;
  readonly made: string;
  readonly middle: string;
  readonly zone?: string;
}[] = [
  { type: "smallint", as: INTEGER, made: "n % 20000", middle: "19000" },
  { type: "integer", as: INTEGER, made: "n", middle: "19000" },
  { type: "bigint", as: INTEGER, made: "n", middle: "19000" },
  { type: "integer", as: { as: "decimal", scale: 2 }, made: "n", middle: "19000.00" },
  { type: "numeric(12,2)", as: { as: "decimal", scale: 2 }, made: "n", middle: "19000.00" },
  { type: "double precision", as: { as: "float", bits: 64 }, made: "n", middle: "19e3" },
  { type: "real", as: { as: "float", bits: 64 }, made: "n", middle: "19e3" },
  { type: 'text collate "C"', as: TEXT, made: "lpad(n::text, 8, '0')", middle: "00019000" },
  { type: 'varchar(20) collate "C"', as: TEXT, made: "lpad(n::text, 8, '0')", middle: "00019000" },
  { type: 'char(8) collate "C"', as: TEXT, made: "lpad(n::text, 8, '0')", middle: "00019000" },
  { type: "uuid", as: { as: "uuid" }, made: "lpad(n::text, 32, '0')::uuid", middle: "00019000".padStart(32, "0") },
  { type: "bytea", as: { as: "bytes" }, made: "decode(lpad(n::text, 8, '0'), 'hex')", middle: "00019000" },
  { type: "date", as: { as: "date" }, made: "date '2000-01-01' + n", middle: "2052-01-07" },
  {
    type: "timestamp",
    as: { as: "local", precision: 6 },
    made: "timestamp '2000-01-01' + n * interval '1 day'",
    middle: "2052-01-07 00:00:00",
  },
  {
    type: "timestamp",
    as: { as: "instant", precision: 6 },
    zone: "Europe/Prague",
    made: "timestamp '2000-01-01' + n * interval '1 day'",
    middle: "2052-01-07 00:00:00",
  },
  {
    type: "timestamptz(3)",
    as: { as: "instant", precision: 3 },
    made: "timestamptz '2000-01-01 00:00+00' + n * interval '1 day'",
    middle: "2052-01-07 00:00:00",
  },
  { type: "boolean", as: { as: "boolean" }, made: "n > 19000", middle: "1" },
];

describeEngine("postgres", "plans", () => {
  let server: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    server = await freshDatabase("postgres");
    database = await open(server.url);
  });
  afterAll(async () => {
    await database?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  async function explain(info: TableInfo, rest: Sql): Promise<string> {
    const plan = await ask(database, sql`EXPLAIN SELECT count(*) FROM ${database.dialect.table(info)} ${rest}`);
    return plan.map((row) => row[0]).join("\n");
  }

  test.each(KEYS.map((key, n) => ({ ...key, n })))(
    "a range and a list of $type keys as $as.as go along the index",
    async (key) => {
      const table = `planned_${key.n}`;
      await server.run(`create table ${table} (k ${key.type} not null, filler text)`);
      await server.run(`insert into ${table} select ${key.made}, repeat('x', 200) from generate_series(1, 20000) n`);
      await server.run(`create index on ${table} (k); analyze ${table}`);
      const info = await database.describe({ schema: null, name: table });
      const column = bind(info, "k", key);
      const range = await explain(info, sql`WHERE ${database.dialect.keyBound([column], ">=", [key.middle])}`);
      expect(range).toMatch(/Index Cond: [^\n]*>=|Index Cond: k/);
      const list = await explain(info, sql`WHERE ${database.dialect.keyIn([column], [[key.middle]])}`);
      expect(list).toMatch(/Index Cond/);
      const text = database.dialect.text(column) ?? raw("NULL");
      const page = sql`EXPLAIN SELECT ${text} FROM ${database.dialect.table(info)} ORDER BY ${database.dialect.ordered(column)} LIMIT 3`;
      const order = (await ask(database, page)).join("\n");
      expect(order).not.toContain("Sort");
    },
  );

  test("a range and a list of composite keys go along the index", async () => {
    await server.run(
      `create table composite (tenant integer not null, id bigint not null, code text collate "C" not null, primary key (tenant, id, code))`,
    );
    // 99 % of the rows are one tenant's.
    await server.run(
      "insert into composite select case when n % 100 = 0 then n else 7 end, n, 'c' || n from generate_series(1, 20000) n; analyze composite",
    );
    const info = await database.describe({ schema: null, name: "composite" });
    const kinds = { tenant: INTEGER, id: INTEGER, code: TEXT };
    const columns: readonly BoundColumn[] = Object.entries(kinds).map(([column, as]) => bind(info, column, { as }));
    const from = database.dialect.keyBound(columns, ">=", ["7", "9000", "c9000"]);
    const to = database.dialect.keyBound(columns, "<", ["7", "9500", "c9500"]);
    const range = await explain(info, sql`WHERE ${from} AND ${to}`);
    expect(range).toMatch(/Index Cond: [^\n]*ROW\(tenant, id, [^\n]*>= [^\n]*ROW\(tenant, id, [^\n]*</);
    const keys = Array.from({ length: 50 }, (_, i) => ["7", String(i * 7 + 1), `c${i * 7 + 1}`]);
    expect(await explain(info, sql`WHERE ${database.dialect.keyIn(columns, keys)}`)).toMatch(/Index Cond/);
    const ordered = columns.map((column) => database.dialect.ordered(column));
    const page = await ask(
      database,
      sql`EXPLAIN SELECT ${columns.map((c) => database.dialect.text(c) ?? raw("NULL"))} FROM composite ORDER BY ${ordered} LIMIT 10`,
    );
    expect(page.join("\n")).not.toContain("Sort");
  });

  test("a list of texts under a collation goes along its index", async () => {
    await server.run(`create table collated (k text collate "en-x-icu" primary key)`);
    await server.run("insert into collated select 'k' || n from generate_series(1, 20000) n; analyze collated");
    const info = await database.describe({ schema: null, name: "collated" });
    const list = database.dialect.keyIn([bind(info, "k", { as: TEXT })], [["k1"], ["k500"]]);
    expect(await explain(info, sql`WHERE ${list}`)).toMatch(/Index Cond/);
  });

  test("the rows of each stretch of a profile are counted along the cursor's index", async () => {
    await server.run("create table stretched (id integer primary key, x timestamp not null, filler text)");
    await server.run(
      "insert into stretched select n, timestamp '2000-01-01' + n * interval '1 day', repeat('x', 200) from generate_series(1, 20000) n",
    );
    await server.run("create index stretched_x on stretched (x); analyze stretched");
    const info = await database.describe({ schema: null, name: "stretched" });
    const ends = Array.from({ length: 50 }, (_, n) => `${2001 + n}-06-01 00:00:00`);
    const rows = sql`FROM ${database.dialect.table(info)} WHERE 1 = 1`;
    const column = bind(info, "x", { as: { as: "local", precision: 6 } });
    const count = database.dialect.facts.countStretches?.(column, ends, rows);
    const plan = (await ask(database, sql`EXPLAIN ${count ?? raw("")}`)).join("\n");
    expect(plan).toMatch(/Index Cond: [^\n]*x >= [^\n]*x < /);
    expect(plan).not.toContain("Seq Scan");
  });

  test("a stream's values reach the index too, as literals and as settings", async () => {
    await server.run(`create table streamed (id bigint primary key, k text collate "C" unique)`);
    await server.run("insert into streamed select n, 'k' || n from generate_series(10001, 30000) n; analyze streamed");
    const info = await database.describe({ schema: null, name: "streamed" });
    const [id, k] = [bind(info, "id", { as: INTEGER }), bind(info, "k", { as: TEXT })];
    const found = await database.use(async (session) => {
      const rows = [];
      const bounds = [
        database.dialect.keyBound([id], ">=", ["29999"]),
        database.dialect.keyBound([k], "<", ["k10003"]),
        database.dialect.keyBound([k], ">=", ["no'key"]),
      ];
      for (const bound of bounds)
        for await (const batch of session.stream({
          what: "test",
          sql: sql`SELECT ${database.dialect.text(id) ?? raw("NULL")} FROM streamed WHERE ${bound} ORDER BY ${database.dialect.ordered(id)}`,
        }))
          rows.push(...batch);
      const plan = await session.rows({
        what: "test",
        sql: sql`EXPLAIN SELECT 1 FROM streamed WHERE k >= current_setting('tidemark.p1') COLLATE "C"`,
      });
      return { rows, plan: plan.join("\n") };
    });
    expect(found.rows).toEqual([["29999"], ["30000"], ["10001"], ["10002"]]);
    expect(found.plan).toMatch(/Index (Only )?(Scan|Cond)/);
  });
});
