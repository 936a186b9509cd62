import { expect, test } from "vitest";
import { parseInstant } from "../../../src/domain/position.ts";
import type { Trace, TracedRun } from "../../../src/domain/trace.ts";
import { traceText } from "../../../src/reporters/answers/trace.ts";
import { PLAIN } from "../../../src/reporters/reporter.ts";

const at = (time: string): bigint => parseInstant(`2026-06-01T${time}:00Z`) ?? 0n;
const traced = (part: Partial<TracedRun>): TracedRun => ({
  run: {
    id: "812",
    window: { from: at("08:00"), fromClosed: false, to: at("12:00"), toClosed: true },
    started: at("12:00"),
    finished: null,
    outcome: "success",
    status: "success",
    rows: 0n,
    backfill: false,
    dataClock: null,
  },
  clock: at("01:40"),
  certainty: "exact",
  saw: null,
  ...part,
});
const lost: Trace = {
  check: "grades",
  key: [{ column: "id", value: "4711", json: 4711 }],
  axis: "time",
  source: { present: true, cursor: at("10:00"), arrival: null },
  target: { present: false, cursor: null, loaded: null },
  columns: [],
  windows: [],
  verdict: { finding: "missing-rows", cause: "undetermined", confidence: "undetermined", says: "nobody knows" },
  fix: "tidemark repair grades",
};
const print = (trace: Trace): string =>
  traceText(trace, { columns: 400, style: PLAIN, commandSuffix: " --checks demo/checks", ending: null });

test.each([
  ["exact", "01:40", "the data clock stood at Mon 2026-06-01 01:40 UTC, 8 h 20 min before this row:"],
  [
    "at-most",
    "01:40",
    "the data clock stood at or before Mon 2026-06-01 01:40 UTC, at least 8 h 20 min before this row:",
  ],
  ["at-least", "01:40", "the data clock stood at or beyond Mon 2026-06-01 01:40 UTC:"],
  ["at-most", "11:00", "the data clock stood at or before Mon 2026-06-01 11:00 UTC:"],
] as const)("a clock that is known %s at %s says so", (certainty, clock, says) => {
  expect(print({ ...lost, windows: [traced({ certainty, clock: at(clock) })] })).toContain(says);
});

test("a cause that nobody can tell is said once, and the command can be typed as it stands", () => {
  expect(print(lost)).toContain("\nmissing-rows, undetermined: nobody knows\n");
  expect(print(lost)).toContain("\n  tidemark repair grades --checks demo/checks\n");
  const verdict = { ...lost.verdict, cause: "late-commit", confidence: "inferred" } as const;
  expect(print({ ...lost, verdict })).toContain("missing-rows, late-commit (inferred): nobody knows");
});

test("only a check with a cursor can call a row one without", () => {
  const source = { present: true, cursor: null, arrival: null };
  expect(print({ ...lost, source })).toContain("in the source, without a cursor: no window will ever hold it");
  expect(print({ ...lost, source, axis: null })).toMatch(/in the source$/m);
});
