import type { Check } from "../domain/check.ts";
import type { Difference } from "../domain/difference.ts";
import type { Run, UnreadableRun } from "../domain/run.ts";
import type { State } from "../domain/state.ts";
import type { Axis } from "../domain/position.ts";
import type { TableInfo, TableName } from "../domain/table.ts";
import type { Row, Snapshot } from "../sql/session.ts";
import type { Database } from "../sql/session.ts";

/** The wall clock, in microseconds since the epoch. */
export type Clock = {
  now(): bigint;
  sleep(microseconds: bigint, signal: AbortSignal): Promise<void> /** Seconds since some start, for durations. */;
  seconds(): number;
};

/** Opens each connection of the config once and keeps it; `ConnectError` where it cannot. */
export type Databases = {
  open(connection: string): Promise<Database>;
  /** The connection that this one is a replica of; null: it is none, or nobody said so. */
  primaryOf(connection: string): string | null;
};

/** Differences on their way from the comparison to the diagnosis: kept in memory up to a limit, in a file beyond it. Re-readable. */
export interface DifferenceLog extends Disposable {
  add(difference: Difference): void;
  readonly size: number;
  /** All of them, in the order in which they were added. */
  all(): Iterable<Difference>;
}

/** Rows put on numbered shelves until they are asked for, shelf by shelf: kept in memory up to a limit, in a file beyond it. */
export interface RowStore extends Disposable {
  put(shelf: number, row: Row): void;
  /** The rows of one shelf, in the order in which they were put there. */
  rows(shelf: number): readonly Row[];
}

/** Where runs are read from. Lines that cannot be read come back as such; `LedgerError` where nothing can. */
export type Ledgers = {
  read(
    check: Check,
    asked: {
      readonly axis: Axis;
      readonly since: bigint;
      readonly snapshotOf: (connection: string) => Snapshot;
      /** The ledger's table as it was described before the snapshots were taken; default: the database is asked, for a session of its own. */
      readonly describe?: (connection: string, table: TableName) => Promise<TableInfo>;
    },
  ): Promise<{
    readonly runs: readonly Run[];
    readonly unreadable: readonly UnreadableRun[];
    /** `LedgerFacts.precision`. */
    readonly precision?: bigint | null;
  }>;
};

export type { KnownFinding } from "../domain/life.ts";
export type { State } from "../domain/state.ts";

/** Says how far a check is: rows done of rows expected (null: unknown). */
export type Progress = {
  rows(check: string, done: bigint, of: bigint | null): void;
  step(check: string, what: string): void;
};

/** Everything of the outside that an audit needs. */
export type World = {
  readonly clock: Clock;
  readonly databases: Databases;
  readonly ledgers: Ledgers;
  readonly state: State;
  readonly progress: Progress;
  readonly differenceLog: () => DifferenceLog;
  readonly rowStore: () => RowStore;
  readonly signal: AbortSignal;
};

/** What `tidemark audit` was asked for, beside the checks. */
export type AuditOptions = {
  /** The text of `--range`; null: everything. */
  readonly range: string | null;
  /** Groups of findings to report; null: all. */
  readonly only: readonly ("rows" | "runs" | "clock" | "schema" | "cdc")[] | null;
  /** Compare values row by row, trusting no checksum. */
  readonly exact: boolean;
  /** Tell the quantiles of the arrival lag from all rows, however many there are; default: very many are told from a sample. */
  readonly wholeLags?: boolean;
};
