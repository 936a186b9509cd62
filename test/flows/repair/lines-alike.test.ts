import fc from "fast-check";
import { expect, test } from "vitest";
import type { Key } from "../../../src/domain/key.ts";
import { LinesAlike } from "../../../src/flows/repair/lines-alike.ts";

/** Read back in pieces of so many bytes. */
function linesAlike(sent: string, back: string, keys: readonly Key[], size: number): readonly string[] | null {
  const alike = new LinesAlike(Buffer.from(sent), keys);
  const bytes = Buffer.from(back);
  for (let i = 0; i < bytes.length; i += size) alike.take(bytes.subarray(i, i + size));
  return alike.end();
}

const value = fc.string({ unit: fc.constantFrom("a", "é", "潮", "😀", " ", "\\t", "0"), maxLength: 5 });
const row = fc.record({ value, mark: fc.integer().map(String) });

test("lines that come back as they were sent give their fingerprints, in the order of their keys", () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 20 }), fc.integer({ min: 1, max: 80 }), (rows, size) => {
      const keys = rows.map((_, i) => [String(i), "é"]);
      const sent = rows.map((r, i) => `${i}\té\t${r.value}\n`).join("");
      const back = rows.map((r, i) => `${i}\té\t${r.value}\t${r.mark}\n`).join("");
      expect(linesAlike(sent, back, keys, size)).toEqual(rows.map((r) => r.mark));
    }),
  );
});

test.for([
  ["another value", "1\ta\n2\tb\n", "1\ta\t7\n2\tB\t8\n"],
  ["a value that is longer", "1\ta\n2\tb\n", "1\tab\t7\n2\tb\t8\n"],
  ["a row that is gone from the target", "1\ta\n2\tb\n", "1\ta\t7\n"],
  ["a row that is gone from the source", "1\ta\n", "1\ta\t7\n2\tb\t8\n"],
  ["a row more", "1\ta\n2\tb\n", "1\ta\t7\n2\tb\t8\n3\tc\t9\n"],
  ["another order of keys", "2\tb\n1\ta\n", "2\tb\t8\n1\ta\t7\n"],
  ["a row that comes half", "1\ta\n2\tb\n", "1\ta\t7\n2\tb\t8"],
  ["a row more, half", "1\ta\n2\tb\n", "1\ta\t7\n2\tb\t8\n3"],
  ["no row", "1\ta\n2\tb\n", ""],
  ["no fingerprint", "1\ta\n2\tb\n", "1\ta\t\\N\n2\tb\t8\n"],
  ["a column more", "1\ta\n2\tb\n", "1\ta\tx\t7\n2\tb\t8\n"],
] as const)("not so with %s", ([, sent, back]) => {
  for (const size of [1, 2, 3, 5, 100]) expect(linesAlike(sent, back, [["1"], ["2"]], size)).toBeNull();
});
