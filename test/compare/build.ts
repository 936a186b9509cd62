import type { Check } from "../../src/domain/check.ts";
import type { Duration } from "../../src/domain/duration.ts";
import type { Kind } from "../../src/domain/kind.ts";
import type { ColumnInfo, IndexInfo, TableInfo } from "../../src/domain/table.ts";
import { pairColumns } from "../../src/compare/mapping.ts";
import type { ComparisonPlan, Scope } from "../../src/compare/plan.ts";
import { type PlanInput, planComparison } from "../../src/compare/plan-comparison.ts";

/** Everything is in question. */
export const EVERYTHING: Scope = { range: null, settledUntil: null, futureAfter: null };

/** A length of time. */
export const micros = (n: bigint): Duration => n as Duration;

/** A check as a file that names two tables and nothing else gives it. */
export function checkOf(over: Partial<Check> = {}): Check {
  const relation = { table: { schema: null, name: "t" }, where: null, timezone: null };
  return {
    name: "orders",
    file: "checks/orders.yaml",
    description: null,
    strategy: "full",
    source: { ...relation, connection: "src" },
    target: { ...relation, connection: "dst" },
    origin: null,
    key: null,
    columns: { only: null, exclude: [], rename: {}, tolerance: {}, treat: {} },
    cursor: null,
    version: null,
    arrival: null,
    loaded: null,
    runs: null,
    expect: {
      zeroRowStreak: 3,
      freshness: { warn: null, error: null },
      arrivalLag: null,
      every: null,
      maxRun: null,
      future: micros(300_000_000n),
    },
    settle: micros(600_000_000n),
    severity: {},
    accept: [],
    compare: {
      chunkRows: "auto",
      parallel: 4,
      gentle: false,
      recheck: { rounds: 2, wait: micros(0n) },
      stopAfter: { differences: null, time: null },
    },
    cdc: null,
    repair: {
      batchRows: 1000,
      rowsPerSecond: 5000,
      maxRows: 1_000_000,
      between: null,
      timezone: "UTC",
      maxPoison: 100,
      deleteExtra: false,
    },
    report: { values: "mask" },
    sync: { overlap: null },
    ...over,
  };
}

/** Kinds by short names; what a type bounds is left wide. */
export const KINDS = {
  integer: { kind: "integer", min: -(2n ** 63n), max: 2n ** 63n - 1n },
  decimal: { kind: "decimal", precision: 12, scale: 2 },
  float: { kind: "float", bits: 64 },
  single: { kind: "float", bits: 32 },
  boolean: { kind: "boolean", small: false },
  small: { kind: "boolean", small: true },
  text: { kind: "text", length: null, bytes: null, padded: false, binary: true, characters: "all" },
  collated: { kind: "text", length: null, bytes: null, padded: false, binary: false, characters: "all" },
  char: { kind: "text", length: 10, bytes: null, padded: true, binary: true, characters: "all" },
  bytes: { kind: "bytes", length: null, padded: false },
  bytes16: { kind: "bytes", length: 16n, padded: false },
  uuid: { kind: "uuid" },
  date: { kind: "date" },
  time: { kind: "time", precision: 6, zoned: false, signed: false },
  timetz: { kind: "time", precision: 6, zoned: true, signed: false },
  instant: { kind: "instant", precision: 6 },
  instant3: { kind: "instant", precision: 3 },
  local: { kind: "local", precision: 6 },
  local3: { kind: "local", precision: 3 },
  local0: { kind: "local", precision: 0 },
  json: { kind: "json", normalized: true },
} as const satisfies Record<string, Kind>;

/** A column; nullable unless its kind's name ends in `!`. */
export function columns(kinds: Readonly<Record<string, Kind>>, notNull: readonly string[] = []): readonly ColumnInfo[] {
  return Object.entries(kinds).map(([name, kind], i) => ({
    name,
    type: kind.kind,
    kind,
    nullable: !notNull.includes(name),
    hasDefault: false,
    generated: false,
    ordinal: i + 1,
  }));
}

/** A table with a primary key (none where `key` is empty), whose index orders texts by bytes. */
export function tableOf(
  kinds: Readonly<Record<string, Kind>>,
  key: readonly string[],
  over: Partial<TableInfo> = {},
): TableInfo {
  const primary: IndexInfo = { name: "pk", columns: key, unique: true, primary: true, byteOrder: true };
  return {
    name: { schema: null, name: "t" },
    relation: "table",
    columns: columns(kinds, key),
    primaryKey: key,
    indexes: key.length > 0 ? [primary] : [],
    estimatedRows: null,
    keyOrder: 1,
    keyQuantiles: [],
    triggers: [],
    foreignKeys: [],
    ...over,
  };
}

/** The plan of a check over two tables. */
export function planOf(
  check: Check,
  source: TableInfo,
  target: TableInfo,
  over: Partial<PlanInput> = {},
): ComparisonPlan {
  return planComparison({
    check,
    pairings: pairColumns(check, source, target),
    source,
    target,
    digest: "sha256",
    unsayable: new Set(),
    scope: EVERYTHING,
    calibrations: [],
    ...over,
  });
}
