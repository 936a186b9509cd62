import { type Check, LEDGER_FIELDS, type Ledger, type LedgerField } from "../domain/check.ts";
import { must } from "../domain/errors.ts";
import { PackedRuns } from "../domain/packed-runs.ts";
import type { Axis } from "../domain/position.ts";
import type { Run, UnreadableRun } from "../domain/run.ts";
import type { TableInfo, TableName } from "../domain/table.ts";
import type { Snapshot } from "../sql/session.ts";
import { linesOfFile, type ReadFile } from "./lines-of-file.ts";
import { linesOfPreset } from "./lines-of-preset.ts";
import { linesOfQuery } from "./lines-of-query.ts";
import { linesOfTable, precisionOf } from "./lines-of-table.ts";
import { type LedgerLine, readRun, type RunReading } from "./read-run.ts";

/** What a ledger is asked. */
export type LedgerQuestion = {
  readonly axis: Axis;
  /** Runs that started at or after this (wall-clock microseconds), and those still going. */
  readonly since: bigint;
  readonly snapshotOf: (connection: string) => Snapshot;
  /** The ledger's table, described before the snapshots were taken; default: the snapshot's database is asked now. */
  readonly describe?: (connection: string, table: TableName) => Promise<TableInfo>;
};

/** A line with its place, as messages name it; or a line that is no line. */
export type PlacedLine = { readonly place: string; readonly line: LedgerLine } | UnreadableRun;

/** Takes the lines of a ledger one after the other: what was taken need not be there at once. */
export type TakeLine = (line: PlacedLine) => void;

/** The runs of a ledger, ascending by start and then by id, and the lines that could not be read. */
export type LedgerAnswer = {
  readonly runs: readonly Run[];
  readonly unreadable: readonly UnreadableRun[];
  /** The step at which the ledger keeps window ends, in positions, by its declared types; null: they do not say. */
  readonly precision: bigint | null;
};

/**
 * Reads runs from wherever a check says: a table, a query, a preset's tables, a JSON Lines file. Retries of one window are runs of
 * their own. Throws a `LedgerError` where nothing can be read: no such file, table or column, or a query that fails.
 */
export function ledgers(world: { readonly readFile: ReadFile }): {
  read(check: Check, asked: LedgerQuestion): Promise<LedgerAnswer>;
} {
  return {
    async read(check, asked) {
      const ledger = must(check.runs, "a ledger is read only where the check has one");
      const reading = readingOf(check, ledger, asked.axis);
      const runs = new PackedRuns();
      const unreadable: UnreadableRun[] = [];
      const described = ledger.from.kind === "table" ? await describeLedger(ledger.from, asked) : null;
      await readLines(ledger, described, asked, world.readFile, (placed) => {
        const run = "why" in placed ? placed : readRun(placed.line, placed.place, reading);
        if (run === null) return;
        if ("why" in run) unreadable.push(run);
        else if (run.started >= asked.since || run.outcome === "running") runs.add(run);
      });
      const precision = described === null ? null : precisionOf(ledger, described, reading);
      return { runs: byStart(runs), unreadable, precision };
    },
  };
}

async function describeLedger(
  from: Ledger["from"] & { readonly kind: "table" },
  asked: LedgerQuestion,
): Promise<TableInfo> {
  if (asked.describe !== undefined) return await asked.describe(from.connection, from.table);
  return await asked.snapshotOf(from.connection).database.describe(from.table);
}

async function readLines(
  ledger: Ledger,
  described: TableInfo | null,
  asked: LedgerQuestion,
  readFile: ReadFile,
  take: TakeLine,
): Promise<void> {
  const { from } = ledger;
  switch (from.kind) {
    case "table":
      return await linesOfTable(ledger, from, must(described, "a ledger table was described"), asked, take);
    case "query":
      return await linesOfQuery(ledger, from, asked, take);
    case "file":
      return await linesOfFile(ledger, from, readFile, take);
    default:
      return await linesOfPreset(ledger, from, asked, take);
  }
}

function readingOf(check: Check, ledger: Ledger, axis: Axis): RunReading {
  return {
    axis,
    unit: check.cursor?.unit ?? null,
    window: ledger.window,
    timezone: ledger.timezone,
    success: new Set(ledger.success.map((word) => word.toLowerCase())),
    backfill: new Set(ledger.backfill),
    kept: new Set(keptFields(ledger)),
  };
}

/** Files and presets have all fields under their own names; tables and queries those that are mapped. */
function keptFields(ledger: Ledger): readonly LedgerField[] {
  if (ledger.from.kind === "file" || ledger.from.kind === "preset") return LEDGER_FIELDS;
  return LEDGER_FIELDS.filter((field) => ledger.columns[field] !== null);
}

function byStart(runs: PackedRuns): readonly Run[] {
  const order = Uint32Array.from({ length: runs.length }, (_, i) => i);
  return runs.inOrder(
    order.toSorted((i, j) => {
      const [a, b] = [runs.startOf(i), runs.startOf(j)];
      return a === b ? byId(runs.idOf(i), runs.idOf(j)) : a < b ? -1 : 1;
    }),
  );
}

/** Numbers by value, before everything else by its characters. */
function byId(a: string, b: string): number {
  const number = /^\d{1,30}$/;
  const [x, y] = [number.test(a), number.test(b)];
  if (x && y) return BigInt(a) < BigInt(b) ? -1 : BigInt(a) > BigInt(b) ? 1 : 0;
  if (x !== y) return x ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
