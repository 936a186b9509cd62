import type { Difference } from "../domain/difference.ts";
import type { Facts } from "../domain/facts.ts";
import { comparePart } from "../domain/key.ts";
import type { LedgerIndex } from "../domain/ledger-index.ts";
import type { Position } from "../domain/position.ts";
import { resolveRange } from "../domain/range.ts";
import type { RowFinding } from "../domain/tally.ts";
import { holds } from "../domain/window.ts";

/** Which entry of `check.accept` (by index) a difference is accepted by; null: none. The first that matches counts. */
export type AcceptedBy = (finding: RowFinding, difference: Difference, cursor: Position | null) => number | null;

/** Reads the entries that still hold (`until`) against the cursor's axis. */
export function acceptedBy({ check, now, axis, mapping }: Facts, ledger: LedgerIndex | null): AcceptedBy {
  const entries = new Map<
    string,
    { readonly index: number; readonly holds: (d: Difference, x: Position | null) => boolean }[]
  >();
  for (const [index, entry] of check.accept.entries()) {
    if (entry.until !== null && now >= entry.until) continue;
    const list = entries.get(entry.finding) ?? [];
    list.push({ index, holds: inside(entry.range) });
    entries.set(entry.finding, list);
  }
  return (finding, difference, cursor) =>
    entries.get(finding)?.find((entry) => entry.holds(difference, cursor))?.index ?? null;

  function inside(text: (typeof check.accept)[number]["range"]): (d: Difference, x: Position | null) => boolean {
    if (text === null) return () => true;
    const unit = check.cursor?.unit ?? (axis === "sequence" ? "sequence" : "time");
    const range = resolveRange(text, { unit, timezone: check.source.timezone, now });
    if (range.by === "cursor")
      return (_, x) => x !== null && (range.from === null || x >= range.from) && (range.to === null || x < range.to);
    if (range.by === "run") {
      const window = ledger?.facts.runs.find((run) => run.id === range.run)?.window ?? null;
      return (_, x) => x !== null && window !== null && holds(window, x);
    }
    const kind = mapping.key[0]?.as ?? { as: "text" as const };
    // An end that is no value of the key's kind holds nothing; the entry is then reported as unused.
    const numbers = kind.as === "integer" || kind.as === "decimal" || kind.as === "boolean";
    if (numbers && [range.from, range.to].some((end) => end !== null && !/^-?\d+(\.\d+)?$/.test(end)))
      return () => false;
    if (kind.as === "integer" && [range.from, range.to].some((end) => end?.includes("."))) return () => false;
    return ({ key }) => {
      const part = key[0] ?? null;
      if (part === null) return false;
      return (
        (range.from === null || comparePart(part, range.from, kind) >= 0) &&
        (range.to === null || comparePart(part, range.to, kind) < 0)
      );
    };
  }
}
