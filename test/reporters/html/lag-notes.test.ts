import { expect, test } from "vitest";
import { lagNotes } from "../../../src/reporters/html/lag-chart.ts";

const histogram = [{ least: 1n, most: 2n, rows: 5_000_000n }];

test("below the lags stands what they were told from, where that is not every row", () => {
  expect(lagNotes({ histogram, sampled: null })).toEqual([]);
  expect(lagNotes({ histogram, sampled: 1_000_123n })).toEqual([expect.stringContaining("a sample of 1,000,123 rows")]);
  expect(lagNotes({ histogram: [], sampled: null })).toEqual([
    expect.stringContaining("nobody knows when rows arrived"),
  ]);
});
