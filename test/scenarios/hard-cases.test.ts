import { describe, expect, test } from "vitest";
import { describePairs, type TestEngine } from "../support/databases.ts";
import { compareTwo, type Sql } from "./two-tables.ts";

type Pair = readonly [TestEngine, TestEngine];

const ALL: readonly Pair[] = [
  ["postgres", "postgres"],
  ["postgres", "mariadb"],
  ["mariadb", "postgres"],
  ["mariadb", "mariadb"],
  ["sqlite", "sqlite"],
  ["postgres", "sqlite"],
  ["mysql", "mysql"],
  ["postgres", "mysql"],
];

const texts = (rows: readonly (readonly [number, ...(string | null)[]])[], columns = 1): Sql => {
  const names = ["a", "b", "c"].slice(0, columns);
  const literal = (family: "mysql" | "other") => (v: string | number | null) =>
    v === null
      ? "null"
      : typeof v === "number"
        ? `${v}`
        : `'${(family === "mysql" ? v.replaceAll("\\", "\\\\") : v).replaceAll("'", "''")}'`;
  const make = (type: string, tail: string, family: "mysql" | "other"): string =>
    [
      `create table t (id int primary key, ${names.map((n) => `${n} ${type}`).join(", ")})${tail}`,
      ...(rows.length > 0
        ? [`insert into t values ${rows.map((r) => `(${r.map(literal(family)).join(", ")})`).join(", ")}`]
        : []),
    ].join(";");
  return {
    postgres: make("text", "", "other"),
    mysql: make("varchar(1000)", " character set utf8mb4", "mysql"),
    sqlite: make("text", "", "other"),
  };
};

const numbered = (n: number, value: (i: number) => string): (readonly [number, string])[] =>
  Array.from({ length: n }, (_, i) => [i + 1, value(i)] as const);

describePairs(ALL, "rows that cancel, run together or look like nothing", (...pair) => {
  test("1 · an even number of rows that all changed in the same way differ", async () => {
    const { lines } = await compareTwo(pair, {
      source: texts(numbered(4, () => "N")),
      target: texts(numbered(4, () => "P")),
    });
    expect(lines).toEqual(["changed 1:1 a", "changed 1:2 a", "changed 1:3 a", "changed 1:4 a"]);
  });

  test("1 · two rows that swapped their values differ", async () => {
    const { lines } = await compareTwo(pair, {
      source: texts([
        [1, "x"],
        [2, "y"],
      ]),
      target: texts([
        [1, "y"],
        [2, "x"],
      ]),
    });
    expect(lines).toEqual(["changed 1:1 a", "changed 1:2 a"]);
  });

  test("2 · values that would run into their neighbours differ", async () => {
    const source = [
      [1, "x0", "y"],
      [2, "a|b", "c"],
      [3, "a#b", "c"],
      [4, "a,b", "c"],
      [5, "a\\", "b"],
      [6, "a\n", "b"],
      [7, "1:a", ""],
      [8, "N", null],
      [9, "", "N"],
    ] as const;
    const target = [
      [1, "x", "0y"],
      [2, "a", "b|c"],
      [3, "a", "b#c"],
      [4, "a", "b,c"],
      [5, "a", "\\b"],
      [6, "a", "\nb"],
      [7, "", "1:a"],
      [8, null, "N"],
      [9, "N", ""],
    ] as const;
    const { lines } = await compareTwo(pair, { source: texts(source, 2), target: texts(target, 2) });
    expect(lines).toEqual(source.map(([id]) => `changed 1:${id} a,b`));
    expect((await compareTwo(pair, { source: texts(source, 2), target: texts(source, 2) })).lines).toEqual([]);
  });

  test("3 · NULL and what is printed for it are different rows", async () => {
    const values = [null, "", " ", "NULL", "<null>", "\\N", "N", "0:"];
    const rows = values
      .flatMap((a, i) => values.map((b, j) => ({ id: i * 10 + j + 1, a, b })))
      .filter((r) => r.a !== r.b);
    const { lines } = await compareTwo(pair, {
      source: texts(rows.map((r) => [r.id, r.a])),
      target: texts(rows.map((r) => [r.id, r.b])),
    });
    expect(lines).toHaveLength(rows.length);
  });

  test("5 · 900 × a is not 900 × b", async () => {
    const { lines } = await compareTwo(pair, {
      source: texts([[1, "a".repeat(900)]]),
      target: texts([[1, "b".repeat(900)]]),
    });
    expect(lines).toEqual(["changed 1:1 a"]);
  });

  test("6 · characters of four bytes are themselves, and combining is not composed", async () => {
    const values = ["😀", "🚀", "é", "e\u0301", "𝒳", "a\u{10ffff}", "日本", "\u200b", ""];
    const same = values.map((v, i) => [i + 1, v] as const);
    expect((await compareTwo(pair, { source: texts(same), target: texts(same) })).lines).toEqual([]);
    const rotated = values.map((_, i) => [i + 1, values[(i + 1) % values.length]!] as const);
    expect((await compareTwo(pair, { source: texts(same), target: texts(rotated) })).lines).toHaveLength(values.length);
  });
});

/** A table of one column of a type by family, and its values. */
const column = (
  types: { readonly postgres: string; readonly mysql: string; readonly sqlite: string },
  values: readonly string[],
  by: {
    readonly mysql?: (v: string) => string;
    readonly sqlite?: (v: string) => string;
    readonly postgres?: (v: string) => string;
  } = {},
): Sql => {
  const make = (family: "postgres" | "mysql" | "sqlite"): string =>
    `create table t (id int primary key, v ${types[family]}); insert into t values ${values.map((v, i) => `(${i + 1}, ${(by[family] ?? ((x: string) => x))(v)})`).join(", ")}`;
  return { postgres: make("postgres"), mysql: make("mysql"), sqlite: make("sqlite") };
};

describePairs(ALL, "numbers", (...pair) => {
  test("7 · 2⁵³ and its neighbour are different values, and different keys", async () => {
    const big = { postgres: "bigint", mysql: "bigint", sqlite: "bigint" };
    const { lines } = await compareTwo(pair, {
      source: column(big, ["9007199254740992", "1234567890123456789"]),
      target: column(big, ["9007199254740993", "1234567890123456788"]),
    });
    expect(lines).toEqual(["changed 1:1 v", "changed 1:2 v"]);
    const keys = (...ids: string[]): string =>
      `create table t (id bigint primary key, v int); insert into t values ${ids.map((id) => `(${id}, 1)`).join(", ")}`;
    const byKey = await compareTwo(pair, {
      source: keys("9007199254740992", "9223372036854775807"),
      target: keys("9007199254740993", "9223372036854775807"),
    });
    expect(byKey.lines).toEqual(["extra 16:9007199254740993", "missing 16:9007199254740992"]);
  });

  test("7 · decimals are equal by value, zero has no sign", async () => {
    const wide = { postgres: "numeric", mysql: "decimal(20,6)", sqlite: "numeric" };
    const { lines } = await compareTwo(pair, {
      source: column(wide, ["1.10", "-0.0", "100", "0.5"]),
      target: column(wide, ["1.1", "0", "100.00", "0.50"]),
    });
    expect(lines).toEqual([]);
  });

  test("8 · doubles differ where their bits do, and not where only their spelling does", async () => {
    const double = { postgres: "double precision", mysql: "double", sqlite: "double" };
    const source = ["1e-14", "1e26", "0.30000000000000004", "-0.0", "1.5e300", "123456.789"];
    const target = ["4e-14", "1.0000000000000002e26", "0.3", "0", "15e299", "123456.789"];
    const { lines } = await compareTwo(pair, { source: column(double, source), target: column(double, target) });
    expect(lines).toEqual(["changed 1:1 v", "changed 1:2 v", "changed 1:3 v"]);
  });

  test("8 · 0.0 and NULL differ", async () => {
    const double = { postgres: "double precision", mysql: "double", sqlite: "double" };
    expect(
      (await compareTwo(pair, { source: column(double, ["0.0", "null"]), target: column(double, ["null", "0.0"]) }))
        .lines,
    ).toHaveLength(2);
  });
});

const SERVERS: readonly Pair[] = ALL.filter((pair) => !pair.includes("sqlite"));

describePairs(SERVERS, "numbers that only servers hold", (...pair) => {
  test("7 · 38 digits that differ in the last", async () => {
    const wide = { postgres: "numeric(38,10)", mysql: "decimal(38,10)", sqlite: "" };
    const one = "1234567890123456789012345678.0123456789";
    const { lines } = await compareTwo(pair, {
      source: column(wide, [one, one]),
      target: column(wide, [one.replace(/9$/, "8"), one]),
    });
    expect(lines).toEqual(["changed 1:1 v"]);
  });

  test("8 · single precision is told apart at its own", async () => {
    const single = { postgres: "real", mysql: "float", sqlite: "real" };
    const { lines } = await compareTwo(pair, {
      source: column(single, ["1.2345671", "0.1", "16777217"]),
      target: column(single, ["1.2345679", "0.1", "16777217"]),
    });
    expect(lines).toEqual(["changed 1:1 v"]);
  });
});

describePairs([["postgres", "postgres"]], "values that are no numbers", (...pair) => {
  test("8 · NaN and the infinities are themselves", async () => {
    for (const type of ["double precision", "real", "numeric"]) {
      const of = (...values: string[]): string =>
        `create table t (id int primary key, v ${type}); insert into t values ${values.map((v, i) => `(${i}, '${v}')`).join(", ")}`;
      const { lines } = await compareTwo(pair, {
        source: of("NaN", "Infinity", "-Infinity", "0", "NaN"),
        target: of("NaN", "Infinity", "-Infinity", "NaN", "Infinity"),
      });
      expect(lines, type).toEqual(["changed 1:3 v", "changed 1:4 v"]);
    }
  });
});

describe("keys", () => {
  describePairs(SERVERS, "of text under collations", (...pair) => {
    const keyed = (collate: string, ids: readonly string[]): Sql => ({
      postgres: `create table t (id text primary key, v int); insert into t select id, 1 from unnest(array[${ids.map((id) => `'${id}'`).join(", ")}]) id`,
      mysql: `create table t (id varchar(50) character set utf8mb4 collate ${collate} primary key, v int); insert into t values ${ids.map((id) => `('${id}', 1)`).join(", ")}`,
    });

    test("11 · are the same rows, however a server orders them", async () => {
      const ids = ["a-1", "a_1", "B", "b2", "é", "z", "Z9", "10", "9", "a 1", "ab"];
      const same = keyed("utf8mb4_general_ci", ids);
      for (const chunkRows of [1, 3, "auto"] as const) {
        const { facts, lines } = await compareTwo(pair, { source: same, target: same }, { compare: { chunkRows } });
        expect(lines).toEqual([]);
        expect([facts.source.rows, facts.target.rows]).toEqual([11n, 11n]);
      }
    });

    test("11 · 'a' and 'A' are two rows", async () => {
      const both = keyed("utf8mb4_bin", ["a", "A"]);
      const one = keyed("utf8mb4_general_ci", ["a"]);
      expect((await compareTwo(pair, { source: both, target: one })).lines).toEqual(["missing 1:A"]);
      expect((await compareTwo(pair, { source: one, target: both })).lines).toEqual(["extra 1:A"]);
    });
  });

  describePairs(
    SERVERS.filter(([source]) => source === "postgres"),
    "that are uuids",
    (...pair) => {
      test("10 · in capitals in a CHAR(36) are the same rows, and the report says how they were compared", async () => {
        const id = "6f9619ff-8b86-d011-b42d-00c04fc964ff";
        const capitals: Sql = {
          postgres: `create table t (id char(36) primary key, v int); insert into t values ('${id.toUpperCase()}', 1)`,
          mysql: `create table t (id char(36) primary key, v int); insert into t values ('${id.toUpperCase()}', 1)`,
        };
        const { lines, facts } = await compareTwo(pair, {
          source: `create table t (id uuid primary key, v int); insert into t values ('${id}', 1)`,
          target: capitals,
        });
        expect(lines).toEqual([]);
        expect(facts.comparison?.notes.join()).toMatch(/uuid/);
      });

      test("10 · and a changed row under them is looked up", async () => {
        const id = "6f9619ff-8b86-d011-b42d-00c04fc964ff";
        const capitals = `create table t (id char(36) primary key, v int); insert into t values ('${id.toUpperCase()}', 2)`;
        const { lines } = await compareTwo(pair, {
          source: `create table t (id uuid primary key, v int); insert into t values ('${id}', 1)`,
          target: capitals,
        });
        expect(lines).toEqual([`changed 32:${id.replaceAll("-", "")} v`]);
      });
    },
  );

  describePairs(ALL, "that stand more than once", (...pair) => {
    const copies = (...rows: readonly string[]): string =>
      `create table t (id int, v varchar(10)); insert into t values ${rows.map((v) => `(1, '${v}')`).join(", ")}, (2, 'x')`;

    test("4 · two copies of A are not two copies of B, and it is said that the key is no key", async () => {
      const { lines, facts } = await compareTwo(
        pair,
        { source: copies("A", "A"), target: copies("B", "B") },
        { key: ["id"] },
      );
      expect(lines).toEqual(["changed 1:1 v"]);
      expect(facts.comparison?.duplicates).toMatchObject([
        { side: "source", keys: 1n, rows: 2n, sample: [["1"]] },
        { side: "target", keys: 1n, rows: 2n },
      ]);
    });

    test("4 · the same copies in another order are the same", async () => {
      const { lines, facts } = await compareTwo(
        pair,
        { source: copies("A", "B"), target: copies("B", "A") },
        { key: ["id"] },
      );
      expect(lines).toEqual([]);
      expect(facts.comparison?.duplicates).toHaveLength(2);
    });
  });

  describePairs(ALL, "with NULLs", (...pair) => {
    test("are keys like others", async () => {
      const rows = (...values: string[]): string =>
        `create table t (a int, b int, v int); insert into t values ${values.join(", ")}`;
      const { lines } = await compareTwo(
        pair,
        {
          source: rows("(1, null, 1)", "(null, 1, 1)", "(null, null, 1)", "(1, 1, 1)"),
          target: rows("(1, null, 2)", "(null, 1, 1)", "(1, 1, 1)"),
        },
        { key: ["a", "b"] },
      );
      expect(lines).toEqual(["changed 1:1n v", "missing nn"]);
    });
  });
});

describePairs(SERVERS, "padding", (...pair) => {
  test("12 · of a CHAR is no difference, blanks of a VARCHAR are", async () => {
    const { lines } = await compareTwo(pair, {
      source:
        "create table t (id int primary key, c char(10), v varchar(10)); insert into t values (1, 'ab', 'x'), (2, 'ab', 'x ')",
      target:
        "create table t (id int primary key, c varchar(10), v varchar(10)); insert into t values (1, 'ab', 'x'), (2, 'ab', 'x')",
    });
    expect(lines).toEqual(["changed 1:2 v"]);
  });
});

describePairs(ALL, "JSON", (...pair) => {
  const json = (...values: string[]): Sql =>
    column({ postgres: "jsonb", mysql: "json", sqlite: "json" }, values, {
      postgres: (v) => `'${v}'`,
      mysql: (v) => `'${v}'`,
      sqlite: (v) => `'${v}'`,
    });

  test("15 · is equal by value, and 2⁵³ + 1 inside it stays what it is", async () => {
    const { lines } = await compareTwo(pair, {
      source: json('{"a":1,"b":2}', '{"n":9007199254740993}', "[1,2]", '{"a":"é"}'),
      target: json('{"b":2,"a":1}', '{"n":9007199254740992}', "[2,1]", '{"a":"\\u00e9"}'.replaceAll("\\u00e9", "é")),
    });
    expect(lines).toEqual(["changed 1:2 v", "changed 1:3 v"]);
  });
});

describePairs(
  [
    ["postgres", "mariadb"],
    ["postgres", "mysql"],
  ],
  "a boolean against a small integer",
  (...pair) => {
    test("16 · 2 is not true", async () => {
      const { lines } = await compareTwo(pair, {
        source:
          "create table t (id int primary key, v boolean); insert into t values (1, true), (2, false), (3, true), (4, null)",
        target:
          "create table t (id int primary key, v tinyint(1)); insert into t values (1, 1), (2, 0), (3, 2), (4, null)",
      });
      expect(lines).toEqual(["changed 1:3 v"]);
    });
  },
);
