import type { Difference } from "../domain/difference.ts";
import { lacks } from "../domain/profile.ts";
import type { LeafReading } from "./readings.ts";
import type { Known, Lost } from "./cause.ts";

/** Whether the whole table of causes is asked of a difference: the target lacks the row, or holds an older version. */
export function isLost(difference: Difference): boolean {
  return lacks(difference);
}

/** What the successful windows say that hold the row's cursor; null: none does, or the row is not asked. */
export function readingOf(lost: Lost, { readings }: Known): LeafReading | null {
  return lost.leaf < 0 || !isLost(lost.difference) ? null : (readings?.won(lost.leaf) ?? null);
}

/** Ordinals (into the ledger's runs) of the successful runs whose window holds the row. */
export function holders(lost: Lost, { ledger }: Known): readonly number[] {
  return ledger === null || lost.leaf < 0 ? [] : named(ledger.won.at(lost.leaf), ledger.successAt);
}

/** Ordinals of the runs without success whose window holds the row. */
export function failedHolders(lost: Lost, { ledger }: Known): readonly number[] {
  return ledger === null || lost.leaf < 0 ? [] : named(ledger.lost.at(lost.leaf), ledger.failureAt);
}

/** Lists are the same for all rows between two ends of windows, so they are made once a leaf. */
const lists = new WeakMap<readonly number[], readonly number[]>();

function named(ordinals: readonly number[], at: readonly number[]): readonly number[] {
  let list = lists.get(ordinals);
  if (list === undefined) {
    list = ordinals.map((i) => at[i] as number);
    lists.set(ordinals, list);
  }
  return list;
}

/** Whether the row arrived after every run that holds it had started. Null: its arrival is not known. */
export function arrivedTooLate(lost: Lost, reading: LeafReading): boolean | null {
  return lost.a === null ? null : lost.a > reading.lastStarted;
}

/** Whether every clock stood before the row's cursor (`before`), or one had passed it (`passed`); `unknown`: neither can be shown. */
export function clockStood(lost: Lost, reading: LeafReading): "before" | "passed" | "unknown" {
  const x = lost.x as bigint;
  if (reading.most === "none" || (reading.most !== null && reading.most < x)) return "before";
  return reading.least !== null && reading.least !== "none" && reading.least >= x ? "passed" : "unknown";
}

/** `run 812` and so on: the ids of runs for a sentence. */
export function idsOf(ordinals: readonly number[], { ledger }: Known): readonly string[] {
  return ordinals.map((i) => ledger?.facts.runs[i]?.id ?? "?");
}
