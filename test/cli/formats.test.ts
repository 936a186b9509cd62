import { expect, test } from "vitest";
import { outputsOf, parseFormat } from "../../src/cli/formats.ts";
import { UsageError } from "../../src/domain/errors.ts";

test("a format goes to standard output, or to the file that is named", () => {
  expect(parseFormat("json")).toEqual({ format: "json", file: null });
  expect(parseFormat("json=a=b.json")).toEqual({ format: "json", file: "a=b.json" });
});

test.each([
  ["jsn", "did you mean json?"],
  ["xyz", "no such format; there are terminal, json"],
  ["mardown=x.md", "did you mean markdown?"],
  ["json=", "expected json=FILE"],
  ["toString", "no such format"],
])("--format %s is refused", (text, message) => {
  expect(() => parseFormat(text)).toThrow(UsageError);
  expect(() => parseFormat(text)).toThrow(message);
});

test("without a format it is the terminal's", () => {
  expect(outputsOf([])).toEqual([{ format: "terminal", file: null }]);
});

test("two outputs never go to one place", () => {
  expect(() => outputsOf([parseFormat("json"), parseFormat("terminal")])).toThrow(/both go to standard output/);
  expect(() => outputsOf([parseFormat("json=a"), parseFormat("terminal=a")])).toThrow(/both go to a;/);
  expect(outputsOf([parseFormat("json=a"), parseFormat("json=b"), parseFormat("terminal")])).toHaveLength(3);
});
