import type { CauseCode, FindingCode, FindingGroup } from "./codes.ts";

export type Severity = "error" | "warn" | "info";

/** A finding's life against the state store. */
export type FindingState = "new" | "ongoing" | "worse" | "recovered";

/** `observed` names its evidence; everything else is `inferred`, or `undetermined` where nothing can be told. */
export type Confidence = "observed" | "inferred" | "undetermined";

/** JSON data of a finding's evidence. 64-bit numbers stand as strings where they may pass 2^53. */
export type Evidence = { readonly [name: string]: Json };
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** Where rows lie: half-open stretches. Cursor ends are formatted positions; key parts canonical texts (numbers where safe). */
export type FindingRange = {
  readonly cursor?: { readonly from: string | null; readonly to: string | null };
  readonly key?: { readonly from: readonly Json[]; readonly to: readonly Json[] };
};

/** One row of a sample: its key by source names, and the columns that differ. Never other values unless the check says so. */
export type SampleRow = {
  readonly key: { readonly [column: string]: Json };
  readonly columns?: readonly string[];
  readonly values?: { readonly [column: string]: { readonly source: Json; readonly target: Json } };
};

/** Why some rows of a rows finding were lost or differ. */
export type CauseFinding = {
  readonly code: CauseCode;
  readonly rows: number | string;
  /** Up to 20 runs; `runs_total` counts all. */
  readonly runs: readonly string[];
  readonly runs_total: number;
  readonly confidence: Confidence;
  readonly state: FindingState;
  readonly range: FindingRange;
  readonly evidence: Evidence;
  readonly fix: string | null;
  readonly says: string;
};

/** One thing that is not as it should be. Data first, sentence last. */
export type Finding = {
  /** Stable from night to night: `check/code`, with `/part` behind it where a check has several of one code. */
  readonly id: string;
  readonly code: FindingCode;
  readonly group: FindingGroup;
  readonly severity: Severity;
  readonly state: FindingState;
  readonly says: string;
  /** Source rows concerned (rows findings: differing rows); null: the finding is not about rows. */
  readonly rows: number | string | null;
  readonly sides?: readonly ("source" | "target")[];
  readonly columns?: readonly string[];
  readonly range: FindingRange;
  readonly sample: readonly SampleRow[];
  readonly evidence: Evidence;
  readonly causes: readonly CauseFinding[];
  readonly fix: string | null;
  readonly accepted?: boolean;
};
