import type { DrawnRun } from "../../domain/detail.ts";
import type { LedgerIndex } from "../../domain/ledger-index.ts";
import type { Position } from "../../domain/position.ts";
import type { Run } from "../../domain/run.ts";
import { deadZone } from "../../rules/closed-ahead-of-clock.ts";
import type { Frame } from "./two-clocks.ts";

/** Boxes of a picture at most. */
const BOXES = 160;

/** The runs that start inside a frame, neighbours put together where there are too many; and how many one box stands for at most. */
export function drawnRuns(
  ledger: LedgerIndex,
  frame: Frame,
): { readonly runs: readonly DrawnRun[]; readonly most: number } {
  const { runs } = ledger.facts;
  const isInside = ({ started }: Run): boolean => started >= frame.wall.from && started <= frame.wall.to;
  const inside = runs.reduce((n, run) => (isInside(run) ? n + 1 : n), 0);
  const width = (frame.wall.to - frame.wall.from) / BigInt(BOXES) + 1n;
  // Drawn one after the other: of very many, only the boxes that they go into are there at once.
  const boxes = new Map<bigint | number, DrawnRun>();
  for (const [i, run] of runs.entries()) {
    if (!isInside(run)) continue;
    const place = inside <= BOXES ? i : (run.started - frame.wall.from) / width;
    const known = boxes.get(place);
    const next = drawn(run, i, ledger, frame);
    boxes.set(place, known === undefined ? next : together(known, next));
  }
  const all = [...boxes.values()];
  return { runs: all, most: all.reduce((n, { many }) => Math.max(n, many), 1) };
}

function drawn(run: Run, ordinal: number, ledger: LedgerIndex, { data }: Frame): DrawnRun {
  const clock = ledger.facts.clocks[ordinal] ?? null;
  const { window, rows, outcome } = run;
  const dead = outcome === "success" && window !== null && clock !== null ? deadZone(window, clock) : null;
  const cut = (at: Position | null, open: Position): Position =>
    at === null ? open : at < data.from ? data.from : at > data.to ? data.to : at;
  return {
    id: run.id,
    lastId: run.id,
    many: 1,
    started: run.started,
    finished: run.finished,
    window: window === null ? null : { from: cut(window.from, data.from), to: cut(window.to, data.to) },
    rows,
    outcome,
    empty: outcome === "success" && rows === 0n,
    backfill: run.backfill,
    clock: clock?.position ?? null,
    dead:
      dead === null
        ? null
        : {
            from: cut(dead.from, data.from),
            to: cut(dead.to, data.to),
            rows: ledger.rows(dead),
            lacking: ledger.lacking?.(dead) ?? null,
          },
  };
}

function together(a: DrawnRun, b: DrawnRun): DrawnRun {
  const span = <T extends { readonly from: Position; readonly to: Position }>(x: T | null, y: T | null) =>
    x === null || y === null ? (x ?? y) : { from: x.from < y.from ? x.from : y.from, to: x.to > y.to ? x.to : y.to };
  const sum = (x: bigint | null, y: bigint | null): bigint | null => (x === null || y === null ? (x ?? y) : x + y);
  const dead = span<{ readonly from: Position; readonly to: Position }>(a.dead, b.dead);
  return {
    id: a.id,
    lastId: b.lastId,
    many: a.many + b.many,
    started: a.started,
    finished: b.finished ?? a.finished,
    window: span(a.window, b.window),
    rows: sum(a.rows, b.rows),
    outcome:
      a.outcome === b.outcome ? a.outcome : a.outcome === "failed" || b.outcome === "failed" ? "failed" : "success",
    empty: a.empty && b.empty,
    backfill: a.backfill && b.backfill,
    clock: a.clock,
    dead:
      dead === null
        ? null
        : {
            ...dead,
            rows: (a.dead?.rows ?? 0n) + (b.dead?.rows ?? 0n),
            lacking: sum(a.dead?.lacking ?? null, b.dead?.lacking ?? null),
          },
  };
}
