import { findColumn, type Pairing } from "../../compare/mapping.ts";
import type { ComparisonPlan, Scope } from "../../compare/plan.ts";
import { planComparison } from "../../compare/plan-comparison.ts";
import { zoneOf } from "../../compare/agree.ts";
import { must } from "../../domain/errors.ts";
import type { AgreedKind } from "../../domain/kind.ts";
import type { ColumnInfo } from "../../domain/table.ts";
import type { SideSpec } from "../../sql/side.ts";
import type { Database, Snapshot } from "../../sql/session.ts";
import { sideSpec } from "../compare/side-spec.ts";
import { type OpenCheck, openSide } from "../open-check.ts";

/** A column that a repair writes: what is read from the source, as what, and where it goes. */
export type WrittenColumn = {
  readonly source: ColumnInfo;
  readonly target: ColumnInfo;
  /** As the pair agreed before `treat` had its say: a row is written as it is, not as it is compared. */
  readonly as: AgreedKind;
  readonly zones: { readonly source: string; readonly target: string };
};

/** Everything about columns that a repair needs. */
export type Layout = {
  readonly open: OpenCheck;
  /** Decides over sameness and versions, as the comparison does. */
  readonly plan: ComparisonPlan;
  readonly source: SideSpec;
  readonly target: SideSpec;
  /** The key's first. Never a column that the server computes. */
  readonly written: readonly WrittenColumn[];
  /** The target's columns that a row's image is made of: all but those that the server computes. */
  readonly images: readonly ColumnInfo[];
  /** The target's key columns, in order. */
  readonly key: readonly ColumnInfo[];
};

/** Lays out a repair of an open check. Rows that are not in `scope` by their source's cursor are none of its business. */
export function layoutOf(open: OpenCheck, scope: Scope): Layout {
  const { check, tables, pairings } = open;
  const plan = planComparison({
    check,
    pairings,
    source: tables.source,
    target: tables.target,
    digest: "values",
    unsayable: new Set(),
    scope,
    calibrations: [],
  });
  const live = {
    of: (connection: string) => liveSnapshot(must(open.databases.get(connection), "every connection is open")),
    [Symbol.asyncDispose]: async () => {},
  };
  const spec = (side: "source" | "target"): SideSpec => sideSpec(openSide(open, side, live), plan, check, null);
  return {
    open,
    plan,
    source: spec("source"),
    target: spec("target"),
    written: writtenColumns(open),
    images: tables.target.columns.filter((c) => !c.generated),
    key: pairings.key.map((p) => p.target),
  };
}

/** A snapshot that is none: each use sees the database as it is then. */
function liveSnapshot(database: Database): Snapshot {
  return { database, use: (work) => database.use(work), [Symbol.asyncDispose]: async () => {} };
}

/**
 * The compared columns, and the cursor and version though they be not compared: a row without them would be lost to the next window. What
 * the check excludes by name stays out.
 */
function writtenColumns({ check, tables, pairings }: OpenCheck): readonly WrittenColumn[] {
  const excluded = (name: string): boolean => check.columns.exclude.some((e) => e.toLowerCase() === name.toLowerCase());
  const named = [check.cursor?.column ?? null, check.version].flatMap((name) =>
    name === null ? [] : [findColumn(tables.source, name)],
  );
  const wanted = [
    ...pairings.key,
    ...pairings.compared,
    ...pairings.all.filter((p) => named.includes(p.source) && !excluded(p.source.name)),
  ];
  const distinct = [
    ...new Map(wanted.map((p) => [p.source.name, pairings.all.find((a) => a.source === p.source) ?? p])).values(),
  ];
  return distinct
    .filter((p) => !p.target.generated)
    .map((p) => ({
      source: p.source,
      target: p.target,
      as: p.agreement.as,
      zones: {
        source: naiveZone(p, "source", check.source.timezone),
        target: naiveZone(p, "target", check.target.timezone),
      },
    }));
}

function naiveZone(pairing: Pairing, side: "source" | "target", timezone: string | null): string {
  return pairing.agreement.as.as === "instant" && pairing[side].kind.kind !== "instant" ? zoneOf(timezone) : "UTC";
}

/** The source name of what decides which copy is newer; null: nothing does. */
export function versionName({ plan, open: { check } }: Layout): string | null {
  return plan.version === null ? null : (check.version ?? check.cursor?.column ?? null);
}
