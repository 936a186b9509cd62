import type { ClockPicture, TwoClocks } from "../../domain/detail.ts";
import type { Difference } from "../../domain/difference.ts";
import type { Facts } from "../../domain/facts.ts";
import { indexLedger, type LedgerIndex } from "../../domain/ledger-index.ts";
import { type Position, SECOND } from "../../domain/position.ts";
import type { Run } from "../../domain/run.ts";
import { count } from "../../domain/wording.ts";
import { clockPointsOf, thinned } from "./clock-points.ts";
import { drawnRuns } from "./drawn-runs.ts";
import { type Loser, loserOf, lostRowsOf } from "./lost-rows.ts";

/** The rectangle of a picture. */
export type Frame = Pick<ClockPicture, "wall" | "data">;

/** Runs around those that lost rows, on each side. */
const AROUND = 2;
/** Losing runs that lie no further apart are one place. */
const NEAR = 4;
/** Where nothing was lost, the newest runs are shown. */
const NEWEST = 24;

/**
 * The ledger against the data clock: the place where most rows were lost, and the whole of it. Null: the check has no cursor or no
 * ledger, or no run of it has a window with an end.
 */
export function twoClocksOf(facts: Facts, differences: Iterable<Difference>): TwoClocks | null {
  if (facts.ledger === null || facts.axis === null) return null;
  const ledger = indexLedger(facts.ledger, facts.comparison !== null);
  const { runs } = facts.ledger;
  if (!runs.some(({ window }) => window !== null && window.to !== null)) return null;
  const loser = loserOf(ledger);
  const place = placeOf(runs, losses(differences, loser));
  const all = { first: 0, last: runs.length - 1 };
  const close = { first: Math.max(0, place.first - AROUND), last: Math.min(all.last, place.last + AROUND) };
  const draw = (part: Part, upTo: bigint | null): ClockPicture =>
    pictureOf(facts, ledger, differences, loser, frameOf(runs.slice(part.first, part.last + 1), upTo, place, runs));
  // Lost rows arrive behind the runs that should have carried them; the picture goes on until they are there.
  const near = draw(close, place.lost ? lastArrival(differences, loser, place, close) : null);
  const whole = close.first > 0 || close.last < all.last ? draw(all, null) : null;
  return { near, whole };
}

type Part = { readonly first: number; readonly last: number };

/** Rows lost by each run, by ordinals of the ledger's runs. */
function losses(differences: Iterable<Difference>, loser: Loser): ReadonlyMap<number, number> {
  const rows = new Map<number, number>();
  for (const difference of differences) {
    const lost = loser(difference);
    if (lost !== null && lost.run !== null) rows.set(lost.run, (rows.get(lost.run) ?? 0) + 1);
  }
  return rows;
}

/** The neighbouring runs that lost most, the newest of equals; the newest runs where none lost anything. */
function placeOf(runs: readonly Run[], losses: ReadonlyMap<number, number>): Part & { readonly lost: boolean } {
  const places: { first: number; last: number; rows: number }[] = [];
  for (const [run, rows] of [...losses].toSorted(([a], [b]) => a - b)) {
    const open = places.at(-1);
    if (open !== undefined && run - open.last <= NEAR) {
      open.last = run;
      open.rows += rows;
    } else places.push({ first: run, last: run, rows });
  }
  const [first, ...rest] = places;
  if (first === undefined) return { first: Math.max(0, runs.length - NEWEST), last: runs.length - 1, lost: false };
  return { ...rest.reduce((a, b) => (b.rows >= a.rows ? b : a), first), lost: true };
}

/** When the last row lost there arrived; null: not known. */
function lastArrival(differences: Iterable<Difference>, loser: Loser, place: Part, close: Part): bigint | null {
  let last: bigint | null = null;
  for (const difference of differences) {
    const lost = loser(difference);
    if (lost === null || lost.run === null || lost.run < place.first || lost.run > Math.max(place.last, close.first))
      continue;
    if (lost.arrival !== null && (last === null || lost.arrival > last)) last = lost.arrival;
  }
  return last;
}

function frameOf(part: readonly Run[], upTo: bigint | null, place: Part, all: readonly Run[]): Frame {
  const starts = part.map(({ started }) => started);
  const ends = part.map(({ started, finished }) => finished ?? started);
  const from = least(starts);
  // One more run behind the arrival shows that none of them looks back.
  const next = upTo === null ? undefined : all.find(({ started }) => started > upTo);
  const to = most([...ends, ...(upTo === null ? [] : [upTo]), ...(next === undefined ? [] : [next.started])]);
  const margin = (to - from) / 24n + SECOND;
  const lefts = part.flatMap(({ window }) => (window === null || window.from === null ? [] : [window.from]));
  const rights = part.flatMap(({ window }) => (window === null || window.to === null ? [] : [window.to]));
  const top = most(rights.length > 0 ? rights : [0n]);
  const core = all
    .slice(place.first, place.last + 1)
    .flatMap(({ window }) => (window === null || window.from === null ? [] : [window.from]));
  // One wide window before the place must not press everything else flat.
  const low = lefts.length > 0 ? least(lefts) : top;
  const base = core.length === 0 || part.length === all.length ? low : least(core);
  const floor = base - (top - base) / 2n;
  const bottom = part.length < all.length && low < floor ? floor : low;
  const room = (top - bottom) / 20n + 1n;
  return { wall: { from: from - margin, to: to + margin }, data: { from: bottom - room, to: top + room } };
}

function pictureOf(
  facts: Facts,
  ledger: LedgerIndex,
  differences: Iterable<Difference>,
  loser: Loser,
  frame: Frame,
): ClockPicture {
  const { runs, most: perRun } = drawnRuns(ledger, frame);
  const lost = lostRowsOf(differences, loser, ledger, runs, frame);
  const { points, left } = thinned(clockPointsOf(facts, lost.rows, frame), frame);
  const notes: string[] = [];
  if (perRun > 1) notes.push(`a box stands for up to ${perRun} runs`);
  if (left > 0) notes.push(`${count(left, "reading")} of the data clock left out for want of room`);
  if (lost.outside > 0) notes.push(`${count(lost.outside, "lost row")} outside of this picture`);
  if (lost.rows.length < lost.inside) notes.push("a dot stands for all lost rows that lie close together");
  return { ...frame, runs, clock: points, lost: lost.rows, notes };
}

function least(values: readonly Position[]): Position {
  return values.reduce((a, b) => (b < a ? b : a));
}

function most(values: readonly Position[]): Position {
  return values.reduce((a, b) => (b > a ? b : a));
}

