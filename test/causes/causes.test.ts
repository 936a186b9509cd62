import { expect, test } from "vitest";
import { attribution } from "../../src/causes/attribution.ts";
import type { Difference } from "../../src/domain/difference.ts";
import type { CauseCode } from "../../src/domain/codes.ts";
import type { Confidence } from "../../src/domain/finding.ts";
import { HOUR, t, type Timeline, timeline } from "../support/timeline.ts";

/** Hourly runs from 8 to 12, each five minutes past its window's end. */
const RUNS = [9, 10, 11, 12].map((hour, i) => ({
  id: `${i + 1}`,
  from: t(`1 ${String(hour - 1).padStart(2, "0")}:00`),
  to: t(`1 ${String(hour).padStart(2, "0")}:00`),
  started: t(`1 ${String(hour).padStart(2, "0")}:05`),
  rows: 5n,
}));

type Case = {
  readonly name: string;
  readonly told: Timeline;
  readonly cause: CauseCode;
  readonly runs?: readonly string[];
  readonly confidence?: Confidence;
  readonly measure?: bigint | null;
  readonly detail?: string | null;
};

const row = (id: number, x: string, a?: string) => ({ id, x: t(x), ...(a === undefined ? {} : { a: t(a) }) });

/** Rows that move the data clock along: one a quarter of an hour, there at once. */
const PULSE = Array.from({ length: 20 }, (_, i) => {
  const x = t("1 07:30") + BigInt(i) * (HOUR / 4n);
  return { id: 100 + i, x, a: x + 60_000_000n };
});
const ids = PULSE.map(({ id }) => id);
const pulse = (lost: ReturnType<typeof row>, more: Partial<Timeline> = {}): Timeline => ({
  rows: [...PULSE, lost],
  runs: RUNS,
  arrived: ids,
  ...more,
});

const CASES: readonly Case[] = [
  {
    name: "null-cursor",
    told: { rows: [{ id: 1, x: null }], runs: RUNS, arrived: [] },
    cause: "null-cursor",
    confidence: "observed",
  },
  { name: "not-due", told: pulse(row(1, "1 12:00:00.000001", "1 12:10")), cause: "not-due", confidence: "observed" },
  {
    name: "the last moment of the last window is due",
    told: pulse(row(1, "1 12:00", "1 12:02")),
    cause: "boundary",
    runs: ["4"],
  },
  {
    name: "failed-run",
    told: pulse(row(1, "1 09:30", "1 09:31"), {
      runs: RUNS.map((run) => (run.id === "2" ? { ...run, outcome: "failed" as const } : run)),
    }),
    cause: "failed-run",
    runs: ["2"],
    confidence: "observed",
  },
  {
    name: "a failed run whose window was read by a retry is no cause",
    told: pulse(row(1, "1 09:30", "1 09:31"), {
      runs: [
        ...RUNS,
        { ...(RUNS[1] as (typeof RUNS)[number]), id: "2b", outcome: "failed" as const, started: t("1 10:01") },
      ],
    }),
    cause: "dropped-in-pipeline",
    runs: ["2"],
  },
  {
    name: "uncovered-window",
    told: pulse(row(1, "1 09:30", "1 09:31"), { runs: RUNS.filter(({ id }) => id !== "2") }),
    cause: "uncovered-window",
    confidence: "observed",
  },
  {
    name: "before the first audited window nothing was seen, only concluded",
    told: pulse(row(1, "1 07:10", "1 07:11")),
    cause: "uncovered-window",
    confidence: "inferred",
  },
  {
    name: "on the open left end of the first audited window either",
    told: pulse(row(1, "1 08:00", "1 08:01")),
    cause: "uncovered-window",
    confidence: "inferred",
  },
  {
    name: "boundary",
    told: {
      rows: [row(1, "1 10:00"), row(2, "1 10:00"), row(3, "1 10:30")],
      runs: RUNS,
      arrived: [1, 3],
    },
    cause: "boundary",
    runs: ["2"],
    confidence: "observed",
  },
  {
    name: "on an end without others that came it is no boundary",
    told: { rows: [row(1, "1 10:00"), row(2, "1 10:30")], runs: RUNS, arrived: [2] },
    cause: "undetermined",
    runs: ["2"],
  },
  {
    name: "on an end of one of two windows that hold it, it is no boundary",
    told: {
      rows: [row(1, "1 10:00"), row(2, "1 10:00")],
      runs: [...RUNS, { id: "wide", from: t("1 09:00"), to: t("1 11:30"), started: t("1 11:31") }],
      arrived: [1],
    },
    cause: "undetermined",
    runs: ["2", "wide"],
  },
  {
    name: "closed-ahead-of-clock",
    told: {
      rows: [row(1, "1 09:40", "1 10:30"), row(2, "1 08:30", "1 08:31"), row(3, "1 11:30", "1 11:31")],
      runs: RUNS,
      arrived: [2, 3],
    },
    cause: "closed-ahead-of-clock",
    runs: ["2"],
    confidence: "observed",
    measure: 70n * 60_000_000n,
  },
  {
    name: "a data clock in the ledger is witness enough",
    told: {
      rows: [row(1, "1 09:40")],
      runs: RUNS.map((run) => ({ ...run, dataClock: t("1 08:50") })),
      arrived: [],
    },
    cause: "closed-ahead-of-clock",
    confidence: "observed",
    measure: 50n * 60_000_000n,
  },
  {
    name: "late-commit",
    told: pulse(row(1, "1 09:58", "1 10:06:30"), { facts: usualLag(60n * 60_000_000n) }),
    cause: "late-commit",
    runs: ["2"],
    confidence: "observed",
    measure: 510_000_000n,
  },
  {
    name: "a clock that stands exactly at the row has passed it",
    told: pulse(row(1, "1 10:00", "1 10:06"), { facts: usualLag(60n * 60_000_000n) }),
    cause: "boundary",
  },
  {
    name: "old-dated",
    told: pulse(row(1, "1 08:30", "1 11:30")),
    cause: "old-dated",
    runs: ["1"],
    confidence: "observed",
    measure: 3n * HOUR,
  },
  {
    name: "a late row of a part of the table, which may be an imported one",
    told: pulse(row(1, "1 09:58", "1 10:06:30"), {
      facts: (facts) => ({ ...usualLag(60n * 60_000_000n)(facts), someKeys: true }),
    }),
    cause: "late-commit",
    runs: ["2"],
    confidence: "inferred",
  },
  {
    name: "an imported row of a part of the table, which may be a late one",
    told: pulse(row(1, "1 08:30", "1 11:30"), { facts: (facts) => ({ ...facts, someKeys: true }) }),
    cause: "old-dated",
    runs: ["1"],
    confidence: "inferred",
  },
  {
    name: "exactly ten times the usual lag is not beyond it",
    told: pulse(row(1, "1 08:58", "1 09:08")),
    cause: "late-commit",
    runs: ["1"],
    measure: 600_000_000n,
  },
  {
    name: "a crowd that arrives late together was imported",
    told: pulse(row(1, "1 08:58", "1 09:08"), {
      facts: (facts) => ({
        ...facts,
        ledger: facts.ledger && {
          ...facts.ledger,
          arrivals: facts.ledger.arrivals && {
            ...facts.ledger.arrivals,
            imports: [{ arrival: t("1 09:08"), rows: 100n }],
          },
        },
      }),
    }),
    cause: "old-dated",
    runs: ["1"],
  },
  {
    name: "precision",
    told: { rows: [row(1, "1 10:00:00.4"), row(2, "1 11:30")], runs: RUNS, arrived: [2] },
    cause: "precision",
    confidence: "inferred",
    measure: 400_000n,
  },
  {
    name: "a ledger that keeps microseconds rounds nothing",
    told: { rows: [row(1, "1 10:00:00.4"), row(2, "1 11:30")], runs: RUNS, arrived: [2], ledger: { precision: 1n } },
    cause: "undetermined",
  },
  {
    name: "a whole precision away is not within it",
    told: { rows: [row(1, "1 10:00:01"), row(2, "1 11:30")], runs: RUNS, arrived: [2] },
    cause: "undetermined",
  },
  {
    name: "out-of-order-write",
    told: pulse(row(1, "1 09:30", "1 09:31"), {
      arrived: [...ids, 1],
      stale: [{ id: 1, x: t("1 08:30"), loaded: t("1 10:07") }],
    }),
    cause: "out-of-order-write",
    runs: ["2"],
    confidence: "observed",
  },
  {
    name: "a load stamp from before the carrying run had ended is no overwriting",
    told: pulse(row(1, "1 09:30", "1 09:31"), {
      arrived: [...ids, 1],
      stale: [{ id: 1, x: t("1 08:30"), loaded: t("1 09:06") }],
    }),
    cause: "dropped-in-pipeline",
  },
  {
    name: "without stamps, a slow run that held the older version and ended later can have written it over",
    told: pulse(row(1, "1 09:30", "1 09:31"), {
      arrived: [...ids, 1],
      stale: [{ id: 1, x: t("1 08:30") }],
      runs: RUNS.map((run) => (run.id === "1" ? { ...run, finished: t("1 10:30") } : run)),
    }),
    cause: "out-of-order-write",
    runs: ["1", "2"],
    confidence: "inferred",
  },
  {
    name: "dropped-in-pipeline",
    told: pulse(row(1, "1 09:30", "1 09:31"), { runs: RUNS.map((run) => ({ ...run, rows: 5n })) }),
    cause: "dropped-in-pipeline",
    runs: ["2"],
    confidence: "observed",
    detail: "not-loaded",
  },
  {
    name: "a run that counted less than the source has did not read it",
    told: pulse(row(1, "1 09:30", "1 09:31"), { runs: RUNS.map((run) => ({ ...run, rows: 4n })) }),
    cause: "dropped-in-pipeline",
    detail: "not-read",
  },
  {
    name: "a run that counted nothing down says nothing about reading",
    told: pulse(row(1, "1 09:30", "1 09:31"), { runs: RUNS.map((run) => ({ ...run, rows: null })) }),
    cause: "dropped-in-pipeline",
    detail: null,
  },
  {
    name: "undetermined",
    told: { rows: [row(1, "1 09:30"), row(2, "1 11:30")], runs: RUNS, arrived: [2] },
    cause: "undetermined",
    confidence: "undetermined",
    runs: ["2"],
  },
  {
    name: "without a ledger nothing can be told",
    told: { rows: [row(1, "1 09:30")], runs: null, arrived: [] },
    cause: "undetermined",
    confidence: "undetermined",
  },
];

function usualLag(p99: bigint): NonNullable<Timeline["facts"]> {
  return (facts) => ({
    ...facts,
    ledger: facts.ledger && {
      ...facts.ledger,
      arrivals: facts.ledger.arrivals && { ...facts.ledger.arrivals, lagOfArrived: { p99 } },
    },
  });
}

test.each(CASES)("$name: $cause", ({ told, cause, runs, confidence, measure, detail }) => {
  const { facts, differences } = timeline(told);
  const [difference] = differences;
  const found = attribution(facts)(difference as Difference);
  expect(found.cause).toBe(cause);
  expect(found.finding).toBe(
    cause === "not-due" ? "pending-rows" : difference?.type === "changed" ? "stale-rows" : "missing-rows",
  );
  if (runs !== undefined) expect(found.runs.map((run) => facts.ledger?.runs[run]?.id)).toEqual(runs);
  if (confidence !== undefined) expect(found.confidence).toBe(confidence);
  if (measure !== undefined) expect(found.measure).toBe(measure);
  if (detail !== undefined) expect(found.detail).toBe(detail);
  expect(found.says()).toMatch(/^[a-z]/);
});

const COPY = { cursor: t("1 09:30"), version: "1", arrival: null, loaded: null };
const told = timeline({ rows: [row(10, "1 09:30"), row(20, "1 09:40")], runs: RUNS, arrived: [10, 20] });

test.each<readonly [name: string, difference: Difference, cause: CauseCode, finding: string]>([
  [
    "unstamped-update",
    { type: "changed", key: ["10"], source: COPY, target: COPY, order: "same", columns: null },
    "unstamped-update",
    "changed-rows",
  ],
  [
    "a changed row whose cursor differs is not unstamped",
    {
      type: "changed",
      key: ["10"],
      source: COPY,
      target: { ...COPY, cursor: t("1 09:31") },
      order: "same",
      columns: null,
    },
    "undetermined",
    "changed-rows",
  ],
  [
    "a newer target is never explained",
    { type: "changed", key: ["10"], source: COPY, target: COPY, order: "target-newer", columns: null },
    "undetermined",
    "ahead-rows",
  ],
  ["hard-delete", { type: "extra", key: ["15"], target: COPY }, "hard-delete", "extra-rows"],
  [
    "the source's last key itself lies in its range",
    { type: "extra", key: ["20"], target: COPY },
    "hard-delete",
    "extra-rows",
  ],
  [
    "a key beyond all of the source's was perhaps never there",
    { type: "extra", key: ["21"], target: COPY },
    "undetermined",
    "extra-rows",
  ],
])("%s", (_, difference, cause, finding) => {
  const found = attribution(told.facts)(difference);
  expect([found.cause, found.finding]).toEqual([cause, finding]);
});

test("what cannot be told says between what, and what would tell", () => {
  const of = (told: Timeline) => {
    const { facts, differences } = timeline(told);
    const { between, tells } = attribution(facts)(differences[0] as Difference);
    return { between, tells };
  };
  const blind = of({ rows: [row(1, "1 09:30")], runs: RUNS, arrived: [] });
  expect(blind.between).toEqual(["closed-ahead-of-clock", "late-commit", "dropped-in-pipeline"]);
  expect(blind.tells).toEqual([
    "an arrival column",
    "track_commit_timestamp",
    "a data_clock in the ledger",
    "a second audit",
  ]);
  const passed = of({
    rows: [row(1, "1 09:30")],
    runs: RUNS.map((run) => ({ ...run, dataClock: run.to })),
    arrived: [],
  });
  expect(passed.between).toEqual(["late-commit", "dropped-in-pipeline"]);
  const late = of({
    rows: [row(1, "1 09:30", "1 10:30")],
    runs: RUNS,
    arrived: [],
    ledger: { clocks: RUNS.map(() => null) },
  });
  expect(late.between).toEqual(["closed-ahead-of-clock", "late-commit"]);
});

test("a clock that is only bounded from below shows nothing ahead, one bounded from above shows it", () => {
  const clocks = (certainty: "at-least" | "at-most", position: string) =>
    RUNS.map(({ started }) => ({ position: t(position), at: started, witness: "observations" as const, certainty }));
  const causeWith = (...given: Parameters<typeof clocks>) => {
    const { facts, differences } = timeline({
      rows: [row(1, "1 09:30")],
      runs: RUNS,
      arrived: [],
      ledger: { clocks: clocks(...given) },
    });
    return attribution(facts)(differences[0] as Difference).cause;
  };
  expect(causeWith("at-most", "1 09:00")).toBe("closed-ahead-of-clock");
  expect(causeWith("at-least", "1 09:00")).toBe("undetermined");
  expect(causeWith("at-most", "1 09:30")).toBe("undetermined");
});
