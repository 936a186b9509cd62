import { expect, test } from "vitest";
import type { RepairPlan, RepairReport, UndoReport } from "../../../src/domain/repair.ts";
import { NO_COUNTS } from "../../../src/domain/repair.ts";
import { repairJson, repairText } from "../../../src/reporters/answers/repair.ts";
import { undoJson, undoText } from "../../../src/reporters/answers/undo.ts";
import { PLAIN } from "../../../src/reporters/reporter.ts";

const options = { columns: 80, style: PLAIN, commandSuffix: " --checks other", ending: null };

const plan: RepairPlan = {
  id: "0a1b2c3d4e5f",
  check: "grades",
  connection: "crm",
  table: "public.grades",
  range: { by: "range", text: "2026-06-01T08:00:00Z..2026-06-01T12:00:00.000001Z" },
  bounds: { maxRows: 1_000_000, deleteExtra: false },
  columns: ["id", "finalgrade"],
  counts: { insert: 12_345n, update: 1n, delete: 0n, unchanged: 9_007_199_254_740_993n, keptNewer: 2n, extra: 3n },
  batches: 13n,
  reread: 12_348n,
  estimatedSeconds: 2.4692,
  rowsPerSecond: 5000,
  guard: "timemodified: a row whose timemodified is newer in the target is left alone",
  hours: "22:00-06:00 Europe/Prague",
  triggers: ["audit_grades"],
  foreignKeys: ["grades_user"],
  cascades: [],
  notes: ["something to know"],
  fingerprints: { check: "c", schema: "s" },
  createdAt: 0n,
};
const planned: RepairReport = {
  plan,
  id: plan.id,
  applied: false,
  result: null,
  status: null,
  stopped: null,
  remaining: [],
  undoable: false,
  quarantine: null,
};
const done: RepairReport = {
  ...planned,
  id: "0a1b2c3d4e5f-20260602T010000",
  applied: true,
  result: { ...NO_COUNTS, inserted: 12_345n, updated: 1n, quarantined: 1n, batches: 14n, seconds: 2 },
  status: "finished",
  undoable: true,
  quarantine: "reports/x.quarantine.jsonl",
};

test("a plan names rows, bounds, guard, hours, triggers and foreign keys, and the command that does it", () => {
  const text = repairText(planned, options);
  for (const words of [
    "plan 0a1b2c3d4e5f",
    "public.grades on crm",
    "12,345 rows",
    "2 rows whose copy in the target is newer",
    "3 rows that only the target has",
    "13 batches",
    "22:00-06:00 Europe/Prague",
    "audit_grades will fire",
    "grades_user",
    "1,000,000 rows (max_rows); no deletions",
    "something to know",
  ])
    expect(text).toContain(words);
  expect(text).toContain(
    "tidemark repair grades --range 2026-06-01T08:00:00Z..2026-06-01T12:00:00.000001Z --apply --checks other\n",
  );
  expect(text).not.toContain("tidemark undo");
});

test("what was done says how to undo it, and one that stopped how to go on", () => {
  const text = repairText(done, options);
  expect(text).toContain("12,345 inserted, 1 updated, 0 deleted");
  expect(text).toContain("reports/x.quarantine.jsonl");
  expect(text).toContain("tidemark undo 0a1b2c3d4e5f-20260602T010000 --apply --checks other");
  expect(text).not.toContain("--resume");
  const stopped = repairText(
    { ...done, status: "stopped", stopped: "more than 100 rows were refused (max_poison)" },
    options,
  );
  expect(stopped).toContain("more than 100 rows were refused");
  expect(stopped).toContain("--apply --resume --checks other");
});

test("a range that begins with a minus, or holds what a shell would read, can be typed as it stands", () => {
  expect(repairText({ ...planned, plan: { ...plan, range: { by: "range", text: "-5..7" } } }, options)).toContain(
    "tidemark repair grades --range=-5..7 --apply",
  );
  expect(
    repairText({ ...planned, plan: { ...plan, range: { by: "report", text: "my report.json" } } }, options),
  ).toContain("--report 'my report.json' --apply");
});

test("the JSON form keeps counts beyond 2^53 and has nothing to undo where nothing was written", () => {
  expect(repairJson(planned)).toMatchObject({
    version: 1,
    check: "grades",
    applied: false,
    result: null,
    undo: null,
    plan: { insert: 12_345, unchanged: "9007199254740993", kept_newer: 2, batches: 13 },
  });
  expect(repairJson(done)).toMatchObject({
    id: done.id,
    undo: `tidemark undo ${done.id}`,
    result: { inserted: 12_345, quarantined: 1, batches: 14, seconds: 2 },
  });
});

test("an undo counts what it puts back and names what it leaves alone", () => {
  const report: UndoReport = {
    id: done.id,
    check: "grades",
    connection: "crm",
    table: "public.grades",
    counts: { removed: 3n, restored: 2n, reinserted: 1n, untouched: 0n, leftAlone: 1n },
    applied: true,
    stopped: null,
    leftAlone: [{ key: { id: 17 }, reason: "it has changed since the repair" }],
  };
  const text = undoText(report, options);
  for (const words of [
    "removed     3 rows",
    "restored    2 rows",
    "reinserted  1 row",
    "left alone  1 row",
    "id 17: it has changed since the repair",
  ])
    expect(text).toContain(words);
  expect(undoText({ ...report, applied: false }, options)).toContain(`tidemark undo ${done.id} --apply --checks other`);
  expect(undoJson(report)).toMatchObject({
    applied: true,
    rows: { removed: 3, left_alone: 1 },
    left_alone: [{ key: { id: 17 } }],
  });
});
