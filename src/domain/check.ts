import type { FindingCode } from "./codes.ts";
import type { Severity } from "./finding.ts";
import type { Bytes, Duration } from "./duration.ts";
import type { Position } from "./position.ts";
import type { RangeText } from "./range.ts";
import type { TableName } from "./table.ts";
import type { WindowEnds } from "./window.ts";

/**
 * What one pipeline promises: read from a check file, complete, with every default filled in. Durations are microseconds, sizes bytes.
 * `null` means that the file says nothing and no default stands in; what that entails is said at each field.
 */
export type Check = {
  /** The file's path below the checks folder without its ending: `billing/orders`. */
  readonly name: string;
  /** The file as its user would type it. */
  readonly file: string;
  readonly description: string | null;
  /** How the pipeline finds rows. Default: `cursor` where a cursor is given, else `full`. */
  readonly strategy: Strategy;
  readonly source: Relation;
  readonly target: Relation;
  /** The system behind the source, whose data clock is compared too. */
  readonly origin: Relation | null;
  /** Source names of the key columns, in order. Null: the source's primary key. */
  readonly key: readonly string[] | null;
  readonly columns: ColumnChoice;
  /** Null: no cursor (`full`); everything about windows is then left out. */
  readonly cursor: Cursor | null;
  /** Source name of the column that decides which copy of a row is newer. Default: the cursor's column; null without either. */
  readonly version: string | null;
  /** How one knows when a row became visible in the source; null: not at all. */
  readonly arrival: Arrival | null;
  /** Target column that says when the pipeline last wrote the row. */
  readonly loaded: string | null;
  /** Where the pipeline writes down its runs; null: nowhere. */
  readonly runs: Ledger | null;
  readonly expect: Expectations;
  /** Rows whose cursor is younger than this are not judged. Default 10m. */
  readonly settle: Duration;
  /** Severities that the check changes or switches off. */
  readonly severity: { readonly [code in FindingCode]?: Severity | "off" };
  readonly accept: readonly Acceptance[];
  readonly compare: ComparisonSettings;
  /** Thresholds of strategy `cdc`; null elsewhere. */
  readonly cdc: CaptureSettings | null;
  readonly repair: RepairSettings;
  /** What reports may show of row values other than keys. `mask` (default) shows none, `hash` a salted hash, `show` the values. */
  readonly report: { readonly values: "show" | "mask" | "hash" };
  readonly sync: {
    /** How far the next window looks back. Null: `expect.arrivalLag`; without that nothing. */
    readonly overlap: Duration | null;
  };
};

export type Strategy = "cursor" | "full" | "cdc";

/** A table on a connection. */
export type Relation = {
  readonly connection: string;
  readonly table: TableName;
  /** SQL of the user's own, in the dialect of the connection, that every statement on the table holds to. Null: all rows. */
  readonly where: string | null;
  /** IANA zone of the table's zone-less times. Null: not said; UTC where one is needed. */
  readonly timezone: string | null;
};

/** Which columns are compared, and how. All names are the source's. */
export type ColumnChoice = {
  /** Null: every source column that the target has too. */
  readonly only: readonly string[] | null;
  readonly exclude: readonly string[];
  /** Source name → target name, for those that differ. */
  readonly rename: { readonly [source: string]: string };
  /** |a − b| at most this, as a plain decimal (never through a float). */
  readonly tolerance: { readonly [source: string]: string };
  readonly treat: { readonly [source: string]: readonly Treatment[] };
};

/** What is done to both sides' values before they are compared, in the order written. */
export const TREATMENTS = ["trim", "case", "nfc", "empty-as-null", "second", "millisecond", "json"] as const;
export type Treatment = (typeof TREATMENTS)[number];

/** Units of a cursor that is a number. `sequence` counts nothing but itself. */
export const CURSOR_UNITS = ["epoch-s", "epoch-ms", "epoch-us", "sequence"] as const;
export type CursorUnit = (typeof CURSOR_UNITS)[number];

export type Cursor = {
  /** Source name. */
  readonly column: string;
  /** Null: by the column's type (a time type is a time, an integer a sequence). */
  readonly unit: CursorUnit | null;
  /** Rows that the pipeline reads at a time. Default 10,000. */
  readonly page: number;
};

export type Arrival = { readonly by: "column"; readonly column: string } | { readonly by: "commit-timestamp" };

/** Where and how runs are written down. */
export type Ledger = {
  readonly from: LedgerSource;
  readonly columns: LedgerColumns;
  /** Kind values that mean a backfill. Default: `backfill`. */
  readonly backfill: readonly string[];
  readonly where: string | null;
  /** Status values that mean success; compared in lower case. Default: success, succeeded, completed, ok, done. */
  readonly success: readonly string[];
  /** Which ends belong to a window. Default: the preset's own, else `(]`. */
  readonly window: WindowEnds;
  /** IANA zone of ledger times without one. Default UTC. */
  readonly timezone: string;
  /** How far back to audit. Default 30d. */
  readonly since: Duration;
};

export type LedgerSource =
  | { readonly kind: "table"; readonly connection: string; readonly table: TableName }
  | { readonly kind: "query"; readonly connection: string; readonly query: string }
  /** `path` is absolute; `file` is how its user would write it. */
  | { readonly kind: "file"; readonly path: string; readonly file: string }
  | {
      readonly kind: "preset";
      readonly connection: string;
      readonly preset: string;
      readonly params: { readonly [name: string]: string };
    };

/** The names of a run's fields, in their order in messages. */
export const LEDGER_FIELDS = [
  "id",
  "from",
  "to",
  "started",
  "finished",
  "status",
  "rows",
  "kind",
  "data_clock",
] as const;
export type LedgerField = (typeof LEDGER_FIELDS)[number];

/**
 * Which ledger column holds which field; null: none does. A check that maps nothing gets the canonical names (and no `kind`, no
 * `data_clock`); one that maps some gets null for the rest. A file has all canonical names; `kind` and `data_clock` may be absent there.
 */
export type LedgerColumns = { readonly [field in LedgerField]: string | null };

export type Expectations = {
  /** Successful runs in a row with 0 rows that make a streak. Default 3. */
  readonly zeroRowStreak: number;
  /** How old the data clock may be; null: never judged. */
  readonly freshness: { readonly warn: Duration | null; readonly error: Duration | null };
  /** How late rows are known to arrive; null: not said. */
  readonly arrivalLag: Duration | null;
  /** How often runs start; null: not said. */
  readonly every: RunRhythm | null;
  /** How long a run may take. Null: 10 times the median. */
  readonly maxRun: Duration | null;
  /** A cursor this far beyond now is a fault. Default 5m. */
  readonly future: Duration;
};

/** A fixed distance between runs, or a cron schedule in an IANA zone (default UTC). */
export type RunRhythm =
  | { readonly by: "distance"; readonly distance: Duration }
  | { readonly by: "schedule"; readonly schedule: string; readonly timezone: string };

/** Findings that one has agreed to live with. */
export type Acceptance = {
  readonly finding: FindingCode;
  /** Null: wherever it is found. Read by the grammar of `--range`; resolve it with `resolveRange`. */
  readonly range: RangeText | null;
  readonly reason: string | null;
  /** Accepted while now < until; a date means its first moment in UTC. Null: for ever. */
  readonly until: Position | null;
};

export type ComparisonSettings = {
  /** Rows of a first chunk; `auto`: the table's rows ÷ 64, between 25,000 and 1,000,000. */
  readonly chunkRows: number | "auto";
  /** Connections a side at most. Default 4; 1 where it is gentle. */
  readonly parallel: number;
  /** Spares the servers: one connection a side, checksums of about half a second, and as long a rest after each. Default false. */
  readonly gentle: boolean;
  /**
   * How often what differs is asked again (default 2), and how long to wait before. Null: two seconds, or a fifth of one where
   * `settle` already leaves out the rows that may still be moving.
   */
  readonly recheck: { readonly rounds: number; readonly wait: Duration | null };
  /** Ends a comparison early; null: never. */
  readonly stopAfter: { readonly differences: number | null; readonly time: Duration | null };
};

/** Limits of change data capture. Null: not judged. */
export type CaptureSettings = {
  readonly slot: string | null;
  /** Bytes behind. */
  readonly warn: Bytes | null;
  readonly error: Bytes | null;
  /** How long a slot may stay unread before it is an error. */
  readonly inactive: Duration | null;
  /** What the server must keep at least. */
  readonly binlogRetention: Duration | null;
  /** SQL that reads the consumer's position. */
  readonly position: string | null;
};

export type RepairSettings = {
  /** Default 1,000. */
  readonly batchRows: number;
  /** Default 5,000. */
  readonly rowsPerSecond: number;
  /** Bound on rows written. Default 1,000,000. */
  readonly maxRows: number;
  /** The hours in which a repair may write, half-open, in microseconds since midnight; `from` > `to` passes midnight. Null: always. */
  readonly between: HoursOfDay | null;
  /** IANA zone of `between`. Default UTC. */
  readonly timezone: string;
  /** Rows that may be quarantined before the breaker opens. Default 100. */
  readonly maxPoison: number;
  /** Default false. */
  readonly deleteExtra: boolean;
};

export type HoursOfDay = { readonly from: Duration; readonly to: Duration };
