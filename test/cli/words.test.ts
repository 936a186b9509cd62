import { expect, test } from "vitest";
import { oneOf, someOf } from "../../src/cli/words.ts";

const WORDS = ["rows", "runs", "clock"] as const;

test("a good word is itself", () => expect(oneOf("--only", WORDS)("runs")).toBe("runs"));

test.each([
  ["rwos", "--only rwos: expected one of rows, runs, clock; did you mean rows?"],
  ["", "--only (empty): expected one of rows, runs, clock"],
  ["sometimes", "--only sometimes: expected one of rows, runs, clock"],
])("%j is refused with what was expected", (text, message) => {
  expect(() => oneOf("--only", WORDS)(text)).toThrow(message);
});

test("several words come in a list, in several lists, and once each", () => {
  const read = someOf("--only", WORDS);
  expect(read("rows, runs", undefined)).toEqual(["rows", "runs"]);
  expect(read("runs,clock", ["rows", "runs"])).toEqual(["rows", "runs", "clock"]);
  expect(() => read("rows,,runs", undefined)).toThrow("(empty)");
});
