import type { Check } from "./check.ts";
import type { ClockReading, Observation } from "./clock.ts";
import type { DuplicateKeys, SystematicDifference } from "./difference.ts";
import type { Key, KeyRange } from "./key.ts";
import type { AgreedKind } from "./kind.ts";
import type { Bigints } from "./packed-bigints.ts";
import type { Axis, Position } from "./position.ts";
import type { Run, UnreadableRun } from "./run.ts";
import type { TableInfo } from "./table.ts";
import type { Window } from "./window.ts";

/** A column pair that is compared, and as what. Names are the columns' own; findings go by the source's. */
export type ColumnPair = {
  readonly source: string;
  readonly target: string;
  readonly as: AgreedKind;
  /** What was agreed beyond the kind, for the report ("compared at milliseconds"); null: nothing. */
  readonly note: string | null;
};

/** Which columns are compared, and which are not and why. Names are the source's, or the target's for target-only columns. */
export type Mapping = {
  readonly key: readonly ColumnPair[];
  /** Every compared column, the key's included. */
  readonly compared: readonly ColumnPair[];
  readonly notCompared: readonly {
    readonly column: string;
    readonly side: "source" | "target" | "both";
    readonly why: string;
  }[];
  /** Source columns without a partner that neither `only` nor `exclude` nor `arrival` explains; and the target's. */
  readonly missingInTarget: readonly string[];
  readonly missingInSource: readonly string[];
};

/** What a side's cursor column shows now, under the side's `where`. Positions on the cursor's axis. */
export type CursorFacts = {
  /** Newest value that is not in the future: the data clock. Null: no row has one. */
  readonly clock: Position | null;
  readonly oldest: Position | null;
  /** Newest value of all. */
  readonly newest: Position | null;
  readonly nulls: bigint;
  /** Rows beyond now + `expect.future`. */
  readonly future: bigint;
  readonly futureSample: { readonly key: Key; readonly position: Position } | null;
  /**
   * The value that most rows share, where more than one row does; null: none does (or not asked). Whether these are too many is the
   * rule's business (`cursor-ties`): the pipeline's page may be smaller than the check says. `values`: how many values more than one
   * row share.
   */
  readonly ties: { readonly position: Position; readonly rows: bigint; readonly values: bigint } | null;
  /** Whether no value has a fraction of a second although the type keeps one; null: not asked, or too few rows. */
  readonly wholeSeconds: boolean | null;
};

/** One side as it was read. `rows`: rows compared there, after where, range and settle; null: not compared. */
export type SideFacts = {
  readonly connection: string;
  readonly engine: string;
  readonly table: TableInfo;
  readonly rows: bigint | null;
  readonly cursor: CursorFacts | null;
  /** Smallest and largest key, in key order; null: empty, or not asked. */
  readonly keys: { readonly first: Key; readonly last: Key } | null;
};

/** Neighbouring chunks of a comparison as one: how many they are, how many of them differ, and the larger side's rows. */
export type ChunkSpan = {
  readonly keys: KeyRange;
  readonly rows: bigint;
  readonly chunks: number;
  readonly different: number;
};

/** What the comparison found, without its differences (they are streamed beside it). */
export type ComparisonFacts = {
  readonly chunks: number;
  readonly chunksDifferent: number;
  readonly rowsFetched: number;
  readonly statements: number;
  readonly seconds: number;
  /** Which hash proved equality: `typed`, `sha256`, `md5`, or `values` for --exact. */
  readonly digest: string;
  readonly systematic: readonly SystematicDifference[];
  readonly duplicates: readonly DuplicateKeys[];
  /** Why it ended before everything was compared; null: it did not. */
  readonly stopped: string | null;
  /** Its chunks in key order, neighbours put together so that there are a few hundred at most. Absent: they have no order. */
  readonly strip?: readonly ChunkSpan[];
  readonly notes: readonly string[];
};

/**
 * Rows counted along the cursor's axis. `ends` are ascending positions; `at[i]` rows lie exactly on `ends[i]`, `between[i]`
 * rows strictly between `ends[i - 1]` and `ends[i]` (`between[0]`: before the first, `between[ends.length]`: beyond the last).
 */
export type CursorProfile = {
  readonly ends: Bigints;
  readonly at: Bigints;
  readonly between: Bigints;
};

/** Rows by when they arrived among the runs' starts, for lags and overlaps. Microseconds (or sequence numbers) throughout. */
export type ArrivalGroup = {
  /** Index into `successfulRuns(runs)` (ledger-index.ts): the first that started at or after the arrival; null: none did. */
  readonly nextRun: number | null;
  readonly rows: bigint;
  readonly oldestCursor: Position;
  readonly newestCursor: Position;
  /** Largest arrival − cursor; 0 on a sequence axis. */
  readonly largestLag: bigint;
  /**
   * How many of the rows lie before the left edge that a policy gives to this `nextRun`: `leftEdges(ledger)` (left-edges.ts) at the
   * same index says where those edges are. Absent: not counted; then only `oldestCursor` and `newestCursor` bound it.
   */
  readonly behind?: { readonly ledger: bigint; readonly wallClock: bigint; readonly dataClock: bigint };
};

/** What is known of arrivals in the source, where an arrival column or commit timestamps say so. */
export type ArrivalFacts = {
  readonly rows: bigint;
  /** Arrival lag in microseconds. */
  readonly lag: { readonly p50: bigint; readonly p99: bigint; readonly max: bigint } | null;
  /** The same over the rows that the target has. */
  readonly lagOfArrived: { readonly p99: bigint } | null;
  /** So many rows stood for all of them in `lag`'s p50 and p99, `lagOfArrived` and `histogram`, chosen at random by pages. Absent: each row. */
  readonly sampled?: bigint;
  /** How the lags are distributed: parts of a sixteenth of an octave, ascending, each with its own least and largest lag. Absent: not counted. */
  readonly histogram?: readonly { readonly least: bigint; readonly most: bigint; readonly rows: bigint }[];
  /**
   * Only rows whose cursor lies inside the audited stretch: at or beyond the smallest left end of the successful windows and not in
   * the future. Rows from before the first window are history, not arrivals.
   */
  readonly groups: readonly ArrivalGroup[];
  /**
   * Moments of arrival that at least 100 source rows share whose lag is beyond `lagOfArrived.p99` (on a sequence axis: whose cursor
   * lies below the newest cursor that had arrived before): imports of old rows. Absent or empty: none, or not asked.
   */
  readonly imports?: readonly { readonly arrival: bigint; readonly rows: bigint }[];
};

/** The ledger with the source as its witness. */
export type LedgerFacts = {
  /** Ascending by start, then by id. */
  readonly runs: readonly Run[];
  readonly unreadable: readonly UnreadableRun[];
  /** The oldest start that was asked for, wall-clock microseconds. */
  readonly since: bigint;
  /** Where the data clock stood at each run's start, aligned with `runs`; null: nobody can say. */
  readonly clocks: readonly (ClockReading | null)[];
  /** Source rows along the axis, cut at every window's ends, and at each clock that stood inside a successful run's window. */
  readonly source: CursorProfile;
  /** Of those, rows that the target lacks now: missing there, or there in an older version. */
  readonly lacking: CursorProfile;
  readonly observations: readonly Observation[];
  readonly arrivals: ArrivalFacts | null;
  /**
   * The first four moments after the newest run's start (after `since` where there is no run) at which `expect.schedule` wants a run,
   * wall-clock microseconds ascending; they may lie in the future. Absent: no schedule is given.
   */
  readonly expectedStarts?: readonly bigint[];
  /**
   * The step at which the ledger keeps window ends, in positions (1,000,000 for whole seconds), from the declared types. Absent or
   * null: not known; then the ends themselves show it.
   */
  readonly precision?: bigint | null;
};

/**
 * What the servers say about change data capture; sizes in bytes, times in microseconds. `slot` null: the check names none, or the
 * server has none of that name (`slotMissing`). `log` null: the source keeps no binary log that the check watches.
 */
export type CdcFacts = {
  readonly slot: {
    readonly name: string;
    readonly active: boolean;
    /** `reserved`, `extended`, `unreserved`, `lost`; null: not said. */
    readonly walStatus: string | null;
    readonly invalidationReason: string | null;
    /** Bytes of log that the server must keep for it (from `restart_lsn`), and that its reader has not confirmed; null where lost. */
    readonly restartLag: bigint | null;
    readonly confirmedLag: bigint | null;
    /** How long nobody has read it; null: active, or the server does not say. */
    readonly inactiveFor: bigint | null;
    /** Bytes of log that may still be written before the server drops it; null: no limit. */
    readonly safeBytes: bigint | null;
  } | null;
  /** The slot that the check names and the server does not have. */
  readonly slotMissing: string | null;
  /** Bytes of log written per second, measured; null: not measured. */
  readonly bytesPerSecond: number | null;
  readonly log: {
    /** How long the server keeps its logs, by its settings; null: for ever or not said. */
    readonly retention: bigint | null;
    /** The oldest log file that it still has, and the one that the consumer needs; null: not said. */
    readonly oldestFile: string | null;
    readonly consumerFile: string | null;
    /** Whether the consumer's position is still in the logs; null: the check gives none. */
    readonly holdsPosition: boolean | null;
  } | null;
};

/**
 * Everything that was read for one check: plain data that can be saved and judged again without a database. Differences are
 * streamed beside it. `now`: the wall clock when the audit began, microseconds.
 */
export type Facts = {
  readonly check: Check;
  readonly now: bigint;
  /** The cursor's axis; null: the check has no cursor. */
  readonly axis: Axis | null;
  readonly source: SideFacts;
  readonly target: SideFacts;
  readonly origin: { readonly connection: string; readonly cursor: CursorFacts } | null;
  readonly mapping: Mapping;
  /**
   * The stretch that was asked for with --range, on the cursor's axis; null: everything. The comparison looked at nothing else, so that
   * run findings which hang on what the target lacks are told only of stretches inside it.
   */
  readonly range: Window | null;
  /** True: --range asked for some keys, so that of no stretch all rows were compared. */
  readonly someKeys?: boolean;
  readonly comparison: ComparisonFacts | null;
  readonly ledger: LedgerFacts | null;
  /** Absent or null: change data capture was not asked about. */
  readonly cdc?: CdcFacts | null;
};
