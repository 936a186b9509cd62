import type { Axis } from "./position.ts";

/** What a replay of the ledger says about look-backs. Lengths in microseconds (numbers on a sequence axis). */
export type Advice = {
  readonly axis: Axis;
  /** Rows that it is told from: those with a known arrival inside the audited stretch; else the source's rows between the windows. */
  readonly rows: bigint;
  readonly runs: number;
  /** `bounded`: nobody knows when rows arrived, so that lost rows bound everything from below. */
  readonly arrivals: "observed" | "bounded";
  /** Arrival lag, lost rows included; a quantile that nobody can tell is null. */
  readonly lag: { readonly p50: bigint | null; readonly p99: bigint | null; readonly max: bigint };
  /** The look-back that the ledger's windows show (median). */
  readonly overlapInForce: bigint;
  /** The smallest look-back that would have lost nothing. */
  readonly needed: bigint;
  /** `needed` or the largest lag, whichever is larger, plus slack, rounded up to a natural unit. */
  readonly advised: bigint;
  /** Median distance of the runs' starts; of windows' lengths on a sequence axis. */
  readonly interval: bigint;
  readonly policies: readonly PolicyOutcome[];
  /** What limits the answer, in sentences. */
  readonly notes: readonly string[];
};

/** What one policy would have done at the ledger's starts. */
export type PolicyOutcome = {
  readonly policy: "wall-clock" | "data-clock" | "overlap";
  readonly overlap: bigint;
  /** Null: it cannot be replayed (no wall clock on a sequence axis, no data clock known). */
  readonly rowsLost: bigint | null;
  /** Whether `rowsLost` is exact, or a bound from below. */
  readonly exact: boolean;
  /** Rows read again, as the source's rows stand now; null: as `rowsLost`. `rereadExact` false: a bound from above. */
  readonly rowsReread: bigint | null;
  readonly rereadExact: boolean;
  /** Freshness cost: the median of how far a run's right edge stays behind its start, microseconds; null on a sequence axis. */
  readonly behindStart: bigint | null;
};
