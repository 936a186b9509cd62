import type { Check } from "../domain/check.ts";
import type { AgreedKind } from "../domain/kind.ts";
import { indexStartsWith, type TableInfo } from "../domain/table.ts";
import { isSingle, zoneOf } from "./agree.ts";
import type { Calibration } from "./calibrate.ts";
import { lookUp, type Pairing, type Pairings } from "./mapping.ts";
import {
  type ComparisonPlan,
  type Cut,
  type DigestKind,
  narrows,
  type PlannedColumn,
  type Scope,
  type ShowValue,
} from "./plan.ts";
import { sameness, type SamenessRule } from "./same-value.ts";
import { findColumn } from "./mapping.ts";

/** What a plan is made from. `digest` is what both servers agreed on; `unsayable`: columns that some side cannot print in SQL. */
export type PlanInput = {
  readonly check: Check;
  readonly pairings: Pairings;
  readonly source: TableInfo;
  readonly target: TableInfo;
  readonly digest: DigestKind;
  readonly unsayable: ReadonlySet<string>;
  readonly scope: Scope;
  /** That of later looks; absent: the same. */
  readonly laterScope?: Scope;
  readonly calibrations: readonly Calibration[];
  /** Absent: no value is shown. */
  readonly show?: ShowValue;
};

/**
 * Rows that are fetched at once with a hash, and with values. Ranges are fetched by several connections at a time; groups of buckets
 * by one, each in a pass over the whole table, so that more rows at once are fewer passes.
 */
const FETCH_SKETCHES = { ranges: 4_096, buckets: 16_384 } as const;
const FETCH_VALUES = { ranges: 2_048, buckets: 12_288 } as const;
/** Rows whose values are fetched only to name the columns that differ. */
const EXPLAIN_ROWS = 10_000;

/** Looking so many rows up again costs about as much as summing a chunk of 25,000 or more once more. */
const WITNESS_ROWS = 1_000;

/** Makes the plan of a comparison; with calibrations, of one that knows what its sample showed. */
export function planComparison(input: PlanInput): ComparisonPlan {
  const columns = input.pairings.compared.map((p) => planColumn(p, input));
  const key = input.pairings.key.map((p) => planColumn(p, input));
  const cut = chooseCut(input);
  const streamed = input.digest === "values" || columns.some((c) => c.streamed);
  return {
    columns,
    key,
    version: versionKind(input),
    cut,
    digest: input.digest,
    scope: input.scope,
    fetchRows: (streamed ? FETCH_VALUES : FETCH_SKETCHES)[cut],
    explainRows: EXPLAIN_ROWS,
    witnessRows: WITNESS_ROWS,
    witnessKeys: narrows(input.scope) || narrows(input.laterScope ?? input.scope),
    ...(input.show === undefined ? {} : { show: input.show }),
  };
}

function planColumn(pairing: Pairing, input: PlanInput): PlannedColumn {
  const { check } = input;
  const { source, target, agreement } = pairing;
  const calibration = input.calibrations.find((c) => c.column.pair.source === source.name);
  const zones = { source: naiveZone(pairing, "source", check), target: naiveZone(pairing, "target", check) };
  const treat = lookUp(check.columns.treat, source.name) ?? [];
  const precision = agreement.rounded && "precision" in agreement.as ? agreement.as.precision : null;
  const rule: SamenessRule = {
    as: agreement.as,
    treat,
    tolerance: lookUp(check.columns.tolerance, source.name) ?? null,
    zones,
    single: isSingle(source.kind) !== isSingle(target.kind),
    precision,
    mayRound: calibration?.rounds ?? false,
  };
  const isKey = input.pairings.key.some((k) => k.source === source);
  const systematic = calibration?.systematic?.transformation ?? null;
  return {
    pair: { source: source.name, target: target.name, as: agreement.as, note: agreement.note },
    source,
    target,
    zones,
    digestAs: agreement.as,
    valueAs: precision === null ? agreement.as : ({ ...agreement.as, precision: 6 } as AgreedKind),
    rounding: rule.mayRound ? "round" : "cut",
    isKey,
    treat,
    exact: agreement.exact,
    // What differs in nearly every row by its text would have every row looked up: its values come along with the rows instead.
    streamed:
      !isKey &&
      (systematic !== null || input.unsayable.has(source.name) || (!agreement.exact && mostlyUnlike(calibration))),
    same: sameness(rule),
    sameIfRounded: precision === null ? null : sameness({ ...rule, mayRound: true }),
    systematic,
  };
}

/** Whether the texts of most sampled rows differ, although their values may not. */
function mostlyUnlike(calibration: Calibration | undefined): boolean {
  return calibration !== undefined && calibration.sampled > 0 && calibration.unlike * 10 > calibration.sampled;
}

/** The zone in which a side's naive column is read; UTC where the column is not naive, or both are compared as they read. */
function naiveZone(pairing: Pairing, side: "source" | "target", check: Check): string {
  const kind = pairing[side].kind.kind;
  return pairing.agreement.as.as === "instant" && kind !== "instant" ? zoneOf(check[side].timezone) : "UTC";
}

function versionKind(input: PlanInput): { readonly as: AgreedKind } | null {
  const wanted = input.check.version ?? input.check.cursor?.column ?? null;
  const column = wanted === null ? null : findColumn(input.source, wanted);
  const pairing = input.pairings.all.find((p) => p.source === column);
  return pairing ? { as: pairing.agreement.as } : null;
}

const SCATTERED = 0.5;
const LARGE = 50_000n;

/**
 * Ranges need a key that both sides order alike and find by an index, and that follows the heap on tables of some size (random
 * reads cost more than one pass). Everything else is cut by a hash of the key; also a stretch of the cursor, whose own index
 * finds its rows, all at once.
 */
function chooseCut(input: PlanInput): Cut {
  const sides = [
    { table: input.source, columns: input.pairings.key.map((p) => p.source) },
    { table: input.target, columns: input.pairings.key.map((p) => p.target) },
  ];
  const alike = input.pairings.key.every((p) => isOrderedAlike(p, input.check));
  const indexed = sides.every(({ table, columns }) => {
    const index = indexStartsWith(
      table,
      columns.map((c) => c.name),
    );
    return (
      index !== null &&
      (index.byteOrder || columns.every((c) => c.kind.kind !== "text")) &&
      columns.every((c) => !c.nullable)
    );
  });
  const scattered = sides.some(
    ({ table }) =>
      table.keyOrder !== null && Math.abs(table.keyOrder) < SCATTERED && (table.estimatedRows ?? 0n) > LARGE,
  );
  return alike && indexed && !scattered && input.scope.range === null ? "ranges" : "buckets";
}

function isOrderedAlike(pairing: Pairing, check: Check): boolean {
  const { as } = pairing.agreement.as;
  const kinds = [pairing.source.kind, pairing.target.kind];
  if (as === "integer" || as === "decimal" || as === "date" || as === "local") return true;
  if (as === "instant")
    return naiveZone(pairing, "source", check) === "UTC" && naiveZone(pairing, "target", check) === "UTC";
  if (as === "uuid") return kinds.every((k) => k.kind === "uuid");
  if (as === "text") return kinds.every((k) => k.kind === "text" && k.binary && !k.padded);
  return as === "bytes";
}
