/**
 * Every default of a check file, written as a file would write it: the lowest layer under `defaults` of tidemark.yaml and the check.
 * Nothing else fills anything in, save what follows from other settings (`strategy`, `version`, `runs.window`). The JSON Schema shows them too.
 */
export const CHECK_DEFAULTS = {
  columns: { exclude: [], rename: {}, tolerance: {}, treat: {} },
  expect: { zero_rows: { streak: 3 }, freshness: {}, future: "5m" },
  settle: "10m",
  severity: {},
  accept: [],
  compare: { chunk_rows: "auto", parallel: 4, gentle: false, recheck: { rounds: 2 }, stop_after: {} },
  repair: {
    batch_rows: 1000,
    rows_per_second: 5000,
    max_rows: 1_000_000,
    timezone: "UTC",
    max_poison: 100,
    delete_extra: false,
  },
  report: { values: "mask" },
  sync: {},
} as const;

/** Defaults of blocks that are there only where a file writes them. */
export const BLOCK_DEFAULTS = {
  cursor: { page: 10_000 },
  runs: {
    backfill: ["backfill"],
    success: ["success", "succeeded", "completed", "ok", "done"],
    timezone: "UTC",
    since: "30d",
  },
} as const;

/** Defaults of tidemark.yaml. */
export const PROJECT_DEFAULTS = { state: "sqlite:.tidemark/state.db", reports: "reports", alert_at: "warn" } as const;
