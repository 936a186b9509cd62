import type { Finding } from "./finding.ts";

export type Verdict = "pass" | "warn" | "fail" | "incomplete";

/** One side of a check in the report. `rows`: rows compared there; `clock`: its data clock, formatted. */
export type ReportSide = {
  readonly connection: string;
  readonly engine: string | null;
  readonly table: string;
  readonly rows: number | string | null;
  readonly clock: string | null;
};

/** What one check came to: interface.md §5. */
export type CheckReport = {
  readonly check: string;
  readonly description: string | null;
  readonly strategy: "full" | "cursor" | "cdc";
  readonly verdict: Verdict;
  readonly source: ReportSide;
  readonly target: ReportSide;
  readonly compared: {
    readonly columns: readonly string[];
    readonly not_compared: readonly { readonly column: string; readonly why: string }[];
    readonly notes: readonly string[];
    readonly digest: string;
    readonly chunks: number;
    readonly chunks_different: number;
    readonly rows_fetched: number;
    readonly statements: number;
    readonly seconds: number;
    readonly stopped: string | null;
  } | null;
  readonly runs: {
    readonly read: number;
    readonly successful: number;
    readonly empty: number;
    readonly without_window: number;
    readonly unreadable: readonly { readonly place: string; readonly why: string }[];
    readonly first: string | null;
    readonly last: string | null;
  } | null;
  readonly findings: readonly Finding[];
  /** Wall time of the whole check. */
  readonly seconds: number;
  readonly error: { readonly code: string; readonly message: string; readonly hint: string | null } | null;
};

/** The JSON report, version 1. Times are ISO with milliseconds. */
export type Report = {
  readonly version: 1;
  readonly tool: { readonly name: "tidemark"; readonly version: string };
  readonly started_at: string;
  readonly finished_at: string;
  readonly verdict: Verdict;
  readonly checks: readonly CheckReport[];
};

const WORST: readonly Verdict[] = ["pass", "warn", "fail", "incomplete"];

/** The worst of the verdicts; `pass` of none: not knowing is worse than knowing. */
export function worstVerdict(verdicts: readonly Verdict[]): Verdict {
  return verdicts.reduce<Verdict>((worst, v) => (WORST.indexOf(v) > WORST.indexOf(worst) ? v : worst), "pass");
}

/** A count as JSON: a number while it is exact, a string beyond 2^53. */
export function jsonCount(n: bigint): number | string {
  return n <= BigInt(Number.MAX_SAFE_INTEGER) && n >= BigInt(Number.MIN_SAFE_INTEGER) ? Number(n) : n.toString();
}
