import { aheadRows } from "./ahead-rows.ts";
import { backwardWatermark } from "./backward-watermark.ts";
import { changedRows } from "./changed-rows.ts";
import { closedAheadOfClock } from "./closed-ahead-of-clock.ts";
import { columnMissing } from "./column-missing.ts";
import { countDisagrees } from "./count-disagrees.ts";
import { cursorPrecision } from "./cursor-precision.ts";
import { cursorTies } from "./cursor-ties.ts";
import { duplicateKeys } from "./duplicate-keys.ts";
import { emptyRun } from "./empty-run.ts";
import { extraRows } from "./extra-rows.ts";
import { failedNotRetried } from "./failed-not-retried.ts";
import { futureCursor } from "./future-cursor.ts";
import { futureWatermark } from "./future-watermark.ts";
import { logExpired } from "./log-expired.ts";
import { missingRows } from "./missing-rows.ts";
import { narrowerType } from "./narrower-type.ts";
import { noIndex } from "./no-index.ts";
import { notIdempotent } from "./not-idempotent.ts";
import { nullCursor } from "./null-cursor.ts";
import { overlapTooSmall } from "./overlap-too-small.ts";
import { pendingRows } from "./pending-rows.ts";
import { repeatedWindow } from "./repeated-window.ts";
import { silentLedger } from "./silent-ledger.ts";
import type { Rule } from "./rule.ts";
import { slotInactive } from "./slot-inactive.ts";
import { slotLag } from "./slot-lag.ts";
import { slotLost } from "./slot-lost.ts";
import { staleRows } from "./stale-rows.ts";
import { staleSource } from "./stale-source.ts";
import { staleTarget } from "./stale-target.ts";
import { systematicDifference } from "./systematic-difference.ts";
import { targetAhead } from "./target-ahead.ts";
import { uncoveredWindow } from "./uncovered-window.ts";
import { unfinishedRun } from "./unfinished-run.ts";
import { wallClockWindow } from "./wall-clock-window.ts";
import { zeroRowStreak } from "./zero-row-streak.ts";

/** Every rule in the order of findings.md §1. `unused-accept` is no rule of facts: it comes last, from what the entries matched. */
export const RULES: readonly Rule[] = [
  missingRows,
  staleRows,
  changedRows,
  aheadRows,
  extraRows,
  duplicateKeys,
  systematicDifference,
  pendingRows,
  emptyRun,
  zeroRowStreak,
  closedAheadOfClock,
  wallClockWindow,
  uncoveredWindow,
  failedNotRetried,
  backwardWatermark,
  futureWatermark,
  unfinishedRun,
  silentLedger,
  countDisagrees,
  overlapTooSmall,
  repeatedWindow,
  staleSource,
  staleTarget,
  futureCursor,
  nullCursor,
  cursorTies,
  cursorPrecision,
  targetAhead,
  notIdempotent,
  columnMissing,
  narrowerType,
  noIndex,
  slotLost,
  slotLag,
  slotInactive,
  logExpired,
];
