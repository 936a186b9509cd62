import type { Acceptance } from "../domain/check.ts";
import type { FindingCode } from "../domain/codes.ts";
import type { Facts } from "../domain/facts.ts";
import { parseInstant, type Position } from "../domain/position.ts";
import { resolveRange } from "../domain/range.ts";
import { ROW_FINDINGS } from "../domain/tally.ts";
import { span } from "../domain/window.ts";
import type { FindingDraft } from "./rule.ts";

/** Which entry of `check.accept` (by index) a finding is accepted by; null: none. */
export type Accepts = (code: FindingCode, draft: FindingDraft) => number | null;

/**
 * Reads the entries that still hold. Rows were matched one by one when they were counted (`draft.accepted`); any other finding is
 * accepted where all of its stretch of the cursor lies in the entry's range, and one without a stretch only by an entry without a range.
 */
export function acceptsOf(facts: Facts): Accepts {
  const held = facts.check.accept.map((entry) =>
    entry.until !== null && facts.now >= entry.until ? null : { entry, stretch: stretchOf(entry, facts) },
  );
  return (code, draft) => {
    if ((ROW_FINDINGS as readonly string[]).includes(code)) return draft.accepted ?? null;
    const found = held.findIndex((each) => each !== null && each.entry.finding === code && covers(each.stretch, draft));
    return found < 0 ? null : found;
  };
}

/** Half-open; `all`: the entry names no range. `none`: its range can hold no stretch of the cursor. */
type Covered = "all" | "none" | { readonly from: Position | null; readonly to: Position | null };

function stretchOf({ range: text }: Acceptance, { check, axis, now, ledger }: Facts): Covered {
  if (text === null) return "all";
  const unit = check.cursor?.unit ?? (axis === "sequence" ? "sequence" : "time");
  const range = resolveRange(text, { unit, timezone: check.source.timezone, now });
  if (range.by === "cursor") return { from: range.from, to: range.to };
  const window = range.by === "run" ? (ledger?.runs.find((run) => run.id === range.run)?.window ?? null) : null;
  if (window === null) return "none";
  const { last } = span(window);
  return { from: window.from, to: last === null ? null : last + 1n };
}

function covers(stretch: Covered, { range }: FindingDraft): boolean {
  if (stretch === "all") return true;
  if (stretch === "none" || range?.cursor === undefined) return false;
  const from = readEnd(range.cursor.from);
  const to = readEnd(range.cursor.to);
  return (
    (stretch.from === null || (from !== null && from >= stretch.from)) &&
    (stretch.to === null || (to !== null && to <= stretch.to))
  );
}

/** An end as findings write it: an ISO time, or a number of a sequence. */
function readEnd(text: string | null): Position | null {
  if (text === null) return null;
  return /^-?\d+$/.test(text) ? BigInt(text) : parseInstant(text);
}
