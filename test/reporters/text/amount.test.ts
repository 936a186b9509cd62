import { expect, test } from "vitest";
import { amount, counted, size, span } from "../../../src/reporters/text/amount.ts";

test.each([
  [0, "0"],
  [999, "999"],
  [1000, "1,000"],
  [120000, "120,000"],
  ["9007199254740993", "9,007,199,254,740,993"],
  [-1234, "-1,234"],
])("%s is %s", (count, text) => expect(amount(count)).toBe(text));

test.each([
  [0, "0 s"],
  [0.004, "0 s"],
  [0.04, "0.04 s"],
  [1.21, "1.2 s"],
  [9.96, "10 s"],
  [12, "12 s"],
  [59.6, "1 min"],
  [200, "3 min 20 s"],
  [37200, "10 h 20 min"],
  [86400, "1 d"],
  [86430, "1 d"],
  [183600, "2 d 3 h"],
  [-37200, "-10 h 20 min"],
])("%d seconds are %s", (seconds, text) => expect(span(seconds)).toBe(text));

test.each([
  [512, "512 B"],
  [1536, "1.5 kB"],
  [1073741824, "1 GB"],
  [2 ** 50, "1024 TB"],
])("%d bytes are %s", (bytes, text) => expect(size(bytes)).toBe(text));

test("one is not many", () => {
  expect(counted(1, "row").replace("\u00a0", " ")).toBe("1 row");
  expect(counted("1", "copy", "copies").replace("\u00a0", " ")).toBe("1 copy");
  expect(counted(1200, "copy", "copies").replace("\u00a0", " ")).toBe("1,200 copies");
});
