/** Every code a finding may carry, by group (`--only` chooses groups). */
export const FINDING_GROUPS = {
  rows: [
    "missing-rows",
    "stale-rows",
    "changed-rows",
    "ahead-rows",
    "extra-rows",
    "duplicate-keys",
    "systematic-difference",
    "unused-accept",
    "pending-rows",
  ],
  runs: [
    "empty-run",
    "zero-row-streak",
    "closed-ahead-of-clock",
    "wall-clock-window",
    "uncovered-window",
    "failed-not-retried",
    "backward-watermark",
    "future-watermark",
    "unfinished-run",
    "silent-ledger",
    "count-disagrees",
    "overlap-too-small",
    "repeated-window",
  ],
  clock: [
    "stale-source",
    "stale-target",
    "future-cursor",
    "null-cursor",
    "cursor-ties",
    "cursor-precision",
    "target-ahead",
  ],
  schema: ["not-idempotent", "column-missing", "narrower-type", "no-index"],
  cdc: ["slot-lost", "slot-lag", "slot-inactive", "log-expired"],
} as const;

export type FindingGroup = keyof typeof FINDING_GROUPS;
export type FindingCode = (typeof FINDING_GROUPS)[FindingGroup][number];

export const FINDING_CODES: readonly FindingCode[] = Object.values(FINDING_GROUPS).flat();

/** The group a code belongs to. */
export function groupOf(code: FindingCode): FindingGroup {
  for (const [group, codes] of Object.entries(FINDING_GROUPS))
    if ((codes as readonly string[]).includes(code)) return group as FindingGroup;
  throw new TypeError(`no group holds ${code}`);
}

/** Every cause, in the order in which they are asked (findings.md §2). */
export const CAUSE_CODES = [
  "null-cursor",
  "not-due",
  "failed-run",
  "uncovered-window",
  "boundary",
  "closed-ahead-of-clock",
  "old-dated",
  "late-commit",
  "precision",
  "out-of-order-write",
  "dropped-in-pipeline",
  "unstamped-update",
  "hard-delete",
  "undetermined",
] as const;

export type CauseCode = (typeof CAUSE_CODES)[number];
