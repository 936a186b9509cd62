import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { rowStore } from "../../src/cli/row-store.ts";

const folder = mkdtempSync(join(tmpdir(), "tidemark-rows-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const value = fc.option(
  fc.oneof(
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.constantFrom("", "\\N", "\\", "\\t", "a\tb", "a\nb", "\\\n\t", "N", "🌊\u2028"),
  ),
);
const row = fc.array(value, { minLength: 1, maxLength: 5 });

test("every shelf gives back what was put on it, in order, as often as it is asked, in memory and beyond", () => {
  const puts = fc.array(fc.tuple(fc.nat(5), row), { maxLength: 60 });
  fc.assert(
    fc.property(puts, fc.nat(300), fc.nat(60), (puts, piece, pause) => {
      using store = rowStore({ piece, folder });
      const expected = new Map<number, (string | null)[][]>();
      for (const [i, [shelf, values]] of puts.entries()) {
        store.put(shelf, values);
        expected.set(shelf, [...(expected.get(shelf) ?? []), values]);
        if (i === pause) expect(store.rows(shelf)).toEqual(expected.get(shelf));
      }
      for (let n = 0; n < 2; n++)
        for (let shelf = 0; shelf <= 6; shelf++) expect(store.rows(shelf)).toEqual(expected.get(shelf) ?? []);
    }),
  );
});

test("nothing of it is left in the folder, not even while it is open", () => {
  const store = rowStore({ piece: 0, folder });
  store.put(1, ["a"]);
  expect(store.rows(1)).toEqual([["a"]]);
  expect(readdirSync(folder)).toEqual([]);
  store[Symbol.dispose]();
  expect(() => store.rows(1)).toThrow("not used once it is disposed of");
});

test("a folder that takes no file is a FileError", () => {
  using store = rowStore({ piece: 0, folder: join(folder, "nowhere") });
  expect(() => store.put(1, ["a"])).toThrow(expect.objectContaining({ code: "file" }));
});
