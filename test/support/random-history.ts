import fc from "fast-check";
import { formatInstant } from "../../src/domain/position.ts";
import type { Life, LongRun, Outcome, Version } from "../support/history.ts";
import type { Pipeline, StoryRow } from "../support/pipeline.ts";
import { MINUTE, t } from "../support/timeline.ts";

const START = t("1 00:00");
const at = (minute: number): bigint => START + BigInt(minute) * MINUTE;
/** When all is over. */
export const END = at(1000);

/** The one mostly, the other now and then. */
const often = <A, B>(weight: number, usual: fc.Arbitrary<A>, other: fc.Arbitrary<B>): fc.Arbitrary<A | B> =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: other });

/** A row is written one to three times, its cursor moving up, or not at all with the last; then perhaps deleted. */
export const livesArbitrary = fc
  .array(
    fc.record({
      id: fc.integer({ min: 1, max: 40 }),
      writes: fc.array(
        fc.record({
          step: fc.integer({ min: 1, max: 50 }),
          lag: often(2, fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 60 })),
          dropped: often(7, fc.constant(false), fc.constant(true)),
          stamped: often(6, fc.constant(true), fc.constant(false)),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      deleted: often(10, fc.constant(null), fc.integer({ min: 1, max: 150 })),
      softly: fc.boolean(),
      nameless: often(15, fc.constant(false), fc.constant(true)),
    }),
    { minLength: 6, maxLength: 16, size: "max" },
  )
  .map((all) => [...new Map(all.map((life) => [life.id, life])).values()].map(lifeOf));

type Drawn = {
  readonly id: number;
  readonly writes: readonly {
    readonly step: number;
    readonly lag: number;
    readonly dropped: boolean;
    readonly stamped: boolean;
  }[];
  readonly deleted: number | null;
  readonly softly: boolean;
  readonly nameless: boolean;
};

function lifeOf({ id, writes, deleted, softly, nameless }: Drawn): Life {
  let x = 0;
  let a = 0;
  const versions = writes.map(({ step, lag, dropped, stamped }, i): Version => {
    if (stamped || i === 0) x += step;
    a = Math.max(a + 1, x + lag);
    return { x: nameless && writes.length === 1 ? null : at(x), a: at(a), dropped, v: `${id}.${i}` };
  });
  return {
    id,
    versions: versions as [Version, ...Version[]],
    ...(deleted === null ? {} : { deleted: at(a + deleted), softly }),
  };
}

/** A run, and what its ledger says of it. */
export type DrawnRun = LongRun & { readonly kind: string };

/** Ledgers of all habits: edges at the wall clock or behind it, look-backs, holes, failures, repetitions, backfills, runs that take their time. */
export const runsArbitrary = fc
  .array(
    fc.record({
      wait: fc.integer({ min: 5, max: 25 }),
      takes: often(3, fc.constant(1), fc.integer({ min: 1, max: 60 })),
      edge: fc.integer({ min: 0, max: 12 }),
      back: often(3, fc.constant(0), fc.integer({ min: -6, max: 40 })),
      kind: fc.constantFrom(
        "run",
        "run",
        "run",
        "run",
        "run",
        "run",
        "run",
        "fails",
        "fails and passes",
        "still runs",
        "backfill",
      ),
    }),
    { minLength: 3, maxLength: 10, size: "max" },
  )
  .map((steps) => {
    let [watermark, now] = [0, 0];
    return steps.map(({ wait, takes, edge, back, kind }, i): DrawnRun => {
      now += wait;
      const backfill = kind === "backfill";
      const to = backfill ? Math.max(watermark - 5, 0) : Math.max(now - edge, watermark);
      const from = backfill ? Math.max(watermark - 30, 0) : Math.min(watermark - back, to);
      const fails = kind === "fails" || kind === "fails and passes" || kind === "still runs";
      if (!backfill && kind !== "fails") watermark = to;
      return { id: `r${i}`, from: at(from), to: at(to), started: at(now), finished: at(now + takes), fails, kind };
    });
  });

/** Rows that are written once and stay, none of them from before the first window. */
export const onceWrittenArbitrary = fc
  .array(
    fc.record({
      x: fc.integer({ min: 1, max: 100 }),
      lag: often(2, fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 60 })),
    }),
    {
      minLength: 1,
      maxLength: 14,
    },
  )
  .map((rows) =>
    rows.map(
      ({ x, lag }, i): Life => ({ id: i + 1, versions: [{ x: at(x), a: at(x + lag), dropped: false, v: "once" }] }),
    ),
  );

/** Ledgers whose right ends only go up, as a look-back presumes. */
export const steadyArbitrary = fc
  .array(fc.record({ wait: fc.integer({ min: 1, max: 25 }), edge: fc.integer({ min: 0, max: 12 }) }), {
    minLength: 2,
    maxLength: 10,
  })
  .map((steps) => {
    let [watermark, now] = [0, 0];
    return steps.map(({ wait, edge }, i): DrawnRun => {
      now += wait;
      const from = watermark;
      watermark = Math.max(now - edge, watermark);
      return {
        id: `r${i}`,
        from: at(from),
        to: at(watermark),
        started: at(now),
        finished: at(now + 1),
        fails: false,
        kind: "run",
      };
    });
  });

export const settingArbitrary = fc.record({
  ends: fc.constantFrom("(]" as const, "[)" as const, "[]" as const, "()" as const),
  cursor: fc.constantFrom("naive" as const, "epoch-s" as const, "sequence" as const),
  stamps: fc.boolean(),
  /** The source's zone and by how many hours is ahead of UTC. */
  /** What tells where the data clock stood: when rows arrived, the ledger itself, nothing. */
  witness: fc.constantFrom("arrivals" as const, "arrivals" as const, "ledger" as const, "nothing" as const),
  /** By how many minutes the ledger's clock on the wall is ahead of the source's. */
  skew: often(4, fc.constant(0), fc.integer({ min: -9, max: 9 })),
  zone: fc.constantFrom(["UTC", 0] as const, ["Etc/GMT-5", 5] as const, ["Etc/GMT+7", -7] as const),
});

export type Setting = typeof settingArbitrary extends fc.Arbitrary<infer T> ? T : never;

const text = (moment: bigint, hours = 0): string =>
  formatInstant(moment + BigInt(hours) * 60n * MINUTE)
    .slice(0, 19)
    .replace("T", " ");

/** The history's outcome as two tables and a ledger. Deleted softly: the row stands, marked, and both sides' `where` leaves it out. */
export function pipelineOf(
  engines: Pipeline["on"],
  lives: readonly Life[],
  runs: readonly DrawnRun[],
  { source, target, clocks }: Outcome,
  setting: Setting,
): Pipeline {
  const [zone, hours] = setting.zone;
  const place = (x: bigint | null): string | number | null =>
    x === null
      ? null
      : setting.cursor === "sequence"
        ? Number((x - START) / MINUTE)
        : setting.cursor === "naive"
          ? text(x, hours)
          : text(x);
  const end = (x: bigint | null): string | number | null =>
    setting.cursor === "naive" && x !== null ? text(x) : place(x);
  const arrived = (a: bigint): string => text(a, hours);
  const wall = (moment: bigint): string => text(moment + BigInt(setting.skew) * MINUTE);
  const marked = lives.flatMap(({ id, versions, softly, deleted }): StoryRow[] =>
    source.has(id) || softly !== true || deleted === undefined
      ? []
      : [[id, place(versions[0].x), { v: "gone", arrived: arrived(versions[0].a) }]],
  );
  return {
    on: engines,
    cursor: setting.cursor,
    source: [
      ...[...source].map(([id, { x, a, v }]): StoryRow => [id, place(x), { v, arrived: arrived(a) }]),
      ...marked,
    ],
    lost: [...source.keys(), ...marked.map(([id]) => Number(id))].filter((id) => !target.has(id)),
    target: [...target].map(
      ([
        id,
        {
          version: { x, v },
          loaded,
        },
      ]): StoryRow => [id, place(x), { v, ...(setting.stamps ? { loaded: arrived(loaded) } : {}) }],
    ),
    runs: runs.map(({ id, from, to, started, finished, kind }, i) => [
      id,
      end(from),
      end(to),
      {
        started: wall(started),
        finished: kind === "still runs" ? null : wall(finished),
        status: kind.startsWith("fails") ? "failed" : kind === "still runs" ? "running" : "success",
        kind,
        clock: setting.witness === "ledger" ? end(clocks[i] ?? null) : null,
      },
    ]),
    check: {
      source: { timezone: zone, where: "v <> 'gone'" },
      target: { timezone: zone, where: "v <> 'gone'" },
      expect: { future: "100d" },
      runs: { window: setting.ends },
      arrival: setting.witness === "arrivals" ? { column: "arrived" } : null,
      compare: { recheck: { rounds: 0 } },
    },
  };
}
