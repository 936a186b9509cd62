import { expect, test } from "vitest";
import type { DifferenceLog } from "../../src/flows/ports.ts";
import { micros } from "../compare/build.ts";
import { lineOf } from "../compare/naive.ts";
import { describePairs, freshDatabase, type TestDatabase, type TestEngine } from "../support/databases.ts";
import { familyOf } from "./columns.ts";
import { type Asked, checkFor } from "./two-tables.ts";
import { compared, meanwhile, openWorld } from "./world.ts";

const PAIRS: readonly (readonly [TestEngine, TestEngine])[] = [
  ["postgres", "postgres"],
  ["postgres", "mariadb"],
  ["mariadb", "mariadb"],
];

const table = (n: number): string =>
  `create table t (id int primary key, v int, at int); insert into t values ${Array.from({ length: n }, (_, i) => `(${i + 1}, ${i}, ${i})`).join(", ")}`;

const ASKED: Asked = { compare: { recheck: { rounds: 2, wait: micros(60_000_000n) } } };

describePairs(PAIRS, "what moves between two looks", (source, target) => {
  const twice = async (
    differ: (dst: TestDatabase) => Promise<void>,
    happens: (round: number, src: TestDatabase, dst: TestDatabase) => Promise<void>,
    asked: Asked = ASKED,
  ) => {
    await using src = await freshDatabase(source);
    await using dst = await freshDatabase(target);
    await src.run(table(50));
    await dst.run(table(50));
    await differ(dst);
    await using world = await openWorld({ src, dst });
    const { differences, facts } = await compared(
      checkFor(asked),
      meanwhile(world, (round) => happens(round, src, dst)),
    );
    return { lines: differences.map(lineOf).toSorted(), notes: facts.comparison?.notes ?? [] };
  };

  test("17 · a row that arrives, one that is deleted on both sides and one that is brought up to date are not accused; one that stays different is", async () => {
    const { lines } = await twice(
      async (dst) => {
        await dst.run("delete from t where id in (10, 20); update t set v = -1 where id in (30, 40)");
      },
      async (round, src, dst) => {
        if (round > 1) return;
        await dst.run("insert into t values (10, 9, 9)");
        await src.run("delete from t where id = 20");
        await dst.run("update t set v = 29 where id = 30");
      },
    );
    expect(lines).toEqual(["changed 2:40 v"]);
  });

  test("17 · a row that differs at every look, each time in another way, is not accused but said to move", async () => {
    const { lines, notes } = await twice(
      async (dst) => await dst.run("update t set v = -1, at = -1 where id = 30"),
      async (round, src) => await src.run(`update t set v = ${round * 1000}, at = ${round * 1000} where id = 30`),
      { ...ASKED, version: "at", cursor: { column: "at", unit: "sequence", page: 1000 } },
    );
    expect(lines).toEqual([]);
    expect(notes.join()).toMatch(/1 rows? were still changing|1 row was still changing/);
  });

  test("17 · the same holds where no version says that it moved", async () => {
    const { lines } = await twice(
      async (dst) => await dst.run("update t set v = -1 where id = 30"),
      async (round, src, dst) => {
        // The copy follows, always one step behind.
        await dst.run(`update t set v = ${round * 1000 - 1000} where id = 30`);
        await src.run(`update t set v = ${round * 1000} where id = 30`);
      },
    );
    expect(lines).toEqual([]);
  });

  test("17 · tables that are written to on both sides all the while have no row accused", async () => {
    await using src = await freshDatabase(source);
    await using dst = await freshDatabase(target);
    await src.run(table(300));
    await dst.run(table(300));
    const stop = new AbortController();
    // Each change reaches the copy a moment later, as a replica's would.
    const writes = (async () => {
      for (let i = 0; !stop.signal.aborted; i++) {
        const id = 1 + (i % 300);
        for (const db of [src, dst])
          await db.run(
            i % 5 === 0
              ? `delete from t where id = ${id}; insert into t values (${id}, ${i}, ${i})`
              : `update t set v = ${i}, at = ${i} where id = ${id}`,
          );
      }
    })();
    try {
      await using world = await openWorld({ src, dst });
      for (let i = 0; i < 3; i++) {
        const { differences } = await compared(
          checkFor({ compare: { chunkRows: 20, recheck: { rounds: 3, wait: micros(200_000n) } } }),
          world,
        );
        expect(differences.map(lineOf)).toEqual([]);
      }
    } finally {
      stop.abort();
      await writes;
    }
  });
});

describePairs(
  [
    ["postgres", "postgres"],
    ["mariadb", "mariadb"],
    ["sqlite", "sqlite"],
  ],
  "rows younger than settle",
  (source, target) => {
    test("are left out on either side by their cursor; rows without one and rows from the future are not", async () => {
      await using src = await freshDatabase(source);
      await using dst = await freshDatabase(target);
      const ago = (seconds: number): string =>
        new Date(Date.now() - seconds * 1000).toISOString().slice(0, 19).replace("T", " ");
      const type = { postgres: "timestamp(6)", mysql: "datetime(6)", sqlite: "timestamp" };
      const rows = [
        `(1, '${ago(7200)}')`,
        `(2, '${ago(60)}')`,
        "(3, null)",
        `(4, '${ago(-7200)}')`,
        `(5, '${ago(5000)}')`,
      ];
      const make = (db: TestDatabase, values: readonly string[]): Promise<void> =>
        db.run(
          `create table t (id int primary key, at ${type[familyOf(db.engine)]} null); insert into t values ${values.join(", ")}`,
        );
      await make(src, rows);
      await make(dst, [`(5, '${ago(30)}')`, `(6, '${ago(20)}')`]);
      await using world = await openWorld({ src, dst });
      const { differences, facts } = await compared(
        checkFor({ cursor: { column: "at", unit: null, page: 1000 }, version: "at" }),
        world,
      );
      expect(differences.map(lineOf).toSorted()).toEqual(["missing 1:1", "missing 1:3", "missing 1:4"]);
      expect(facts.source.rows).toBe(4n);
    });
  },
);

test("difference logs of a comparison are disposed of by whoever made them", async () => {
  // Every log that a world hands out is let go of in compared(): a log that is used afterwards would throw.
  await using db = await freshDatabase("sqlite");
  await db.run("create table t (id integer primary key, v int); insert into t values (1, 1)");
  await using world = await openWorld({ src: db, dst: db });
  const logs: DifferenceLog[] = [];
  const own = {
    ...world,
    world: { ...world.world, differenceLog: () => logs[logs.push(world.world.differenceLog()) - 1]! },
  };
  await compared(checkFor({}), own);
  expect(logs.length).toBeGreaterThan(0);
  for (const log of logs) expect(() => [...log.all()]).toThrow();
});

describePairs(
  [
    ["postgres", "postgres"],
    ["postgres", "mariadb"],
  ],
  "a row that becomes young between two looks",
  (source, target) => {
    test("17 · is not judged any more, although no row was young when the audit began", async () => {
      const rows = (engine: TestEngine): string =>
        `create table t (id int primary key, v int, at ${familyOf(engine) === "mysql" ? "datetime" : "timestamp"}(6) not null default '2026-01-01 00:00:00'); insert into t (id, v) values (1, 1), (2, 2), (3, 3)`;
      await using src = await freshDatabase(source);
      await using dst = await freshDatabase(target);
      await src.run(rows(source));
      await dst.run(`${rows(target)}; update t set v = -1 where id in (2, 3)`);
      await using world = await openWorld({ src, dst });
      const asked: Asked = {
        ...ASKED,
        source: { timezone: "UTC" },
        target: { timezone: "UTC" },
        strategy: "cursor",
        cursor: { column: "at", unit: null, page: 1000 },
        settle: micros(600_000_000n),
      };
      const changing = meanwhile(world, async (round) => {
        if (round === 1) await src.run("update t set v = 22, at = now() at time zone 'UTC' where id = 2");
      });
      const { differences } = await compared(checkFor(asked), changing);
      expect(differences.map(lineOf)).toEqual(["changed 1:3 v"]);
    });
  },
);
