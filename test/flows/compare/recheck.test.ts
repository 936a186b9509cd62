import { describe, expect, test } from "vitest";
import { differenceLog } from "../../../src/cli/difference-log.ts";
import type { FullRow } from "../../../src/compare/question.ts";
import type { Difference } from "../../../src/domain/difference.ts";
import { lookAgain } from "../../../src/flows/compare/recheck.ts";
import type { SideReader } from "../../../src/flows/compare/side-reader.ts";
import { checkOf, KINDS, planOf, tableOf } from "../../compare/build.ts";
import { lineOf } from "../../compare/naive.ts";

const table = tableOf({ id: KINDS.integer, v: KINDS.text }, ["id"]);
const plan = planOf(checkOf(), table, table);

const row = (id: number, v: string, version: string | null = null): FullRow => ({
  key: [`${id}`],
  copy: { cursor: null, version, arrival: null, loaded: null },
  values: [`${id}`, v],
});
const reader = (rows: readonly FullRow[]): SideReader =>
  ({
    values: async (keys: readonly (readonly (string | null)[])[]) =>
      rows.filter((r) => keys.some((k) => k[0] === r.key[0])),
  }) as unknown as SideReader;

/** Looks again at what the first rows differ in, when the rows have become the second. */
async function again(first: readonly Difference[], source: readonly FullRow[], target: readonly FullRow[]) {
  using suspected = differenceLog();
  for (const difference of first) suspected.add(difference);
  const { confirmed, moved } = await lookAgain(
    suspected,
    plan,
    { source: reader(source), target: reader(target) },
    2,
    differenceLog,
  );
  using _ = confirmed;
  using __ = moved;
  return { confirmed: [...confirmed.all()].map(lineOf).toSorted(), moved: [...moved.all()].map(lineOf).toSorted() };
}

/** What a first look says of these rows. */
async function look(source: readonly FullRow[], target: readonly FullRow[]): Promise<Difference[]> {
  const copy = { cursor: null, version: null, arrival: null, loaded: null };
  const keys = [...new Set([...source, ...target].map((r) => r.key[0]))];
  using suspected = differenceLog();
  for (const key of keys) suspected.add({ type: "extra", key: [key ?? null], target: copy });
  const { confirmed, moved } = await lookAgain(
    suspected,
    plan,
    { source: reader(source), target: reader(target) },
    1,
    differenceLog,
  );
  using _ = confirmed;
  using __ = moved;
  return [...confirmed.all(), ...moved.all()];
}

describe("a second look", () => {
  test("confirms what is still so, and drops what has converged", async () => {
    const before = await look([row(1, "a"), row(2, "a"), row(3, "a")], [row(1, "b"), row(2, "b"), row(4, "x")]);
    expect(before.map(lineOf).toSorted()).toEqual(["changed 1:1 v", "changed 1:2 v", "extra 1:4", "missing 1:3"]);
    expect(
      await again(
        before,
        [row(1, "a"), row(2, "a"), row(3, "a")],
        [row(1, "b"), row(2, "a"), row(3, "a"), row(4, "x")],
      ),
    ).toEqual({ confirmed: ["changed 1:1 v", "extra 1:4"], moved: [] });
  });

  test("does not confirm a row that differs in another way than before", async () => {
    const before = await look([row(1, "a"), row(2, "a"), row(3, "a")], [row(1, "b"), row(2, "b")]);
    expect(await again(before, [row(1, "a2"), row(3, "a")], [row(1, "b"), row(2, "b"), row(3, "b")])).toEqual({
      confirmed: [],
      moved: ["changed 1:1 v", "changed 1:3 v", "extra 1:2"],
    });
  });

  test("nor one whose version has moved", async () => {
    const before = await look([row(1, "a", "5")], [row(1, "b", "4")]);
    expect(await again(before, [row(1, "a", "6")], [row(1, "b", "4")])).toEqual({
      confirmed: [],
      moved: ["changed 1:1 v"],
    });
  });

  test("a row that is gone on both sides is dropped", async () => {
    expect(await again(await look([row(1, "a")], []), [], [])).toEqual({ confirmed: [], moved: [] });
  });

  test("asks for many at a time", async () => {
    const many = Array.from({ length: 1200 }, (_, i) => row(i, "a"));
    const before = await look(many, []);
    expect((await again(before, many, [])).confirmed).toHaveLength(1200);
  });
});
