import type { CauseCode, FindingCode } from "../../src/domain/codes.ts";
import type { Axis, Position } from "../../src/domain/position.ts";
import { holds, type WindowEnds, windowOf } from "../../src/domain/window.ts";
import { type PlannedRun, type SimulatedRow, whatHappened } from "./simulator.ts";

/** A row of the source as it stood from `a` on. `dropped`: whatever run reads it so loses it on the way. */
export type Version = Omit<SimulatedRow, "id"> & { readonly v: string };

/** A row's life: its versions by when they became visible, and when it was deleted (or marked as deleted, `softly`). */
export type Life = {
  readonly id: number;
  readonly versions: readonly [Version, ...Version[]];
  readonly deleted?: bigint;
  readonly softly?: boolean;
};

/** A run that will read when it starts, and write when it has finished. */
export type LongRun = PlannedRun & { readonly finished: bigint };

/** A version that the target holds, and when it was written. */
export type Held = { readonly version: Version; readonly loaded: bigint };

/** What must be found of a row; several causes where what is left of it fits each of them. */
export type Lot = {
  readonly finding: FindingCode;
  readonly causes: readonly CauseCode[];
  /** The cause by the data clock as it really stood: rows that moved on since hide it from who reads it back from arrivals. */
  readonly unbiased: CauseCode;
};

/** What came of a history: both tables, and the lot of each row that is not the same on both sides. */
export type Outcome = {
  readonly source: ReadonlyMap<number, Version>;
  readonly target: ReadonlyMap<number, Held>;
  readonly lots: ReadonlyMap<number, Lot>;
  /** Where the data clock stood when each run started; null: nothing was visible. */
  readonly clocks: readonly (Position | null)[];
};

const standing = ({ versions, deleted }: Life, at: bigint): Version | null =>
  deleted !== undefined && deleted <= at ? null : (versions.findLast((version) => version.a <= at) ?? null);

/** Lives the history through, run by run and write by write, until `end`; then asks of each row that differs what happened to it. */
export function live(
  lives: readonly Life[],
  runs: readonly LongRun[],
  { ends, axis, end }: { readonly ends: WindowEnds; readonly axis: Axis; readonly end: bigint },
): Outcome {
  const writes = runs
    .filter((run) => !run.fails)
    .flatMap((run) =>
      lives.flatMap((life) => {
        const version = standing(life, run.started);
        const read = version !== null && version.x !== null && holds(windowOf(run.from, run.to, ends), version.x);
        return read && !version.dropped ? [{ id: life.id, version, loaded: run.finished }] : [];
      }),
    )
    .toSorted((one, other) => (one.loaded < other.loaded ? -1 : one.loaded > other.loaded ? 1 : 0));
  const target = new Map(writes.map(({ id, version, loaded }): [number, Held] => [id, { version, loaded }]));
  const source = new Map(
    lives.flatMap((life): [number, Version][] => {
      const version = standing(life, end);
      return version === null ? [] : [[life.id, version]];
    }),
  );
  const lacking = (id: number): boolean => {
    const held = target.get(id)?.version;
    return held === undefined || (held.x ?? -1n) < (source.get(id)?.x ?? -1n);
  };
  const rows = [...source].map(([id, { x, a, dropped }]): SimulatedRow => ({ id, x, a, dropped }));
  const there = new Set(rows.map(({ id }) => id).filter((id) => !lacking(id)));
  const keys = [...source.keys()].toSorted((a, b) => a - b);
  const clocks = runs.map((run) => newest(lives.map((life) => standing(life, run.started)?.x ?? null)));
  const unbiased = (cause: CauseCode, { x }: SimulatedRow, holders: readonly LongRun[]): CauseCode => {
    if (cause !== "closed-ahead-of-clock" || x === null) return cause;
    return holders.every((run) => (clocks[runs.indexOf(run)] ?? x - 1n) < x) ? cause : "late-commit";
  };
  const lots = new Map<number, Lot>();
  for (const row of rows) {
    const held = target.get(row.id);
    if (held?.version === source.get(row.id)) continue;
    if (!lacking(row.id)) {
      if (held?.version.v !== source.get(row.id)?.v)
        lots.set(row.id, { finding: "changed-rows", causes: ["unstamped-update"], unbiased: "unstamped-update" });
      continue;
    }
    const { cause: happened, runs: named } = whatHappened(row, rows, there, runs, ends);
    // Numbers of a sequence lag behind no clock.
    const cause = happened === "old-dated" && axis === "sequence" ? "late-commit" : happened;
    const finding = cause === "not-due" ? "pending-rows" : held === undefined ? "missing-rows" : "stale-rows";
    const carriers = runs.filter(({ id }) => named.includes(id));
    // Whoever wrote the newer version has been overwritten; who dropped it may look as if.
    const after = carriers.some(({ finished }) => held !== undefined && held.loaded >= finished);
    const causes: readonly CauseCode[] =
      cause !== "dropped-in-pipeline" || held === undefined || !after
        ? [cause]
        : row.dropped
          ? [cause, "out-of-order-write"]
          : ["out-of-order-write"];
    lots.set(row.id, {
      finding,
      causes,
      unbiased: causes.includes(cause) ? unbiased(cause, row, carriers) : "out-of-order-write",
    });
  }
  for (const id of target.keys())
    if (!source.has(id)) {
      const among = id >= (keys[0] ?? Infinity) && id <= (keys.at(-1) ?? -Infinity);
      const cause = among ? "hard-delete" : "undetermined";
      lots.set(id, { finding: "extra-rows", causes: [cause], unbiased: cause });
    }
  return { source, target, lots, clocks };
}

function newest(positions: readonly (Position | null)[]): Position | null {
  return positions.reduce((most, x) => (x !== null && (most === null || x > most) ? x : most), null);
}
