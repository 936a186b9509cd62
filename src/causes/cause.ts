import type { Check } from "../domain/check.ts";
import type { CauseCode } from "../domain/codes.ts";
import type { Difference } from "../domain/difference.ts";
import type { ArrivalFacts, Facts } from "../domain/facts.ts";
import type { Confidence } from "../domain/finding.ts";
import type { LedgerIndex } from "../domain/ledger-index.ts";
import type { Axis, Position } from "../domain/position.ts";
import type { Attribution } from "../domain/tally.ts";
import type { Readings } from "./readings.ts";

/**
 * One row that is asked about: its difference, its source cursor `x` and arrival `a` (null: unknown), and what the ledger says at `x`.
 * `leaf` is where `x` lies among the windows' ends (-1: nowhere, there is no ledger or no `x`).
 */
export type Lost = {
  readonly difference: Difference;
  readonly x: Position | null;
  readonly a: bigint | null;
  readonly leaf: number;
  /** How many successful windows hold x. */
  readonly windows: number;
};

/** What every cause may ask. `ledger` null: the check names none. */
export type Known = {
  readonly facts: Facts;
  readonly check: Check;
  readonly axis: Axis | null;
  readonly ledger: LedgerIndex | null;
  /** What the ledger says at each leaf, put together once; null without a ledger. */
  readonly readings: Readings | null;
  readonly arrivals: ArrivalFacts | null;
};

/** What a cause answers where it holds; everything that is left out is empty. */
export type Verdict = {
  readonly confidence: Confidence;
  readonly runs?: readonly number[];
  readonly measure?: bigint;
  readonly detail?: Attribution["detail"];
  readonly between?: readonly CauseCode[];
  readonly tells?: readonly string[];
  readonly says: () => string;
};

/** One reason why rows are lost or differ. `holds` answers null where it does not hold, or is not asked of such a difference. */
export type Cause = { readonly code: CauseCode; readonly holds: (lost: Lost, known: Known) => Verdict | null };
