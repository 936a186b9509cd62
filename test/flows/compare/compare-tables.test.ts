import { describe, expect, test } from "vitest";
import { micros } from "../../compare/build.ts";
import { compareTwo, type Sql } from "../../scenarios/two-tables.ts";
import { describePairs, type TestEngine } from "../../support/databases.ts";

const PAIRS: readonly (readonly [TestEngine, TestEngine])[] = [
  ["postgres", "postgres"],
  ["postgres", "mariadb"],
  ["mariadb", "mariadb"],
  ["sqlite", "sqlite"],
];

const rows = (...values: readonly string[]): string =>
  `create table t (id int not null primary key, v varchar(40), n numeric(10,3), seq int); insert into t values ${values.join(", ")}`;
const ten = (v = "x"): string[] => Array.from({ length: 10 }, (_, i) => `(${i + 1}, '${v}', ${i}.5, ${i * 10})`);

describePairs(PAIRS, "what a check asks for", (...pair) => {
  const cursor = { column: "seq", unit: "sequence" as const, page: 1000 };

  test("its conditions hold on each side, comments and all", async () => {
    const { lines, facts } = await compareTwo(
      pair,
      {
        source: rows("(1, 'keep', 0, 0)", "(2, 'drop', 0, 0)"),
        target: rows("(1, 'keep', 0, 0)", "(3, 'other', 0, 0)"),
      },
      { source: { where: "v <> 'drop' -- these are gone" }, target: { where: "id < 3 or v = 'none'" } },
    );
    expect(lines).toEqual([]);
    expect([facts.source.rows, facts.target.rows]).toEqual([1n, 1n]);
  });

  test("a tolerance and treatments let values be the same that are not alike", async () => {
    const source = rows("(1, 'Ab ', 1.000, 1)", "(2, 'a', 1.000, 1)", "(3, '', 1.000, 1)", "(4, 'é', 1.000, 1)");
    const target = rows("(1, 'aB', 1.004, 1)", "(2, 'b', 1.006, 1)", "(3, null, 1.000, 1)", "(4, 'e\u0301', 1.000, 1)");
    const { lines } = await compareTwo(
      pair,
      { source, target },
      {
        columns: { tolerance: { n: "0.005" }, treat: { v: ["trim", "case", "nfc", "empty-as-null"] } },
      },
    );
    expect(lines).toEqual(["changed 1:2 n,v"]);
    expect((await compareTwo(pair, { source, target })).lines).toHaveLength(4);
  });

  test("a range of the cursor holds its beginning and not its end, and leaves alone what has moved out of it", async () => {
    const { lines, facts } = await compareTwo(
      pair,
      { source: rows(...ten(), "(11, 'x', 0, 99)"), target: rows(...ten("y"), "(11, 'x', 0, 35)", "(12, 'x', 0, 30)") },
      { cursor, version: "seq", options: { range: "30..50" } },
    );
    expect(lines).toEqual(["changed 1:4 v", "changed 1:5 v", "extra 2:12"]);
    expect([facts.source.rows, facts.target.rows]).toEqual([2n, 4n]);
  });

  test("a range of keys is half-open too", async () => {
    const { lines } = await compareTwo(
      pair,
      { source: rows(...ten()), target: rows(...ten("y")) },
      { options: { range: "key:3..5" } },
    );
    expect(lines).toEqual(["changed 1:3 v", "changed 1:4 v"]);
  });

  test("its limit of differences ends it early, with what is known", async () => {
    const { differences, facts } = await compareTwo(
      pair,
      { source: rows(...ten()), target: rows(...ten("y")) },
      {
        compare: { chunkRows: 1, parallel: 1, stopAfter: { differences: 3, time: null } },
      },
    );
    expect(differences.length).toBeGreaterThanOrEqual(3);
    expect(differences.length).toBeLessThan(10);
    expect(facts.comparison?.stopped).toContain("3 differences");
  });

  test("values row by row find the same as digests", async () => {
    const tables = { source: rows(...ten(), "(20, 'a', 1, 1)"), target: rows(...ten().slice(1), "(20, 'b', 1, 1)") };
    const exact = await compareTwo(pair, tables, { options: { exact: true } });
    expect(exact.lines).toEqual(["changed 2:20 v", "missing 1:1"]);
    expect(exact.facts.comparison?.digest).toBe("values");
    expect((await compareTwo(pair, tables)).lines).toEqual(exact.lines);
  });

  test("a gentle comparison finds the same, in short chunks of its own measure", async () => {
    const many = (from: number): string[] =>
      Array.from({ length: 12_000 - from }, (_, i) => `(${i + from}, 'x', 1, 1)`);
    const tables = { source: rows(...many(1)), target: rows(...many(4)) };
    const { lines, facts } = await compareTwo(pair, tables, { compare: { gentle: true, parallel: 1 } });
    expect(lines).toEqual(["missing 1:1", "missing 1:2", "missing 1:3"]);
    // Chunks begin at 10,000 rows, whatever the table's size.
    expect(facts.comparison?.chunks).toBe(2);
  });
});

describePairs(PAIRS, "names that need quoting", (...pair) => {
  test("of columns are found in any case, renamed or not", async () => {
    const quoted = (q: string, key: string, text: string, value: string): string =>
      `create table t (${q}${key}${q} int not null primary key, ${q}${text}${q} varchar(20), ${q}select${q} int); insert into t values (1, '${value}', 1)`;
    const of = (key: string, text: string, value: string): Sql => ({
      postgres: quoted('"', key, text, value),
      mysql: quoted("`", key, text, value),
      sqlite: quoted('"', key, text, value),
    });
    const { lines } = await compareTwo(
      pair,
      { source: of("Order Id", "it's", "a"), target: of("ORDER ID", "Wért", "b") },
      { columns: { rename: { "it's": "Wért" } } },
    );
    expect(lines).toEqual(["changed 1:1 it's"]);
  });
});

describePairs(PAIRS, "a view", (...pair) => {
  test("is compared by the key that the check names", async () => {
    const view = (v: string): string =>
      `drop view if exists w; drop table if exists base; create table base (id int not null primary key, v int); insert into base values (1, 1), (2, ${v}); create view w as select id, v from base`;
    const table = { schema: null, name: "w" };
    const { lines } = await compareTwo(
      pair,
      { source: view("2"), target: view("3") },
      { key: ["id"], source: { table }, target: { table } },
    );
    expect(lines).toEqual(["changed 1:2 v"]);
  });
});

describePairs([["postgres", "postgres"]], "a partitioned table", (...pair) => {
  test("is one table", async () => {
    const parted =
      "create table t (id int not null, v int, primary key (id)) partition by range (id); create table t1 partition of t for values from (0) to (100); create table t2 partition of t for values from (100) to (200); insert into t select g, g from generate_series(1, 199) g";
    const { lines, facts } = await compareTwo(
      pair,
      { source: parted, target: `${parted}; update t set v = 0 where id = 150` },
      { compare: { chunkRows: 50 } },
    );
    expect(lines).toEqual(["changed 3:150 v"]);
    expect(facts.source.rows).toBe(199n);
  });
});

describe("every row off in the same way", () => {
  describePairs(PAIRS, "is one finding", (...pair) => {
    test("that names the way and the line that accepts it", async () => {
      const { lines, facts } = await compareTwo(pair, { source: rows(...ten("word")), target: rows(...ten("WORD")) });
      expect(lines).toEqual([]);
      expect(facts.comparison?.systematic).toEqual([
        {
          column: "v",
          transformation: "letter case was changed",
          sampled: 10,
          explained: 10,
          rows: 10n,
          accept: "columns: { treat: { v: [case] } }",
        },
      ]);
      const accepted = await compareTwo(
        pair,
        { source: rows(...ten("word")), target: rows(...ten("WORD")) },
        { columns: { treat: { v: ["case"] } }, compare: { recheck: { rounds: 1, wait: micros(0n) } } },
      );
      expect(accepted.facts.comparison?.systematic).toEqual([]);
      expect(accepted.lines).toEqual([]);
    });
  });
});
