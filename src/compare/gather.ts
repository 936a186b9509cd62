import { type Key, keyIdentity } from "../domain/key.ts";
import { accuseProven, type Fetched, judgeAll, judgeKeys, KEYS_AT_ONCE, type SoFar } from "./fetch-rows.ts";
import { suspects } from "./pair.ts";
import { type ComparisonPlan, inScope, isSettled, narrows } from "./plan.ts";
import { ask, type Both, type Chunk, type Dialogue, type Sketch } from "./question.ts";

/** What gathering came to: `rows` in question on each side, and groups that hold any. */
export type GatheredOutcome = Fetched & {
  readonly rows: Both<bigint>;
  readonly groups: number;
  readonly groupsDifferent: number;
};

/** Rows of a group on either side: all of them are held at once. */
const GROUP = 4_096;
const MOST_GROUPS = 1024;

/**
 * Reads all rows of a chunk in one pass, sets them aside by their key's hash, and compares them group by group. `wide` null: without
 * hashes, where one side holds nothing. Rows that are too young to be judged come, too, so that it is known who their partners are;
 * those outside a range do not, since they may be most of the table.
 */
export function* gatherRows(
  chunk: Chunk,
  plan: ComparisonPlan,
  soFar: SoFar,
  wide: boolean | null,
  expectedRows: number,
): Dialogue<GatheredOutcome> {
  const unscoped = narrows(plan.scope) && plan.scope.range === null;
  const groups = groupsFor(expectedRows / GROUP);
  let gathered = yield* ask<"gather">({ ask: "gather", chunk, wide, unscoped, groups });
  if (wide === false && plan.digest !== "values" && gathered.unhashed > 0n)
    gathered = yield* ask<"gather">({ ask: "gather", chunk, wide: true, unscoped, groups });
  const whole = !narrows(plan.scope) || unscoped || (yield* isWhole(chunk, gathered.rows));
  const rows = { source: 0n, target: 0n };
  const all = { fetched: 0, suspected: 0, groups: 0, groupsDifferent: 0 };
  const pending: Key[] = [];
  for (let group = 0; group < groups; group++) {
    const found = yield* ask<"group">({ ask: "group", group });
    if (found.rows.source.length + found.rows.target.length === 0) continue;
    all.groups++;
    const judged = unscoped ? inQuestion(found.rows, plan) : found.rows;
    rows.source += countOf(found.rows.source, plan, unscoped);
    rows.target += countOf(found.rows.target, plan, unscoped);
    all.fetched += found.rows.source.length + found.rows.target.length;
    const suspicion = suspects(judged, plan);
    if (suspicion.explained.size > 0)
      yield* ask<"take">({ ask: "take", differences: [], explained: suspicion.explained });
    // Sketches without hashes are whole rows.
    if (whole && plan.digest === "values") yield* judgeAll(suspicion.groups, plan);
    else pending.push(...(yield* accuseProven(suspicion.groups, whole, plan, soFar)));
    while (pending.length >= KEYS_AT_ONCE) yield* judgeKeys(pending.splice(0, KEYS_AT_ONCE), plan);
    all.suspected += suspicion.groups.length;
    all.groupsDifferent += suspicion.groups.length > 0 || suspicion.explained.size > 0 ? 1 : 0;
  }
  if (pending.length > 0) yield* judgeKeys(pending, plan);
  return { rows, ...all };
}

/** Rows in question. */
function countOf(rows: readonly Sketch[], { scope }: ComparisonPlan, unscoped: boolean): bigint {
  return BigInt(unscoped ? rows.filter(({ copy }) => inScope(copy.cursor, scope)).length : rows.length);
}

/** Whether all rows of a chunk were in question: none was left out by its cursor. */
function* isWhole(chunk: Chunk, rows: Both<bigint>): Dialogue<boolean> {
  const { digests } = yield* ask<"keys">({ ask: "keys", chunk });
  return digests.source.rows === rows.source && digests.target.rows === rows.target;
}

/** Leaves out rows that are too young to be judged, with their partners: as `judge` would of their values. */
function inQuestion({ source, target }: Both<readonly Sketch[]>, plan: ComparisonPlan): Both<readonly Sketch[]> {
  const young = (sketch: Sketch): boolean => !isSettled(sketch.copy.cursor, plan.scope);
  const doubtful = new Set([...source, ...target].filter(young).map(({ key }) => keyIdentity(key)));
  if (doubtful.size === 0) return { source, target };
  // Of several copies under one key the first decides.
  const left = new Set<string>();
  for (const side of [source, target]) {
    const seen = new Set<string>();
    for (const sketch of side) {
      const id = keyIdentity(sketch.key);
      if (!doubtful.has(id) || seen.has(id)) continue;
      seen.add(id);
      if (young(sketch)) left.add(id);
    }
  }
  const stays = ({ key }: Sketch): boolean => !left.has(keyIdentity(key));
  return { source: source.filter(stays), target: target.filter(stays) };
}

/** The power of two nearest above `n`, at most that many groups. */
function groupsFor(n: number): number {
  let groups = 1;
  while (groups < n && groups < MOST_GROUPS) groups *= 2;
  return groups;
}
