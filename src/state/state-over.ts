import { randomBytes } from "node:crypto";
import type { Observation } from "../domain/clock.ts";
import type { CauseCode, FindingCode } from "../domain/codes.ts";
import type { Evidence, Finding, FindingState, Severity } from "../domain/finding.ts";
import { must } from "../domain/errors.ts";
import { causeId, type KnownFinding } from "../domain/life.ts";
import type { Verdict } from "../domain/report.ts";
import type { AuditedCheckRecord, AuditRecord, State } from "../domain/state.ts";
import { raw, sql, value } from "../sql/statement.ts";
import { auditedCheck } from "./audited-check.ts";
import { noteTold, readTold } from "./told.ts";
import { readRepair, repairText } from "./repair-text.ts";
import type { Store, StoredRow, Transaction } from "./store.ts";

/** How many observations a check keeps in full; of older ones the last of each hour stays. */
export const OBSERVATIONS = 5000;
const HOUR = 3_600_000_000n;

/** How many audits the history holds. */
const AUDITS = 10_000;

/** The state as the flows know it, over a database that keeps it. */
export function stateOver(store: Store): State {
  const t = {
    observations: store.table("observations"),
    findings: store.table("findings"),
    audits: store.table("audits"),
    repairs: store.table("repairs"),
    secrets: store.table("secrets"),
    told: store.table("told"),
  };

  const known = async (transaction: Transaction, check: string): Promise<readonly KnownFinding[]> => {
    const rows = await transaction.rows(
      sql`SELECT id, code, cause, severity, row_count, state, first_seen, evidence FROM ${t.findings} WHERE check_name = ${value(check)} ORDER BY id`,
    );
    return rows.map(asKnown);
  };

  return {
    async observations(check) {
      const rows = await store.transaction("read", check, (transaction) =>
        transaction.rows(
          sql`SELECT at, position FROM ${t.observations} WHERE check_name = ${value(check)} ORDER BY at`,
        ),
      );
      return rows.map(
        ([at, position]): Observation => ({
          at: BigInt(at ?? 0),
          position: position === null || position === undefined ? null : BigInt(position),
        }),
      );
    },

    async observe(check, { at, position }) {
      const here = value(check);
      await store.transaction("write", check, async (transaction) => {
        await transaction.rows(
          sql`INSERT INTO ${t.observations} (check_name, at, position) VALUES (${[here, value(at.toString()), value(position?.toString() ?? null)]}) ON CONFLICT (check_name, at) DO UPDATE SET position = excluded.position`,
        );
        const [oldest] = await transaction.rows(
          sql`SELECT at FROM ${t.observations} WHERE check_name = ${here} ORDER BY at DESC LIMIT 1 OFFSET ${raw(String(OBSERVATIONS - 1))}`,
        );
        if (oldest?.[0] === undefined || oldest[0] === null) return;
        const hour = raw(String(HOUR));
        await transaction.rows(
          sql`DELETE FROM ${t.observations} AS o WHERE check_name = ${here} AND at < ${value(oldest[0])} AND EXISTS (SELECT 1 FROM ${t.observations} AS later WHERE later.check_name = o.check_name AND later.at > o.at AND later.at < (o.at / ${hour} + 1) * ${hour})`,
        );
      });
    },

    known: (check) => store.transaction("read", check, (transaction) => known(transaction, check)),

    async remember(check, at, findings, finished) {
      const stands = standing(findings);
      await store.transaction("write", check, async (transaction) => {
        const before = new Map((await known(transaction, check)).map((each) => [each.id, each]));
        for (const id of before.keys())
          if (finished && !stands.has(id))
            await transaction.rows(
              sql`DELETE FROM ${t.findings} WHERE check_name = ${value(check)} AND id = ${value(id)}`,
            );
        for (const finding of stands.values()) {
          const last = before.get(finding.id);
          // Half an audit has seen half of the rows: what was known of the whole stays.
          const kept = finished || last === undefined ? finding : { ...finding, ...greater(last, finding) };
          await transaction.rows(
            sql`INSERT INTO ${t.findings} (check_name, id, code, cause, severity, state, row_count, first_seen, last_seen, evidence) VALUES (${[
              check,
              kept.id,
              kept.code,
              kept.cause,
              kept.severity,
              kept.state,
              kept.rows?.toString() ?? null,
              (last?.firstSeen ?? at).toString(),
              at.toString(),
              JSON.stringify(kept.evidence),
            ].map(
              value,
            )}) ON CONFLICT (check_name, id) DO UPDATE SET code = excluded.code, cause = excluded.cause, severity = excluded.severity, state = excluded.state, row_count = excluded.row_count, last_seen = excluded.last_seen, evidence = excluded.evidence`,
          );
        }
      });
    },

    async recordAudit(report) {
      await store.transaction("write", "audits", async (transaction) => {
        await transaction.rows(
          sql`INSERT INTO ${t.audits} (started_at, finished_at, verdict, checks) VALUES (${[report.started_at, report.finished_at, report.verdict, JSON.stringify(report.checks.map(auditedCheck))].map(value)})`,
        );
        await transaction.rows(
          sql`DELETE FROM ${t.audits} WHERE id <= (SELECT MAX(id) FROM ${t.audits}) - ${raw(String(AUDITS))}`,
        );
      });
    },

    async audits(limit) {
      const rows = await store.transaction("read", "audits", (transaction) =>
        transaction.rows(
          sql`SELECT id, started_at, finished_at, verdict, checks FROM ${t.audits} ORDER BY id DESC LIMIT ${raw(String(Math.max(0, Math.trunc(limit))))}`,
        ),
      );
      return rows.map(
        ([id, startedAt, finishedAt, verdict, checks]): AuditRecord => ({
          id: id ?? "",
          startedAt: startedAt ?? "",
          finishedAt: finishedAt ?? "",
          verdict: verdict as Verdict,
          checks: JSON.parse(checks ?? "[]") as AuditedCheckRecord[],
        }),
      );
    },

    told: (alert) => store.transaction("read", alert, (transaction) => readTold(transaction, t.told, alert)),

    noteTold: (alert, known, over) =>
      store.transaction("write", alert, (transaction) => noteTold(transaction, t.told, alert, { known, over })),

    async keepRepair(record) {
      const row = [
        record.id,
        record.check,
        record.startedAt.toString(),
        record.updatedAt.toString(),
        record.status,
        repairText(record),
      ];
      await store.transaction("write", record.check, (transaction) =>
        transaction.rows(
          sql`INSERT INTO ${t.repairs} (id, check_name, started_at, updated_at, status, record) VALUES (${row.map(value)}) ON CONFLICT (id) DO UPDATE SET updated_at = excluded.updated_at, status = excluded.status, record = excluded.record`,
        ),
      );
    },

    async salt() {
      return await store.transaction("write", "secrets", async (transaction) => {
        await transaction.rows(
          sql`INSERT INTO ${t.secrets} (name, value) VALUES (${["salt", randomBytes(32).toString("hex")].map(value)}) ON CONFLICT (name) DO NOTHING`,
        );
        const [row] = await transaction.rows(sql`SELECT value FROM ${t.secrets} WHERE name = ${value("salt")}`);
        return must(row?.[0], "a salt that was written is there");
      });
    },

    async repairs(check) {
      const rows = await store.transaction("read", check, (transaction) =>
        transaction.rows(
          sql`SELECT record FROM ${t.repairs} WHERE check_name = ${value(check)} ORDER BY started_at DESC, id DESC`,
        ),
      );
      return rows.map(([record]) => readRepair(record ?? "null"));
    },

    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

type Standing = Omit<KnownFinding, "firstSeen">;

/** The findings that stand, and their causes, by id. A recovered one stands no more. */
function standing(findings: readonly Finding[]): ReadonlyMap<string, Standing> {
  const all = new Map<string, Standing>();
  const count = (rows: number | string | null): bigint | null => (rows === null ? null : BigInt(rows));
  for (const { id, code, severity, state, rows, evidence, causes } of findings) {
    if (state === "recovered") continue;
    all.set(id, { id, code, cause: null, severity, state, rows: count(rows), evidence });
    for (const cause of causes)
      if (cause.state !== "recovered")
        all.set(causeId(id, cause.code), {
          id: causeId(id, cause.code),
          code,
          cause: cause.code,
          severity,
          state: cause.state,
          rows: count(cause.rows),
          evidence: cause.evidence,
        });
  }
  return all;
}

const RANK: Readonly<Record<Severity, number>> = { info: 0, warn: 1, error: 2 };

function greater(a: KnownFinding, b: Standing): Pick<Standing, "severity" | "rows"> {
  const rows = a.rows === null ? b.rows : b.rows === null || a.rows > b.rows ? a.rows : b.rows;
  return { severity: RANK[a.severity] > RANK[b.severity] ? a.severity : b.severity, rows };
}

function asKnown([id, code, cause, severity, rows, state, firstSeen, evidence]: StoredRow): KnownFinding {
  return {
    id: id ?? "",
    code: code as FindingCode,
    cause: (cause ?? null) as CauseCode | null,
    severity: severity as Severity,
    rows: rows === null || rows === undefined ? null : BigInt(rows),
    state: state as FindingState,
    firstSeen: BigInt(firstSeen ?? 0),
    evidence: JSON.parse(evidence ?? "{}") as Evidence,
  };
}
