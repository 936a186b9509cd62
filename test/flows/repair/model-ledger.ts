import fc from "fast-check";
import { type Ledger, LEDGER_FIELDS, type LedgerColumns } from "../../../src/domain/check.ts";
import type { WindowEnds } from "../../../src/domain/window.ts";
import { ledgers } from "../../../src/ledgers/ledgers.ts";
import { micros } from "../../compare/build.ts";

/** A run as a ledger writes it down. `to` null: it has no window; `from` null: its window is open below. */
type ModelRun = {
  readonly id: string;
  readonly from: number | null;
  readonly to: number | null;
  readonly status: string;
  readonly finished: boolean;
  readonly rows: number | null;
  readonly kind: string | null;
};

/** A ledger in some state: complete or with gaps, with retries, backfills, failed runs, and some that still go on. */
export type ModelLedger = { readonly ends: WindowEnds; readonly runs: readonly ModelRun[] };

const DAY = 86_400_000;

/** Ledgers over the cursors from 0 to 12. */
export const modelLedgers: fc.Arbitrary<ModelLedger> = fc.record({
  ends: fc.constantFrom<WindowEnds>("(]", "[)", "[]", "()"),
  runs: fc
    .array(
      fc.record({
        from: fc.option(fc.integer({ min: -1, max: 12 }), { freq: 8 }),
        length: fc.option(fc.integer({ min: 1, max: 5 }), { freq: 8 }),
        status: fc.constantFrom("success", "success", "failed", "running"),
        finished: fc.boolean(),
        rows: fc.option(fc.integer({ min: 0, max: 9 })),
        kind: fc.constantFrom(null, null, "backfill"),
      }),
      { maxLength: 7 },
    )
    .map((runs) =>
      runs.map(
        ({ length, ...run }, i): ModelRun => ({
          ...run,
          id: `r${i}`,
          to: length === null ? null : (run.from ?? 5) + length,
        }),
      ),
    ),
});

/** Whether a cursor lies in the window of a run, by the ends that are its own. */
export function isInRun({ ends }: ModelLedger, { from, to }: ModelRun, at: number | null): boolean {
  if (at === null || to === null) return false;
  const above = from === null || at > from || (at === from && ends.startsWith("["));
  return above && (at < to || (at === to && ends.endsWith("]")));
}

/** A check's `runs:` that reads the ledger, and what reads it there. */
export function kept({ ends, runs }: ModelLedger): {
  readonly runs: Ledger;
  readonly ledgers: ReturnType<typeof ledgers>;
} {
  const began = Date.now() - DAY;
  const lines = runs.map(({ finished, ...run }, i) => {
    const started = began + i * 60_000;
    return JSON.stringify({
      ...run,
      started: new Date(started).toISOString(),
      finished: finished || run.status === "success" ? new Date(started + 30_000).toISOString() : null,
    });
  });
  return {
    runs: {
      from: { kind: "file", path: "/x/runs.jsonl", file: "checks/runs.jsonl" },
      columns: Object.fromEntries(LEDGER_FIELDS.map((f) => [f, f])) as LedgerColumns,
      backfill: ["backfill"],
      where: null,
      success: ["success"],
      window: ends,
      timezone: "UTC",
      since: micros(BigInt(30 * DAY) * 1000n),
    },
    ledgers: ledgers({ readFile: async () => lines.map((line) => `${line}\n`).join("") }),
  };
}
