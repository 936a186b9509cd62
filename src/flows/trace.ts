import { attribution } from "../causes/attribution.ts";
import { group, judge } from "../compare/pair.ts";
import { planComparison } from "../compare/plan-comparison.ts";
import type { ComparisonPlan } from "../compare/plan.ts";
import type { Both, FullRow } from "../compare/question.ts";
import type { Check } from "../domain/check.ts";
import type { Difference } from "../domain/difference.ts";
import { type CommandRange, rangeText, repairCommand } from "../domain/command.ts";
import { UsageError } from "../domain/errors.ts";
import type { Facts } from "../domain/facts.ts";
import type { Key } from "../domain/key.ts";
import { keyJson } from "../domain/key-bounds.ts";
import type { Position } from "../domain/position.ts";
import { succeeded } from "../domain/run.ts";
import type { Trace, TracedRun } from "../domain/trace.ts";
import { holds } from "../domain/window.ts";
import { sideReader } from "./compare/side-reader.ts";
import { bind, readKeyEnd, sideSpec } from "./compare/side-spec.ts";
import { openCheck, type OpenCheck, reopen } from "./open-check.ts";
import type { World } from "./ports.ts";
import { readFacts } from "./read-facts/read-facts.ts";

/**
 * Tells one row's story: both copies, every window that held its cursor, and why it is missing or differs. `key`: a value a key column,
 * as typed. Throws a `UsageError` for a key that cannot be one, and what keeps the tables or the ledger from being read.
 */
export async function traceRow(check: Check, key: readonly string[], world: World): Promise<Trace> {
  const open = await openCheck(check, world.databases);
  const plan = planComparison({
    check,
    pairings: open.pairings,
    source: open.tables.source,
    target: open.tables.target,
    digest: "values",
    unsayable: new Set(),
    scope: { range: null, settledUntil: null, futureAfter: null },
    calibrations: [],
  });
  const wanted = readKey(check, plan, key);
  const rows = await lookUp(open, plan, wanted);
  const both = { key: wanted, source: [...rows.source], target: [...rows.target] };
  const { difference } = judge(group(rows)[0] ?? both, plan);
  const [source, target] = [rows.source[0] ?? null, rows.target[0] ?? null];
  const x = (source ?? target)?.copy.cursor ?? null;
  const keys = keyJson(
    wanted,
    plan.key.map((column) => column.digestAs),
  );
  const facts = await factsAround(check, open, x, world);
  return {
    check: check.name,
    key: plan.key.map((column, i) => ({ column: column.pair.source, value: wanted[i] ?? null, json: keys[i] ?? null })),
    axis: open.axis,
    source: { present: source !== null, cursor: source?.copy.cursor ?? null, arrival: source?.copy.arrival ?? null },
    target: { present: target !== null, cursor: target?.copy.cursor ?? null, loaded: target?.copy.loaded ?? null },
    columns: difference?.type === "changed" ? (difference.columns ?? []) : [],
    windows: windowsOf(facts, x, source),
    verdict: verdictOf(facts, difference, rows),
    fix: fixOf(check, open, difference, x),
  };
}

function readKey(check: Check, plan: ComparisonPlan, given: readonly string[]): Key {
  const names = plan.key.map((column) => column.pair.source);
  if (given.length !== names.length)
    throw new UsageError(
      `trace ${check.name}: ${given.length} key ${given.length === 1 ? "value was" : "values were"} given, and its key is ${names.join(", ")}`,
      {
        hint: `tidemark trace ${check.name} ${names.map((n) => `<${n}>`).join(" ")}`,
      },
    );
  return plan.key.map((column, i) =>
    readKeyEnd(given[i] ?? "", bind(column, "source", "digest"), `trace ${check.name}: `),
  );
}

async function lookUp(open: OpenCheck, plan: ComparisonPlan, key: Key): Promise<Both<readonly FullRow[]>> {
  await using sides = await reopen(open);
  const read = (side: "source" | "target"): Promise<readonly FullRow[]> =>
    sideReader(sides[side], sideSpec(sides[side], plan, open.check, null), { statements: 0 }).values([key]);
  return { source: await read("source"), target: await read("target") };
}

/** The ledger, and how many rows at this very cursor the target lacks: what causes ask about one row. */
async function factsAround(check: Check, open: OpenCheck, x: Position | null, world: World): Promise<Facts> {
  const range =
    x === null || open.axis === null
      ? null
      : rangeText(exactly(x), { axis: open.axis, unit: check.cursor?.unit ?? null });
  const { facts, failure } = await readFacts(
    check,
    { range, only: range === null ? ["schema"] : null, exact: false },
    world,
  );
  if (failure !== null) throw failure;
  return facts;
}

function windowsOf(facts: Facts, x: Position | null, source: FullRow | null): readonly TracedRun[] {
  if (x === null || facts.ledger === null) return [];
  const { runs, clocks } = facts.ledger;
  return runs.flatMap((run, i): readonly TracedRun[] => {
    if (run.window === null || !holds(run.window, x)) return [];
    const reading = clocks[i] ?? null;
    const clock = reading?.position ?? null;
    const certainty = reading?.certainty ?? null;
    // A clock that stood there at least may have stood anywhere beyond.
    const most = certainty === "at-least" ? null : clock;
    const saw = succeeded(run) ? couldSee(run.started, x, source?.copy.arrival ?? null, most) : false;
    return [{ run, clock, certainty, saw }];
  });
}

/** By the row's arrival where it is known; else only that a clock behind the row hid it. */
function couldSee(started: bigint, x: Position, arrival: bigint | null, clock: Position | null): boolean | null {
  if (arrival !== null) return arrival <= started;
  return clock !== null && clock < x ? false : null;
}

function verdictOf(facts: Facts, difference: Difference | null, rows: Both<readonly FullRow[]>): Trace["verdict"] {
  if (rows.source.length === 0 && rows.target.length === 0)
    return {
      finding: null,
      cause: null,
      confidence: null,
      says: "no row has this key, in the source or in the target",
    };
  if (difference === null)
    return { finding: null, cause: null, confidence: null, says: "the row is the same on both sides" };
  const { finding, cause, confidence, says } = attribution(facts)(difference);
  return { finding, cause, confidence, says: says() };
}

function fixOf(check: Check, open: OpenCheck, difference: Difference | null, x: Position | null): string | null {
  if (difference === null || difference.type === "extra") return null;
  if (difference.type === "changed" && difference.order === "target-newer") return null;
  const axis = { axis: open.axis ?? "sequence", unit: check.cursor?.unit ?? null };
  if (x !== null && open.axis !== null) return repairCommand(check.name, exactly(x), axis);
  const [first] = difference.key;
  const integer = open.pairings.key[0]?.agreement.as.as === "integer" && first !== undefined && first !== null;
  return repairCommand(
    check.name,
    integer ? { by: "key", from: first, to: (BigInt(first) + 1n).toString() } : null,
    axis,
  );
}

/** The half-open range that holds one position. */
function exactly(x: Position): CommandRange {
  return { by: "cursor", from: x, to: x + 1n };
}
