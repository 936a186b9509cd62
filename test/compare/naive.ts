import type { Difference } from "../../src/domain/difference.ts";
import { keyIdentity } from "../../src/domain/key.ts";
import type { ComparisonPlan } from "../../src/compare/plan.ts";
import type { FullRow } from "../../src/compare/question.ts";

/** A difference as one line: what, which key, and the columns where they are known. */
export function lineOf(difference: Difference): string {
  const columns = difference.type === "changed" ? (difference.columns?.toSorted().join(",") ?? "?") : "";
  return `${difference.type} ${keyIdentity(difference.key)}${columns === "" ? "" : ` ${columns}`}`;
}

/** Both tables row by row, without chunks and hashes: every key of either side, by all values of all copies. */
export function naiveDiff(source: readonly FullRow[], target: readonly FullRow[], plan: ComparisonPlan): string[] {
  const lines: string[] = [];
  const copies = (rows: readonly FullRow[], id: string): FullRow[] => rows.filter((r) => keyIdentity(r.key) === id);
  const sides = {
    source: Map.groupBy(source, (r) => keyIdentity(r.key)),
    target: Map.groupBy(target, (r) => keyIdentity(r.key)),
  };
  for (const id of new Set([...sides.source.keys(), ...sides.target.keys()])) {
    const ours = copies(sides.source.get(id) ?? [], id);
    const theirs = copies(sides.target.get(id) ?? [], id);
    if (!counts(ours, theirs, plan)) continue;
    if (ours.length === 0) lines.push(`extra ${id}`);
    else if (theirs.length === 0) lines.push(`missing ${id}`);
    else {
      const unmatched = {
        ours: ours.filter((s) => theirs.every((t) => differing(s, t, plan).length > 0)),
        theirs: theirs.filter((t) => ours.every((s) => differing(s, t, plan).length > 0)),
      };
      if (unmatched.ours.length + unmatched.theirs.length === 0) continue;
      if (ours.length > 1 || theirs.length > 1) lines.push(`changed ${id} *`);
      else lines.push(`changed ${id} ${differing(ours[0]!, theirs[0]!, plan).toSorted().join(",")}`);
    }
  }
  return lines.toSorted();
}

function differing(a: FullRow, b: FullRow, plan: ComparisonPlan): string[] {
  return plan.columns.flatMap((c, i) => (c.same(a.values[i] ?? null, b.values[i] ?? null) ? [] : [c.pair.source]));
}

/** Whether a key is in question at all: its source copy lies in range, and neither copy is too young. */
function counts(ours: readonly FullRow[], theirs: readonly FullRow[], plan: ComparisonPlan): boolean {
  const { range, settledUntil, futureAfter } = plan.scope;
  const cursor = (ours[0] ?? theirs[0])?.copy.cursor ?? null;
  if (
    range !== null &&
    (cursor === null || (range.from !== null && cursor < range.from) || (range.to !== null && cursor >= range.to))
  )
    return false;
  const young = (row: FullRow | undefined): boolean => {
    const at = row?.copy.cursor ?? null;
    return settledUntil !== null && at !== null && at > settledUntil && (futureAfter === null || at <= futureAfter);
  };
  return !young(ours[0]) && !young(theirs[0]);
}
