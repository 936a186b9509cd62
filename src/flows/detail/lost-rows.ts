import type { DrawnRun, LostRows } from "../../domain/detail.ts";
import type { Difference } from "../../domain/difference.ts";
import { isBeyond, type LedgerIndex } from "../../domain/ledger-index.ts";
import type { Position } from "../../domain/position.ts";
import { lacks } from "../../domain/profile.ts";
import type { Frame } from "./two-clocks.ts";

/** Where a row was lost: its cursor, the ordinal of the run that should have carried it (null: none did), its arrival. */
export type Lost = { readonly cursor: Position; readonly run: number | null; readonly arrival: bigint | null };

/** Asks a difference where it was lost; null: the target does not lack it, it has no cursor, or no run is due to carry it yet. */
export type Loser = (difference: Difference) => Lost | null;

/**
 * The run that should have carried a row is the first successful one whose window holds its cursor; else the first that failed on it;
 * else the first whose window lies beyond it.
 */
export function loserOf(ledger: LedgerIndex): Loser {
  const byLeaf = new Map<number, number | null>();
  const runAt = (leaf: number, x: Position): number | null => {
    const [won] = ledger.won.at(leaf);
    if (won !== undefined) return ledger.successAt[won] ?? null;
    const [failed] = ledger.lost.at(leaf);
    if (failed !== undefined) return ledger.failureAt[failed] ?? null;
    const beyond = ledger.successes.findIndex(({ window }) => window.to !== null && window.to > x);
    return ledger.successAt[beyond] ?? null;
  };
  return (difference) => {
    if (difference.type === "extra" || !lacks(difference)) return null;
    const { cursor, arrival } = difference.source;
    if (cursor === null || isBeyond(ledger, cursor)) return null;
    const leaf = ledger.won.leafOf(cursor);
    let run = byLeaf.get(leaf);
    if (run === undefined) {
      run = runAt(leaf, cursor);
      byLeaf.set(leaf, run);
    }
    return { cursor, run, arrival };
  };
}

/** Dots of a picture at most, and stretches of the data axis to begin with. */
const DOTS = 600;
const STRETCHES = 64;

type Dot = { rows: number; first: Position; last: Position; arrived: bigint | null; arrivedLast: bigint | null };

/** The lost rows inside a frame, those of one box and one stretch of the data axis as one. */
export function lostRows(ledger: LedgerIndex, boxes: readonly DrawnRun[], { data }: Frame) {
  const height = data.to - data.from + 1n;
  const boxOf = boxFinder(boxes);
  let stretches = STRETCHES;
  let dots = new Map<string, Dot>();
  let inside = 0;
  let outside = 0;
  // Half as many stretches leave half as many dots, or one a box: then there is no room to be made.
  const coarsen = (): void => {
    if (stretches === 1) return;
    stretches /= 2;
    const fewer = new Map<string, Dot>();
    for (const [place, dot] of dots) {
      const [box = "", stretch = ""] = place.split(":");
      put(fewer, `${box}:${Number(stretch) >> 1}`, dot);
    }
    dots = fewer;
  };
  return {
    add({ cursor, run, arrival }: Lost): void {
      const started = run === null ? null : (ledger.facts.runs[run]?.started ?? null);
      const box = started === null ? -1 : boxOf(started);
      if (box === null || cursor < data.from || cursor > data.to) {
        outside++;
        return;
      }
      inside++;
      const stretch = Number(((cursor - data.from) * BigInt(stretches)) / height);
      put(dots, `${box}:${stretch}`, { rows: 1, first: cursor, last: cursor, arrived: arrival, arrivedLast: arrival });
      if (dots.size > DOTS) coarsen();
    },
    done(): { readonly rows: readonly LostRows[]; readonly inside: number; readonly outside: number } {
      const rows = [...dots].map(([place, dot]): LostRows => {
        const run = boxes[Number(place.split(":")[0])];
        return {
          rows: BigInt(dot.rows),
          cursors: { first: dot.first, last: dot.last },
          run: run === undefined ? null : { id: run.id, started: run.started },
          arrivals:
            dot.arrived === null || dot.arrivedLast === null ? null : { first: dot.arrived, last: dot.arrivedLast },
        };
      });
      const byCursor = rows.toSorted((a, b) =>
        a.cursors.first < b.cursors.first ? -1 : a.cursors.first > b.cursors.first ? 1 : 0,
      );
      return { rows: byCursor, inside, outside };
    },
  };
}

function put(dots: Map<string, Dot>, place: string, dot: Dot): void {
  const known = dots.get(place);
  if (known === undefined) {
    dots.set(place, { ...dot });
    return;
  }
  known.rows += dot.rows;
  if (dot.first < known.first) known.first = dot.first;
  if (dot.last > known.last) known.last = dot.last;
  if (dot.arrived !== null && (known.arrived === null || dot.arrived < known.arrived)) known.arrived = dot.arrived;
  if (dot.arrivedLast !== null && (known.arrivedLast === null || dot.arrivedLast > known.arrivedLast))
    known.arrivedLast = dot.arrivedLast;
}

/** Finds the box of a run by its start: the last that starts no later; null: it starts before all of them or belongs to none. */
function boxFinder(boxes: readonly DrawnRun[]): (started: bigint) => number | null {
  return (started) => {
    let [low, high] = [0, boxes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((boxes[middle] as DrawnRun).started <= started) low = middle + 1;
      else high = middle;
    }
    const box = boxes[low - 1];
    return box === undefined || (box.many === 1 && box.started !== started) ? null : low - 1;
  };
}
