import { hash } from "node:crypto";
import type { Difference, ShownValues } from "../domain/difference.ts";
import { unsigned64 } from "../domain/digest.ts";
import { compareKeys, type Key, keyIdentity } from "../domain/key.ts";
import { narrows, type ComparisonPlan, inScope, isSettled, type PlannedColumn } from "./plan.ts";
import { versionOrder } from "./version.ts";
import type { Both, FullRow, Sketch } from "./question.ts";

/** Everything that both sides hold under one key. */
type Group<R> = { readonly key: Key; readonly source: R[]; readonly target: R[] };

/** Brings the rows of both sides together by key, in the order in which keys are first seen. */
export function group<R extends { readonly key: Key }>(rows: Both<readonly R[]>): readonly Group<R>[] {
  const groups = new Map<string, Group<R>>();
  for (const side of ["source", "target"] as const)
    for (const row of rows[side]) {
      const id = keyIdentity(row.key);
      const known = groups.get(id);
      if (known) known[side].push(row);
      else
        groups.set(
          id,
          side === "source" ? { key: row.key, source: [row], target: [] } : { key: row.key, source: [], target: [row] },
        );
    }
  return [...groups.values()];
}

/** What sketches come to: keys whose rows they do not prove the same, and how many rows a systematic column alone explains. */
export type Suspicion = { readonly groups: readonly Group<Sketch>[]; readonly explained: ReadonlyMap<string, number> };

/** Weighs the sketches of both sides. Copies are compared as sets: how often each stands there is another finding. */
export function suspects(rows: Both<readonly Sketch[]>, plan: ComparisonPlan): Suspicion {
  const streamed = plan.columns.filter((c) => c.streamed || plan.digest === "values");
  const explained = new Map<string, number>();
  const sameHashes = (a: Sketch, b: Sketch): boolean => plan.digest === "values" || sameHash(a.hash, b.hash);
  const differing = (a: Sketch, b: Sketch): readonly PlannedColumn[] =>
    streamed.filter((c, i) => !c.same(a.values[i] ?? null, b.values[i] ?? null));
  const same = (a: Sketch, b: Sketch): boolean =>
    sameHashes(a, b) && (streamed.length === 0 || differing(a, b).length === 0);
  const groups = (merge(rows, plan, same) ?? group(rows)).filter((g) => {
    if (sameSets(g.source, g.target, same)) return false;
    const [s, t] = [g.source[0], g.target[0]];
    if (!s || !t || g.source.length > 1 || g.target.length > 1 || !sameHashes(s, t)) return true;
    const columns = differing(s, t);
    const at = (c: PlannedColumn): number => streamed.indexOf(c);
    if (!columns.every((c) => c.systematic?.explains(s.values[at(c)] ?? null, t.values[at(c)] ?? null))) return true;
    for (const c of columns) explained.set(c.pair.source, (explained.get(c.pair.source) ?? 0) + 1);
    return false;
  });
  return { groups, explained };
}

/** Whether two printed hashes are the same 64 bits: one server prints a signed number, another an unsigned one. */
function sameHash(a: string | null, b: string | null): boolean {
  if (a === b) return a !== null;
  // Texts of one form say different numbers; only a sign on one side alone leaves a doubt.
  if (a === null || b === null || a.startsWith("-") === b.startsWith("-")) return false;
  return unsigned64(BigInt(a)) === unsigned64(BigInt(b));
}

/**
 * As `group`, without the rows that are the same, and without remembering keys: for rows that come in key order on both sides, each key
 * once, as they mostly do. Null where they do not.
 */
function merge(
  { source, target }: Both<readonly Sketch[]>,
  { key }: ComparisonPlan,
  same: (a: Sketch, b: Sketch) => boolean,
): readonly Group<Sketch>[] | null {
  const kinds = key.map((column) => column.pair.as);
  const ascends = (rows: readonly Sketch[], i: number): boolean =>
    i === 0 || compareKeys((rows[i - 1] as Sketch).key, (rows[i] as Sketch).key, kinds) < 0;
  const groups: Group<Sketch>[] = [];
  for (let i = 0, j = 0; i < source.length || j < target.length; ) {
    const [s, t] = [source[i], target[j]];
    if ((s !== undefined && !ascends(source, i)) || (t !== undefined && !ascends(target, j))) return null;
    const order = s === undefined ? 1 : t === undefined ? -1 : compareKeys(s.key, t.key, kinds);
    if (order === 0 && !(s as Sketch).key.every((part, n) => part === (t as Sketch).key[n])) return null;
    if (order <= 0) i++;
    if (order >= 0) j++;
    if (order < 0 && s !== undefined) groups.push({ key: s.key, source: [s], target: [] });
    else if (order > 0 && t !== undefined) groups.push({ key: t.key, source: [], target: [t] });
    else if (s !== undefined && t !== undefined && !same(s, t)) groups.push({ key: s.key, source: [s], target: [t] });
  }
  return groups;
}

function sameSets<R>(source: readonly R[], target: readonly R[], same: (a: R, b: R) => boolean): boolean {
  if (source.length === 0 || target.length === 0) return source.length === target.length;
  return source.every((s) => target.some((t) => same(s, t))) && target.every((t) => source.some((s) => same(s, t)));
}

/** The difference that sketches alone prove; its columns are not known. */
export function accuse(group: Group<Sketch>, plan: ComparisonPlan): Difference {
  const [source] = group.source;
  const [target] = group.target;
  if (!source) return { type: "extra", key: group.key, target: (target as Sketch).copy };
  if (!target) return { type: "missing", key: group.key, source: source.copy };
  return {
    type: "changed",
    key: group.key,
    source: source.copy,
    target: target.copy,
    order: versionOrder(source.copy, target.copy, plan),
    columns: null,
  };
}

/** What full rows come to: a difference, or null; and the systematic columns whose transformation explains how they differ. */
export type Judgement = { readonly difference: Difference | null; readonly explained: readonly string[] };

const INNOCENT: Judgement = { difference: null, explained: [] };

/**
 * Judges one key by the values of both sides, looked up without range and settle: a row whose partner is only out of scope is
 * innocent, and a row is in question by its source's cursor (a target-only row by the target's).
 */
export function judge(group: Group<FullRow>, plan: ComparisonPlan): Judgement {
  const source = group.source[0];
  const target = group.target[0];
  if (!source && !target) return INNOCENT;
  if (narrows(plan.scope)) {
    const deciding = (source ?? target) as FullRow;
    if (!inScope(deciding.copy.cursor, plan.scope) || (target && !isSettled(target.copy.cursor, plan.scope)))
      return INNOCENT;
  }
  if (!source)
    return { difference: { type: "extra", key: group.key, target: (target as FullRow).copy }, explained: [] };
  if (!target) return { difference: { type: "missing", key: group.key, source: source.copy }, explained: [] };
  const pairs = mismatched(group, plan);
  if (pairs.length === 0) return INNOCENT;
  const columns = new Set<string>();
  const explained = new Set<string>();
  const values: (string | null)[] = [];
  const shown: ShownValues[] = [];
  for (const [s, t] of pairs)
    for (const [i, column] of plan.columns.entries()) {
      const a = s.values[i] ?? null;
      const b = t.values[i] ?? null;
      if (column.same(a, b)) continue;
      if (column.systematic?.explains(a, b)) explained.add(column.pair.source);
      else {
        columns.add(column.pair.source);
        values.push(a, b);
        const { show } = plan;
        const name = column.pair.source;
        if (show !== undefined) shown.push({ column: name, source: show(name, a), target: show(name, b) });
      }
    }
  if (columns.size === 0) return { difference: null, explained: [...explained] };
  const [s, t] = pairs[0] ?? [source, target];
  const difference: Difference = {
    type: "changed",
    key: group.key,
    source: s.copy,
    target: t.copy,
    order: versionOrder(s.copy, t.copy, plan),
    columns: [...columns],
    seen: hash("sha256", JSON.stringify(values), "base64url"),
    ...(plan.show === undefined ? {} : { values: shown }),
  };
  return { difference, explained: [...explained] };
}

/** Copies without an equal on the other side, each with the copy it is set against; nothing where both sides hold the same copies. */
function mismatched(group: Group<FullRow>, plan: ComparisonPlan): readonly (readonly [FullRow, FullRow])[] {
  const same = (a: FullRow, b: FullRow): boolean =>
    plan.columns.every((c: PlannedColumn, i) => c.same(a.values[i] ?? null, b.values[i] ?? null));
  if (sameSets(group.source, group.target, same)) return [];
  const first = { source: group.source[0] as FullRow, target: group.target[0] as FullRow };
  const source = group.source.filter((s) => !group.target.some((t) => same(s, t)));
  const target = group.target.filter((t) => !group.source.some((s) => same(s, t)));
  if (source.length === 0) return target.map((t) => [first.source, t] as const);
  return source.map((s, i) => [s, target[i] ?? target[0] ?? first.target] as const);
}
