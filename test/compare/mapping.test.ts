import { describe, expect, test } from "vitest";
import { findColumn, lookUp, pairColumns } from "../../src/compare/mapping.ts";
import { SchemaError } from "../../src/domain/errors.ts";
import { checkOf, columns, KINDS, tableOf } from "./build.ts";

const choose = (over: object) => checkOf({ columns: { ...checkOf().columns, ...over } });
const source = tableOf({ id: KINDS.integer, name: KINDS.text, paid: KINDS.boolean }, ["id"]);

describe("columns find their partners", () => {
  test("by exact name, by a name that differs in letter case alone, and by rename", () => {
    const target = tableOf({ ID: KINDS.integer, Title: KINDS.text, paid: KINDS.boolean }, ["ID"]);
    const { mapping } = pairColumns(choose({ rename: { NAME: "title" } }), source, target);
    expect(mapping.compared.map((c) => [c.source, c.target])).toEqual([
      ["id", "ID"],
      ["name", "Title"],
      ["paid", "paid"],
    ]);
    expect(mapping.key.map((c) => c.source)).toEqual(["id"]);
  });

  test("two names that differ in case alone are not guessed at", () => {
    expect(findColumn(tableOf({ a: KINDS.text, A: KINDS.text }, []), "a")?.name).toBe("a");
    expect(findColumn(tableOf({ Aa: KINDS.text, aA: KINDS.text }, []), "aa")).toBeNull();
  });

  test("a renamed column is not also taken by its own name", () => {
    const target = tableOf({ id: KINDS.integer, name: KINDS.text, title: KINDS.text, paid: KINDS.boolean }, ["id"]);
    const { mapping } = pairColumns(choose({ rename: { name: "title" } }), source, target);
    expect(mapping.compared.map((c) => c.target)).toEqual(["id", "title", "paid"]);
    expect(mapping.missingInSource).toEqual(["name"]);
  });

  test("names of a check are found whatever their case", () => {
    expect(lookUp({ Amount: 1 }, "amount")).toBe(1);
    expect(lookUp({ Amount: 1 }, "name")).toBeUndefined();
  });
});

describe("columns of one side", () => {
  test("are told, each with its side", () => {
    const target = tableOf({ id: KINDS.integer, name: KINDS.text, extra: KINDS.text }, ["id"]);
    const { mapping } = pairColumns(checkOf(), source, target);
    expect(mapping.missingInTarget).toEqual(["paid"]);
    expect(mapping.missingInSource).toEqual(["extra"]);
    expect(mapping.notCompared).toEqual([
      { column: "paid", side: "source", why: "the target has no such column" },
      { column: "extra", side: "target", why: "the source has no such column" },
    ]);
  });

  test("are no surprise where the check leaves them out, or where they are stamps", () => {
    const stamped = tableOf({ id: KINDS.integer, name: KINDS.text, loaded_at: KINDS.instant }, ["id"]);
    const target = tableOf({ id: KINDS.integer, name: KINDS.text, _loaded: KINDS.instant }, ["id"]);
    const check = { ...checkOf(), arrival: { by: "column" as const, column: "loaded_at" }, loaded: "_loaded" };
    expect(pairColumns(check, stamped, target).mapping.notCompared).toEqual([]);
    expect(
      pairColumns(
        choose({ exclude: ["paid", "extra"] }),
        source,
        tableOf({ id: KINDS.integer, name: KINDS.text, extra: KINDS.text }, ["id"]),
      ).mapping.notCompared,
    ).toEqual([]);
  });

  test("`only` compares these, and the key all the same", () => {
    const { mapping } = pairColumns(choose({ only: ["paid"] }), source, source);
    expect(mapping.compared.map((c) => c.source)).toEqual(["id", "paid"]);
    expect(mapping.missingInTarget).toEqual([]);
  });

  test("a pair without a common text form is not compared, with the reason", () => {
    const target = tableOf({ id: KINDS.integer, name: KINDS.integer, paid: KINDS.boolean }, ["id"]);
    const { mapping } = pairColumns(checkOf(), source, target);
    expect(mapping.notCompared).toEqual([
      { column: "name", side: "both", why: "text against integer: no common text form" },
    ]);
  });
});

describe("the key", () => {
  const bare = (key: readonly string[]) => ({ name: "u", columns: key, unique: true, primary: false, byteOrder: true });

  test("is the check's, in its order", () => {
    const { mapping } = pairColumns(checkOf({ key: ["name", "id"] }), source, source);
    expect(mapping.key.map((c) => c.source)).toEqual(["name", "id"]);
  });

  test("is else the source's primary key, a unique index without NULLs, or the target's", () => {
    const kinds = { a: KINDS.integer, b: KINDS.text };
    const plain = tableOf(kinds, []);
    const indexed = { ...plain, columns: columns(kinds, ["b"]), indexes: [bare(["b"])] };
    expect(pairColumns(checkOf(), indexed, plain).mapping.key.map((c) => c.source)).toEqual(["b"]);
    const keyed = { ...plain, columns: columns(kinds, ["a"]) };
    expect(pairColumns(checkOf(), keyed, tableOf(kinds, ["a"])).mapping.key.map((c) => c.source)).toEqual(["a"]);
  });

  test("is asked for where nothing tells rows apart, and a nullable unique index does not", () => {
    const kinds = { a: KINDS.integer };
    const nullable = { ...tableOf(kinds, []), indexes: [bare(["a"])] };
    expect(() => pairColumns(checkOf(), nullable, tableOf(kinds, []))).toThrow(SchemaError);
  });

  test("without a partner is an error that says what to add", () => {
    expect(() => pairColumns(checkOf(), source, tableOf({ nr: KINDS.integer }, ["nr"]))).toThrow(
      /key column id has no partner/,
    );
  });
});

test("a column that is not there is named with the columns that are", () => {
  const wrong = choose({ tolerance: { amont: "0.01" } });
  expect(() => pairColumns(wrong, source, source)).toThrow(/no column amont/);
});

describe("treatments", () => {
  const timed = tableOf({ id: KINDS.integer, at: KINDS.local, note: KINDS.text }, ["id"]);

  test("`second` and `millisecond` cut on both servers, so that texts still prove", () => {
    const { compared } = pairColumns(choose({ treat: { at: ["second"] } }), timed, timed);
    expect(compared[1]?.agreement).toMatchObject({ as: { as: "local", precision: 0 }, exact: true, rounded: false });
  });

  test("other treatments and tolerances leave it to the values", () => {
    const { compared } = pairColumns(choose({ treat: { note: ["trim"] } }), timed, timed);
    expect(compared[2]?.agreement.exact).toBe(false);
    expect(pairColumns(choose({ treat: { note: ["json"] } }), timed, timed).compared[2]?.agreement).toMatchObject({
      as: { as: "json" },
      exact: false,
    });
  });
});

test("all columns that a check names and that are not there are told at once, with their roles and the nearest names", () => {
  const check = {
    ...choose({ only: ["id", "nane"], rename: { name: "titel" }, tolerance: { nane: 0.1 } }),
    cursor: { column: "changed", unit: null, page: 1n },
    version: "lsn",
    loaded: "at",
  };
  const target = tableOf({ id: KINDS.integer, title: KINDS.text }, ["id"]);
  const told = (): unknown => pairColumns(check as unknown as Parameters<typeof pairColumns>[0], source, target);
  expect(told).toThrow(SchemaError);
  expect(told).toThrow(
    /has no column nane \(columns.only, columns.tolerance\), did you mean name\?; no column changed \(cursor\); no column lsn \(version\); \S+ has no column titel \(columns.rename of name\), did you mean title\?; no column at \(loaded\)/,
  );
});
