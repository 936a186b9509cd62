import type { ClockReading } from "./clock.ts";
import type { CauseCode } from "./codes.ts";
import type { Confidence, Json } from "./finding.ts";
import type { Axis, Position } from "./position.ts";
import type { Run } from "./run.ts";

/** One run whose window held the traced row's cursor. */
export type TracedRun = {
  readonly run: Run;
  /** Where the data clock stood at its start; null: nobody can say. */
  readonly clock: Position | null;
  /** Whether the clock stood just there, or that is a bound; null: nobody can say. */
  readonly certainty: ClockReading["certainty"] | null;
  /** Whether the run could read the row; null: it cannot be told. Runs that did not succeed read nothing that counts. */
  readonly saw: boolean | null;
};

/** One row's story. Positions on the check's axis, wall-clock times in microseconds. */
export type Trace = {
  readonly check: string;
  /** By source names; `json` as reports write keys. */
  readonly key: readonly { readonly column: string; readonly value: string | null; readonly json: Json }[];
  readonly axis: Axis | null;
  readonly source: { readonly present: boolean; readonly cursor: Position | null; readonly arrival: bigint | null };
  readonly target: { readonly present: boolean; readonly cursor: Position | null; readonly loaded: bigint | null };
  /** Columns that differ, by source names; empty where the copies are equal or one is absent. */
  readonly columns: readonly string[];
  /** By start. */
  readonly windows: readonly TracedRun[];
  readonly verdict: {
    /** Null: nothing is wrong with the row. */
    readonly finding: string | null;
    readonly cause: CauseCode | null;
    readonly confidence: Confidence | null;
    readonly says: string;
  };
  /** The command that mends it; null: nothing to mend. */
  readonly fix: string | null;
};
