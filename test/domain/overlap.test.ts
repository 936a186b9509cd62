import { expect, test } from "vitest";
import { indexLedger } from "../../src/domain/ledger-index.ts";
import { dataClockIsIgnored } from "../../src/domain/ledger-clock.ts";
import { leftEdges } from "../../src/domain/left-edges.ts";
import { neededOverlap, overlapInForce } from "../../src/domain/overlap.ts";
import type { Axis } from "../../src/domain/position.ts";
import { HOUR, MINUTE, type RunLine, runsOf, t, timeline } from "../support/timeline.ts";

test.each([
  [18_000_000_000n, false, 18_001_000_000n],
  [18_000_000_000n, true, 18_000_000_000n],
  [18_000_000_001n, true, 18_001_000_000n],
  [18_000_000_001n, false, 18_001_000_000n],
  [0n, true, 0n],
  [0n, false, 1_000_000n],
  [-1n, false, 0n],
  [-1n, true, 0n],
])("a row %s µs behind the watermark (closed: %s) needs %s µs", (behind, closed, needed) =>
  expect(neededOverlap(100_000_000_000n, 100_000_000_000n - behind, closed, "time")).toBe(needed),
);

test("on a sequence overlaps are whole numbers", () => {
  expect(neededOverlap(10n, 7n, true, "sequence")).toBe(3n);
  expect(neededOverlap(10n, 7n, false, "sequence")).toBe(4n);
});

const lines: readonly RunLine[] = [0, 1, 2, 3].map((i) => ({
  id: `${i}`,
  from: t("1 08:00") + BigInt(i) * HOUR - (i === 0 ? 0n : 30n * MINUTE),
  to: t("1 09:00") + BigInt(i) * HOUR,
  started: t("1 09:05") + BigInt(i) * HOUR,
  backfill: i === 2,
}));

test("the overlap in force is the median of what regular runs look back behind the watermark", () => {
  const { facts } = timeline({ rows: [], runs: lines.map((line) => ({ ...line, backfill: false })) });
  expect(facts.ledger === null ? null : overlapInForce(indexLedger(facts.ledger, true))).toBe(30n * MINUTE);
});

test("left edges of the policies follow the starts and the clocks; a backfill stands for the next regular run", () => {
  const runs = runsOf(lines);
  const clocks = [t("1 08:50"), null, t("1 10:50"), t("1 11:50")].map((position, i) =>
    position === null
      ? null
      : { position, at: runs[i]?.started ?? 0n, witness: "ledger" as const, certainty: "exact" as const },
  );
  const all = (axis: Axis) => [0, 1, 2, 3].map(leftEdges({ runs, clocks }, axis));
  const edges = all("time");
  expect(edges.map(({ wallClock }) => wallClock?.at)).toEqual([t("1 08:00"), t("1 09:05"), t("1 10:05"), t("1 10:05")]);
  expect(edges.map(({ dataClock }) => dataClock?.at)).toEqual([t("1 08:00"), t("1 08:50"), t("1 08:50"), t("1 08:50")]);
  expect(edges.map(({ ledger }) => ledger?.at)).toEqual([t("1 08:00"), t("1 08:30"), t("1 10:30"), t("1 10:30")]);
  expect(all("sequence").every(({ wallClock }) => wallClock === null)).toBe(true);
});

test("a data clock beyond its run's finish is no witness, but for sequences", () => {
  const [run] = runsOf([
    { id: "1", from: null, to: t("1 09:00"), started: t("1 09:05"), finished: t("1 09:06"), dataClock: t("1 09:06") },
  ]);
  if (run === undefined) throw new TypeError("there is a run");
  expect(dataClockIsIgnored(run, "time", 0n)).toBe(false);
  expect(dataClockIsIgnored({ ...run, dataClock: t("1 09:06") + 1n }, "time", 0n)).toBe(true);
  expect(dataClockIsIgnored({ ...run, dataClock: t("1 09:06") + 1n }, "sequence", 0n)).toBe(false);
  expect(dataClockIsIgnored({ ...run, finished: null }, "time", t("1 09:05"))).toBe(true);
  expect(dataClockIsIgnored({ ...run, dataClock: null }, "time", 0n)).toBe(false);
});
