import type { Severity } from "../domain/finding.ts";
import type { IncidentCode } from "../domain/incident.ts";
import type { ToldIncident } from "../domain/news.ts";
import { type Sql, sql, value } from "../sql/statement.ts";
import type { Transaction } from "./store.ts";

/** What an alert knows, by check and incident. */
export async function readTold(transaction: Transaction, table: Sql, alert: string): Promise<readonly ToldIncident[]> {
  const rows = await transaction.rows(
    sql`SELECT check_name, id, code, severity, row_count, since, told_at FROM ${table} WHERE alert = ${value(alert)} ORDER BY check_name, id`,
  );
  return rows.map(([check, id, code, severity, count, since, toldAt]) => ({
    check: check ?? "",
    id: id ?? "",
    code: code as IncidentCode,
    severity: severity as Severity,
    rows: numberOf(count),
    since: numberOf(since) ?? 0n,
    toldAt: numberOf(toldAt),
  }));
}

/** Writes what an alert knows from now on, over what it knew of the same incidents, and forgets those that are over. */
export async function noteTold(
  transaction: Transaction,
  table: Sql,
  alert: string,
  {
    known,
    over,
  }: { readonly known: readonly ToldIncident[]; readonly over: readonly Pick<ToldIncident, "check" | "id">[] },
): Promise<void> {
  for (const { check, id } of over)
    await transaction.rows(
      sql`DELETE FROM ${table} WHERE alert = ${value(alert)} AND check_name = ${value(check)} AND id = ${value(id)}`,
    );
  for (const { check, id, code, severity, rows, since, toldAt } of known) {
    const row = [alert, check, id, code, severity, textOf(rows), since.toString(), textOf(toldAt)];
    await transaction.rows(
      sql`INSERT INTO ${table} (alert, check_name, id, code, severity, row_count, since, told_at) VALUES (${row.map(value)}) ON CONFLICT (alert, check_name, id) DO UPDATE SET code = excluded.code, severity = excluded.severity, row_count = excluded.row_count, since = excluded.since, told_at = excluded.told_at`,
    );
  }
}

function textOf(n: bigint | null): string | null {
  return n === null ? null : n.toString();
}

function numberOf(text: string | null | undefined): bigint | null {
  return text === null || text === undefined ? null : BigInt(text);
}
