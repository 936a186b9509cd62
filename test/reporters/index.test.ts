import { expect, test } from "vitest";
import { REPORTERS } from "../../src/reporters/index.ts";

test("every format of the interface is there", () => {
  expect(Object.keys(REPORTERS).toSorted()).toEqual([
    "github",
    "html",
    "json",
    "junit",
    "markdown",
    "prometheus",
    "terminal",
  ]);
});
