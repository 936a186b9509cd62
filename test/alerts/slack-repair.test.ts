import { expect, test } from "vitest";
import { slackRepair } from "../../src/alerts/slack-repair.ts";
import type { RepairPlan, RepairReport } from "../../src/domain/repair.ts";
import { findingOf } from "../reporters/reports.ts";

const EVIL = "<!channel> `x` *b* & ```";

/** A repair that wrote five rows. */
function repairOf(over: Partial<RepairReport> = {}, plan: Partial<RepairPlan> = {}): RepairReport {
  return {
    plan: {
      id: "p1",
      check: "grades",
      connection: "crm",
      table: "public.grades",
      range: { by: "range", text: "2026-06-01T08:00:00Z..2026-06-01T15:00:00Z" },
      bounds: { maxRows: 1000, deleteExtra: false },
      columns: ["id"],
      counts: { insert: 4n, update: 1n, delete: 0n, unchanged: 0n, keptNewer: 0n, extra: 0n },
      batches: 1n,
      reread: 5n,
      estimatedSeconds: 1,
      rowsPerSecond: 1000,
      guard: "version",
      hours: null,
      triggers: [],
      foreignKeys: [],
      cascades: [],
      notes: [],
      fingerprints: { check: "", schema: "" },
      createdAt: 0n,
      ...plan,
    },
    id: "r1",
    applied: true,
    result: {
      inserted: 4n,
      updated: 1n,
      deleted: 0n,
      unchanged: 2n,
      keptNewer: 3n,
      quarantined: 0n,
      batches: 1n,
      seconds: 2.5,
    },
    status: "finished",
    stopped: null,
    remaining: [],
    undoable: true,
    quarantine: null,
    ...over,
  };
}

/** A message as text, block by block. */
const told = (repair: RepairReport, suffix = ""): readonly string[] =>
  slackRepair(repair, suffix).blocks.map((block) => ("text" in block ? block.text.text : block.elements[0].text));

test("a note says what became of the rows, that nothing differs any more, and how to undo it", () => {
  expect(told(repairOf(), " --checks c")).toEqual([
    "✓ Tidemark: repair of grades: done",
    "repair `r1`; public.grades on crm; range `2026-06-01T08:00:00Z..2026-06-01T15:00:00Z`",
    "*4 rows inserted, 1 updated, 0 deleted*, 2 unchanged, 3 kept because newer, 0 quarantined; 1 batch in 2 s, 2 rows/s",
    "Compared again: nothing differs there any more.",
    "to undo it\n```\ntidemark undo r1 --checks c\n```",
  ]);
  expect(slackRepair(repairOf(), "").text).toBe("Tidemark: repair of grades: done: 5 rows written");
});

test("what remains is told, the first five of it; so are refused rows and why it stopped", () => {
  const remaining = Array.from({ length: 7 }, () => findingOf());
  const text = told(repairOf({ remaining, quarantine: "reports/r1.quarantine.jsonl" })).join("\n");
  expect(text).toContain("! Tidemark: repair of grades: done");
  expect(text.match(/• `missing-rows`: 3 rows of the source/g)).toHaveLength(5);
  expect(text).toContain("and 2 more findings");
  expect(text).toContain("`reports/r1.quarantine.jsonl`");
  const stopped = told(repairOf({ status: "stopped", stopped: "100 rows were refused", undoable: false })).join("\n");
  expect(stopped).toContain("repair of grades: stopped before its end");
  expect(stopped).toContain("*why it stopped*: 100 rows were refused");
  expect(stopped).not.toMatch(/Compared again|undo/);
});

test("names mention nobody and stay within Slack's limits", () => {
  const evil = EVIL.repeat(400);
  const remaining = Array.from({ length: 9 }, () => findingOf({ says: evil }));
  const repair = repairOf(
    { remaining, quarantine: evil, stopped: null },
    { check: evil, table: evil, range: { by: "report", text: evil } },
  );
  const { blocks, text } = slackRepair(repair, "");
  for (const [i, line] of told(repair).entries()) {
    expect(line.length).toBeLessThanOrEqual(i === 0 ? 150 : 3000);
    if (i > 0) expect(line).not.toContain("<!");
  }
  expect(text).not.toContain("<!");
  expect(JSON.stringify(blocks).length).toBeLessThan(13_000);
});
