import type { Check } from "../../domain/check.ts";
import type { Observation } from "../../domain/clock.ts";
import type { LedgerFacts } from "../../domain/facts.ts";
import type { Position } from "../../domain/position.ts";
import type { Snapshot } from "../../sql/session.ts";
import type { Ledgers } from "../ports.ts";
import type { OpenSide } from "./open-side.ts";

/** What `readLedgerFacts` needs beside the check. */
export type LedgerReading = {
  /** With a cursor. */
  readonly source: OpenSide;
  /** The source's clock as `readSideCursor` read it in the same snapshot: the witness for the newest run. */
  readonly sourceClock: Position | null;
  /** The wall clock when the audit began, microseconds. */
  readonly now: bigint;
  /** Ascending by time. */
  readonly observations: readonly Observation[];
  readonly ledgers: Ledgers;
  readonly snapshotOf: (connection: string) => Snapshot;
};

/**
 * Reads a check's ledger, and asks the source where its clock stood at each run's start and how its rows lie among the windows.
 * `lacking` comes back as a profile of zeros and `arrivals.lagOfArrived` as null: the differences fill them in. Throws a
 * `LedgerError` where no run can be read, an `InvariantError` for a check without ledger or cursor.
 */
export declare function readLedgerFacts(check: Check, reading: LedgerReading): Promise<LedgerFacts>;
