import type { ClockPicture, TwoClocks } from "../../domain/detail.ts";
import type { Difference } from "../../domain/difference.ts";
import { must } from "../../domain/errors.ts";
import type { Facts } from "../../domain/facts.ts";
import { indexLedger } from "../../domain/ledger-index.ts";
import { type Position, SECOND } from "../../domain/position.ts";
import type { Run } from "../../domain/run.ts";
import { count } from "../../domain/wording.ts";
import { clockPointsOf, thinned } from "./clock-points.ts";
import { drawnRuns } from "./drawn-runs.ts";
import { loserOf, lostRows } from "./lost-rows.ts";

/** The rectangle of a picture. */
export type Frame = Pick<ClockPicture, "wall" | "data">;

/** Runs around those that lost rows, on each side. */
const AROUND = 2;
/** Losing runs that lie no further apart are one place. */
const NEAR = 4;
/** Where nothing was lost, the newest runs are shown. */
const NEWEST = 24;

/** Draws the two clocks of a ledger: every difference is counted once, then read once more where any row was lost. */
export type ClockDrawer = {
  count(difference: Difference): void;
  draw(differences: Iterable<Difference>): TwoClocks;
};

/**
 * The ledger against the data clock: the place where most rows were lost, and the whole of it. Null: the check has no cursor or no
 * ledger, or no run of it has a window with an end.
 */
export function clockDrawer(facts: Facts): ClockDrawer | null {
  if (facts.ledger === null || facts.axis === null) return null;
  const { runs } = facts.ledger;
  if (!runs.some(({ window }) => window !== null && window.to !== null)) return null;
  const ledger = indexLedger(facts.ledger, facts.comparison !== null);
  const loser = loserOf(ledger);
  const losses = new Map<number, Loss>();
  return {
    count(difference) {
      const lost = loser(difference);
      if (lost === null || lost.run === null) return;
      const loss = losses.get(lost.run) ?? { rows: 0, arrived: null };
      losses.set(lost.run, loss);
      loss.rows++;
      if (lost.arrival !== null && (loss.arrived === null || lost.arrival > loss.arrived)) loss.arrived = lost.arrival;
    },
    draw(differences) {
      const place = placeOf(runs, losses);
      const close = { first: Math.max(0, place.first - AROUND), last: Math.min(runs.length - 1, place.last + AROUND) };
      const nearFrame = frameOf(runs.slice(close.first, close.last + 1), place.arrived, place, runs);
      const all = close.first === 0 && close.last === runs.length - 1;
      const frames = all ? [nearFrame] : [nearFrame, frameOf(runs, null, place, runs)];
      const drawing = frames.map((frame) => {
        const boxes = drawnRuns(ledger, frame);
        return { frame, boxes, dots: lostRows(ledger, boxes.runs, frame) };
      });
      if (losses.size > 0)
        for (const difference of differences) {
          const lost = loser(difference);
          if (lost !== null) for (const { dots } of drawing) dots.add(lost);
        }
      const [near, whole] = drawing.map((each) => pictureOf(facts, each.frame, each.boxes, each.dots.done()));
      return { near: must(near, "there is always a near picture"), whole: whole ?? null };
    },
  };
}

/** Rows that a run lost, and when the last of them arrived. */
type Loss = { rows: number; arrived: bigint | null };

type Part = { readonly first: number; readonly last: number };

/** The neighbouring runs that lost most, the newest of equals; the newest runs where none lost anything. */
function placeOf(runs: readonly Run[], losses: ReadonlyMap<number, Loss>): Part & Pick<Loss, "arrived"> {
  const places: (Loss & { first: number; last: number })[] = [];
  for (const [run, { rows, arrived }] of [...losses].toSorted(([a], [b]) => a - b)) {
    const open = places.at(-1);
    if (open !== undefined && run - open.last <= NEAR) {
      open.last = run;
      open.rows += rows;
      if (arrived !== null && (open.arrived === null || arrived > open.arrived)) open.arrived = arrived;
    } else places.push({ first: run, last: run, rows, arrived });
  }
  const [first, ...rest] = places;
  if (first === undefined) return { first: Math.max(0, runs.length - NEWEST), last: runs.length - 1, arrived: null };
  return rest.reduce((a, b) => (b.rows >= a.rows ? b : a), first);
}

/** `part`: some of all runs; the frame holds them, and reaches to `upTo`. */
function frameOf(part: readonly Run[], upTo: bigint | null, place: Part, all: readonly Run[]): Frame {
  const starts = new Extremes();
  const wall = new Extremes();
  const lefts = new Extremes();
  const rights = new Extremes();
  // Of very many runs, nothing but these is there at once.
  for (const { started, finished, window } of part) {
    starts.add(started);
    wall.add(finished ?? started);
    lefts.add(window?.from ?? null);
    rights.add(window?.to ?? null);
  }
  const from = must(starts.least, "a frame holds a run");
  // One more run behind the arrival shows that none of them looks back.
  const next = upTo === null ? undefined : all.find(({ started }) => started > upTo);
  wall.add(upTo);
  wall.add(next?.started ?? null);
  const to = must(wall.most, "a frame holds a run");
  const margin = (to - from) / 24n + SECOND;
  const top = rights.most ?? 0n;
  const core = new Extremes();
  for (let i = place.first; i <= place.last; i++) core.add(all[i]?.window?.from ?? null);
  // One wide window before the place must not press everything else flat.
  const low = lefts.least ?? top;
  const base = core.least === null || part.length === all.length ? low : core.least;
  const floor = base - (top - base) / 2n;
  const bottom = part.length < all.length && low < floor ? floor : low;
  const room = (top - bottom) / 20n + 1n;
  return { wall: { from: from - margin, to: to + margin }, data: { from: bottom - room, to: top + room } };
}

function pictureOf(
  facts: Facts,
  frame: Frame,
  { runs, most: perRun }: ReturnType<typeof drawnRuns>,
  lost: ReturnType<ReturnType<typeof lostRows>["done"]>,
): ClockPicture {
  const { points, left } = thinned(clockPointsOf(facts, lost.rows, frame), frame);
  const notes: string[] = [];
  if (perRun > 1) notes.push(`a box stands for up to ${perRun} runs`);
  if (left > 0) notes.push(`${count(left, "reading")} of the data clock left out for want of room`);
  if (lost.outside > 0) notes.push(`${count(lost.outside, "lost row")} outside of this picture`);
  if (lost.rows.length < lost.inside) notes.push("a dot stands for all lost rows that lie close together");
  return { ...frame, runs, clock: points, lost: lost.rows, notes };
}

/** The least and the greatest of some positions; null: there was none. */
class Extremes {
  least: Position | null = null;
  most: Position | null = null;

  add(value: Position | null): void {
    if (value === null) return;
    if (this.least === null || value < this.least) this.least = value;
    if (this.most === null || value > this.most) this.most = value;
  }
}
