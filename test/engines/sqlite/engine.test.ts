import { NO_HASH } from "../../../src/sql/digest.ts";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sqlite } from "../../../src/engines/sqlite/engine.ts";
import type { AgreedKind } from "../../../src/domain/kind.ts";
import type { BoundColumn } from "../../../src/sql/dialect.ts";
import type { Database, Row } from "../../../src/sql/session.ts";
import { join, name, raw, type Sql, sql, value } from "../../../src/sql/statement.ts";
import type { TableInfo } from "../../../src/domain/table.ts";
import { freshDatabase, type TestDatabase } from "../../support/databases.ts";

let file: TestDatabase;
let database: Database;
const aborted = new AbortController();

function options(url: string) {
  return {
    connection: "crm",
    url,
    maxConnections: 2,
    statementTimeout: null,
    connectTimeout: 1000,
    applicationName: "test",
    access: "read-only",
    signal: new AbortController().signal,
  } as const;
}

beforeAll(async () => {
  file = await freshDatabase("sqlite", {
    load: `
      CREATE TABLE typed (
        id INTEGER PRIMARY KEY, small TINYINT(1), flag BOOLEAN NOT NULL DEFAULT 1, amount DECIMAL(12,2), ratio REAL,
        label VARCHAR(20) NOT NULL, loose TEXT COLLATE NOCASE, padded TEXT COLLATE RTRIM, bin BLOB, born DATE, at DATETIME, seen TIMESTAMP(3),
        moment "timestamp with time zone", ref UUID, doc JSON, doubled INTEGER AS (id * 2), shape GEOMETRY);
      CREATE UNIQUE INDEX typed_label ON typed (label);
      CREATE INDEX typed_loose ON typed (loose);
      CREATE INDEX typed_part ON typed (at) WHERE at IS NOT NULL;
      CREATE INDEX typed_expression ON typed (lower(label));
      CREATE TRIGGER typed_touch AFTER UPDATE ON typed BEGIN SELECT 1; END;
      INSERT INTO typed (id, label) VALUES (1, 'a'), (2, 'b');
      CREATE TABLE pairs (tenant TEXT, id INTEGER, v TEXT, PRIMARY KEY (tenant, id)) WITHOUT ROWID;
      WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 300)
        INSERT INTO pairs SELECT char(97 + n % 3), n, 'v' || n FROM s;
      CREATE TABLE loose_pairs (tenant TEXT, id INTEGER, PRIMARY KEY (tenant, id));
      INSERT INTO loose_pairs VALUES ('a', 1), ('a', NULL), (NULL, 5), ('b', 2), ('B', 7);
      CREATE TABLE children (tenant TEXT, id INTEGER, FOREIGN KEY (tenant, id) REFERENCES pairs (tenant, id));
      CREATE VIEW labels AS SELECT id, label FROM typed;
      CREATE TABLE anything (n INTEGER, x);
    `,
  });
  database = await sqlite.connect(options(file.url));
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await file[Symbol.asyncDispose]();
});

const ask = (statement: Sql): Promise<readonly Row[]> =>
  database.use((session) => session.rows({ what: "a question of the test", sql: statement }));

function bind(table: TableInfo, column: string, as: AgreedKind, extra: Partial<BoundColumn> = {}): BoundColumn {
  const info = table.columns.find((c) => c.name === column);
  if (info === undefined) throw new Error(`no column ${column}`);
  return { info, as, zone: "UTC", rounding: "cut", ...extra };
}

describe("opening a file", () => {
  const refused = (url: string) => sqlite.connect(options(url));

  test("a database in memory is refused, for each connection would see its own", async () => {
    await expect(refused("sqlite::memory:")).rejects.toThrow("a database in memory cannot be audited");
  });
  test("a file that is not there is not made", async () => {
    await expect(refused("sqlite:/nowhere/at/all.db")).rejects.toThrow("there is no file /nowhere/at/all.db");
  });
  test("a URL with a host is refused", async () => {
    await expect(refused("sqlite://db.example/x.db")).rejects.toThrow("names a host");
  });
  test("a file that is no database says so", async () => {
    const path = `${file.url.slice(7)}.txt`;
    writeFileSync(path, "these are a thousand words of prose and no database at all ".repeat(40));
    await expect(refused(`sqlite:${path}`)).rejects.toThrow("file is not a database");
  });
  test("sqlite:///absolute opens the same file", async () => {
    await using other = await sqlite.connect(options(`sqlite://${file.url.slice(7)}`));
    expect(other.server.engine).toBe("sqlite");
  });
  test("a read-only connection cannot write", async () => {
    await expect(ask(sql`DELETE FROM typed`)).rejects.toThrow("readonly database");
  });
  test("after an abort everything is interrupted", async () => {
    await using other = await sqlite.connect({ ...options(file.url), signal: aborted.signal });
    aborted.abort();
    await expect(other.use((s) => s.rows({ what: "x", sql: sql`SELECT 1` }))).rejects.toThrow("interrupted");
  });
  test("a statement beyond its time is ended", async () => {
    await using other = await sqlite.connect({ ...options(file.url), statementTimeout: 1 });
    const endless = sql`WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 100000000) SELECT COUNT(tidemark_printed(n)) FROM s`;
    await expect(other.use((s) => s.rows({ what: "endless", sql: endless }))).rejects.toMatchObject({
      code: "statement",
      retryable: true,
    });
  });
});

describe("describing a table", () => {
  test("columns say what they are declared as", async () => {
    const table = await database.describe({ schema: null, name: "TYPED" });
    const kinds = Object.fromEntries(table.columns.map((c) => [c.name, c.kind]));
    expect(table.name).toEqual({ schema: null, name: "typed" });
    expect(kinds).toMatchObject({
      id: { kind: "integer", max: 2n ** 63n - 1n },
      small: { kind: "boolean", small: true },
      flag: { kind: "boolean", small: true },
      amount: { kind: "decimal", precision: 12, scale: 2 },
      ratio: { kind: "float", bits: 64 },
      label: { kind: "text", length: 20, binary: true },
      loose: { kind: "text", length: null, binary: false },
      padded: { kind: "text", binary: false },
      bin: { kind: "bytes" },
      born: { kind: "date" },
      at: { kind: "local", precision: 6 },
      seen: { kind: "local", precision: 3 },
      moment: { kind: "instant", precision: 6 },
      ref: { kind: "uuid" },
      doc: { kind: "json", normalized: false },
      shape: { kind: "other", type: "geometry" },
    });
    expect(table.columns.filter((c) => c.generated).map((c) => c.name)).toEqual(["doubled"]);
    expect(table.columns.filter((c) => !c.nullable).map((c) => c.name)).toEqual(["id", "flag", "label"]);
    expect(table).toMatchObject({
      relation: "table",
      primaryKey: ["id"],
      estimatedRows: 2n,
      keyOrder: 1,
      triggers: ["typed_touch"],
    });
  });
  test("indexes of plain columns are there, partial ones and expressions are not", async () => {
    const { indexes } = await database.describe({ schema: "main", name: "typed" });
    expect(indexes.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
      { name: "rowid", columns: ["id"], unique: true, primary: true, byteOrder: true },
      { name: "typed_label", columns: ["label"], unique: true, primary: false, byteOrder: true },
      { name: "typed_loose", columns: ["loose"], unique: false, primary: false, byteOrder: false },
    ]);
  });
  test("a table without rowid is kept in key order and has no NULL in its key; a key alone forbids none", async () => {
    const without = await database.describe({ schema: null, name: "pairs" });
    const having = await database.describe({ schema: null, name: "loose_pairs" });
    expect([without.keyOrder, without.columns.slice(0, 2).map((c) => c.nullable)]).toEqual([1, [false, false]]);
    expect([having.keyOrder, having.columns.map((c) => c.nullable)]).toEqual([null, [true, true]]);
    const children = await database.describe({ schema: null, name: "children" });
    expect(children.foreignKeys).toEqual(["tenant, id → pairs"]);
    expect(without.indexes).toMatchObject([{ columns: ["tenant", "id"], unique: true, primary: true }]);
  });
  test("a view is one", async () => {
    expect(await database.describe({ schema: null, name: "labels" })).toMatchObject({
      relation: "view",
      estimatedRows: null,
      indexes: [],
    });
  });
  test("a table that is not there is named with the nearest one", async () => {
    await expect(database.describe({ schema: null, name: "tpyed" })).rejects.toMatchObject({
      code: "schema",
      message: "crm has no table or view tpyed",
      hint: "did you mean typed?",
    });
    await expect(database.describe({ schema: "public", name: "typed" })).rejects.toMatchObject({
      hint: "SQLite has no schema public; write the table's name alone",
    });
  });
});

describe("texts and digests", () => {
  test("a row text tells NULL, lengths and plain values apart, and a NUL does not end it", async () => {
    const text = (x: Sql) => ({ text: x, plain: false, nullable: true });
    const row = database.dialect.rowText([
      { text: sql`'7'`, plain: true, nullable: false },
      text(sql`NULL`),
      text(sql`'ž' || char(0) || 'x'`),
    ]);
    const expected = "7,N4:ž\0x";
    const [hashed] = await ask(
      sql`SELECT ${row}, ${database.dialect.hash("sha256", row)}, ${database.dialect.hashHex("md5", row)}`,
    );
    const sha = createHash("sha256").update(expected).digest();
    expect(hashed).toEqual([
      expected,
      sha.readBigInt64BE(0).toString(),
      createHash("md5").update(expected).digest("hex"),
    ]);
  });
  test("a digest sums beyond 64 bits exactly and counts the rows without a hash", async () => {
    const values = raw(
      "(SELECT 9223372036854775807 AS h UNION ALL SELECT 9223372036854775807 UNION ALL SELECT 3 UNION ALL SELECT NULL)",
    );
    const [row] = await ask(sql`SELECT ${database.dialect.digest(name("h"))} FROM ${values}`);
    expect(row).toEqual(["4", (2n * (2n ** 63n - 1n) + 3n + NO_HASH).toString()]);
    expect((await ask(sql`SELECT ${database.dialect.digest(name("id"))} FROM typed WHERE 0`))[0]).toEqual(["0", "0"]);
  });
  test("a bucket is the remainder from 0, of negative numbers too", async () => {
    expect(
      (await ask(sql`SELECT ${database.dialect.bucket(raw("-1"), 16)}, ${database.dialect.bucket(raw("35"), 16)}`))[0],
    ).toEqual(["15", "3"]);
  });
  test("a long stream comes whole, and may be left early", async () => {
    const many = sql`WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 5500) SELECT n FROM s`;
    let rows = 0;
    await database.use(async (session) => {
      for await (const batch of session.stream({ what: "many", sql: many })) rows += batch.length;
      for await (const _ of session.stream({ what: "many", sql: many })) break;
      expect(
        await session.rows({ what: "after", sql: sql`SELECT 9007199254740993, 0.1, x'00ff', NULL, ${value("q\0r")}` }),
      ).toEqual([["9007199254740993", "0.1", "00ff", null, "q\0r"]]);
    });
    expect(rows).toBe(5500);
  });
});

describe("keys", () => {
  const columns = (table: TableInfo): readonly BoundColumn[] => [
    bind(table, "tenant", { as: "text" }),
    bind(table, "id", { as: "integer" }),
  ];
  const plan = async (statement: Sql): Promise<string> =>
    (await ask(sql`EXPLAIN QUERY PLAN ${statement}`)).map((row) => row[3]).join("; ");

  test("a bound over several columns is an index range", async () => {
    const table = await database.describe({ schema: null, name: "pairs" });
    const key = columns(table);
    const range = sql`SELECT tenant, id FROM pairs WHERE ${database.dialect.keyBound(key, ">=", ["b", "280"])} AND ${database.dialect.keyBound(key, "<", ["c", "10"])} ORDER BY ${key.map((c) => database.dialect.ordered(c))}`;
    expect(await plan(range)).toMatch(/^SEARCH pairs USING PRIMARY KEY \(\(?tenant/);
    const found = (await ask(range)).map((row) => row.join());
    expect(found.slice(0, 2)).toEqual(["b,280", "b,283"]);
    expect(found.slice(-2)).toEqual(["c,5", "c,8"]);
  });
  test("rows by key use the index", async () => {
    const table = await database.describe({ schema: null, name: "pairs" });
    const some = sql`SELECT v FROM pairs WHERE ${database.dialect.keyIn(columns(table), [
      ["b", "1"],
      ["c", "2"],
      ["c", "1"],
    ])} ORDER BY 1`;
    expect(await plan(some)).toContain("SEARCH pairs USING PRIMARY KEY (tenant=? AND id=?)");
    expect(await ask(some)).toEqual([["v1"], ["v2"]]);
  });
  test("NULL stands before every key, and each row lies on one side of a bound", async () => {
    const table = await database.describe({ schema: null, name: "loose_pairs" });
    const side = (operator: ">=" | "<") =>
      ask(
        sql`SELECT tenant, id FROM loose_pairs WHERE ${database.dialect.keyBound(columns(table), operator, ["a", "1"])} ORDER BY 1, 2`,
      );
    expect(await side("<")).toEqual([
      [null, "5"],
      ["B", "7"],
      ["a", null],
    ]);
    expect(await side(">=")).toEqual([
      ["a", "1"],
      ["b", "2"],
    ]);
  });
  test("a collated column is ordered by its bytes", async () => {
    const table = await database.describe({ schema: null, name: "typed" });
    const loose = bind(table, "loose", { as: "text" });
    const compared = sql`SELECT x.loose FROM (SELECT loose FROM typed WHERE 0 UNION ALL SELECT 'B' UNION ALL SELECT 'a') AS x ORDER BY ${database.dialect.ordered(loose)}`;
    expect(await ask(compared)).toEqual([["B"], ["a"]]);
    const same = sql`SELECT COUNT(*) FROM (SELECT loose FROM typed WHERE 0 UNION ALL SELECT 'A') WHERE ${database.dialect.keyIn([loose], [["a"]])}`;
    expect(await ask(same)).toEqual([["0"]]);
  });
  test("numbers beyond a double and beyond 64 bits bound exactly", async () => {
    const table = await database.describe({ schema: null, name: "anything" });
    const n = bind(table, "n", { as: "integer" });
    const under = (bound: string) =>
      join(
        [
          raw("SELECT COUNT(*) FROM (SELECT 9007199254740993 AS n UNION ALL SELECT 9223372036854775807) WHERE"),
          database.dialect.keyBound([{ ...n, info: { ...n.info, nullable: false } }], "<", [bound]),
        ],
        " ",
      );
    expect(await ask(under("9007199254740993"))).toEqual([["0"]]);
    expect(await ask(under("9007199254740994"))).toEqual([["1"]]);
    expect(await ask(under("18446744073709551615"))).toEqual([["2"]]);
  });
  test("a decimal bound between two doubles keeps both on their sides", async () => {
    const table = await database.describe({ schema: null, name: "typed" });
    const amount = bind(table, "amount", { as: "decimal", scale: null });
    const from = (bound: string) =>
      ask(
        sql`SELECT amount FROM (SELECT 0.1 AS amount UNION ALL SELECT 0.2) WHERE ${database.dialect.keyBound([amount], ">=", [bound])}`,
      );
    expect(await from("0.1")).toEqual([["0.1"], ["0.2"]]);
    expect(await from("0.10000000000000000000001")).toEqual([["0.2"]]);
  });
});

test("a snapshot does not see what is written after it began", async () => {
  await using own = await freshDatabase("sqlite", {
    load: "PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)",
  });
  await using other = await sqlite.connect(options(own.url));
  const count = { what: "rows", sql: sql`SELECT COUNT(*) FROM t` };
  await using snapshot = await other.snapshot(4);
  await own.run("INSERT INTO t VALUES (2)");
  expect(await snapshot.use((s) => s.rows(count))).toEqual([["1"]]);
  expect(await other.use((s) => s.rows(count))).toEqual([["2"]]);
  await using later = await other.snapshot(1);
  expect(await later.use((s) => s.rows(count))).toEqual([["2"]]);
});

test("a transaction left open by one user is not handed to the next", async () => {
  await using own = await freshDatabase("sqlite", { load: "CREATE TABLE t (a)" });
  await using other = await sqlite.connect({ ...options(own.url), access: "read-write" });
  const run = (text: string) => ({ what: "writing", sql: raw(text) });
  await other.use(async (s) => {
    await s.rows(run("BEGIN"));
    await s.rows(run("INSERT INTO t VALUES (1)"));
  });
  expect(await other.use((s) => s.rows(run("SELECT COUNT(*) FROM t")))).toEqual([["0"]]);
});

test("a broken constraint is a failed statement that is not to be asked again", async () => {
  await using own = await freshDatabase("sqlite", { load: "CREATE TABLE t (a UNIQUE)" });
  await using other = await sqlite.connect({ ...options(own.url), access: "read-write" });
  const insert = { what: "writing a row", sql: sql`INSERT INTO t VALUES (1)` };
  await other.use((s) => s.rows(insert));
  await expect(other.use((s) => s.rows(insert))).rejects.toMatchObject({
    code: "statement",
    retryable: false,
    serverCode: "2067",
  });
});
