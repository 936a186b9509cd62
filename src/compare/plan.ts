import type { Treatment } from "../domain/check.ts";
import type { ColumnPair } from "../domain/facts.ts";
import type { AgreedKind } from "../domain/kind.ts";
import type { ColumnInfo } from "../domain/table.ts";
import type { Position } from "../domain/position.ts";
import { holds, type Window } from "../domain/window.ts";
import type { Transformation } from "./transformation.ts";
import type { Sameness } from "./same-value.ts";

/** How the rows of a table are cut into chunks. */
export type Cut =
  /** Ranges of keys along an index that orders both sides alike. */
  | "ranges"
  /** Groups by a hash of the key, in one pass: for keys that the two sides order differently, or that lie scattered in the heap. */
  | "buckets";

/** What proves two sets of rows equal: a hash that both sides compute, or (`values`) nothing but the values themselves. */
export type DigestKind = "typed" | "sha256" | "md5" | "values";

/** A compared column, and how its equality is told. */
export type PlannedColumn = {
  readonly pair: ColumnPair;
  readonly source: ColumnInfo;
  readonly target: ColumnInfo;
  /** Zones of naive readings; UTC elsewhere. */
  readonly zones: { readonly source: string; readonly target: string };
  /** The kind that digests print. */
  readonly digestAs: AgreedKind;
  /** The kind that values are fetched as: finer than `digestAs` where the sides keep different precisions. */
  readonly valueAs: AgreedKind;
  readonly rounding: "cut" | "round";
  readonly isKey: boolean;
  readonly treat: readonly Treatment[];
  /** Unequal texts prove unequal values. */
  readonly exact: boolean;
  /** Left out of digests; its values are fetched with every row. */
  readonly streamed: boolean;
  readonly same: Sameness;
  /** The same, granting that the finer side's value was rounded on its way; null: both sides keep the same precision. */
  readonly sameIfRounded: Sameness | null;
  /** The transformation that explains nearly all of its differences; null: none does. */
  readonly systematic: Transformation | null;
};

/** Which rows are in question. */
export type Scope = {
  /** On the cursor's axis; null: all. */
  readonly range: Window | null;
  /** Rows with a cursor beyond this are too young to be judged, unless beyond `futureAfter`; null: none are. */
  readonly settledUntil: Position | null;
  /** Rows beyond this are judged however young they look. */
  readonly futureAfter: Position | null;
};

/** What may be shown of a value (a canonical text) of a column (by its source name); null: NULL. */
export type ShowValue = (column: string, value: string | null) => string | null;

/** Everything that decides what a comparison asks; no connection, no clock. */
export type ComparisonPlan = {
  readonly columns: readonly PlannedColumn[];
  readonly key: readonly PlannedColumn[];
  /** What tells which copy of a row is newer; null: nothing does. */
  readonly version: { readonly as: AgreedKind } | null;
  readonly cut: Cut;
  readonly digest: DigestKind;
  readonly scope: Scope;
  /** Rows of a chunk that is fetched at once instead of being split. */
  readonly fetchRows: number;
  /** Rows whose values are fetched only to name the columns that differ. */
  readonly explainRows: number;
  /** Differing rows of a chunk from which on it has a witness: fewer are looked up again one by one. */
  readonly witnessRows: number;
  /** Whether this or a later look leaves rows out by their cursors: then a witness remembers all keys as well. */
  readonly witnessKeys: boolean;
  /** What may be shown of a differing value; absent: nothing. */
  readonly show?: ShowValue;
};

/** Whether every row has to be fetched: some column's equality cannot be told in SQL, or nothing but values is trusted. */
export function fetchesAll(plan: ComparisonPlan): boolean {
  return plan.digest === "values" || plan.columns.some((c) => c.streamed);
}

/** Whether a differing digest may be no difference, so that only values accuse a row. */
export function valuesDecide(plan: ComparisonPlan): boolean {
  return plan.columns.some((c) => !c.exact && !c.streamed);
}

/** Whether some rows are left out by their cursor: then a row without a partner may have one that is left out. */
export function narrows(scope: Scope): boolean {
  return scope.range !== null || scope.settledUntil !== null;
}

/** Whether a row with this cursor is in question. */
export function inScope(cursor: Position | null, scope: Scope): boolean {
  if (scope.range !== null && (cursor === null || !holds(scope.range, cursor))) return false;
  return isSettled(cursor, scope);
}

/** Whether a row is old enough to be judged. Rows without a cursor, and rows from the future, always are. */
export function isSettled(cursor: Position | null, scope: Scope): boolean {
  if (scope.settledUntil === null || cursor === null || cursor <= scope.settledUntil) return true;
  return scope.futureAfter !== null && cursor > scope.futureAfter;
}
