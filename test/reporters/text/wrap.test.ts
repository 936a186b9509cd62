import fc from "fast-check";
import { expect, test } from "vitest";
import { held, printable, widthOf, wrap } from "../../../src/reporters/text/wrap.ts";

const words = fc.array(
  fc.string({ minLength: 1, maxLength: 12 }).filter((word) => !/[\s\u00a0]/.test(word)),
  { minLength: 1 },
);

test("wrapping loses nothing and passes the width with single words only", () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 60 }), (list, columns) => {
      const lines = wrap(list.join(" "), columns);
      expect(lines.join(" ").split(" ")).toEqual(list);
      for (const line of lines) expect(widthOf(line) <= columns || !line.includes(" ")).toBe(true);
    }),
  );
});

test("as many words stand on a line as fit", () => {
  expect(wrap("aa bb cc dd", 5)).toEqual(["aa bb", "cc dd"]);
  expect(wrap("aa bb cc dd", 4)).toEqual(["aa", "bb", "cc", "dd"]);
});

test("what is held together stays together, with a plain blank", () => {
  expect(wrap("on 2026-06-01\u00a008:00", 12)).toEqual(["on", "2026-06-01 08:00"]);
});

test.each([
  ["abc", 3],
  ["日本", 4],
  ["e\u0301", 1],
  ["🦀", 2],
])("%s is %i wide", (text, width) => expect(widthOf(text)).toBe(width));

test("control characters are shown and not obeyed", () => {
  expect(printable("a\u0007\u009b\nb\tc")).toBe("a\\u0007\\u009b\nb\\u0009c");
});

test.each([
  ["it took 13 h 20 min", "it took 13_h_20_min"],
  ["at Mon 2026-06-01 12:00:05 UTC", "at Mon_2026-06-01_12:00:05_UTC"],
  ["lacks 5 rows there", "lacks 5_rows there"],
  ["5 hands", "5 hands"],
])("%s is held together where it is one thing", (text, said) =>
  expect(held(text).replaceAll("\u00a0", "_")).toBe(said),
);
