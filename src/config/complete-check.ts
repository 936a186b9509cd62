import { resolve } from "node:path";
import {
  type Check,
  LEDGER_FIELDS,
  type Ledger,
  type LedgerColumns,
  type LedgerSource,
  type Relation,
  type RunRhythm,
} from "../domain/check.ts";
import { must } from "../domain/errors.ts";
import type { WindowEnds } from "../domain/window.ts";
import type { CheckInput } from "./check-schema.ts";

/** Where a check stands: its name, its file as its user would type it, and the folder that its relative paths start from. */
export type CheckPlace = {
  /** The ends of a preset's windows, which hold where `runs.window` is not said; null: it says none. */
  readonly windowOfPreset?: ((preset: string) => WindowEnds | null) | undefined;
  readonly name: string;
  readonly file: string;
  readonly folder: string /** How the user would write a path there. */;
  readonly display: (path: string) => string;
};

/** A check as the program knows it, from what its file and the layers below say. Expects what validation has promised. */
export function completeCheck(input: CheckInput, place: CheckPlace): Check {
  const { columns, compare, expect, repair } = input;
  return {
    name: place.name,
    file: place.file,
    description: input.description ?? null,
    strategy: input.strategy ?? (input.cursor === undefined ? "full" : "cursor"),
    source: relation(input.source),
    target: relation(input.target),
    origin: input.origin === undefined ? null : relation(input.origin),
    key: input.key ?? null,
    columns: {
      only: columns.only ?? null,
      exclude: columns.exclude,
      rename: columns.rename,
      tolerance: columns.tolerance,
      treat: columns.treat,
    },
    cursor:
      input.cursor === undefined
        ? null
        : { column: input.cursor.column, unit: input.cursor.unit ?? null, page: input.cursor.page },
    version: input.version?.column ?? input.cursor?.column ?? null,
    arrival:
      input.arrival === undefined
        ? null
        : input.arrival === "commit-timestamp"
          ? { by: "commit-timestamp" }
          : { by: "column", column: input.arrival.column },
    loaded: input.loaded?.column ?? null,
    runs: input.runs === undefined ? null : ledger(input.runs, place),
    expect: {
      zeroRowStreak: expect.zero_rows.streak,
      freshness: { warn: expect.freshness.warn ?? null, error: expect.freshness.error ?? null },
      arrivalLag: expect.arrival_lag ?? null,
      every: rhythm(expect),
      maxRun: expect.max_run ?? null,
      future: expect.future,
    },
    settle: input.settle,
    severity: Object.fromEntries(Object.entries(input.severity).filter(([, severity]) => severity !== undefined)),
    accept: input.accept.map((entry) => ({
      finding: entry.finding,
      range: entry.range ?? null,
      reason: entry.reason ?? null,
      until: entry.until ?? null,
    })),
    compare: {
      chunkRows: compare.chunk_rows,
      parallel: compare.gentle ? 1 : compare.parallel,
      gentle: compare.gentle,
      recheck: { rounds: compare.recheck.rounds, wait: compare.recheck.wait ?? null },
      stopAfter: { differences: compare.stop_after.differences ?? null, time: compare.stop_after.time ?? null },
    },
    cdc:
      input.cdc === undefined
        ? null
        : {
            slot: input.cdc.slot ?? null,
            warn: input.cdc.warn ?? null,
            error: input.cdc.error ?? null,
            inactive: input.cdc.inactive ?? null,
            binlogRetention: input.cdc.binlog_retention ?? null,
            position: input.cdc.position ?? null,
          },
    repair: {
      batchRows: repair.batch_rows,
      rowsPerSecond: repair.rows_per_second,
      maxRows: repair.max_rows,
      between: repair.between ?? null,
      timezone: repair.timezone,
      maxPoison: repair.max_poison,
      deleteExtra: repair.delete_extra,
    },
    report: input.report,
    sync: { overlap: input.sync.overlap ?? null },
  };
}

function relation(input: CheckInput["source"]): Relation {
  return {
    connection: input.connection,
    table: input.table,
    where: input.where ?? null,
    timezone: input.timezone ?? null,
  };
}

function rhythm(expect: CheckInput["expect"]): RunRhythm | null {
  if (expect.every !== undefined) return { by: "distance", distance: expect.every };
  return expect.schedule === undefined
    ? null
    : { by: "schedule", schedule: expect.schedule, timezone: expect.timezone ?? "UTC" };
}

function ledger(runs: NonNullable<CheckInput["runs"]>, place: CheckPlace): Ledger {
  return {
    from: ledgerSource(runs, place),
    columns: runs.file === undefined ? ledgerColumns(runs.columns) : OWN_NAMES,
    backfill: runs.backfill,
    where: runs.where ?? null,
    success: runs.success.map((word) => word.toLowerCase()),
    window: runs.window ?? (runs.preset === undefined ? null : place.windowOfPreset?.(runs.preset)) ?? "(]",
    timezone: runs.timezone,
    since: runs.since,
  };
}

function ledgerSource(runs: NonNullable<CheckInput["runs"]>, place: CheckPlace): LedgerSource {
  if (runs.file !== undefined) {
    const path = resolve(place.folder, runs.file);
    return { kind: "file", path, file: place.display(path) };
  }
  const connection = must(runs.connection, "a ledger that is no file has a connection");
  if (runs.query !== undefined) return { kind: "query", connection, query: runs.query };
  if (runs.preset !== undefined) return { kind: "preset", connection, preset: runs.preset, params: runs.params ?? {} };
  return { kind: "table", connection, table: must(runs.table, "a ledger has a table, a query, a file or a preset") };
}

/** A file has the canonical names, `kind` and `data_clock` where its lines hold them. */
const OWN_NAMES = Object.fromEntries(LEDGER_FIELDS.map((field) => [field, field])) as LedgerColumns;

const UNMAPPED: ReadonlySet<string> = new Set(["kind", "data_clock"]);

function ledgerColumns(
  columns: { readonly [field in keyof LedgerColumns]?: string | undefined } | undefined,
): LedgerColumns {
  return Object.fromEntries(
    LEDGER_FIELDS.map((field) => [
      field,
      columns === undefined ? (UNMAPPED.has(field) ? null : field) : (columns[field] ?? null),
    ]),
  ) as LedgerColumns;
}
