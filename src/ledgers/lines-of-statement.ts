import type { LedgerField } from "../domain/check.ts";
import { LedgerError, StatementError } from "../domain/errors.ts";
import type { Row, Snapshot } from "../sql/session.ts";
import type { Sql } from "../sql/statement.ts";
import type { PlacedLine } from "./ledgers.ts";

/**
 * The rows of a statement as lines whose columns are `fields` in order. `shown` is what messages call the ledger. A statement that
 * the server refuses is a `LedgerError` with the server's reason; a lost connection stays what it is.
 */
export async function* linesOfStatement(
  snapshot: Snapshot,
  statement: Sql,
  fields: readonly LedgerField[],
  shown: string,
  hint: string | null = null,
): AsyncGenerator<PlacedLine> {
  for (const [i, row] of (await readRows(snapshot, statement, shown, hint)).entries())
    yield {
      place: `${shown}, line ${i + 1}`,
      line: Object.fromEntries(fields.map((field, n) => [field, row[n] ?? null])),
    };
}

/** All rows of a ledger's statement; see `linesOfStatement`. */
export async function readRows(
  snapshot: Snapshot,
  statement: Sql,
  shown: string,
  hint: string | null,
): Promise<readonly Row[]> {
  try {
    return await snapshot.use((session) => session.rows({ what: "runs of the ledger", sql: statement }));
  } catch (cause) {
    if (!(cause instanceof StatementError) || cause.retryable) throw cause;
    throw new LedgerError(`${shown} on ${snapshot.database.connection} cannot be read: ${cause.message}`, {
      hint: hint ?? cause.hint,
      cause,
    });
  }
}
