import type { Scope } from "../../compare/plan.ts";
import type { Check } from "../../domain/check.ts";
import { UsageError } from "../../domain/errors.ts";
import type { CursorFacts } from "../../domain/facts.ts";
import type { Position } from "../../domain/position.ts";
import { parseRange, type Range } from "../../domain/range.ts";
import type { Run } from "../../domain/run.ts";
import { type Window, windowOf } from "../../domain/window.ts";
import type { KeyScope } from "../compare/side-spec.ts";
import type { OpenCheck } from "../open-check.ts";

/** What the cursors of a check show now; null where a side has none. */
export type Cursors = {
  readonly source: CursorFacts | null;
  readonly target: CursorFacts | null;
  readonly origin: CursorFacts | null;
};

/** `--range` as it was meant: a stretch of the cursor, or of keys; both null where everything is asked about. */
export type ResolvedRange = { readonly window: Window | null; readonly keys: KeyScope | null };

/** Reads `--range` against the check's cursor and the runs of its ledger (null: there is none). Throws a `UsageError` for a range that the check cannot have. */
export function resolveRange(
  text: string | null,
  open: OpenCheck,
  runs: readonly Run[] | null,
  now: bigint,
): ResolvedRange {
  if (text === null) return { window: null, keys: null };
  const { check, axis } = open;
  const unit = axis === "time" ? (check.cursor?.unit ?? "time") : "sequence";
  const range: Range = parseRange(text, { unit, timezone: check.source.timezone, now });
  if (range.by === "key") return { window: null, keys: { from: range.from, to: range.to } };
  if (axis === null)
    throw new UsageError(`--range ${text}: ${check.name} has no cursor`, {
      hint: "use --range key:FROM..TO, or give the check a cursor",
    });
  if (range.by === "cursor") return { window: windowOf(range.from, range.to, "[)"), keys: null };
  const run = runs?.find((r) => r.id === range.run);
  if (!run)
    throw new UsageError(
      `--range ${text}: ${runs === null ? `${check.name} has no ledger` : `the ledger of ${check.name} holds no run ${range.run}`}`,
      { hint: "runs.since says how far back the ledger is read" },
    );
  if (run.window === null) throw new UsageError(`--range ${text}: run ${run.id} has no window`);
  return { window: run.window, keys: null };
}

/** Which rows are in question. Where no row is younger than `settle`, the first look has nothing to leave out. */
export function scopeOf(
  check: Check,
  open: OpenCheck,
  cursors: Cursors,
  range: Window | null,
  replicated: Position | null,
  now: bigint,
): { readonly first: Scope; readonly later: Scope } {
  const whole: Scope = { range, settledUntil: null, futureAfter: null };
  if (open.axis !== "time") {
    const scope = replicated === null ? whole : { ...whole, settledUntil: replicated };
    return { first: scope, later: scope };
  }
  const old = now - check.settle;
  const settledUntil = replicated !== null && replicated < old ? replicated : old;
  const young = [cursors.source, cursors.target].some((c) => (c?.newest ?? settledUntil) > settledUntil);
  const later = { ...whole, settledUntil, futureAfter: now + check.expect.future };
  return { first: young ? later : whole, later };
}
