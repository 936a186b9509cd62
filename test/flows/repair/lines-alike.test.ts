import fc from "fast-check";
import { expect, test } from "vitest";
import { linesAlike } from "../../../src/flows/repair/lines-alike.ts";

const value = fc.string({ unit: fc.constantFrom("a", "é", "潮", "😀", " ", "\\t", "0"), maxLength: 5 });
const row = fc.record({ value, mark: fc.integer().map(String) });

test("lines that come back as they were sent give their fingerprints, in the order of their keys", () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 20 }), (rows) => {
      const keys = rows.map((_, i) => [String(i), "é"]);
      const sent = rows.map((r, i) => `${i}\té\t${r.value}\n`).join("");
      const back = rows.map((r, i) => `${i}\té\t${r.value}\t${r.mark}\n`).join("");
      expect(linesAlike(Buffer.from(sent), Buffer.from(back), keys)).toEqual(rows.map((r) => r.mark));
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
  ["no fingerprint", "1\ta\n2\tb\n", "1\ta\t\\N\n2\tb\t8\n"],
  ["a column more", "1\ta\n2\tb\n", "1\ta\tx\t7\n2\tb\t8\n"],
] as const)("not so with %s", ([, sent, back]) => {
  expect(linesAlike(Buffer.from(sent), Buffer.from(back), [["1"], ["2"]])).toBeNull();
});
