import type { LedgerField } from "../domain/check.ts";
import { LedgerError, StatementError } from "../domain/errors.ts";
import type { Row, Snapshot } from "../sql/session.ts";
import type { Sql } from "../sql/statement.ts";
import type { TakeLine } from "./ledgers.ts";

/**
 * The rows of a statement as lines whose columns are `fields` in order, handed over as they come. `shown` is what messages call the ledger. A
 * statement that the server refuses is a `LedgerError` with the server's reason; a lost connection stays what it is.
 */
export async function linesOfStatement(
  snapshot: Snapshot,
  statement: Sql,
  fields: readonly LedgerField[],
  { shown, hint = null }: { readonly shown: string; readonly hint?: string | null },
  take: TakeLine,
): Promise<void> {
  let read = 0;
  await readRows(snapshot, statement, shown, hint, (row) => {
    const line: { [field in LedgerField]?: string | null } = {};
    for (const [n, field] of fields.entries()) line[field] = row[n] ?? null;
    take({ place: `${shown}, line ${++read}`, line });
  });
}

/** The rows of a ledger's statement one after the other; see `linesOfStatement`. */
export async function readRows(
  snapshot: Snapshot,
  statement: Sql,
  shown: string,
  hint: string | null,
  take: (row: Row) => void,
): Promise<void> {
  try {
    await snapshot.use(async (session) => {
      for await (const rows of session.stream({ what: "runs of the ledger", sql: statement })) rows.forEach(take);
    });
  } catch (cause) {
    if (!(cause instanceof StatementError) || cause.retryable) throw cause;
    throw new LedgerError(`${shown} on ${snapshot.database.connection} cannot be read: ${cause.message}`, {
      hint: hint ?? cause.hint,
      cause,
    });
  }
}
