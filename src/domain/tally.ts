import type { CauseCode } from "./codes.ts";
import type { Confidence } from "./finding.ts";
import type { ShownValues } from "./difference.ts";
import type { Key } from "./key.ts";
import type { Position } from "./position.ts";

/** The findings that are made of differences. */
export const ROW_FINDINGS = [
  "missing-rows",
  "stale-rows",
  "changed-rows",
  "ahead-rows",
  "extra-rows",
  "pending-rows",
] as const;
export type RowFinding = (typeof ROW_FINDINGS)[number];

/** What an attribution measured of a row, in positions or microseconds; which one it is follows from the cause (`measures`). */
export type Measure = bigint;

/** Why one row was lost or differs. */
export type Attribution = {
  readonly finding: RowFinding;
  readonly cause: CauseCode;
  /** The runs concerned by the rule of findings.md §2, as ordinals into the ledger's runs, ascending. */
  readonly runs: readonly number[];
  readonly confidence: Confidence;
  /**
   * closed-ahead-of-clock: how far the row lay beyond the newest clock at those runs' starts. late-commit, old-dated: arrival − cursor.
   * precision: the distance to the window's end. Null: nothing was measured.
   */
  readonly measure: Measure | null;
  /** What the evidence says beyond the cause: `not-loaded` (read and not loaded), `not-read`; null: nothing. */
  readonly detail: "not-loaded" | "not-read" | null;
  /** undetermined: the causes that cannot be told apart, and what would tell them. Empty for all others. */
  readonly between: readonly CauseCode[];
  readonly tells: readonly string[];
  /** One sentence about this row's verdict, for `trace`. Made on demand. */
  readonly says: () => string;
};

/** A stretch of rows: cursors and keys, first and last of them included; null: no row has one. */
export type Stretch = {
  readonly rows: bigint;
  readonly cursors: { readonly first: Position; readonly last: Position } | null;
  readonly keys: { readonly first: Key; readonly last: Key };
};

/** Nearby rows of one cause: what one look and one repair can deal with. */
export type Incident = {
  readonly rows: bigint;
  readonly cursors: { readonly first: Position; readonly last: Position } | null;
  /** The stretch that is worth repairing, half-open: the window of the runs, the hole, or the rows themselves. */
  readonly repair: { readonly from: Position; readonly to: Position } | null;
  /** Ordinals into the ledger's runs. */
  readonly runs: readonly number[];
};

export type CauseTally = Stretch & {
  readonly code: CauseCode;
  readonly byConfidence: { readonly [confidence in Confidence]: bigint };
  /** Rows by run, as ordinals into the ledger's runs, ascending. A row of several runs counts at each. */
  readonly runs: readonly { readonly run: number; readonly rows: bigint }[];
  readonly incidents: readonly Incident[];
  readonly measure: { readonly least: Measure; readonly most: Measure } | null;
  readonly details: { readonly notLoaded: bigint; readonly notRead: bigint };
  readonly between: readonly CauseCode[];
  readonly tells: readonly string[];
};

/** All differences of one finding (and one entry of `accept`, or none). */
export type FindingTally = Stretch & {
  readonly finding: RowFinding;
  /** Index into `check.accept` of the entry that these rows are accepted by; null: none. */
  readonly accepted: number | null;
  /** Rows that the target lacks now. */
  readonly lacking: bigint;
  /** Up to 20, the first in key order. */
  readonly sample: readonly {
    readonly key: Key;
    readonly columns: readonly string[] | null;
    readonly values?: readonly ShownValues[];
  }[];
  /** Source names of all columns that were seen to differ. */
  readonly columns: readonly string[];
  readonly causes: readonly CauseTally[];
};

/** What lost rows without a known arrival say about the overlap: bounds from below (findings.md §2). */
export type OverlapBounds = {
  /** Lost rows whose windows had been read before they can have arrived. */
  readonly rows: bigint;
  readonly needed: bigint;
  readonly lag: bigint;
  /** Rows that no run of the ledger looked back far enough for. */
  readonly behind: bigint;
  /** Rows that lie before the left edge that a policy would have given to that run (`leftEdges`). */
  readonly behindWallClock: bigint;
  readonly behindDataClock: bigint;
  /**
   * Lost rows with a known arrival that lie before the left end of their first chance to be read, by the ordinal of the first success
   * after their arrival (`ArrivalGroup.nextRun`): so many of a group needed a larger look-back at least.
   */
  readonly knownBehind: ReadonlyMap<number, bigint>;
};

/** One pass over the differences: exact counts, samples, stretches. */
export type Tally = {
  readonly differences: bigint;
  readonly findings: readonly FindingTally[];
  /** Rows without a cursor that the target lacks. */
  readonly nullCursorsLacking: bigint;
  readonly bounds: OverlapBounds;
};
