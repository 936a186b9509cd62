import { expect, test } from "vitest";
import { LATER_FORMATS, REPORTERS } from "../../src/reporters/index.ts";

test("every format of the interface is there or named as coming", () => {
  expect([...Object.keys(REPORTERS), ...LATER_FORMATS].toSorted()).toEqual([
    "github",
    "html",
    "json",
    "junit",
    "markdown",
    "prometheus",
    "terminal",
  ]);
});
