import type { Check } from "../domain/check.ts";
import type { Observation } from "../domain/clock.ts";
import type { Difference } from "../domain/difference.ts";
import type { FindingCode } from "../domain/codes.ts";
import type { Finding } from "../domain/finding.ts";
import type { KnownFinding } from "../domain/life.ts";
import type { Report, Verdict } from "../domain/report.ts";
import type { Run, UnreadableRun } from "../domain/run.ts";
import type { Axis } from "../domain/position.ts";
import type { Snapshot } from "../sql/session.ts";
import type { Database } from "../sql/session.ts";

/** The wall clock, in microseconds since the epoch. */
export type Clock = { now(): bigint; sleep(microseconds: bigint, signal: AbortSignal): Promise<void>; /** Seconds since some start, for durations. */ seconds(): number };

/** Opens each connection of the config once and keeps it; `ConnectError` where it cannot. */
export type Databases = { open(connection: string): Promise<Database> };

/** Differences on their way from the comparison to the diagnosis: kept in memory up to a limit, in a file beyond it. Re-readable. */
export interface DifferenceLog extends Disposable {
  add(difference: Difference): void;
  readonly size: number;
  /** All of them, in the order in which they were added. */
  all(): Iterable<Difference>;
}

/** Where runs are read from. Lines that cannot be read come back as such; `LedgerError` where nothing can. */
export type Ledgers = {
  read(
    check: Check,
    asked: { readonly axis: Axis; readonly since: bigint; readonly snapshotOf: (connection: string) => Snapshot },
  ): Promise<{ readonly runs: readonly Run[]; readonly unreadable: readonly UnreadableRun[] }>;
};

/** What the state store keeps of an audit, for histories: counts and clocks, no rows and no values. */
export type AuditRecord = {
  /** Grows from audit to audit. */
  readonly id: string;
  /** ISO, as in the report. */
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly verdict: Verdict;
  readonly checks: readonly AuditedCheckRecord[];
};

export type AuditedCheckRecord = {
  readonly check: string;
  readonly verdict: Verdict;
  readonly sourceRows: number | string | null;
  readonly targetRows: number | string | null;
  readonly sourceClock: string | null;
  readonly targetClock: string | null;
  /** Findings that stand, by severity, and those that recovered. */
  readonly findings: { readonly error: number; readonly warn: number; readonly info: number; readonly recovered: number };
  /** Rows of each standing finding that counts some, by code. */
  readonly rows: { readonly [code in FindingCode]?: number | string };
  readonly seconds: number;
};

/** Observations and the life of findings, between audits. Safe with several processes. */
export interface State extends AsyncDisposable {
  /** The check's observations, ascending by time. */
  observations(check: string): Promise<readonly Observation[]>;
  observe(check: string, observation: Observation): Promise<void>;
  /** Findings (and causes, by `id/cause`) that stood at the end of the check's last finished audit. */
  known(check: string): Promise<readonly KnownFinding[]>;
  /** Replaces what is known by what stands now. `finished` false: the check could not finish, so nothing that is absent has recovered. */
  remember(check: string, at: bigint, findings: readonly Finding[], finished: boolean): Promise<void>;
  /** Writes an audit into the history. */
  recordAudit(report: Report): Promise<void>;
  /** The newest audits, newest first. */
  audits(limit: number): Promise<readonly AuditRecord[]>;
}

export type { KnownFinding } from "../domain/life.ts";

/** Says how far a check is: rows done of rows expected (null: unknown). */
export type Progress = { rows(check: string, done: bigint, of: bigint | null): void; step(check: string, what: string): void };

/** Everything of the outside that an audit needs. */
export type World = {
  readonly clock: Clock;
  readonly databases: Databases;
  readonly ledgers: Ledgers;
  readonly state: State;
  readonly progress: Progress;
  readonly differenceLog: () => DifferenceLog;
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
};
