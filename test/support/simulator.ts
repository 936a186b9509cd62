import type { CauseCode } from "../../src/domain/codes.ts";
import type { Position } from "../../src/domain/position.ts";
import { holds, type Window, type WindowEnds, windowOf } from "../../src/domain/window.ts";
import type { Row, RunLine, Timeline } from "./timeline.ts";

/** A row that becomes visible in the source at `a`; the pipeline loses it on the way wherever `dropped`. */
export type SimulatedRow = {
  readonly id: number;
  readonly x: Position | null;
  readonly a: bigint;
  readonly dropped: boolean;
};

/** A run that will happen; what it sees is the simulator's business. */
export type PlannedRun = {
  readonly id: string;
  readonly from: Position | null;
  readonly to: Position | null;
  readonly started: bigint;
  readonly fails: boolean;
};

/** What came of it, and why each row that did not come was lost: as the simulator saw it happen. */
export type Simulated = {
  readonly timeline: Timeline;
  readonly lost: ReadonlyMap<number, { readonly cause: CauseCode; readonly runs: readonly string[] }>;
};

/**
 * Runs a pipeline step by step, slowly and plainly: each run reads the rows that have arrived and lie in its window, and loads them but
 * for those that it drops. Then each row that is not in the target is asked what happened to it.
 */
export function simulate(rows: readonly SimulatedRow[], plan: readonly PlannedRun[], ends: WindowEnds): Simulated {
  const target = new Set<number>();
  const lines: RunLine[] = [];
  for (const run of plan) {
    const window = windowOf(run.from, run.to, ends);
    const seen = run.fails ? [] : rows.filter((row) => row.x !== null && row.a <= run.started && holds(window, row.x));
    for (const row of seen) if (!row.dropped) target.add(row.id);
    const { id, from, to, started } = run;
    lines.push({
      id,
      from,
      to,
      started,
      outcome: run.fails ? "failed" : "success",
      rows: run.fails ? null : BigInt(seen.length),
    });
  }
  const lost = new Map<number, { readonly cause: CauseCode; readonly runs: readonly string[] }>();
  for (const row of rows) if (!target.has(row.id)) lost.set(row.id, whatHappened(row, rows, target, plan, ends));
  const seenRows: readonly Row[] = rows.map(({ id, x, a }) => ({ id, x, a }));
  return { timeline: { rows: seenRows, runs: lines, ends, arrived: [...target] }, lost };
}

/** Why a row is not in the target as it stands in the source, and by which runs; `target`: those that are. */
export function whatHappened(
  row: SimulatedRow,
  rows: readonly SimulatedRow[],
  target: ReadonlySet<number>,
  plan: readonly PlannedRun[],
  ends: WindowEnds,
): { readonly cause: CauseCode; readonly runs: readonly string[] } {
  const { x, a } = row;
  if (x === null) return { cause: "null-cursor", runs: [] };
  const windows = plan.map((run) => ({ run, window: windowOf(run.from, run.to, ends) }));
  const succeeded = windows.filter(({ run }) => !run.fails);
  const reached = succeeded.map(({ window }) => lastOf(window)).filter((last) => last !== null);
  if (reached.length > 0 && reached.every((last) => x > last)) return { cause: "not-due", runs: [] };
  const holders = succeeded.filter(({ window }) => holds(window, x));
  const failed = windows.filter(({ run, window }) => run.fails && holds(window, x)).map(({ run }) => run.id);
  if (holders.length === 0)
    return failed.length > 0 ? { cause: "failed-run", runs: failed } : { cause: "uncovered-window", runs: [] };
  const all = holders.map(({ run }) => run.id);
  const siblings = rows.some((other) => other.x === x && target.has(other.id));
  if (siblings && holders.every(({ window }) => window.to === x || window.from === x))
    return { cause: "boundary", runs: all };
  const saw = holders.filter(({ run }) => a <= run.started);
  if (saw.length > 0) return { cause: "dropped-in-pipeline", runs: saw.map(({ run }) => run.id) };
  const before = holders.every(({ run }) =>
    rows.every((other) => other.x === null || other.a > run.started || other.x < x),
  );
  if (before) return { cause: "closed-ahead-of-clock", runs: all };
  return { cause: isOldDated(row, rows, target, windows) ? "old-dated" : "late-commit", runs: all };
}

/** More than ten times the lag that 99 % of the rows which came stayed within. */
function isOldDated(
  { x, a }: SimulatedRow,
  rows: readonly SimulatedRow[],
  target: ReadonlySet<number>,
  windows: readonly { readonly run: PlannedRun; readonly window: Window }[],
): boolean {
  const lefts = windows.filter(({ run }) => !run.fails).map(({ window }) => window.from);
  const left = lefts.includes(null)
    ? null
    : lefts.reduce((least, from) => (from !== null && least !== null && from < least ? from : least));
  const lags = rows
    .filter((row) => target.has(row.id) && row.x !== null && (left === null || row.x >= left))
    .map((row) => row.a - (row.x ?? 0n))
    .toSorted((m, n) => (m < n ? -1 : m > n ? 1 : 0));
  const p99 = lags[Math.ceil(lags.length * 0.99) - 1];
  return p99 !== undefined && a - (x ?? 0n) > 10n * p99;
}

function lastOf({ to, toClosed }: Window): Position | null {
  return to === null ? null : toClosed ? to : to - 1n;
}

/** Which rows a pipeline loses that reads from its watermark minus `overlap` to the plan's own right ends. Rows outside of what can be promised are left out. */
export function lostWithOverlap(
  rows: readonly SimulatedRow[],
  plan: readonly PlannedRun[],
  overlap: bigint,
  ends: WindowEnds,
): readonly number[] {
  const runs = plan.filter((run) => !run.fails);
  const first = runs[0];
  const last = runs.at(-1);
  if (first === undefined || last === undefined) return [];
  const target = new Set<number>();
  let watermark = first.from;
  for (const [i, run] of runs.entries()) {
    const from = i === 0 || watermark === null ? watermark : watermark - overlap;
    const window = windowOf(from, run.to, ends);
    for (const row of rows) if (row.x !== null && row.a <= run.started && holds(window, row.x)) target.add(row.id);
    if (run.to !== null && (watermark === null || run.to > watermark)) watermark = run.to;
  }
  const promised = windowOf(first.from, watermark, ends);
  return rows
    .filter(({ id, x, a }) => x !== null && holds(promised, x) && a <= last.started && !target.has(id))
    .map(({ id }) => id);
}
