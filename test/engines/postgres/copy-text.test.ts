import fc from "fast-check";
import { expect, test } from "vitest";
import { CopyText } from "../../../src/engines/postgres/copy-text.ts";

const value = fc.option(
  fc.string({ unit: fc.constantFrom("a", "é", "潮", "😀", "\\", "\t", "\n", "\r", "N", ""), maxLength: 5 }),
);
const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

test("rows are read as they were written, wherever pieces end", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(value, value, value), { maxLength: 20 }),
      fc.integer({ min: 1, max: 60 }),
      (rows, size) => {
        const field = (text: string | null): string =>
          text === null ? "\\N" : text.replaceAll(/[\\\t\n\r]/g, (c) => ESCAPES[c] ?? c);
        const bytes = Buffer.from(rows.map((row) => `${row.map(field).join("\t")}\n`).join(""));
        const copy = new CopyText();
        const read = [];
        for (let i = 0; i < bytes.length; i += size) read.push(...copy.read(bytes.subarray(i, i + size)));
        expect(read).toEqual(rows);
      },
    ),
  );
});
