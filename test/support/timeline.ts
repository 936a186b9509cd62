import type { Check, Ledger } from "../../src/domain/check.ts";
import type { ClockReading } from "../../src/domain/clock.ts";
import type { Copy, Difference } from "../../src/domain/difference.ts";
import type { Duration } from "../../src/domain/duration.ts";
import type {
  ArrivalFacts,
  ArrivalGroup,
  CursorFacts,
  CursorProfile,
  Facts,
  LedgerFacts,
} from "../../src/domain/facts.ts";
import { successfulRuns } from "../../src/domain/ledger-index.ts";
import { lackingProfile } from "../../src/domain/profile.ts";
import { type Axis, parseInstant, type Position } from "../../src/domain/position.ts";
import type { Run } from "../../src/domain/run.ts";
import type { TableInfo } from "../../src/domain/table.ts";
import { type WindowEnds, windowOf } from "../../src/domain/window.ts";

/** A moment of June 2026 for tests: `1 10:00`, `1 10:00:05`; a full ISO time as well. */
export function t(text: string): bigint {
  const short = /^(\d{1,2}) (\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/.exec(text);
  const at = parseInstant(short === null ? text : `2026-06-${(short[1] ?? "").padStart(2, "0")} ${short[2]}Z`);
  if (at === null) throw new TypeError(`no moment: ${text}`);
  return at;
}

/** A source row: its key, cursor (null: none), and when it arrived. */
export type Row = { readonly id: number; readonly x: Position | null; readonly a?: bigint };

/** A run as a test writes it; `window` as its ledger's ends. */
export type RunLine = {
  readonly id: string;
  readonly from: Position | null;
  readonly to: Position | null;
  readonly started: bigint;
  readonly finished?: bigint | null;
  readonly outcome?: Run["outcome"];
  readonly rows?: bigint | null;
  readonly backfill?: boolean;
  readonly dataClock?: Position | null;
};

/** What a test says of a pipeline; the facts are worked out slowly and plainly from it. */
export type Timeline = {
  readonly rows: readonly Row[];
  readonly runs: readonly RunLine[] | null;
  readonly ends?: WindowEnds;
  /** Ids that the target has as the source does; default: all but those in `stale`. */
  readonly arrived?: readonly number[];
  /** Ids that the target holds in an older version, with its cursor (and when it was loaded). */
  readonly stale?: readonly { readonly id: number; readonly x: Position; readonly loaded?: bigint }[];
  /** Whether the source says when rows arrived. Default: where every row of the test does. */
  readonly arrivals?: boolean;
  readonly now?: bigint;
  readonly axis?: Axis;
  readonly check?: Partial<Check>;
  /** Differences beside those that follow. */
  readonly differences?: readonly Difference[];
  readonly facts?: (facts: Facts) => Facts;
  readonly ledger?: Partial<LedgerFacts>;
};

export const MINUTE = 60_000_000n;
export const HOUR = 60n * MINUTE;

/** A check with every default, of a table `grades` with the key `id` and the cursor `at`. */
export function checkOf(changes: Partial<Check> = {}): Check {
  return {
    name: "grades",
    file: "checks/grades.yaml",
    description: "",
    strategy: "cursor",
    source: relation("src"),
    target: relation("dst"),
    origin: null,
    key: null,
    columns: { only: null, exclude: [], rename: {}, tolerance: {}, treat: {} },
    cursor: { column: "at", unit: null, page: 10_000 },
    version: "at",
    arrival: null,
    loaded: null,
    runs: ledgerOf("(]"),
    expect: {
      zeroRowStreak: 3,
      freshness: { warn: null, error: null },
      arrivalLag: null,
      every: null,
      maxRun: null,
      future: (5n * MINUTE) as Duration,
    },
    settle: (10n * MINUTE) as Duration,
    severity: {},
    accept: [],
    compare: {
      chunkRows: "auto",
      parallel: 4,
      gentle: false,
      recheck: { rounds: 2, wait: 2_000_000n as Duration },
      stopAfter: { differences: null, time: null },
    },
    cdc: null,
    repair: {
      batchRows: 1000,
      rowsPerSecond: 5000,
      maxRows: 1_000_000,
      between: null,
      timezone: "UTC",
      maxPoison: 100,
      deleteExtra: false,
    },
    report: { values: "mask" },
    sync: { overlap: null },
    ...changes,
  };
}

function relation(connection: string): Check["source"] {
  return { connection, table: { schema: null, name: "grades" }, where: null, timezone: null };
}

function ledgerOf(window: WindowEnds): Ledger {
  return {
    from: { kind: "table", connection: "dst", table: { schema: null, name: "runs" } },
    columns: {
      id: "id",
      from: "from",
      to: "to",
      started: "started",
      finished: "finished",
      status: "status",
      rows: "rows",
      kind: null,
      data_clock: null,
    },
    backfill: ["backfill"],
    where: null,
    success: ["success"],
    window,
    timezone: "UTC",
    since: (30n * 24n * HOUR) as Duration,
  };
}

/** A table `grades (id bigint primary key, at timestamptz)` with an index on the cursor. */
export function tableOf(changes: Partial<TableInfo> = {}): TableInfo {
  const column = { nullable: false, hasDefault: false, generated: false } as const;
  return {
    name: { schema: null, name: "grades" },
    relation: "table",
    columns: [
      {
        ...column,
        name: "id",
        type: "bigint",
        kind: { kind: "integer", min: -(2n ** 63n), max: 2n ** 63n - 1n },
        ordinal: 1,
      },
      { ...column, name: "at", type: "timestamptz", kind: { kind: "instant", precision: 6 }, ordinal: 2 },
    ],
    primaryKey: ["id"],
    indexes: [
      { name: "grades_pkey", columns: ["id"], unique: true, primary: true, byteOrder: true },
      { name: "grades_at", columns: ["at"], unique: false, primary: false, byteOrder: true },
    ],
    estimatedRows: null,
    keyOrder: null,
    keyQuantiles: [],
    triggers: [],
    foreignKeys: [],
    ...changes,
  };
}

/** Facts and differences of a pipeline. */
export function timeline(told: Timeline): { readonly facts: Facts; readonly differences: readonly Difference[] } {
  const now = told.now ?? t("30 12:00");
  const axis = told.axis ?? "time";
  const check = checkOf({ runs: told.runs === null ? null : ledgerOf(told.ends ?? "(]"), ...told.check });
  const withArrivals = told.arrivals ?? told.rows.every((row) => row.a !== undefined);
  const differences = [...differencesOf(told, withArrivals), ...(told.differences ?? [])];
  const cursor = cursorFacts(told.rows, now + check.expect.future);
  const side = { engine: "some", table: tableOf(), rows: BigInt(told.rows.length) };
  const ids = told.rows.map((row) => row.id).toSorted((a, b) => a - b);
  const facts: Facts = {
    check,
    now,
    axis,
    source: {
      ...side,
      connection: "src",
      cursor,
      keys: ids.length === 0 ? null : { first: [`${ids[0]}`], last: [`${ids.at(-1)}`] },
    },
    target: { ...side, connection: "dst", cursor, keys: null },
    origin: null,
    mapping: {
      key: [{ source: "id", target: "id", as: { as: "integer" }, note: null }],
      compared: [
        { source: "id", target: "id", as: { as: "integer" }, note: null },
        { source: "at", target: "at", as: { as: "instant", precision: 6 }, note: null },
      ],
      notCompared: [],
      missingInTarget: [],
      missingInSource: [],
    },
    range: null,
    comparison: {
      chunks: 1,
      chunksDifferent: 1,
      rowsFetched: 0,
      statements: 0,
      seconds: 0,
      digest: "sha256",
      systematic: [],
      duplicates: [],
      stopped: null,
      notes: [],
    },
    ledger: told.runs === null ? null : ledgerFacts(told, check, withArrivals, differences, now, cursor.clock),
  };
  return { facts: told.facts === undefined ? facts : told.facts(facts), differences };
}

function differencesOf(told: Timeline, withArrivals: boolean): readonly Difference[] {
  const stale = new Map((told.stale ?? []).map((each) => [each.id, each]));
  const arrived = told.arrived === undefined ? null : new Set(told.arrived);
  const copy = (x: Position | null, more: Partial<Copy> = {}): Copy => ({
    cursor: x,
    version: x === null ? null : x.toString(),
    arrival: null,
    loaded: null,
    ...more,
  });
  return told.rows.flatMap(({ id, x, a }): readonly Difference[] => {
    const source = copy(x, { arrival: withArrivals ? (a ?? null) : null });
    const old = stale.get(id);
    if (old !== undefined)
      return [
        {
          type: "changed",
          key: [`${id}`],
          source,
          target: copy(old.x, { loaded: old.loaded ?? null }),
          order: "source-newer",
          columns: ["at"],
        },
      ];
    return arrived === null || arrived.has(id) ? [] : [{ type: "missing", key: [`${id}`], source }];
  });
}

function cursorFacts(rows: readonly Row[], horizon: bigint): CursorFacts {
  const all = rows.flatMap(({ x }) => (x === null ? [] : [x])).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const future = rows.filter(({ x }) => x !== null && x > horizon);
  const most = [...Map.groupBy(all, (x) => x)].toSorted((a, b) => b[1].length - a[1].length)[0];
  const [first] = future;
  return {
    clock: all.findLast((x) => x <= horizon) ?? null,
    oldest: all[0] ?? null,
    newest: all.at(-1) ?? null,
    nulls: BigInt(rows.filter(({ x }) => x === null).length),
    future: BigInt(future.length),
    futureSample: first === undefined || first.x === null ? null : { key: [`${first.id}`], position: first.x },
    ties:
      most === undefined || most[1].length < 2 ? null : { position: most[0], rows: BigInt(most[1].length), values: 1n },
    wholeSeconds: null,
  };
}

export function runsOf(lines: readonly RunLine[], ends: WindowEnds = "(]"): readonly Run[] {
  return lines
    .map(
      (line): Run => ({
        id: line.id,
        window: windowOf(line.from, line.to, ends),
        started: line.started,
        finished: line.finished === undefined ? line.started + MINUTE : line.finished,
        outcome: line.outcome ?? "success",
        status: line.outcome ?? "success",
        rows: line.rows === undefined ? null : line.rows,
        backfill: line.backfill ?? false,
        dataClock: line.dataClock ?? null,
      }),
    )
    .toSorted((a, b) => (a.started < b.started ? -1 : a.started > b.started ? 1 : 0));
}

function ledgerFacts(
  told: Timeline,
  check: Check,
  withArrivals: boolean,
  differences: readonly Difference[],
  now: bigint,
  sourceClock: Position | null,
): LedgerFacts {
  const runs = runsOf(told.runs ?? [], told.ends);
  const newest = runs.findLastIndex((run) => run.outcome === "success");
  const clocks = runs.map((run, i): ClockReading | null => {
    if (run.dataClock !== null && run.dataClock <= (run.finished ?? now))
      return { position: run.dataClock, at: run.started, witness: "ledger", certainty: "exact" };
    if (withArrivals)
      return { position: clockThen(told.rows, run.started), at: run.started, witness: "arrivals", certainty: "exact" };
    return i === newest && sourceClock !== null
      ? { position: sourceClock, at: run.started, witness: "source-now", certainty: "at-most" }
      : null;
  });
  const ends = [
    ...new Set([
      ...runs.flatMap(({ window }) => [window?.from ?? null, window?.to ?? null]),
      ...clocks.map((clock) => clock?.position ?? null),
    ]),
  ]
    .filter((end) => end !== null)
    .toSorted((a, b) => (a < b ? -1 : 1));
  return {
    runs,
    unreadable: [],
    since: now - (check.runs?.since ?? 0n),
    clocks,
    source: profileOf(ends, told.rows),
    lacking: lackingProfile(ends, differences),
    observations: [],
    arrivals: withArrivals ? arrivalFacts(told.rows, runs, differences, now + check.expect.future) : null,
    ...told.ledger,
  };
}

function clockThen(rows: readonly Row[], at: bigint): Position | null {
  let clock: Position | null = null;
  for (const { x, a } of rows) if (x !== null && a !== undefined && a <= at && (clock === null || x > clock)) clock = x;
  return clock;
}

/** Counted by looking at every row for every part. */
export function profileOf(ends: readonly Position[], rows: readonly Row[]): CursorProfile {
  const cursors = rows.flatMap(({ x }) => (x === null ? [] : [x]));
  const count = (test: (x: Position) => boolean): bigint => BigInt(cursors.filter(test).length);
  return {
    ends,
    at: ends.map((end) => count((x) => x === end)),
    between: [...ends, null].map((end, i) => {
      const before = ends[i - 1];
      return count((x) => (before === undefined || x > before) && (end === null || x < end));
    }),
  };
}

function arrivalFacts(
  rows: readonly Row[],
  runs: readonly Run[],
  differences: readonly Difference[],
  horizon: bigint,
): ArrivalFacts {
  const successes = successfulRuns(runs);
  const lefts = successes.map((run) => run.window.from);
  const stretch = lefts.some((left) => left === null)
    ? null
    : lefts.reduce((a, b) => (a !== null && b !== null && b < a ? b : a), lefts[0] ?? null);
  const lost = new Set(differences.flatMap((d) => (d.type === "extra" ? [] : [d.key[0]])));
  const known = rows.flatMap(({ id, x, a }) =>
    x === null || a === undefined || x > horizon || (stretch !== null && x < stretch) ? [] : [{ id, x, a }],
  );
  const groups = new Map<number | null, ArrivalGroup>();
  for (const { x, a } of known) {
    const at = successes.findIndex((run) => run.started >= a);
    const nextRun = at < 0 ? null : at;
    const group = groups.get(nextRun);
    groups.set(nextRun, {
      nextRun,
      rows: (group?.rows ?? 0n) + 1n,
      oldestCursor: group === undefined || x < group.oldestCursor ? x : group.oldestCursor,
      newestCursor: group === undefined || x > group.newestCursor ? x : group.newestCursor,
      largestLag: group === undefined || a - x > group.largestLag ? a - x : group.largestLag,
    });
  }
  const lags = (of: readonly { readonly x: bigint; readonly a: bigint }[]): readonly bigint[] =>
    of.map(({ x, a }) => a - x).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const all = lags(known);
  const reached = lags(known.filter(({ id }) => !lost.has(`${id}`)));
  return {
    rows: BigInt(known.length),
    lag: all.length === 0 ? null : { p50: quantile(all, 50), p99: quantile(all, 99), max: all.at(-1) ?? 0n },
    lagOfArrived: reached.length === 0 ? null : { p99: quantile(reached, 99) },
    groups: [...groups.values()],
  };
}

function quantile(sorted: readonly bigint[], percent: number): bigint {
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? 0n;
}
