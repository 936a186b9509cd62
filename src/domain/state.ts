import type { Observation } from "./clock.ts";
import type { FindingCode } from "./codes.ts";
import type { Finding } from "./finding.ts";
import type { KnownFinding } from "./life.ts";
import type { ToldIncident } from "./news.ts";
import type { RepairRecord } from "./repair.ts";
import type { Report, Verdict } from "./report.ts";

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
  /** What an alert knows of the incidents of all checks. `alert`: its id, which gives no secret away. */
  told(alert: string): Promise<readonly ToldIncident[]>;
  /** Writes what an alert knows from now on, and forgets what is over. All of it, or nothing. */
  noteTold(
    alert: string,
    known: readonly ToldIncident[],
    over: readonly Pick<ToldIncident, "check" | "id">[],
  ): Promise<void>;
  /** Writes a repair's record in place of the one of that id. */
  keepRepair(record: RepairRecord): Promise<void>;
  /** A random text of this store's own, made when it is first asked for: it makes hashes of values that nobody else can look up. */
  salt(): Promise<string>;
  /** The check's repairs, newest first. */
  repairs(check: string): Promise<readonly RepairRecord[]>;
}

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
  readonly findings: {
    readonly error: number;
    readonly warn: number;
    readonly info: number;
    readonly recovered: number;
  };
  /** Rows of each standing finding that counts some, by code. */
  readonly rows: { readonly [code in FindingCode]?: number | string };
  readonly seconds: number;
  /** Runs of the longest zero-row streak that stands; absent or null: none does, or an earlier version wrote this. */
  readonly streak?: number | null;
};
