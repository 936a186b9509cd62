import { LEDGER_FIELDS, type Ledger, type LedgerSource } from "../domain/check.ts";
import { allOf, name, raw, sql } from "../sql/statement.ts";
import type { LedgerQuestion, TakeLine } from "./ledgers.ts";
import { linesOfStatement } from "./lines-of-statement.ts";

type Query = LedgerSource & { readonly kind: "query" };

/**
 * The lines of a query of the user's own, read as a derived table. The types of its columns are told by what is printed: digits are a
 * number, an ISO form is a time. A time without an offset is in `runs.timezone`; sessions run in UTC, so that a server that prints
 * moments without an offset (MySQL's TIMESTAMP) needs `timezone: UTC` there, or a ledger `table`.
 */
export async function linesOfQuery(ledger: Ledger, from: Query, asked: LedgerQuestion, take: TakeLine): Promise<void> {
  const fields = LEDGER_FIELDS.filter((field) => ledger.columns[field] !== null);
  const columns = fields.map((field) => name(ledger.columns[field] ?? field));
  // The line break ends a comment on the query's last line.
  const query = raw(`${from.query.replace(/[\s;]+$/, "")}\n`);
  const where = allOf([ledger.where === null ? null : raw(`${ledger.where}\n`)]);
  const statement = sql`SELECT ${columns} FROM (${query}) ${name("ledger")} WHERE ${where}`;
  const called = columns.flatMap(({ parts }) => parts.flatMap((p) => ("name" in p ? [p.name] : [])));
  const hint = `its columns must be called ${called.join(", ")} (or other names under runs.columns)`;
  await linesOfStatement(
    asked.snapshotOf(from.connection),
    statement,
    fields,
    { shown: "the ledger's query", hint },
    take,
  );
}
