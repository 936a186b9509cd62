import { afterAll, beforeAll, expect, test } from "vitest";
import type { AgreedKind } from "../../../src/domain/kind.ts";
import type { Database } from "../../../src/sql/session.ts";
import { name, raw, sql } from "../../../src/sql/statement.ts";
import { describeEngine, freshDatabase, type TestDatabase } from "../../support/databases.ts";
import { open } from "../../support/open.ts";
import { ask, bind, isHeld } from "../contract.ts";
import { literalOf, VECTORS } from "../vectors.ts";

describeEngine("postgres", "the typed hash", () => {
  let server: TestDatabase;
  let database: Database;
  let tables = 0;
  beforeAll(async () => {
    server = await freshDatabase("postgres", {
      load: "create type tm_vector_mood as enum ('b c', 'a'); create domain tm_vector_domain as varchar(20)",
    });
    database = await open(server.url);
  });
  afterAll(async () => {
    await database?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  /** The hashes of rows of a new table, in their order. */
  async function hashes(
    types: readonly string[],
    as: readonly AgreedKind[],
    rows: readonly (readonly string[])[],
    more: { readonly zone?: string; readonly rounding?: "cut" | "round" } = {},
  ): Promise<readonly (string | null)[]> {
    const table = `hashed_${tables++}`;
    await server.run(`create table ${table} (n serial, ${types.map((type, i) => `c${i} ${type}`).join(", ")})`);
    for (const row of rows) await server.run(`insert into ${table} values (default, ${row.join(", ")})`);
    const info = await database.describe({ schema: null, name: table });
    const hash = database.dialect.typedHash(
      types.map((_, i) => bind(info, `c${i}`, { as: as[i] ?? { as: "other" }, ...more })),
    );
    if (hash === null) return [];
    const found = await ask(database, sql`SELECT (${hash})::text FROM ${name(table)} ORDER BY ${raw("n")}`);
    return found.map((row) => row[0] ?? null);
  }

  const decimal: AgreedKind = { as: "decimal", scale: null };
  const float: AgreedKind = { as: "float", bits: 64 };
  const integer: AgreedKind = { as: "integer" };
  const text: AgreedKind = { as: "text" };
  const json: AgreedKind = { as: "json" };

  test("every value hashes to a number, and its NULL to another", async () => {
    const alike: string[] = [];
    for (const vector of VECTORS) {
      const literal = literalOf(vector, "postgres");
      if (literal === null || vector.text === null || !isHeld(database, literal)) continue;
      const found = await hashes([literal.type], [vector.as], [[literal.sql], ["NULL"]], vector);
      if (found.length === 0) {
        // Only what one side's type alone cannot say: the other side would have to say it alike.
        expect([vector.as.as, literal.type]).toEqual(["uuid", expect.not.stringMatching(/^uuid$/)]);
        continue;
      }
      expect(found).toEqual([expect.stringMatching(/^-?\d+$/), expect.stringMatching(/^-?\d+$/)]);
      if (found[0] === found[1]) alike.push(vector.name);
    }
    expect(alike).toEqual([]);
  });

  test.each([
    [
      "integers of any width",
      integer,
      [
        ["smallint", "7"],
        ["integer", "7"],
        ["bigint", "7"],
        ["oid", "7"],
      ],
    ],
    [
      "decimals by value",
      decimal,
      [
        ["numeric", "1.10"],
        ["numeric(12,4)", "1.1"],
        ["numeric(3,1)", "1.1"],
      ],
    ],
    [
      "an integer as a decimal",
      decimal,
      [
        ["integer", "7"],
        ["numeric", "7.000"],
        ["bigint not null", "7"],
      ],
    ],
    [
      "doubles and singles",
      float,
      [
        ["double precision", "0.5"],
        ["real", "0.5"],
        ["real", "'5e-1'"],
      ],
    ],
    [
      "zeros of both signs",
      float,
      [
        ["double precision", "'-0'"],
        ["double precision", "0"],
      ],
    ],
    [
      "texts of any type",
      text,
      [
        ["text", "'b c'"],
        ["varchar(9)", "'b c'"],
        ["char(9)", "'b c'"],
        ["name", "'b c'"],
        ["tm_vector_mood", "'b c'"],
        ["tm_vector_domain", "'b c'"],
        ['text collate "en-x-icu"', "'b c'"],
        ["text not null", "'b c'"],
      ],
    ],
    [
      "dates as moments",
      { as: "local", precision: 6 },
      [
        ["date", "'2026-06-01'"],
        ["timestamp", "'2026-06-01'"],
        ["timestamp(0)", "'2026-06-01'"],
      ],
    ],
    [
      "moments cut to a precision",
      { as: "instant", precision: 3 },
      [
        ["timestamptz", "'2026-06-01 00:00:00.9996+00'"],
        ["timestamp(3)", "'2026-06-01 00:00:00.999'"],
        ["timestamptz(3)", "'2026-06-01 00:00:00.999+00'"],
      ],
    ],
    [
      "times cut to a precision",
      { as: "time", precision: 3, zoned: false },
      [
        ["time", "'10:00:00.9996'"],
        ["time(3)", "'10:00:00.999'"],
      ],
    ],
    [
      "booleans and small integers",
      { as: "boolean" },
      [
        ["boolean", "true"],
        ["smallint", "1"],
        ["bit(1)", "B'1'"],
      ],
    ],
  ] as const)("is the same for %s", async (_, as, spellings) => {
    const found = [];
    for (const [type, literal] of spellings) found.push(...(await hashes([type], [as], [[literal]])));
    expect(found.length).toBe(spellings.length);
    expect(new Set(found).size).toBe(1);
  });

  test.each([
    [
      "zeros that change places with a double",
      ["float8", "float8"],
      [float, float],
      [
        ["0", "5"],
        ["5", "0"],
        ["0", "0"],
        ["5", "5"],
        ["NULL", "5"],
        ["5", "NULL"],
      ],
    ],
    [
      "zeros and NaN that change places",
      ["numeric", "numeric"],
      [decimal, decimal],
      [
        ["0", "'NaN'"],
        ["'NaN'", "0"],
        ["0", "0"],
        ["'NaN'", "'NaN'"],
        ["1", "10000"],
        ["10000", "1"],
      ],
    ],
    [
      "a decimal beside a double",
      ["numeric", "float8"],
      [decimal, float],
      [
        ["0", "5"],
        ["5", "0"],
        ["'NaN'", "0"],
        ["0", "'NaN'"],
        ["'NaN'", "'NaN'"],
      ],
    ],
    [
      "integers in different columns",
      ["int", "int"],
      [integer, integer],
      [
        ["1", "2"],
        ["2", "1"],
        ["NULL", "1"],
        ["1", "NULL"],
        ["0", "1"],
        ["1", "0"],
        ["NULL", "NULL"],
        ["0", "0"],
      ],
    ],
    [
      "texts and NULLs",
      ["text", "text"],
      [text, text],
      [
        ["''", "NULL"],
        ["NULL", "''"],
        ["''", "''"],
        ["' '", "''"],
        ["'x0'", "'y'"],
        ["'x'", "'0y'"],
      ],
    ],
    [
      "the ends of dates",
      ["date"],
      [{ as: "date" }],
      [["'infinity'"], ["'-infinity'"], ["'2000-01-01'"], ["'0044-03-15 BC'"], ["'5874897-12-31'"], ["NULL"]],
    ],
    [
      "the ends of moments",
      ["timestamptz"],
      [{ as: "instant", precision: 3 }],
      [["'infinity'"], ["'-infinity'"], ["'epoch'"], ["NULL"]],
    ],
    [
      "nested JSON",
      ["jsonb"],
      [json],
      [["'[1]'"], ["'[[[1]]]'"], ["'[[1],[2]]'"], ["'[[1,2],[]]'"], ["'null'"], ["NULL"]],
    ],
    [
      "offsets",
      ["timetz"],
      [{ as: "time", precision: 6, zoned: true }],
      [["'12:00+01'"], ["'11:00+00'"], ["'12:00+00'"]],
    ],
  ] as const)("tells %s apart", async (_, types, as, rows) => {
    const found = await hashes(types, as, rows);
    expect(found.length).toBe(rows.length);
    expect(new Set(found).size).toBe(rows.length);
  });

  test("tells NaN and the infinities of a numeric apart", async ({ skip }) => {
    if (Number.parseInt(database.server.version, 10) < 14) skip("no infinite numeric before version 14");
    const rows = [["'NaN'"], ["'Infinity'"], ["'-Infinity'"], ["0"], ["NULL"]];
    expect(new Set(await hashes(["numeric"], [decimal], rows)).size).toBe(rows.length);
  });

  test("rows whose decimals changed places have another sum", async () => {
    const sum = async (pairs: readonly (readonly [string, string])[]): Promise<bigint> =>
      (await hashes(["int", "numeric"], [integer, decimal], pairs)).reduce((total, h) => total + BigInt(h ?? "0"), 0n);
    for (let id = 1; id < 20; id += 2) {
      const [a, b] = [String(id), String(id + 1)];
      expect(
        await sum([
          [a, "1"],
          [b, "10000"],
        ]),
      ).not.toBe(
        await sum([
          [a, "10000"],
          [b, "1"],
        ]),
      );
    }
  });

  test("a column more than a number has bits still has its NULL seen", async () => {
    const types = Array.from({ length: 70 }, () => "int");
    const kinds = types.map(() => integer);
    const rows = [null, 0, 61, 62, 69].map((absent) => types.map((_, i) => (i === absent ? "NULL" : "0")));
    expect(new Set(await hashes(types, kinds, rows)).size).toBe(rows.length);
  });
});
