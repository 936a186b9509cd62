import type { PolicyOutcome } from "../domain/advice.ts";
import { type ClockReading, surelyAt } from "../domain/clock.ts";
import { ascending, lowerBound } from "../domain/cuts.ts";
import { rowsBefore } from "../domain/profile.ts";
import type { ArrivalGroup, CursorProfile } from "../domain/facts.ts";
import type { Edge, LedgerIndex, Windowed } from "../domain/ledger-index.ts";
import { leftEdges } from "../domain/left-edges.ts";
import { countBefore, neededAt, nextRegular } from "../domain/overlap.ts";
import type { Bigints } from "../domain/packed-bigints.ts";
import type { Axis, Position } from "../domain/position.ts";
import type { OverlapBounds } from "../domain/tally.ts";

/** The three policies, in the order of the report; `needed`: the overlap of the third. */
export function replay(
  ledger: LedgerIndex,
  axis: Axis,
  bounds: OverlapBounds,
  needed: bigint,
  reread: CursorProfile | null,
): readonly PolicyOutcome[] {
  const edges = leftEdges(ledger.facts, axis);
  const clocks = regularAt(ledger).map((i) => ledger.facts.clocks[ledger.successAt[i] ?? -1] ?? null);
  const anyClock = clocks.some((clock) => surelyAt(clock) !== null);
  const allExact = clocks.every((clock) => clock?.certainty === "exact");
  const regular = regularAt(ledger).map((i) => ledger.successes[i] as Windowed);
  const wall = lostBy(ledger, edges, "wallClock", bounds.behindWallClock);
  const data = lostBy(ledger, edges, "dataClock", bounds.behindDataClock);
  const none = { rowsLost: null, exact: false, rowsReread: null, rereadExact: false } as const;
  const time = axis === "time";
  return [
    {
      policy: "wall-clock",
      overlap: 0n,
      ...(time ? { ...wall, rowsReread: 0n, rereadExact: true } : none),
      behindStart: time ? 0n : null,
    },
    {
      policy: "data-clock",
      overlap: 0n,
      ...(anyClock ? { ...data, exact: data.exact && allExact, rowsReread: 0n, rereadExact: true } : none),
      behindStart: time ? medianBehind(regular, clocks) : null,
    },
    {
      policy: "overlap",
      overlap: needed,
      rowsLost: 0n,
      // Without arrivals the overlap itself is only a bound.
      exact: ledger.facts.arrivals !== null,
      ...rereadBy(ledger, axis, needed, reread),
      behindStart: time
        ? median(regular.map(({ started, window }) => positive(started - (window.to ?? started))))
        : null,
    },
  ];
}

/** The positions at which the source's profile must be cut so that rows read again are counted exactly: ascending and distinct. */
export function lookBackEnds(ledger: LedgerIndex, overlap: bigint): Bigints {
  return ascending(stretches(ledger, overlap).flatMap(({ from, to }) => [from.at, to]));
}

function regularAt({ successes }: LedgerIndex): readonly number[] {
  return successes.flatMap((run, i) => (run.backfill ? [] : [i]));
}

/** Rows that lay behind the policy's left edge when they had arrived: no later run of it looks there. */
function lostBy(
  ledger: LedgerIndex,
  edges: ReturnType<typeof leftEdges>,
  policy: "wallClock" | "dataClock",
  bounded: bigint,
): { readonly rowsLost: bigint; readonly exact: boolean } {
  let rowsLost = bounded;
  let exact = ledger.facts.arrivals !== null;
  for (const group of ledger.facts.arrivals?.groups ?? []) {
    if (group.nextRun === null) continue;
    const { behind, exact: counted } = lostOf(group, edges(group.nextRun)[policy], policy);
    // What lies before the first run's window is outside of what is promised.
    if ((ledger.watermarkBefore[nextRegular(ledger, group.nextRun) ?? -1] ?? null) === null) continue;
    rowsLost += behind;
    exact &&= counted;
  }
  return { rowsLost, exact };
}

function lostOf(group: ArrivalGroup, edge: Edge | null, policy: "wallClock" | "dataClock") {
  return group.behind === undefined ? countBefore(group, edge) : { behind: group.behind[policy], exact: true };
}

type LookBack = { readonly from: Edge; readonly to: Position; readonly toClosed: boolean };

/** What each regular run but the first would read of positions that an earlier run has read. */
function stretches(ledger: LedgerIndex, overlap: bigint): readonly LookBack[] {
  return regularAt(ledger).flatMap((i): readonly LookBack[] => {
    const { window } = ledger.successes[i] as Windowed;
    const watermark = ledger.watermarkBefore[i] ?? null;
    // An open left end begins behind the watermark, so the watermark itself belongs to what was read before.
    return watermark === null || overlap === 0n
      ? []
      : [{ from: { at: watermark - overlap, closed: window.fromClosed }, to: watermark, toClosed: !window.fromClosed }];
  });
}

function rereadBy(
  ledger: LedgerIndex,
  axis: Axis,
  overlap: bigint,
  profile: CursorProfile | null,
): { readonly rowsReread: bigint; readonly rereadExact: boolean } {
  const source = profile ?? ledger.facts.source;
  const count = outwardCounter(source);
  let rows = 0n;
  let exact = true;
  for (const { from, to, toClosed } of stretches(ledger, overlap)) {
    const counted = count(from, to, toClosed);
    rows += counted.rows;
    exact &&= counted.exact;
  }
  // Rows that the look-back reads for the first time are the reason for it, and not read again.
  for (const group of ledger.facts.arrivals?.groups ?? []) {
    const ordinal = group.nextRun === null ? null : nextRegular(ledger, group.nextRun);
    if (ordinal === null || neededAt(ledger, ordinal, group.oldestCursor, axis) === 0n) continue;
    const watermark = ledger.watermarkBefore[ordinal] ?? null;
    const { window } = ledger.successes[ordinal] as Windowed;
    // Where the ledger itself looked back by nothing, its left edge is the watermark, and the rows before it were counted.
    const first =
      group.behind !== undefined && window.from === watermark
        ? { behind: group.behind.ledger, exact: true }
        : countBefore(group, watermark === null ? null : { at: watermark, closed: window.fromClosed });
    rows -= first.behind;
    exact &&= first.exact;
  }
  return { rowsReread: positive(rows), rereadExact: exact };
}

/** Counts rows between two positions; outward to the nearest cuts where the profile is not cut there. */
function outwardCounter(
  profile: CursorProfile,
): (from: Edge, to: Position, toClosed: boolean) => { readonly rows: bigint; readonly exact: boolean } {
  const { ends } = profile;
  const before = rowsBefore(profile);
  return (from, to, toClosed) => {
    const i = lowerBound(ends, from.at);
    const j = lowerBound(ends, to);
    const cutFrom = ends[i] === from.at;
    const cutTo = ends[j] === to;
    const first = cutFrom ? 2 * i + (from.closed ? 1 : 2) : 2 * i;
    const last = cutTo ? 2 * j + (toClosed ? 1 : 0) : 2 * j;
    return {
      rows: last < first ? 0n : BigInt((before[last + 1] ?? 0) - (before[first] ?? 0)),
      exact: cutFrom && cutTo,
    };
  };
}

/** How far the data clock stood behind the runs' starts, by those whose clock is known; null: none is. */
function medianBehind(runs: readonly Windowed[], clocks: readonly (ClockReading | null)[]): bigint | null {
  const behind = runs.flatMap(({ started }, i) => {
    const clock = clocks[i] ?? null;
    return clock === null || clock.position === null || clock.certainty !== "exact"
      ? []
      : [positive(started - clock.position)];
  });
  return behind.length === 0 ? null : median(behind);
}

function positive(n: bigint): bigint {
  return n > 0n ? n : 0n;
}

function median(values: readonly bigint[]): bigint {
  return values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))[values.length >> 1] ?? 0n;
}
