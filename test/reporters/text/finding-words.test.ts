import { describe, expect, test } from "vitest";
import { causeHead, evidenceOf, sampleOf, sinceOf } from "../../../src/reporters/text/finding-words.ts";
import { causeOf, findingOf } from "../reports.ts";

const plain = (text: string): string => text.replaceAll("\u00a0", " ");

describe("evidence", () => {
  test("is told where the sentence does not tell it", () => {
    const says = "14 of 14 runs end at the wall clock; the data clock stood up to 13 h 20 min behind it (run 813)";
    const evidence = {
      runs_judged: 14,
      largest_distance_seconds: 48000,
      run: "813",
      runs_behind: 3,
      witness: "arrivals",
    };
    expect(evidenceOf(findingOf({ says, evidence }))).toEqual([
      "runs behind 3",
      "known from the arrival times of rows",
    ]);
  });
  test("is not taken for said because longer words hold it", () => {
    const said = (says: string, run: string) => evidenceOf(findingOf({ says, evidence: { run }, causes: [] }));
    expect(said("run 8120 failed", "812")).toEqual(["run 812"]);
    expect(said("run 812: failed", "812")).toEqual([]);
    expect(said("runs 8120 and 812 failed", "812")).toEqual([]);
  });
  test("says nothing of nothing", () => {
    expect(evidenceOf(findingOf({ evidence: { rows_lacking: 0, lag_seconds: 0 } }))).toEqual([]);
  });
});

describe("a sample", () => {
  const sample = [
    { key: { id: 1 }, columns: ["a"] },
    { key: { id: 2 }, columns: ["a", "b"] },
  ];
  test("names the key once, and the columns that are not the finding's", () => {
    expect(sampleOf(findingOf({ sample, rows: 2, columns: ["a", "b"] }), 5)).toBe("id 1 (a), 2");
  });
  test("tells how many more there are", () => {
    expect(plain(sampleOf(findingOf({ sample, rows: 12 }), 1))).toBe("id 1 (a), and 11 more");
  });
  test("puts keys of more columns in brackets", () => {
    const rows = [{ key: { region: "é", sku: "x" } }, { key: { region: "é", sku: null } }];
    expect(sampleOf(findingOf({ sample: rows, rows: 2 }), 5)).toBe("(region, sku) (é, x), (é, NULL)");
  });
  test("shows values only where the report carries them", () => {
    const values = { a: { source: 1, target: null } };
    expect(sampleOf(findingOf({ sample: [{ key: { id: 1 }, columns: ["a"], values }], rows: 1 }), 5)).toBe(
      "id 1 (a: 1 → NULL)",
    );
  });
});

describe("a cause", () => {
  const head = (part: Parameters<typeof causeOf>[0]) => plain(causeHead(causeOf(part), 5));
  test("tells the rows and runs that its sentence leaves out", () => {
    expect(head({ says: "3 rows lost by run 812" })).toBe("closed-ahead-of-clock (observed)");
    expect(head({ says: "a window was closed too early" })).toBe("closed-ahead-of-clock (observed), 3 rows, run 812");
    expect(
      head({ code: "undetermined", confidence: "undetermined", says: "3 rows", runs: ["7", "8"], runs_total: 9 }),
    ).toBe("undetermined, runs 7, 8 and 7 more");
  });
});

test("since when is told to the minute", () => {
  expect(plain(sinceOf(findingOf({ evidence: { first_seen: "2026-06-01T01:02:03.456789Z" } })) ?? "")).toBe(
    "2026-06-01 01:02 UTC",
  );
  expect(sinceOf(findingOf({ evidence: {} }))).toBeNull();
});
