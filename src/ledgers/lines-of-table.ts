import { type CursorUnit, LEDGER_FIELDS, type Ledger, type LedgerField, type LedgerSource } from "../domain/check.ts";
import { LedgerError } from "../domain/errors.ts";
import { nearest } from "../domain/nearest.ts";
import { SECOND } from "../domain/position.ts";
import type { ColumnInfo, TableInfo } from "../domain/table.ts";
import { formatTableName } from "../domain/table.ts";
import { bindCursor } from "../sql/cursor.ts";
import { cursorCondition } from "../sql/cursor-condition.ts";
import type { Dialect } from "../sql/dialect.ts";
import { allOf, name, raw, type Sql, sql } from "../sql/statement.ts";
import type { LedgerQuestion, TakeLine } from "./ledgers.ts";
import { linesOfStatement } from "./lines-of-statement.ts";
import type { RunReading } from "./read-run.ts";

const DAY = 86_400n * SECOND;

type Table = LedgerSource & { readonly kind: "table" };
type Mapped = { readonly field: LedgerField; readonly column: ColumnInfo };

/**
 * The lines of a ledger table: its mapped columns as the server prints them. Where the start is a date or time column, older runs
 * stay on the server, but for those without an end. Columns whose type is a moment are read as UTC, whatever `timezone` says.
 */
export async function linesOfTable(
  ledger: Ledger,
  from: Table,
  table: TableInfo,
  asked: LedgerQuestion,
  take: TakeLine,
): Promise<void> {
  const snapshot = asked.snapshotOf(from.connection);
  const { database } = snapshot;
  const mapped = mappedColumns(ledger, table);
  const fields = mapped.map(({ field }) => field);
  const conditions = [
    ledger.where === null ? null : raw(`${ledger.where}\n`),
    sinceCondition(mapped, ledger, asked.since, database.dialect),
  ];
  const texts = mapped.map(({ column }) => database.dialect.printed(column));
  const statement = sql`SELECT ${texts} FROM ${database.dialect.table(table)} WHERE ${allOf(conditions)}`;
  const moments = new Set(mapped.flatMap(({ field, column }) => (column.kind.kind === "instant" ? [field] : [])));
  const shown = formatTableName(table.name);
  const takeInUtc: TakeLine = (placed) =>
    take("why" in placed ? placed : { ...placed, line: inUtc(placed.line, moments) });
  await linesOfStatement(snapshot, statement, fields, { shown }, moments.size === 0 ? take : takeInUtc);
}

/** Sessions run in UTC, and some servers print a moment without saying so. */
function inUtc(
  line: { readonly [field in LedgerField]?: string | null },
  moments: ReadonlySet<LedgerField>,
): typeof line {
  const read = { ...line };
  for (const field of moments) {
    const text = line[field];
    if (text && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?$/.test(text)) read[field] = `${text}Z`;
  }
  return read;
}

function mappedColumns(ledger: Ledger, table: TableInfo): readonly Mapped[] {
  const known = table.columns.map((column) => column.name);
  const missing: string[] = [];
  const mapped: Mapped[] = [];
  for (const field of LEDGER_FIELDS) {
    const wanted = ledger.columns[field];
    if (wanted === null) continue;
    const column = columnOf(table, wanted);
    if (column !== null) mapped.push({ field, column });
    else {
      const [close] = nearest(wanted, known);
      missing.push(
        `${wanted}${wanted === field ? "" : ` (${field})`}${close === undefined ? "" : `, did you mean ${close}?`}`,
      );
    }
  }
  if (missing.length === 0) return mapped;
  throw new LedgerError(`ledger ${formatTableName(table.name)} has no column ${missing.join("; no column ")}`, {
    hint: `name the columns under runs.columns; it has ${known.slice(0, 30).join(", ")}`,
  });
}

/** The coarser of the steps at which a ledger table keeps window ends, in positions; null: a type does not say (text, decimals). */
export function precisionOf(
  ledger: Ledger,
  table: TableInfo,
  { axis, unit }: Pick<RunReading, "axis" | "unit">,
): bigint | null {
  let coarsest: bigint | null = null;
  for (const field of ["from", "to"] as const) {
    const column = ledger.columns[field] === null ? null : columnOf(table, ledger.columns[field]);
    if (column === null) continue;
    const step = stepOf(column, axis === "sequence" ? "sequence" : unit);
    if (step === null) return null;
    if (coarsest === null || step > coarsest) coarsest = step;
  }
  return coarsest;
}

function stepOf({ kind }: ColumnInfo, unit: CursorUnit | null): bigint | null {
  switch (kind.kind) {
    case "instant":
    case "local":
      return unit === "sequence" ? null : 10n ** BigInt(6 - kind.precision);
    case "date":
      return unit === "sequence" ? null : DAY;
    case "integer":
      return unit === null ? null : unit === "epoch-s" ? SECOND : unit === "epoch-ms" ? 1000n : 1n;
    default:
      return null;
  }
}

/** By its exact name, or the only one that differs in letter case. */
function columnOf(table: TableInfo, wanted: string): ColumnInfo | null {
  const exact = table.columns.find((column) => column.name === wanted);
  if (exact !== undefined) return exact;
  const alike = table.columns.filter((column) => column.name.toLowerCase() === wanted.toLowerCase());
  return alike.length === 1 ? (alike[0] ?? null) : null;
}

function sinceCondition(mapped: readonly Mapped[], ledger: Ledger, since: bigint, dialect: Dialect): Sql | null {
  const columnFor = (field: LedgerField): ColumnInfo | undefined => mapped.find((m) => m.field === field)?.column;
  const started = columnFor("started");
  if (started === undefined || !["instant", "local", "date"].includes(started.kind.kind)) return null;
  const recent = cursorCondition(bindCursor(started, null, ledger.timezone), ">=", since, dialect);
  // Without a start it is for the reader to say what is wrong; without an end it may still be running.
  const open = [started, columnFor("finished")].flatMap((column) =>
    column === undefined ? [] : [sql`${name(column.name)} IS NULL`],
  );
  const going = columnFor("finished") === undefined ? [raw("1 = 1")] : open;
  return [...going].reduce((condition, each) => sql`${condition} OR ${each}`, sql`(${recent})`);
}
