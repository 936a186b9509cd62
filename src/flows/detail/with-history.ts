import type { CheckDetail, HistoryPoint, ReportDetail } from "../../domain/detail.ts";
import type { AuditRecord } from "../../domain/state.ts";

/** Audits of a check that a page shows at most. */
const SHOWN = 60;

/** The same pictures with each check's last audits. `records`: newest first, as the state store gives them, this audit among them. */
export function withHistory(details: ReportDetail, records: readonly AuditRecord[]): ReportDetail {
  const points = new Map<string, HistoryPoint[]>();
  for (const { startedAt, checks } of records)
    for (const { check, verdict, rows, findings, streak } of checks) {
      const known = points.get(check) ?? [];
      points.set(check, known);
      if (known.length < SHOWN) known.push({ startedAt, verdict, rows, findings, streak: streak ?? null });
    }
  return new Map(
    [...details].map(([check, detail]): [string, CheckDetail] => [
      check,
      { ...detail, history: (points.get(check) ?? []).toReversed() },
    ]),
  );
}
