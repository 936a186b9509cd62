import { findColumn, lookUp } from "../../compare/mapping.ts";
import type { ComparisonPlan, PlannedColumn, Scope } from "../../compare/plan.ts";
import type { Check } from "../../domain/check.ts";
import { UsageError } from "../../domain/errors.ts";
import { cursorCondition, orNull, windowCondition } from "../../sql/cursor-condition.ts";
import type { BoundColumn, Dialect } from "../../sql/dialect.ts";
import type { SideSpec } from "../../sql/side.ts";
import { allOf, join, type Sql, sql } from "../../sql/statement.ts";
import type { OpenSide } from "./open-side.ts";

/** The ends of a `--range key:`, on the first key column; half-open, null is open without bound. */
export type KeyScope = { readonly from: string | null; readonly to: string | null };

/** A planned column as one side's statements need it. `for`: what it is printed for. */
export function bind(column: PlannedColumn, side: "source" | "target", as: "digest" | "value"): BoundColumn {
  return {
    info: column[side],
    as: as === "digest" ? column.digestAs : column.valueAs,
    zone: column.zones[side],
    rounding: column.rounding,
  };
}

/** What one side's statements hold to, from the plan. */
export function sideSpec(open: OpenSide, plan: ComparisonPlan, check: Check, keyScope: KeyScope | null): SideSpec {
  const { side, table } = open;
  const dialect = open.snapshot.database.dialect;
  const streamed = plan.columns.filter((c) => c.streamed || plan.digest === "values");
  const key = plan.key.map((c) => bind(c, side, "digest"));
  return {
    dialect,
    table,
    where: open.relation.where,
    scope: scopeCondition(open, plan.scope, dialect),
    keyScope: keyScope === null ? null : keyScopeCondition(key[0] as BoundColumn, keyScope, dialect),
    key,
    digested: plan.columns.filter((c) => !streamed.includes(c)).map((c) => bind(c, side, "digest")),
    streamed: streamed.map((c) => bind(c, side, "value")),
    values: plan.columns.map((c) => bind(c, side, "value")),
    copy: [
      open.cursor?.column ?? null,
      versionColumn(open, plan, check),
      open.stamp === null ? null : (open.stamp.text ?? open.stamp.column),
    ],
    digest: plan.digest === "values" ? null : plan.digest,
  };
}

function versionColumn(open: OpenSide, plan: ComparisonPlan, check: Check): BoundColumn | null {
  const wanted = check.version ?? check.cursor?.column ?? null;
  if (plan.version === null || wanted === null) return null;
  const planned = plan.columns.find((c) => c.pair.source.toLowerCase() === wanted.toLowerCase());
  if (planned) return bind(planned, open.side, "digest");
  const name = open.side === "source" ? wanted : (lookUp(check.columns.rename, wanted) ?? wanted);
  const info = findColumn(open.table, name);
  return info ? { info, as: plan.version.as, zone: open.relation.timezone ?? "UTC", rounding: "cut" } : null;
}

/** Rows that are in question by their cursor: in the range, and old enough. */
export function scopeCondition(open: OpenSide, scope: Scope, dialect: Dialect): Sql | null {
  const { cursor } = open;
  if (cursor === null) return null;
  const conditions: Sql[] = [];
  if (scope.range !== null) conditions.push(windowCondition(cursor, scope.range, dialect));
  if (scope.settledUntil !== null) {
    const settled = cursorCondition(cursor, "<=", scope.settledUntil, dialect);
    const future = scope.futureAfter === null ? [] : [cursorCondition(cursor, ">", scope.futureAfter, dialect)];
    conditions.push(
      orNull(
        cursor,
        join(
          [settled, ...future].map((c) => sql`(${c})`),
          " OR ",
        ),
      ),
    );
  }
  return conditions.length === 0 ? null : allOf(conditions);
}

function keyScopeCondition(column: BoundColumn, scope: KeyScope, dialect: Dialect): Sql {
  const end = (text: string, operator: ">=" | "<"): Sql =>
    dialect.keyBound([column], operator, [readKeyEnd(text, column)]);
  return allOf([scope.from === null ? null : end(scope.from, ">="), scope.to === null ? null : end(scope.to, "<")]);
}

/** The end of a key range as the canonical text of the key's kind; a `UsageError` where it is no value of that kind, which begins with what was `asked`. */
export function readKeyEnd(text: string, column: BoundColumn, asked = "--range key:… : "): string {
  const { as } = column.as;
  const wrong = (expected: string): UsageError =>
    new UsageError(`${asked}${JSON.stringify(text)} is no value of ${column.info.name}`, {
      hint: `${column.info.name} is ${column.info.type}: ${expected} was expected`,
    });
  if ((as === "integer" || as === "boolean") && !/^-?\d+$/.test(text)) throw wrong("a whole number");
  if ((as === "decimal" || as === "float") && !/^-?\d+(\.\d+)?$/.test(text)) throw wrong("a number");
  if (as === "date" && !/^\d{4,}-\d{2}-\d{2}$/.test(text)) throw wrong("a date (2026-06-01)");
  if ((as === "instant" || as === "local") && !/^\d{4,}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?Z?$/.test(text))
    throw wrong("a time (2026-06-01T10:00:00)");
  if (as === "uuid") {
    const hex = text.toLowerCase().replaceAll("-", "");
    if (!/^[0-9a-f]{32}$/.test(hex)) throw wrong("a uuid");
    return hex;
  }
  if (as === "bytes" && !/^([0-9a-f]{2})*$/i.test(text)) throw wrong("hex digits");
  return as === "instant" || as === "local"
    ? text.replace("T", " ").replace(/Z$/, "")
    : as === "bytes"
      ? text.toLowerCase()
      : text;
}
