import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { HoursOfDay } from "../../src/domain/check.ts";
import { RefusedError, UsageError } from "../../src/domain/errors.ts";
import { parseInstant } from "../../src/domain/position.ts";
import type { PlanCounts } from "../../src/domain/repair.ts";
import { BATCH_SECONDS, nextBatchSize } from "../../src/repair/batch-size.ts";
import { ATTEMPTS, backoff } from "../../src/repair/backoff.ts";
import { holdToBounds } from "../../src/repair/bounds.ts";
import { decide, type Seen } from "../../src/repair/decide.ts";
import { decideUndo } from "../../src/repair/decide-undo.ts";
import { nextOpening } from "../../src/repair/hours.ts";
import { planId } from "../../src/repair/plan.ts";
import { isReported, reportQuestion } from "../../src/repair/report-question.ts";
import { readPlan, refuseStale, type SavedPlan } from "../../src/repair/saved-plan.ts";
import { fullBucket, take } from "../../src/repair/throttle.ts";
import { micros } from "../compare/build.ts";

const at = (text: string): bigint => parseInstant(text) ?? 0n;

describe("the guard", () => {
  const seen = fc.record<Seen>({
    inSource: fc.boolean(),
    inQuestion: fc.boolean(),
    inTarget: fc.constantFrom("yes", "no", "outside"),
    same: fc.boolean(),
    order: fc.constantFrom("source-newer", "same", "target-newer", "none"),
    deletes: fc.boolean(),
  });

  test("never overwrites a newer copy, deletes what the source has or nobody asked to delete, or writes a row that is not in question", () => {
    fc.assert(
      fc.property(seen, (s) => {
        const decision = decide(s);
        if (s.order === "target-newer" && s.inSource && s.inTarget === "yes") expect(decision).not.toBe("update");
        if (decision === "delete") expect([s.inSource, s.deletes, s.inTarget]).toEqual([false, true, "yes"]);
        if (!s.inQuestion) expect(decision).toBe("skip");
        if (s.inTarget === "outside") expect(["skip", "refuse"]).toContain(decision);
        if (s.same && s.inTarget === "yes") expect(["update", "insert"]).not.toContain(decision);
      }),
    );
  });

  test("overwrites an equal version and one without any", () => {
    const both: Seen = {
      inSource: true,
      inQuestion: true,
      inTarget: "yes",
      same: false,
      order: "same",
      deletes: false,
    };
    expect(decide(both)).toBe("update");
    expect(decide({ ...both, order: "none" })).toBe("update");
    expect(decide({ ...both, order: "target-newer" })).toBe("kept-newer");
    expect(decide({ ...both, same: true })).toBe("unchanged");
  });
});

describe("undoing a row", () => {
  const now = (images: readonly string[]): { images: readonly string[]; fingerprints: readonly string[] } => ({
    images,
    fingerprints: [images.join()],
  });

  test("removes, restores and reinserts what is as the repair left it", () => {
    expect(decideUndo({ batch: 1, op: "i", key: ["1"], before: null, after: "1,a" }, now(["1", "a"]))).toBe("remove");
    expect(decideUndo({ batch: 1, op: "u", key: ["1"], before: ["1", "b"], after: "1,a" }, now(["1", "a"]))).toBe(
      "restore",
    );
    expect(decideUndo({ batch: 1, op: "d", key: ["1"], before: ["1", "b"], after: null }, null)).toBe("reinsert");
  });

  test("finds nothing to do where the row is as it was", () => {
    expect(decideUndo({ batch: 1, op: "i", key: ["1"], before: null, after: "1,a" }, null)).toBe("nothing");
    expect(decideUndo({ batch: 1, op: "u", key: ["1"], before: ["1", "b"], after: "1,a" }, now(["1", "b"]))).toBe(
      "nothing",
    );
    expect(decideUndo({ batch: 1, op: "d", key: ["1"], before: ["1", "b"], after: null }, now(["1", "b"]))).toBe(
      "nothing",
    );
  });

  test("leaves alone what somebody has changed, deleted or inserted since", () => {
    expect(decideUndo({ batch: 1, op: "i", key: ["1"], before: null, after: "1,a" }, now(["1", "z"]))).toBe("changed");
    expect(decideUndo({ batch: 1, op: "u", key: ["1"], before: ["1", "b"], after: "1,a" }, now(["1", "z"]))).toBe(
      "changed",
    );
    expect(decideUndo({ batch: 1, op: "u", key: ["1"], before: ["1", "b"], after: "1,a" }, null)).toBe("changed");
    expect(decideUndo({ batch: 1, op: "d", key: ["1"], before: ["1", "b"], after: null }, now(["1", "z"]))).toBe(
      "changed",
    );
  });
});

describe("bounds", () => {
  const counts = (over: Partial<PlanCounts>): PlanCounts => ({
    insert: 0n,
    update: 0n,
    delete: 0n,
    unchanged: 0n,
    keptNewer: 0n,
    extra: 0n,
    ...over,
  });

  test("refuse more rows than max_rows, and name the flag", () => {
    expect(() =>
      holdToBounds(counts({ insert: 6n, update: 5n }), { maxRows: 11, deleteExtra: false }, null),
    ).not.toThrow();
    const refuse = (): void =>
      holdToBounds(counts({ insert: 6n, update: 6n }), { maxRows: 11, deleteExtra: false }, null);
    expect(refuse).toThrow(RefusedError);
    expect(refuse).toThrow(/12 rows.*11 rows.*max_rows/);
  });

  test("refuse to delete more than one row in a hundred of the target", () => {
    expect(() => holdToBounds(counts({ delete: 10n }), { maxRows: 100, deleteExtra: true }, 1000n)).not.toThrow();
    expect(() => holdToBounds(counts({ delete: 11n }), { maxRows: 100, deleteExtra: true }, 1000n)).toThrow(/1 %/);
    expect(() => holdToBounds(counts({ delete: 1n }), { maxRows: 100, deleteExtra: true }, 99n)).toThrow(RefusedError);
  });
});

describe("the size of a batch", () => {
  test("stays between one row and thirty-two times the first, and shrinks after every batch that took too long", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5000 }),
        fc.double({ min: 0, max: 60, noNaN: true }),
        fc.integer({ min: 1, max: 1000 }),
        (size, seconds, first) => {
          const next = nextBatchSize(size, size, seconds, first);
          expect(next).toBeGreaterThanOrEqual(1);
          if (seconds > BATCH_SECONDS && size > 1) expect(next).toBeLessThan(size);
          else expect(next).toBeLessThanOrEqual(Math.max(size, first * 32));
        },
      ),
    );
  });
});

describe("the throttle", () => {
  test("lets no more than the rate pass on the long run, whatever the batches are", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.array(fc.integer({ min: 1, max: 30_000 }), { minLength: 1, maxLength: 40 }),
        (rate, batches) => {
          let now = 0n;
          let bucket = fullBucket(rate, now);
          for (const rows of batches) {
            const taken = take(bucket, rows, now);
            bucket = taken.bucket;
            now += taken.wait;
          }
          const all = batches.reduce((sum, n) => sum + n, 0);
          // A full bucket may pass at once; everything beyond takes its time.
          expect(Number(now) / 1e6).toBeGreaterThanOrEqual((all - rate) / rate - 1e-3);
          expect(Number(now) / 1e6).toBeLessThanOrEqual(Math.max(0, (all - rate) / rate) + 1e-3 * batches.length);
        },
      ),
    );
  });
});

describe("the hours", () => {
  const hours = (from: number, to: number): HoursOfDay => ({
    from: micros(BigInt(from) * 3_600_000_000n),
    to: micros(BigInt(to) * 3_600_000_000n),
  });

  test.for([
    ["2026-06-01T21:59:59Z", 22, 6, "UTC", "2026-06-01T22:00:00Z"],
    ["2026-06-01T22:00:00Z", 22, 6, "UTC", "2026-06-01T22:00:00Z"],
    ["2026-06-02T05:59:59.999999Z", 22, 6, "UTC", "2026-06-02T05:59:59.999999Z"],
    ["2026-06-02T06:00:00Z", 22, 6, "UTC", "2026-06-02T22:00:00Z"],
    ["2026-06-02T06:00:00Z", 9, 17, "UTC", "2026-06-02T09:00:00Z"],
    ["2026-06-02T18:00:00Z", 9, 17, "UTC", "2026-06-03T09:00:00Z"],
    ["2026-06-01T19:30:00Z", 22, 6, "Europe/Prague", "2026-06-01T20:00:00Z"],
    ["2026-06-01T20:30:00Z", 22, 6, "Europe/Prague", "2026-06-01T20:30:00Z"],
    // Clocks go forward in that night: 02:30 is not shown, the hours begin when 03:00 is.
    ["2026-03-29T00:30:00Z", 3, 4, "Europe/Prague", "2026-03-29T01:00:00Z"],
  ] as const)(
    "at %s, with hours %i to %i in %s, writing may go on from %s",
    ([now, from, to, zone, opens], { expect: hold }) => {
      hold(nextOpening(at(now), hours(from, to), zone)).toBe(at(opens));
    },
  );

  test("are all day where there are none", () => {
    expect(nextOpening(5n, null, "UTC")).toBe(5n);
  });
});

test("backoff grows, stays below ten seconds, and jitters", () => {
  for (let n = 2; n <= ATTEMPTS; n++) {
    expect(backoff(n, 0)).toBeLessThan(backoff(n, 1));
    expect(backoff(n, 1)).toBeLessThanOrEqual(10_000_000n);
    expect(backoff(n + 1, 0)).toBeGreaterThanOrEqual(backoff(n, 0));
  }
});

describe("a saved plan", () => {
  const range = { by: "range", text: "2026-06-01T00:00:00Z.." } as const;
  const bounds = { maxRows: 10, deleteExtra: false };
  const id = planId("orders", range, ["id"], bounds);
  const saved: SavedPlan = {
    tidemark_plan: 1,
    id,
    check: "orders",
    range,
    bounds,
    columns: ["id"],
    fingerprints: { check: "c", schema: "s" },
    created_at: "2026-06-01T00:00:00.000000Z",
    target: { connection: "dst", table: "t" },
    counts: { insert: "1", update: "0", delete: "0", unchanged: "0", kept_newer: "0" },
    guard: "",
    hours: null,
    triggers: [],
    foreign_keys: [],
    notes: [],
  };
  const now = { check: "orders", fingerprints: saved.fingerprints, at: at("2026-06-01T12:00:00Z"), id };

  test("holds while check, schema, bounds and age fit", () => {
    expect(() => refuseStale(saved, now)).not.toThrow();
  });

  test.for([
    ["another check", { ...now, check: "grades" }, /for the check orders/],
    ["a changed check", { ...now, fingerprints: { check: "other", schema: "s" } }, /check has changed/],
    ["a changed schema", { ...now, fingerprints: { check: "c", schema: "other" } }, /columns, unique indexes/],
    ["more than a day", { ...now, at: at("2026-06-02T00:00:00.000001Z") }, /holds for 1 d/],
    ["an edited file", { ...now, id: "0" }, /range, columns or bounds/],
  ] as const)("is stale after %s", ([, then, why], { expect: hold }) => {
    hold(() => refuseStale(saved, then)).toThrow(why);
  });

  test("reads back, and nothing else does", () => {
    expect(readPlan(JSON.stringify(saved), "plan.json")).toEqual(saved);
    for (const text of ["", "{}", "[]", "null", JSON.stringify({ ...saved, bounds: {} })])
      expect(() => readPlan(text, "plan.json")).toThrow(UsageError);
  });

  test("has the same id for the same question only", () => {
    expect(planId("orders", range, ["id"], bounds)).toBe(id);
    expect(
      new Set([
        id,
        planId("other", range, ["id"], bounds),
        planId("orders", { by: "whole" }, ["id"], bounds),
        planId("orders", range, ["id", "n"], bounds),
        planId("orders", range, ["id"], { ...bounds, maxRows: 11 }),
        planId("orders", range, ["id"], { ...bounds, deleteExtra: true }),
      ]).size,
    ).toBe(6);
  });
});

describe("a report's rows", () => {
  const finding = (over: object): object => ({
    code: "missing-rows",
    state: "new",
    range: {
      cursor: { from: "2026-06-01T08:00:00.000000Z", to: "2026-06-01T12:00:00.000000Z" },
      key: { from: [17], to: [20] },
    },
    ...over,
  });
  const report = (findings: readonly object[]): string =>
    JSON.stringify({ version: 1, checks: [{ check: "orders", findings }] });
  const missing = (id: string, cursor: string | null) =>
    ({
      type: "missing",
      key: [id],
      source: { cursor: cursor === null ? null : at(cursor), version: null, arrival: null, loaded: null },
    }) as const;
  const kinds = [{ as: "integer" }] as const;

  test("are those in a finding's stretch of the cursor and of the key; one without a cursor by its key alone", () => {
    const question = reportQuestion(report([finding({})]), "r.json", "orders");
    expect(isReported(question, missing("18", "2026-06-01T09:00:00Z"), "time", kinds)).toBe(true);
    expect(isReported(question, missing("18", "2026-06-01T12:00:00Z"), "time", kinds)).toBe(false);
    expect(isReported(question, missing("9", "2026-06-01T09:00:00Z"), "time", kinds)).toBe(false);
    expect(isReported(question, missing("18", null), "time", kinds)).toBe(true);
  });

  test("are none of findings that recovered, were accepted, or are not about rows", () => {
    const question = reportQuestion(
      report([
        finding({ state: "recovered" }),
        finding({ accepted: true }),
        finding({ code: "pending-rows" }),
        finding({ code: "empty-run" }),
      ]),
      "r.json",
      "orders",
    );
    expect(isReported(question, missing("18", "2026-06-01T09:00:00Z"), "time", kinds)).toBe(false);
  });

  test("cannot be read from something else", () => {
    expect(() => reportQuestion("{", "r.json", "orders")).toThrow(UsageError);
    expect(() => reportQuestion(report([]), "r.json", "grades")).toThrow(/says nothing of the check grades/);
  });
});
