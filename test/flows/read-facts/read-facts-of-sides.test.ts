import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseInstant } from "../../../src/domain/position.ts";
import type { Check } from "../../../src/domain/check.ts";
import { arrivalSide } from "../../../src/flows/read-facts/arrival-side.ts";
import { plainGroup } from "../../../src/flows/read-facts/arrival-groups.ts";
import { readArrivals, type ReadArrivals } from "../../../src/flows/read-facts/read-arrivals.ts";
import { readImports } from "../../../src/flows/read-facts/read-imports.ts";
import { readKeyEnds } from "../../../src/flows/read-facts/read-key-ends.ts";
import { readProfile } from "../../../src/flows/read-facts/read-profile.ts";
import { asksTies, readSideCursor } from "../../../src/flows/read-facts/read-side-cursor.ts";
import { bindCursor } from "../../../src/sql/cursor.ts";
import { columnNamed } from "../../../src/domain/table.ts";
import { windowOf } from "../../../src/domain/window.ts";
import type { Database, Snapshot } from "../../../src/sql/session.ts";
import { describeEngine, describeEngines, freshDatabase, type TestDatabase } from "../../support/databases.ts";
import { open } from "../../support/open.ts";
import { sideOf } from "./facts-of-a-table.ts";

const SECOND = 1_000_000n;
/** The clocks at the starts alone. */
const clocksIn = ({ clocks }: ReadArrivals) => [...clocks].slice(0, -1);
const at = (text: string): bigint => parseInstant(text) ?? 0n;
const NOW = at("2026-06-10 12:00");
const FUTURE = 300n * SECOND;

const TYPES = {
  postgres: { local: "timestamp", instant: "timestamptz", zone: "+00" },
  mariadb: { local: "datetime(6)", instant: "timestamp(6) null", zone: "" },
  mysql: { local: "datetime(6)", instant: "timestamp(6) null", zone: "" },
  sqlite: { local: "datetime", instant: "timestamptz", zone: "+00" },
} as const;

/** `x` in minutes of 2026-06-10, `a` the arrival likewise; null is NULL. */
type Row = { readonly id: number; readonly x: number | null; readonly a: number | null };

const BASE = at("2026-06-10");
const minute = (n: number): bigint => BASE + BigInt(n) * 60n * SECOND;
const written = (n: number): string => {
  const day = n < 1440 ? "10" : "11";
  const m = n % 1440;
  return `2026-06-${day} ${String(Math.floor(m / 60)).padStart(2, "0")}:${String(m % 60).padStart(2, "0")}:00`;
};

describeEngines(["postgres", "mariadb", "sqlite"], "facts of a side", (engine) => {
  let server: TestDatabase;
  let database: Database;
  const { local, instant, zone } = TYPES[engine];

  beforeAll(async () => {
    server = await freshDatabase(engine);
    if (engine === "mariadb") await server.run("set time_zone = '+00:00'");
    await server.run(`create table t (id int primary key, x ${local} null, a ${instant}, n bigint)`);
    await server.run("create index t_x on t (x)");
    database = await open(server.url);
  });
  afterAll(async () => {
    await database?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  const load = async (rows: readonly Row[]): Promise<void> => {
    await server.run("delete from t");
    const values = rows.map(
      ({ id, x, a }) =>
        `(${id}, ${x === null ? "null" : `'${written(x)}'`}, ${a === null ? "null" : `'${written(a)}${zone}'`}, ${x ?? "null"})`,
    );
    if (values.length > 0) await server.run(`insert into t values ${values.join(",")}`);
  };
  const inSnapshot = async <T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T> => {
    const snapshot = await database.snapshot(2);
    try {
      return await work(snapshot);
    } finally {
      await snapshot[Symbol.asyncDispose]();
    }
  };

  test("a cursor shows its clock without the future, its ends, its NULLs and its ties", async () => {
    await load([
      { id: 1, x: 60, a: null },
      { id: 2, x: 720, a: null },
      { id: 3, x: 720, a: null },
      { id: 4, x: 724, a: null },
      { id: 5, x: 726, a: null },
      { id: 6, x: 1500, a: null },
      { id: 7, x: null, a: null },
    ]);
    await inSnapshot(async (snapshot) => {
      const side = await sideOf(database, snapshot, "t");
      expect(await readSideCursor(side, { now: NOW, future: FUTURE, page: 2 })).toEqual({
        clock: minute(724),
        oldest: minute(60),
        newest: minute(1500),
        nulls: 1n,
        future: 2n,
        futureSample: { key: ["6"], position: minute(1500) },
        ties: { position: minute(720), rows: 2n, values: 1n },
        wholeSeconds: null,
      });
      const some = await sideOf(database, snapshot, "t", { where: "id < 5 -- the first" });
      expect(await readSideCursor(some, { now: NOW, future: FUTURE, page: null })).toMatchObject({
        newest: minute(724),
        nulls: 0n,
        future: 0n,
        futureSample: null,
        ties: null,
      });
      // On a sequence axis nothing lies in the future.
      const sequence = await sideOf(database, snapshot, "t", { cursor: "n" });
      expect(await readSideCursor(sequence, { now: NOW, future: FUTURE, page: null })).toMatchObject({
        clock: 1500n,
        oldest: 60n,
        future: 0n,
        nulls: 1n,
      });
      expect(await readKeyEnds(side)).toEqual({ first: ["1"], last: ["7"] });
    });
  });

  test("ties: how many values are shared, and by how many rows the latest of the largest; not looked for without an index among very many", async () => {
    const at = [60, 60, 70, 70, 80, 80, 80, 90, 90, 90, 100];
    await load(at.map((x, id) => ({ id, x, a: null })));
    await inSnapshot(async (snapshot) => {
      const side = await sideOf(database, snapshot, "t");
      const ties = async (asked: typeof side) =>
        (await readSideCursor(asked, { now: NOW, future: FUTURE, page: 2 }))?.ties;
      expect(await ties(side)).toEqual({ position: minute(90), rows: 3n, values: 4n });
      const within = Promise.resolve(windowOf(minute(65), minute(80), "[)"));
      const some = await readSideCursor(side, { now: NOW, future: FUTURE, page: 2, within });
      expect(some?.ties).toEqual({ position: minute(70), rows: 2n, values: 1n });
      const bare = { ...side, table: { ...side.table, indexes: [], estimatedRows: 1_000_001n } };
      expect(asksTies(bare)).toBe(false);
      expect(await ties(bare)).toBeNull();
      expect(asksTies({ ...bare, table: { ...bare.table, estimatedRows: 1_000_000n } })).toBe(true);
    });
  });

  test("naive cursors are read in the side's zone", async () => {
    await load([{ id: 1, x: 720, a: null }]);
    await inSnapshot(async (snapshot) => {
      const side = await sideOf(database, snapshot, "t", { timezone: "Europe/Prague" });
      expect(await readSideCursor(side, { now: NOW, future: FUTURE, page: null })).toMatchObject({
        clock: at("2026-06-10 10:00"),
      });
    });
  });

  test("an empty table shows nothing", async () => {
    await load([]);
    await inSnapshot(async (snapshot) => {
      const side = await sideOf(database, snapshot, "t");
      expect(await readSideCursor(side, { now: NOW, future: FUTURE, page: 1 })).toEqual({
        clock: null,
        oldest: null,
        newest: null,
        nulls: 0n,
        future: 0n,
        futureSample: null,
        ties: null,
        wholeSeconds: null,
      });
      expect(await readKeyEnds(side)).toBeNull();
    });
  });

  test("whole seconds are told from enough rows", async () => {
    await load(Array.from({ length: 30 }, (_, id) => ({ id, x: id, a: null })));
    const asked = { now: NOW, future: FUTURE, page: 10 };
    const whole = async (): Promise<boolean | null> =>
      await inSnapshot(
        async (snapshot) => (await readSideCursor(await sideOf(database, snapshot, "t"), asked))?.wholeSeconds ?? null,
      );
    expect(await whole()).toBe(true);
    await server.run(`update t set x = '2026-06-10 00:00:00.25' where id = 0`);
    expect(await whole()).toBe(false);
  });

  test("keys stand in the order of their bytes, and keys with a NULL are none", async () => {
    await server.run("drop table if exists k");
    await server.run(`create table k (a varchar(10), b int, x ${local})`);
    await server.run(
      "insert into k values ('b', 1, null), ('B', 2, null), ('a', 3, null), ('é', 0, null), ('é', 4, null), (null, 9, null), ('z', null, null)",
    );
    await inSnapshot(async (snapshot) => {
      expect(await readKeyEnds(await sideOf(database, snapshot, "k", { keys: ["a", "b"] }))).toEqual({
        first: ["B", "2"],
        last: ["é", "4"],
      });
    });
  });

  const minutes = fc.integer({ min: 0, max: 40 });

  test("a profile counts every row with a position once, where it lies", async () => {
    const rows = fc.array(fc.record({ x: fc.option(minutes, { freq: 6 }), a: fc.constant(null) }), { maxLength: 40 });
    // What the server thinks that there is decides in which way the rows are counted.
    const many = fc.constantFrom(null, 40n, 10_000_000n);
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.array(minutes, { maxLength: 12 }),
        fc.boolean(),
        many,
        async (drawn, cuts, zoned, estimatedRows) => {
          const all = drawn.map((row, id) => ({ id, ...row }));
          await load(all);
          const shift = zoned ? 2n * 3600n * SECOND : 0n;
          const ends = cuts.map((n) => minute(n) - shift + (n % 3 === 0 ? 1n : 0n));
          const profile = await inSnapshot(async (snapshot) => {
            const side = await sideOf(database, snapshot, "t", zoned ? { timezone: "Europe/Prague" } : {});
            return await readProfile({ ...side, table: { ...side.table, estimatedRows } }, ends);
          });
          const located = all.flatMap(({ x }) => (x === null ? [] : [minute(x) - shift]));
          const sorted = [...new Set(ends)].toSorted((a, b) => (a < b ? -1 : 1));
          expect([...profile.ends]).toEqual(sorted);
          expect([...profile.at]).toEqual(sorted.map((end) => BigInt(located.filter((x) => x === end).length)));
          expect([...profile.between]).toEqual(
            [...sorted, null].map((end, i) => {
              const before = sorted[i - 1];
              return BigInt(
                located.filter((x) => (before === undefined || x > before) && (end === null || x < end)).length,
              );
            }),
          );
        },
      ),
      { numRuns: 25 },
    );
  });

  test("a profile of more ends than one statement takes counts the same", async () => {
    await load(Array.from({ length: 700 }, (_, id) => ({ id, x: (id * 7) % 1300, a: null })));
    const profile = await inSnapshot(
      async (snapshot) =>
        await readProfile(
          await sideOf(database, snapshot, "t"),
          Array.from({ length: 1200 }, (_, n) => minute(n + 20)),
        ),
    );
    const located = Array.from({ length: 700 }, (_, id) => (id * 7) % 1300);
    const on = (n: number): bigint => BigInt(located.filter((x) => x === n).length);
    expect([...profile.at]).toEqual(Array.from({ length: 1200 }, (_, n) => on(n + 20)));
    expect(profile.between[0]).toBe(BigInt(located.filter((x) => x < 20).length));
    expect(profile.between[1200]).toBe(BigInt(located.filter((x) => x >= 1220).length));
    expect([...profile.between].slice(1, -1).every((rows) => rows === 0n)).toBe(true);
  });

  test("arrivals read the clock back as it stood", async () => {
    const rows = fc.array(fc.record({ x: fc.option(minutes, { freq: 8 }), a: fc.option(minutes, { freq: 8 }) }), {
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.uniqueArray(minutes, { maxLength: 8 }),
        fc.option(minutes),
        async (drawn, drawnStarts, stretch) => {
          const all = drawn.map((row, id) => ({ id, ...row }));
          await load(all);
          const starts = drawnStarts.map(minute).toSorted((a, b) => (a < b ? -1 : 1));
          const successful = starts.filter((_, i) => i % 2 === 0);
          const edge = stretch === null ? null : { at: minute(stretch), closed: stretch % 2 === 0 };
          const future = 2n * 60n * SECOND;
          const read = await inSnapshot(async (snapshot) => {
            const side = await sideOf(database, snapshot, "t");
            const info = columnNamed(side.table, "a");
            if (info === null) throw new Error("no arrival");
            const arrivals = {
              arrival: bindCursor(info, null, null),
              from: null,
              witness: "arrivals",
              sampled: null,
              nullIsOld: false,
            } as const;
            return await readArrivals(side, arrivals, { starts, successful, stretch: edge, now: minute(100), future });
          });
          const known = all.flatMap(({ x, a }) => (x === null || a === null ? [] : [{ x: minute(x), a: minute(a) }]));
          const greatest = (values: readonly bigint[]): bigint | null =>
            values.reduce<bigint | null>((most, v) => (most === null || v > most ? v : most), null);
          expect(clocksIn(read)).toEqual(
            starts.map((t) => greatest(known.filter(({ x, a }) => a <= t && x <= t + future).map(({ x }) => x))),
          );
          expect(read.unknown).toEqual(
            greatest(all.flatMap(({ x, a }) => (x !== null && a === null ? [minute(x)] : []))),
          );
          const inside = known.filter(({ x }) => edge === null || x > edge.at || (x === edge.at && edge.closed));
          const next = (a: bigint): number | null => {
            const i = successful.findIndex((start) => start >= a);
            return i < 0 ? null : i;
          };
          const expected = [...new Set(inside.toSorted((p, q) => (p.a < q.a ? -1 : 1)).map(({ a }) => next(a)))].map(
            (nextRun) => {
              const group = inside.filter(({ a }) => next(a) === nextRun);
              return {
                nextRun,
                rows: BigInt(group.length),
                oldestCursor: -(greatest(group.map(({ x }) => -x)) ?? 0n),
                newestCursor: greatest(group.map(({ x }) => x)),
                largestLag: greatest(group.map(({ x, a }) => a - x)),
              };
            },
          );
          expect(read.facts.groups.map(plainGroup)).toEqual(expected);
          expect(read.facts.rows).toBe(BigInt(inside.length));
          const lags = inside.map(({ x, a }) => a - x).toSorted((a, b) => (a < b ? -1 : 1));
          const quantile = (percent: number, of: readonly bigint[]): bigint | undefined =>
            of[Math.ceil((of.length * percent) / 100) - 1];
          expect(read.facts.lag).toEqual(
            lags.length === 0 ? null : { p50: quantile(50, lags), p99: quantile(99, lags), max: lags.at(-1) },
          );
        },
      ),
      { numRuns: 25 },
    );
  });

  test("the lag of arrived rows leaves the lost ones out, and a crowd of late rows is an import", async () => {
    const usual = Array.from({ length: 300 }, (_, id) => ({ id, x: id, a: id + 5 + (id % 7) }));
    const late = Array.from({ length: 120 }, (_, i) => ({ id: 1000 + i, x: i, a: 700 }));
    await load([...usual, ...late, { id: 5000, x: 1, a: 650 }]);
    await inSnapshot(async (snapshot) => {
      const side = await sideOf(database, snapshot, "t");
      const info = columnNamed(side.table, "a");
      if (info === null) throw new Error("no arrival");
      const arrivals = {
        arrival: bindCursor(info, null, null),
        from: null,
        witness: "arrivals",
        sampled: null,
        nullIsOld: false,
      } as const;
      const read = await readArrivals(side, arrivals, {
        starts: [],
        successful: [],
        stretch: null,
        now: NOW,
        future: FUTURE,
      });
      const lost = [...late, { x: 1, a: 650 }].map(({ x, a }) => BigInt(a - x) * 60n * SECOND);
      const p99 = await read.lagWithout(lost, side);
      expect(p99).toBe(11n * 60n * SECOND);
      expect(await readImports(side, arrivals, read.rows, p99)).toEqual([{ arrival: minute(700), rows: 120n }]);
      // By numbers: what lies below the newest number that had come before.
      const sequence = await sideOf(database, snapshot, "t", { cursor: "n" });
      const numbers = await readArrivals(sequence, arrivals, {
        starts: [],
        successful: [],
        stretch: null,
        now: NOW,
        future: FUTURE,
      });
      expect(numbers.facts.lag).toBeNull();
      expect(await readImports(sequence, arrivals, numbers.rows, null)).toEqual([{ arrival: minute(700), rows: 120n }]);
    });
  });
});

describeEngine("postgres", "arrivals beyond all time", () => {
  test("are in nobody's way, and commits tell their own", async () => {
    await using server = await freshDatabase("postgres");
    await server.run("set timezone to 'UTC'");
    await server.run("create table t (id int primary key, x timestamptz, a timestamptz)");
    await server.run(
      "insert into t values (1, '2026-06-10 01:00', 'infinity'), (2, 'infinity', '2026-06-10 02:00'), (3, '2026-06-10 02:00', '2026-06-10 03:00'), (4, '-infinity', '-infinity')",
    );
    await using database = await open(server.url);
    await using snapshot = await database.snapshot(1);
    const side = await sideOf(database, snapshot, "t");
    const info = columnNamed(side.table, "a");
    if (info === null) throw new Error("no arrival");
    const asked = { starts: [minute(200)], successful: [minute(200)], stretch: null, now: NOW, future: FUTURE };
    const arrivals = {
      arrival: bindCursor(info, null, null),
      from: null,
      witness: "arrivals",
      sampled: null,
      nullIsOld: false,
    } as const;
    const read = await readArrivals(side, arrivals, asked);
    expect(clocksIn(read)).toEqual([minute(120)]);
    expect(read.facts.lag).toEqual({ p50: 3600n * SECOND, p99: 3600n * SECOND, max: 3600n * SECOND });
    expect(await readImports(side, arrivals, read.rows, 0n)).toEqual([]);
    // Commit timestamps: all rows were committed just now.
    const check = { arrival: { by: "commit-timestamp" } } as unknown as Check;
    const committed = await arrivalSide(check, side);
    if (committed === null) throw new Error("no arrival");
    const [[wrote = null] = []] = await server.rows(
      "select (pg_xact_commit_timestamp(xmin) at time zone 'UTC')::text from t limit 1",
    );
    const commit = at(wrote ?? "");
    const byCommit = await readArrivals(side, committed, {
      ...asked,
      starts: [commit - 1n, commit],
      successful: [commit],
      now: commit,
    });
    expect(clocksIn(byCommit)).toEqual([null, minute(120)]);
    expect(byCommit.facts.groups.map(plainGroup)).toEqual([
      { nextRun: 0, rows: 2n, oldestCursor: minute(60), newestCursor: minute(120), largestLag: commit - minute(60) },
    ]);
  });
});

describe("the machinery above", () => {
  test("writes minutes of two days", () => {
    expect([written(0), written(725), written(1500)]).toEqual([
      "2026-06-10 00:00:00",
      "2026-06-10 12:05:00",
      "2026-06-11 01:00:00",
    ]);
  });
});
