import type { Difference } from "../domain/difference.ts";
import { type Key, keyIdentity } from "../domain/key.ts";
import { accuse, group, judge, suspects, type Suspicion } from "./pair.ts";
import { type ComparisonPlan, narrows, valuesDecide } from "./plan.ts";
import { ask, type Both, type Chunk, type Dialogue, type Sketch } from "./question.ts";

/** What a comparison has learnt on its way; shared by all its chunks. */
export type SoFar = {
  /** Rows whose values were fetched only to name their columns. */
  rows: number;
  /** Whether the last chunk that was cut into ranges differed in nearly all of them: then the next is not asked where it differs. */
  dense?: boolean;
  /** Whether rows differed all over the last chunk that was split, and only small groups of keys could tell them from the others. */
  scattered?: boolean;
};

/** Keys whose values are asked for in one statement. */
export const KEYS_AT_ONCE = 500;
/** What fetching came to: rows fetched on both sides together, and keys whose rows their sketches did not prove the same. */
export type Fetched = { readonly fetched: number; readonly suspected: number };

/** Fetches chunks, one after the other, and hands over what differs in them. `only`: the one side that holds rows there. */
export function* fetchRows(
  chunks: readonly Chunk[],
  plan: ComparisonPlan,
  soFar: SoFar,
  wide: boolean,
  only: "source" | "target" | null = null,
): Dialogue<Fetched> {
  const all = { fetched: 0, suspected: 0 };
  for (const chunk of chunks) {
    const one = yield* fetchOne(chunk, plan, soFar, wide, { source: 0n, target: 0n }, only);
    all.fetched += one.fetched;
    all.suspected += one.suspected;
  }
  return all;
}

/** As `fetchRows`, of one chunk; adds its rows to `count`. */
export function* fetchOne(
  chunk: Chunk,
  plan: ComparisonPlan,
  soFar: SoFar,
  wide: boolean,
  count: { source: bigint; target: bigint },
  only: "source" | "target" | null = null,
): Dialogue<Fetched & { readonly different: boolean }> {
  let { rows } = yield* ask<"rows">({ ask: "rows", chunk, wide, ...(only === null ? {} : { only }) });
  const hashed = plan.digest !== "values" && only === null;
  if (!wide && hashed && (rows.source.some(isUnhashed) || rows.target.some(isUnhashed)))
    ({ rows } = yield* ask<"rows">({ ask: "rows", chunk, wide: true }));
  count.source += BigInt(rows.source.length);
  count.target += BigInt(rows.target.length);
  const { groups, explained: bySketch } = suspects(rows, plan);
  const fetched = rows.source.length + rows.target.length;
  if (bySketch.size > 0) yield* ask<"take">({ ask: "take", differences: [], explained: bySketch });
  if (groups.length === 0) return { fetched, suspected: 0, different: bySketch.size > 0 };
  const alone = groups.filter(isAlone).length;
  // Without their values rows can be accused only where no row of the chunk is left out that might be their partner: to know that
  // costs about as much as looking some hundreds of them up.
  const many = alone > KEYS_AT_ONCE || groups.length - alone > plan.explainRows - soFar.rows;
  const whole = !narrows(plan.scope) || (many && (yield* isWhole(chunk, rows)));
  const asked = yield* accuseProven(groups, whole, plan, soFar);
  for (let i = 0; i < asked.length; i += KEYS_AT_ONCE) yield* judgeKeys(asked.slice(i, i + KEYS_AT_ONCE), plan);
  return { fetched, suspected: groups.length, different: true };
}

/**
 * Hands over what sketches that differ prove, and gives the keys whose values have to be looked up. `whole`: no row is left out that might
 * be the partner of one that stands alone.
 */
export function* accuseProven(
  groups: Suspicion["groups"],
  whole: boolean,
  plan: ComparisonPlan,
  soFar: SoFar,
): Dialogue<readonly Key[]> {
  const proven: Difference[] = [];
  const asked: Key[] = [];
  for (const suspect of groups) {
    if (whole && isAlone(suspect)) proven.push(accuse(suspect, plan));
    else if (!whole || valuesDecide(plan) || soFar.rows < plan.explainRows) {
      soFar.rows++;
      asked.push(suspect.key);
    } else proven.push(accuse(suspect, plan));
  }
  if (proven.length > 0) yield* ask<"take">({ ask: "take", differences: proven, explained: new Map() });
  return asked;
}

/** Whether one side holds no row of the key: nothing about it can be asked for that its key does not say. */
const isAlone = ({ source, target }: Both<readonly unknown[]>): boolean => source.length === 0 || target.length === 0;

/** Whether all rows of a chunk are in question: none is left out by its cursor. */
function* isWhole(chunk: Chunk, rows: Both<readonly Sketch[]>): Dialogue<boolean> {
  const { digests } = yield* ask<"keys">({ ask: "keys", chunk });
  return (["source", "target"] as const).every((side) => digests[side].rows === BigInt(rows[side].length));
}

/** Whether a server could not hash the row: its text is too long for it. */
const isUnhashed = (sketch: Sketch): boolean => sketch.hash === null;

/**
 * Looks the keys up on both sides and hands over what their values prove. A server may call more keys equal than those that were
 * asked for (a collation does); what it says of these is not the whole of what they hold.
 */
export function* judgeKeys(keys: readonly Key[], plan: ComparisonPlan): Dialogue<void> {
  const { rows } = yield* ask<"values">({ ask: "values", keys });
  const wanted = new Set(keys.map(keyIdentity));
  yield* judgeAll(
    group(rows).filter((g) => wanted.has(keyIdentity(g.key))),
    plan,
  );
}

/** Hands over what the values of both sides prove, key by key. */
export function* judgeAll(groups: readonly Parameters<typeof judge>[0][], plan: ComparisonPlan): Dialogue<void> {
  const differences: Difference[] = [];
  const explained = new Map<string, number>();
  for (const g of groups) {
    const judgement = judge(g, plan);
    if (judgement.difference) differences.push(judgement.difference);
    else for (const column of judgement.explained) explained.set(column, (explained.get(column) ?? 0) + 1);
  }
  yield* ask<"take">({ ask: "take", differences, explained });
}
