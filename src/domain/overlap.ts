import type { ArrivalGroup } from "./facts.ts";
import type { LedgerIndex, Windowed } from "./ledger-index.ts";
import { leftEdge, isBefore } from "./ledger-index.ts";
import type { Axis, Position } from "./position.ts";
import { SECOND } from "./position.ts";

/** Overlaps are whole seconds on a time axis and whole numbers on a sequence. */
export function overlapUnit(axis: Axis): bigint {
  return axis === "time" ? SECOND : 1n;
}

/**
 * The look-back that would have reached a row with cursor `x` whose first successful run after its arrival had the watermark `watermark`
 * before it: `watermark - x`, strictly more where left ends are open, rounded up to whole units; 0 where none was needed (findings.md §2).
 */
export function neededOverlap(watermark: Position, x: Position, closed: boolean, axis: Axis): bigint {
  const unit = overlapUnit(axis);
  const behind = watermark - x;
  if (behind < 0n) return 0n;
  return (closed ? (behind + unit - 1n) / unit : behind / unit + 1n) * unit;
}

/** The first regular success (no backfill) at or after an ordinal of `index.successes`; null: there is none. */
export function nextRegular(index: LedgerIndex, from: number): number | null {
  for (let i = from; i < index.successes.length; i++) if (!index.successes[i]?.backfill) return i;
  return null;
}

/** The ordinal of the first success that started after a moment (`inclusive`: at it or after). */
export function firstStarted(successes: readonly Windowed[], moment: bigint, inclusive: boolean): number {
  let low = 0;
  let high = successes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const { started } = successes[middle] as Windowed;
    if (started < moment || (!inclusive && started === moment)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * What a row needed at the regular run `ordinal`, its first chance to be read. Nothing at the first run: what lies before its left end
 * lies before the first window, outside of what a look-back promises.
 */
export function neededAt(index: LedgerIndex, ordinal: number, x: Position, axis: Axis): bigint {
  const run = index.successes[ordinal] as Windowed;
  const watermark = index.watermarkBefore[ordinal] ?? null;
  return watermark === null ? 0n : neededOverlap(watermark, x, run.window.fromClosed, axis);
}

/** How far the ledger's run itself looked back behind the watermark before it; null: it had none before it, or is open below. */
export function shownOverlap(index: LedgerIndex, ordinal: number): bigint | null {
  const { window } = index.successes[ordinal] as Windowed;
  const watermark = index.watermarkBefore[ordinal] ?? null;
  if (watermark === null || window.from === null) return null;
  return watermark > window.from ? watermark - window.from : 0n;
}

/** The overlap that the ledger shows at half its regular runs or more: the median. */
export function overlapInForce(index: LedgerIndex): bigint {
  const shown = index.successes.flatMap((run, i) => {
    const overlap = run.backfill ? null : shownOverlap(index, i);
    return overlap === null ? [] : [overlap];
  });
  return shown.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))[(shown.length - 1) >> 1] ?? 0n;
}

/** How much look-back the rows of a group needed at most, and how many of them the ledger's own windows did not reach back to. */
export function groupNeeds(
  index: LedgerIndex,
  group: ArrivalGroup,
  axis: Axis,
): { readonly needed: bigint; readonly behind: bigint; readonly exact: boolean } | null {
  if (group.nextRun === null) return null;
  const ordinal = nextRegular(index, group.nextRun);
  if (ordinal === null) return null;
  const needed = neededAt(index, ordinal, group.oldestCursor, axis);
  const edge = leftEdge((index.successes[ordinal] as Windowed).window);
  if (group.behind !== undefined) return { needed, behind: group.behind.ledger, exact: true };
  return { needed, ...countBefore(group, edge) };
}

/** How many rows of a group lie before an edge, from its oldest and newest cursor alone: all, none, or at least one. */
export function countBefore(
  group: ArrivalGroup,
  edge: ReturnType<typeof leftEdge>,
): { readonly behind: bigint; readonly exact: boolean } {
  if (isBefore(group.newestCursor, edge)) return { behind: group.rows, exact: true };
  if (!isBefore(group.oldestCursor, edge)) return { behind: 0n, exact: true };
  return { behind: 1n, exact: group.rows <= 2n };
}
