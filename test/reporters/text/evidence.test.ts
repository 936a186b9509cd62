import { expect, test } from "vitest";
import { evidenceText } from "../../../src/reporters/text/evidence.ts";

const text = (evidence: Parameters<typeof evidenceText>[0], without: readonly string[] = []): readonly string[] =>
  evidenceText(evidence, (name) => without.includes(name)).map((each) => each.replaceAll("\u00a0", " "));

test("names say their units", () => {
  expect(text({ ahead_by_seconds: 37200, lag_bytes: "1073741824", rows_lacking: 1200 })).toEqual([
    "ahead by 10 h 20 min",
    "lag 1 GB",
    "rows lacking 1,200",
  ]);
});

test("flags are words, and what is empty says nothing", () => {
  expect(text({ still_going_on: true, proven: false, nothing: null, empty: "" })).toEqual([
    "still going on",
    "not proven",
  ]);
});

test("lists show their first five, and deeper things stay for the JSON report", () => {
  expect(text({ runs: ["a", "b", "c", "d", "e", "f", "g"], gaps: [{ from: 1 }], deep: { a: 1 }, none: [] })).toEqual([
    "runs a, b, c, d, e and 2 more",
  ]);
});

test("what is said elsewhere is left out by its words", () => {
  const said = evidenceText({ ahead_by_seconds: 37200, lag_seconds: 60 }, (_, value) => value === "10 h 20 min");
  expect(said).toEqual(["lag 1 min"]);
});

test("what has a line of its own is left out", () => {
  expect(text({ since: "2026-06-01T00:00:00.000000Z", run: 8121 }, ["since"])).toEqual(["run 8121"]);
});

test("words for machines are said in words for people", () => {
  const evidence = {
    clock: "2026-11-23T01:40:00.000000Z",
    witness: "arrivals",
    basis: "observed",
    rows_counted: "exactly",
    lag_p50_seconds: 29_460,
    lag_p99_seconds: 56_400,
    lag_max_seconds: 57_060,
  };
  expect(text(evidence)).toEqual([
    "the data clock stood at 2026-11-23 01:40 UTC",
    "known from the arrival times of rows",
    "measured on rows whose arrival is known",
    "half of the rows arrive within 8 h 11 min",
    "99 % within 15 h 40 min",
    "the latest after 15 h 51 min",
  ]);
  expect(text({ witness: "observations", basis: "inferred" })).toEqual([
    "known from an earlier audit",
    "worked out from the lost rows alone",
  ]);
});
