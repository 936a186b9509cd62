import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accuse, group, judge, suspects } from "../../src/compare/pair.ts";
import type { ComparisonPlan, Scope } from "../../src/compare/plan.ts";
import type { FullRow, Sketch } from "../../src/compare/question.ts";
import { windowOf } from "../../src/domain/window.ts";
import { checkOf, EVERYTHING, KINDS, planOf, tableOf } from "./build.ts";

const table = tableOf({ id: KINDS.integer, name: KINDS.text, seq: KINDS.integer }, ["id"]);
const check = checkOf({ cursor: { column: "seq", unit: "sequence", page: 1000 }, version: "seq" });
const plan = planOf(check, table, table);
const scoped = (scope: Partial<Scope>): ComparisonPlan => ({ ...plan, scope: { ...EVERYTHING, ...scope } });

const row = (id: number, name: string | null, seq: bigint | null): FullRow => ({
  key: [`${id}`],
  copy: { cursor: seq, version: seq === null ? null : `${seq}`, arrival: null, loaded: null },
  values: [`${id}`, name, seq === null ? null : `${seq}`],
});

const verdict = (source: FullRow[], target: FullRow[], by: ComparisonPlan = plan) =>
  judge({ key: ["1"], source, target }, by).difference;

describe("one key, both sides", () => {
  test("the same row is innocent, an absent one is missing or extra, another one changed with its columns", () => {
    const a = row(1, "a", 5n);
    expect(verdict([a], [a])).toBeNull();
    expect(verdict([a], [])).toMatchObject({ type: "missing", source: { cursor: 5n } });
    expect(verdict([], [a])).toMatchObject({ type: "extra", target: { cursor: 5n } });
    expect(verdict([a], [row(1, "b", 5n)])).toMatchObject({ type: "changed", columns: ["name"], order: "same" });
    expect(verdict([], [])).toBeNull();
  });

  test("the version says which copy is newer, and NULL is older than any", () => {
    expect(verdict([row(1, "a", 6n)], [row(1, "b", 5n)])).toMatchObject({
      order: "source-newer",
      columns: ["name", "seq"],
    });
    expect(verdict([row(1, "a", 5n)], [row(1, "a", 6n)])).toMatchObject({ order: "target-newer", columns: ["seq"] });
    expect(verdict([row(1, "a", 1n)], [row(1, "a", null)])).toMatchObject({ order: "source-newer" });
    expect(verdict([row(1, "a", 10n)], [row(1, "b", 9n)])).toMatchObject({ order: "source-newer" });
    expect(verdict([row(1, "a", 1n)], [row(1, "b", 2n)], { ...plan, version: null })).toMatchObject({ order: "none" });
  });
});

describe("copies under one key are compared as sets", () => {
  const [a, b, c] = [row(1, "a", 1n), row(1, "b", 1n), row(1, "c", 1n)];

  test("however often each stands there, in whatever order", () => {
    expect(verdict([a, b], [b, a])).toBeNull();
    expect(verdict([a, a, b], [a, b, b])).toBeNull();
    expect(verdict([a], [a, a])).toBeNull();
  });

  test("and two copies of one row are not two copies of another", () => {
    expect(verdict([a, a], [b, b])).toMatchObject({ type: "changed", columns: ["name"] });
    expect(verdict([a, b], [a, c])).toMatchObject({ type: "changed", columns: ["name"] });
    expect(verdict([a], [a, b])).toMatchObject({ type: "changed" });
    expect(verdict([a, b], [a])).toMatchObject({ type: "changed" });
  });
});

describe("what is in question", () => {
  const range = windowOf(10n, 20n, "[)");

  test("is decided by the source's cursor, and by the target's where the source has no row", () => {
    expect(verdict([row(1, "a", 5n)], [], scoped({ range }))).toBeNull();
    expect(verdict([row(1, "a", 10n)], [], scoped({ range }))).toMatchObject({ type: "missing" });
    expect(verdict([], [row(1, "a", 20n)], scoped({ range }))).toBeNull();
    expect(verdict([], [row(1, "a", 19n)], scoped({ range }))).toMatchObject({ type: "extra" });
    expect(verdict([row(1, "a", null)], [], scoped({ range }))).toBeNull();
  });

  test("leaves a row alone whose source copy has moved out of the range, and takes one whose target copy has", () => {
    expect(verdict([row(1, "a", 25n)], [row(1, "a", 15n)], scoped({ range }))).toBeNull();
    expect(verdict([row(1, "a", 15n)], [row(1, "a", 5n)], scoped({ range }))).toMatchObject({
      type: "changed",
      columns: ["seq"],
    });
  });

  test("rows younger than settle are not judged, on either side; without a cursor or from the future they are", () => {
    const settled = scoped({ settledUntil: 100n, futureAfter: 200n });
    expect(verdict([row(1, "a", 101n)], [], settled)).toBeNull();
    expect(verdict([row(1, "a", 100n)], [], settled)).toMatchObject({ type: "missing" });
    expect(verdict([row(1, "a", 201n)], [], settled)).toMatchObject({ type: "missing" });
    expect(verdict([row(1, "a", 200n)], [], settled)).toBeNull();
    expect(verdict([row(1, "a", null)], [], settled)).toMatchObject({ type: "missing" });
    expect(verdict([row(1, "a", 50n)], [row(1, "b", 150n)], settled)).toBeNull();
  });
});

describe("sketches", () => {
  const sketch = (id: number, hash: string | null, ...values: (string | null)[]): Sketch => ({
    key: [`${id}`],
    hash,
    copy: row(id, null, 1n).copy,
    values,
  });

  test("clear rows with equal hashes, and suspect the rest", () => {
    const rows = {
      source: [sketch(1, "7"), sketch(2, "8"), sketch(3, "9")],
      target: [sketch(2, "8"), sketch(3, "1"), sketch(4, "4")],
    };
    expect(suspects(rows, plan).groups.map((g) => g.key)).toEqual([["1"], ["3"], ["4"]]);
  });

  test("one side may print hashes as signed numbers, and the other as unsigned ones", () => {
    const rows = (source: string, target: string): number =>
      suspects({ source: [sketch(1, source)], target: [sketch(1, target)] }, plan).groups.length;
    expect(rows("-1", "18446744073709551615")).toBe(0);
    expect(rows("-9223372036854775808", "9223372036854775808")).toBe(0);
    expect(rows("-1", "1")).toBe(1);
    expect(rows("-1", "-2")).toBe(1);
    expect(rows("18446744073709551615", "18446744073709551614")).toBe(1);
  });

  test("what is suspected does not depend on the order in which rows come, nor on whether keys stand more than once", () => {
    const side = fc.array(fc.tuple(fc.integer({ min: -3, max: 12 }), fc.constantFrom("5", "6", null)), {
      maxLength: 12,
    });
    const byKey = (a: Sketch, b: Sketch): number => Number(a.key[0]) - Number(b.key[0]);
    const hashesOf = (copies: readonly Sketch[]): string =>
      copies
        .map((s) => s.hash ?? "none")
        .toSorted((a, b) => (a < b ? -1 : 1))
        .join();
    const said = (source: readonly Sketch[], target: readonly Sketch[]): readonly string[] =>
      suspects({ source, target }, plan)
        .groups.map((g) => `${g.key[0]}: ${hashesOf(g.source)} | ${hashesOf(g.target)}`)
        .toSorted();
    fc.assert(
      fc.property(side, side, fc.boolean(), (one, other, unique) => {
        const [source = [], target = []] = [one, other].map((rows) => {
          const all = rows.map(([id, hash]) => sketch(id, hash));
          return unique ? [...new Map(all.map((row) => [row.key[0], row])).values()] : all;
        });
        const mixed = said(source, target);
        expect(said(source.toSorted(byKey), target.toSorted(byKey))).toEqual(mixed);
        expect(said(source.toSorted(byKey), target)).toEqual(mixed);
        expect(said(source.toReversed(), target)).toEqual(mixed);
      }),
    );
  });

  test("a row that a server could not hash is equal to nothing", () => {
    expect(suspects({ source: [sketch(1, null)], target: [sketch(1, null)] }, plan).groups).toHaveLength(1);
  });

  test("accuse what they prove, without columns", () => {
    const [g] = suspects({ source: [sketch(1, "1")], target: [sketch(1, "2")] }, plan).groups;
    expect(accuse(g!, plan)).toMatchObject({ type: "changed", columns: null, order: "same" });
  });

  test("count a row that a systematic column alone explains, and suspect one that differs in more", () => {
    const says = {
      says: "upper case",
      accept: null,
      explains: (a: string | null, b: string | null) => a?.toUpperCase() === b,
    };
    const columns = plan.columns.map((c) =>
      c.pair.source === "name" ? { ...c, streamed: true, systematic: says } : c,
    );
    const rows = {
      source: [sketch(1, "7", "a"), sketch(2, "8", "b"), sketch(3, "9", "c"), sketch(4, "4", "d")],
      target: [sketch(1, "7", "A"), sketch(2, "0", "B"), sketch(3, "9", "x"), sketch(4, "4", "d")],
    };
    const { groups, explained } = suspects(rows, { ...plan, columns });
    expect(groups.map((g) => g.key)).toEqual([["2"], ["3"]]);
    expect(explained).toEqual(new Map([["name", 1]]));
  });
});

test("keys are told apart part by part, NULL from every text", () => {
  const keys: (string | null)[][] = [
    ["a", "bc"],
    ["ab", "c"],
    ["a", null],
    ["a", "null"],
    ["a", "n"],
    [null, "a"],
    ["a", ""],
  ];
  const rows = keys.map((key) => ({ key }));
  expect(group({ source: rows, target: [] })).toHaveLength(keys.length);
  expect(group({ source: rows, target: rows })).toHaveLength(keys.length);
});
