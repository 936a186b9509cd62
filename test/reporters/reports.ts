import type { CauseFinding, Finding } from "../../src/domain/finding.ts";
import type { CheckReport, Report } from "../../src/domain/report.ts";
import { worstVerdict } from "../../src/domain/report.ts";
import { PLAIN, type ReporterOptions } from "../../src/reporters/reporter.ts";

/** The options of a pipe. */
export const PIPE: ReporterOptions = { columns: 80, style: PLAIN, commandSuffix: "", ending: null };

export function causeOf(over: Partial<CauseFinding> = {}): CauseFinding {
  return {
    code: "closed-ahead-of-clock",
    rows: 3,
    runs: ["812"],
    runs_total: 1,
    confidence: "observed",
    state: "new",
    range: {},
    evidence: {},
    fix: null,
    says: "run 812 closed its window 10 h 20 min ahead of the data clock, and no later window looks back",
    ...over,
  };
}

export function findingOf(over: Partial<Finding> = {}): Finding {
  return {
    id: "grades/missing-rows",
    code: "missing-rows",
    group: "rows",
    severity: "error",
    state: "new",
    says: "3 rows of the source are missing from the target",
    rows: 3,
    range: {
      cursor: { from: "2026-06-01T08:00:00.000000Z", to: "2026-06-01T12:00:00.000001Z" },
      key: { from: [17], to: [20] },
    },
    sample: [{ key: { id: 17 }, columns: ["finalgrade"] }, { key: { id: 18 } }],
    evidence: { run: "812", ahead_by_seconds: 37200 },
    causes: [causeOf()],
    fix: "tidemark repair grades --range 2026-06-01T08:00:00Z..2026-06-01T12:00:00.000001Z",
    ...over,
  };
}

export function checkOf(over: Partial<CheckReport> = {}): CheckReport {
  return {
    check: "grades",
    description: null,
    strategy: "cursor",
    verdict: "fail",
    source: {
      connection: "ods",
      engine: "postgres",
      table: "lms.grade_grades",
      rows: 120000,
      clock: "2026-06-02T01:40:00.000000Z",
    },
    target: {
      connection: "crm",
      engine: "mysql",
      table: "public.grades",
      rows: 119997,
      clock: "2026-06-02T01:40:00.000000Z",
    },
    compared: {
      columns: ["id", "userid"],
      not_compared: [],
      notes: [],
      digest: "sha256",
      chunks: 24,
      chunks_different: 1,
      rows_fetched: 812,
      statements: 61,
      seconds: 1.21,
      stopped: null,
    },
    runs: null,
    findings: [findingOf()],
    seconds: 1.21,
    error: null,
    ...over,
  };
}

export function passOf(check: string): CheckReport {
  return checkOf({ check, verdict: "pass", findings: [] });
}

export function failureOf(check: string, message: string, hint: string | null = null, code = "schema"): CheckReport {
  const base = checkOf({ check, verdict: "incomplete", findings: [], compared: null, error: { code, message, hint } });
  return {
    ...base,
    source: { ...base.source, rows: null, clock: null },
    target: { ...base.target, rows: null, clock: null },
  };
}

export function reportOf(...checks: readonly CheckReport[]): Report {
  return {
    version: 1,
    tool: { name: "tidemark", version: "0.1.0" },
    started_at: "2026-06-02T01:00:00.000Z",
    finished_at: "2026-06-02T01:00:07.412Z",
    verdict: worstVerdict(checks.map((check) => check.verdict)),
    checks,
  };
}
