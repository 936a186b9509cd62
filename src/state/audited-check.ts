import type { Severity } from "../domain/finding.ts";
import type { CheckReport } from "../domain/report.ts";
import type { AuditedCheckRecord } from "../domain/state.ts";
import { longestStreak } from "../domain/streak.ts";

/** What the history keeps of a check that was audited. */
export function auditedCheck({ check, verdict, source, target, findings, seconds }: CheckReport): AuditedCheckRecord {
  const stands = findings.filter(({ state }) => state !== "recovered");
  const at = (severity: Severity): number => stands.filter((each) => each.severity === severity).length;
  return {
    check,
    verdict,
    sourceRows: source.rows,
    targetRows: target.rows,
    sourceClock: source.clock,
    targetClock: target.clock,
    findings: {
      error: at("error"),
      warn: at("warn"),
      info: at("info"),
      recovered: findings.length - stands.length,
    },
    rows: Object.fromEntries(stands.flatMap(({ code, rows }) => (rows === null ? [] : [[code, rows]]))),
    seconds,
    streak: longestStreak(stands),
  };
}
