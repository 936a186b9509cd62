import { isBefore, leftEdge } from "../domain/ledger-index.ts";
import { leftEdges } from "../domain/left-edges.ts";
import { firstStarted, neededAt, nextRegular, shownOverlap } from "../domain/overlap.ts";
import type { Attribution, OverlapBounds } from "../domain/tally.ts";
import type { Known, Lost } from "./cause.ts";
import { readingOf } from "./lost.ts";

/** The causes that a larger look-back would have healed, or may have. */
const HEALED_BY_OVERLAP: ReadonlySet<string> = new Set([
  "closed-ahead-of-clock",
  "old-dated",
  "late-commit",
  "undetermined",
]);

/**
 * Collects what lost rows say about the overlap. Of those with a known arrival, how many lay behind their first chance to be read: groups
 * of arrivals know no more than their oldest and newest cursors. One without arrived after the last run that held it had started, so it
 * needed at least what the first successful run after that was behind it, and lagged at least that start behind its cursor.
 */
export function boundsKeeper(known: Known): {
  readonly add: (lost: Lost, attribution: Attribution) => void;
  readonly done: () => OverlapBounds;
} {
  const { ledger, axis } = known;
  let rows = 0;
  let behind = 0;
  let needed = 0n;
  let lag = 0n;
  let behindWallClock = 0;
  let behindDataClock = 0;
  let edges: ReturnType<typeof leftEdges> | null = null;
  // The same for all rows that were last read by one run.
  const runAfter = new Map<bigint, number | null>();
  const knownBehind = new Map<number, bigint>();
  const addKnown = (lost: Lost, a: bigint): void => {
    if (lost.x === null || ledger === null || readingOf(lost, known) === null) return;
    const first = firstStarted(ledger.successes, a, true);
    const chance = nextRegular(ledger, first);
    const window = chance === null ? undefined : ledger.successes[chance]?.window;
    if (window !== undefined && isBefore(lost.x, leftEdge(window)))
      knownBehind.set(first, (knownBehind.get(first) ?? 0n) + 1n);
  };
  return {
    add: (lost, attribution) => {
      if (lost.a !== null) return addKnown(lost, lost.a);
      if (lost.x === null || ledger === null || axis === null) return;
      const reading = readingOf(lost, known);
      if (reading === null || !HEALED_BY_OVERLAP.has(attribution.cause)) return;
      let next = runAfter.get(reading.lastStarted);
      if (next === undefined) {
        next = nextRegular(ledger, firstStarted(ledger.successes, reading.lastStarted, false));
        runAfter.set(reading.lastStarted, next);
      }
      if (axis === "time" && reading.lastStarted - lost.x > lag) lag = reading.lastStarted - lost.x;
      rows += 1;
      if (next === null) return;
      const needs = neededAt(ledger, next, lost.x, axis);
      if (needs > needed) needed = needs;
      if (needs > (shownOverlap(ledger, next) ?? 0n)) behind += 1;
      edges ??= leftEdges(ledger.facts, axis);
      const { wallClock, dataClock } = edges(next);
      if (isBefore(lost.x, wallClock)) behindWallClock += 1;
      if (isBefore(lost.x, dataClock)) behindDataClock += 1;
    },
    done: () => ({
      rows: BigInt(rows),
      behind: BigInt(behind),
      needed,
      lag,
      behindWallClock: BigInt(behindWallClock),
      behindDataClock: BigInt(behindDataClock),
      knownBehind,
    }),
  };
}
