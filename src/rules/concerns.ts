import type { Check } from "../domain/check.ts";
import { repairCommand } from "../domain/command.ts";
import type { Evidence, Json, Severity } from "../domain/finding.ts";
import { joined } from "../domain/joined.ts";
import { type LedgerIndex, lookedAt } from "../domain/ledger-index.ts";
import { type Axis, formatPosition } from "../domain/position.ts";
import { jsonCount } from "../domain/report.ts";
import { span, type Window } from "../domain/window.ts";
import type { FindingDraft } from "./rule.ts";

/** One run or stretch that a rule has something to say about. */
export type Concern = {
  readonly severity: Severity;
  /** Which of a code's findings it belongs to; absent: the one that needs no name. */
  readonly part?: string;
  /** The stretches of the axis that it concerns. */
  readonly windows: readonly Window[];
  /** Made only for the runs and stretches that are listed: a ledger may hold a hundred thousand. */
  readonly evidence: () => Evidence;
};

export type ConcernContext = { readonly check: Check; readonly axis: Axis; readonly ledger: LedgerIndex };

/** What the concerns of one finding come to together; stretches that overlap are counted once. */
export type Sum<C extends Concern> = {
  readonly concerns: readonly C[];
  readonly rows: bigint;
  /** Null: the tables were not compared. */
  readonly lacking: bigint | null;
};

/** How many runs or stretches a finding lists. */
const LISTED = 20;

/**
 * Of an audit with --range only those inside the range: what the target lacks elsewhere, nobody has asked. One finding for each part: its concerns listed under `list` (`runs`, `stretches`) with their total, rows and repair.
 */
export function concernFindings<C extends Concern>(
  all: readonly C[],
  list: "runs" | "stretches" | "streaks",
  { check, axis, ledger }: ConcernContext,
  says: (sum: Sum<C>) => string,
): readonly FindingDraft[] {
  const concerns =
    ledger.looked === null ? all : all.filter(({ windows }) => windows.every((window) => lookedAt(ledger, window)));
  return [...Map.groupBy(concerns, ({ part }) => part ?? "").values()].map((group): FindingDraft => {
    const stretches = joined(group.flatMap(({ windows }) => windows));
    const rows = total(stretches, ledger.rows) ?? 0n;
    const lacking = total(stretches, ledger.lacking);
    const [first] = group as [C, ...C[]];
    const last = stretches.at(-1);
    const cursor = stretches[0] === undefined || last === undefined ? null : ends(span(stretches[0]).first, last);
    return {
      ...(first.part === undefined ? {} : { part: first.part }),
      severity: first.severity,
      says: says({ concerns: group, rows, lacking }),
      rows,
      range: cursor === null ? {} : { cursor: { from: text(cursor.from, axis), to: text(cursor.to, axis) } },
      evidence: {
        [list]: group.slice(-LISTED).map(({ evidence }): Json => evidence()),
        [`${list}_total`]: group.length,
        ...(lacking === null ? {} : { rows_lacking: jsonCount(lacking) }),
      },
      fix: cursor === null || lacking === null || lacking === 0n ? null : fixOf(stretches, { check, axis, ledger }),
    };
  });
}

/** The repair of those stretches whose rows the target lacks. */
function fixOf(windows: readonly Window[], { check, axis, ledger }: ConcernContext): string {
  const lossy = windows.filter((window) => (ledger.lacking?.(window) ?? 0n) > 0n);
  const from = lossy[0]?.from ?? null;
  const to = lossy.at(-1);
  const range = { by: "cursor" as const, from, to: to === undefined ? null : ends(null, to).to };
  const whole = range.from === null && range.to === null;
  return repairCommand(check.name, whole ? null : range, { axis, unit: check.cursor?.unit ?? null });
}

function ends(from: bigint | null, last: Window): { readonly from: bigint | null; readonly to: bigint | null } {
  const end = span(last).last;
  return { from, to: end === null ? null : end + 1n };
}

function total(windows: readonly Window[], count: ((window: Window) => bigint) | null): bigint | null {
  return count === null ? null : windows.reduce((sum, window) => sum + count(window), 0n);
}

const text = (end: bigint | null, axis: Axis): string | null => (end === null ? null : formatPosition(end, axis));

/** A window as evidence: its ends as the axis writes them. */
export function windowJson(window: Window, axis: Axis): Evidence {
  return { from: text(window.from, axis), to: text(window.to, axis) };
}
