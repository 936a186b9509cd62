import { expect, test } from "vitest";
import { describePairs, type TestEngine } from "../support/databases.ts";
import { compareTwo, type Sql } from "./two-tables.ts";

type Pair = readonly [TestEngine, TestEngine];

const SERVERS: readonly Pair[] = [
  ["postgres", "postgres"],
  ["postgres", "mariadb"],
  ["mariadb", "postgres"],
  ["mariadb", "mariadb"],
  ["postgres", "mysql"],
];

/** A table of times of some types; `values` are written by sessions in UTC. */
const times = (
  types: { readonly postgres: string; readonly mysql: string },
  values: readonly (string | null)[],
): Sql => {
  const rows = values.map((v, i) => `(${i + 1}, ${v === null ? "null" : `'${v}'`})`).join(", ");
  return {
    postgres: `set timezone = 'UTC'; create table t (id int primary key, v ${types.postgres}); insert into t values ${rows}`,
    mysql: `set time_zone = '+00:00'; create table t (id int primary key, v ${types.mysql}); insert into t values ${rows}`,
  };
};

const MICRO = { postgres: "timestamp(6)", mysql: "datetime(6)" };
const MILLI = { postgres: "timestamp(3)", mysql: "datetime(3)" };
const INSTANT = { postgres: "timestamptz(6)", mysql: "timestamp(6) null" };

describePairs(SERVERS, "times", (...pair) => {
  test("9 · of the ends of calendars are themselves", async () => {
    const values = [
      "9999-12-31 23:59:59.999999",
      "1000-01-01 00:00:00",
      "1582-10-10 00:00:00.000001",
      "1969-12-31 23:59:59.999999",
    ];
    expect((await compareTwo(pair, { source: times(MICRO, values), target: times(MICRO, values) })).lines).toEqual([]);
    const later = values.map((v) =>
      v.replace(/\.?\d*$/, (f) => (f.endsWith("9") ? f.replace(/9$/, "8") : f.endsWith("1") ? ".000002" : f)),
    );
    expect((await compareTwo(pair, { source: times(MICRO, values), target: times(MICRO, later) })).lines).toEqual([
      "changed 1:1 v",
      "changed 1:3 v",
      "changed 1:4 v",
    ]);
  });

  test("9 · that were cut or rounded on their way to fewer digits are compared at these, and it is noted", async () => {
    const fine = Array.from({ length: 12 }, (_, i) => `2026-06-01 10:00:${String(i).padStart(2, "0")}.9996`);
    const cut = fine.map((v) => v.replace(".9996", ".999"));
    const rounded = fine.map((_, i) => `2026-06-01 10:00:${String(i + 1).padStart(2, "0")}.000`);
    for (const written of [cut, rounded]) {
      const { lines, facts } = await compareTwo(pair, { source: times(MICRO, fine), target: times(MILLI, written) });
      expect(lines).toEqual([]);
      expect(facts.comparison?.notes).toContainEqual("v: compared at milliseconds");
      const off = written.with(3, "2026-06-01 10:00:30.000");
      expect((await compareTwo(pair, { source: times(MICRO, fine), target: times(MILLI, off) })).lines).toContain(
        "changed 1:4 v",
      );
    }
  });

  test("9 · of a server whose zone is not UTC are the same moments", async () => {
    const values = ["2026-06-01 10:00:00", "2026-01-01 00:30:00.5", null];
    const elsewhere: Sql = {
      postgres:
        "set timezone = 'America/New_York'; create table t (id int primary key, v timestamptz(6)); insert into t values (1, '2026-06-01 06:00:00'), (2, '2025-12-31 19:30:00.5'), (3, null)",
      mysql:
        "set time_zone = '-05:00'; create table t (id int primary key, v timestamp(6) null); insert into t values (1, '2026-06-01 05:00:00'), (2, '2025-12-31 19:30:00.5'), (3, null)",
    };
    expect((await compareTwo(pair, { source: times(INSTANT, values), target: elsewhere })).lines).toEqual([]);
  });

  test("9 · in the repeated hour of a night match by either reading, and by no third", async () => {
    // 02:30 in Prague on 25 October 2026 was at 00:30 and at 01:30 UTC.
    const moments = times(INSTANT, [
      "2026-10-25 00:30:00",
      "2026-10-25 01:30:00",
      "2026-10-24 12:00:00",
      "2026-10-25 02:30:00",
      "2026-07-01 10:00:00",
    ]);
    const naive = times(MICRO, [
      "2026-10-25 02:30:00",
      "2026-10-25 02:30:00",
      "2026-10-24 14:00:00",
      "2026-10-25 02:30:00",
      "2026-07-01 12:00:00",
    ]);
    const { lines } = await compareTwo(
      pair,
      { source: moments, target: naive },
      { target: { timezone: "Europe/Prague" } },
    );
    expect(lines).toEqual(["changed 1:4 v"]);
  });

  test("16 · all two hours off are one systematic difference, and the one row that is off otherwise stands beside it", async () => {
    const at = (i: number, hour: number): string =>
      `2026-06-01 ${String(hour).padStart(2, "0")}:00:${String(i).padStart(2, "0")}`;
    const source = Array.from({ length: 30 }, (_, i) => at(i, 10));
    const target = Array.from({ length: 30 }, (_, i) => at(i, i === 7 ? 15 : 12));
    const { lines, facts } = await compareTwo(pair, { source: times(MICRO, source), target: times(MICRO, target) });
    expect(lines).toEqual(["changed 1:8 v"]);
    expect(facts.comparison?.systematic).toMatchObject([
      { column: "v", transformation: "shifted by +02:00", rows: 29n },
    ]);
  });
});

describePairs([["postgres", "postgres"]], "times that only PostgreSQL has", (...pair) => {
  test("9 · infinity and years before the first are themselves", async () => {
    for (const type of ["timestamp", "timestamptz", "date"]) {
      const of = (...values: string[]): string =>
        `set timezone = 'UTC'; create table t (id int primary key, v ${type}); insert into t values ${values.map((v, i) => `(${i}, '${v}')`).join(", ")}`;
      const values = ["infinity", "-infinity", "0044-03-15 BC", "0044-03-15"];
      expect((await compareTwo(pair, { source: of(...values), target: of(...values) })).lines, type).toEqual([]);
      expect(
        (
          await compareTwo(pair, {
            source: of(...values),
            target: of("-infinity", "-infinity", "0044-03-15", "0044-03-15 BC"),
          })
        ).lines,
        type,
      ).toEqual(["changed 1:0 v", "changed 1:2 v", "changed 1:3 v"]);
    }
  });
});

describePairs(
  [
    ["mariadb", "mariadb"],
    ["mysql", "mysql"],
  ],
  "times that only MySQL has",
  (...pair) => {
    test("9 · zero dates are kept as what they are", async () => {
      const of = (...values: string[]): string =>
        `set sql_mode = ''; create table t (id int primary key, v datetime, d date, c time(6)); insert into t values ${values.map((v, i) => `(${i}, ${v})`).join(", ")}`;
      const rows = ["'0000-00-00', '0000-00-00', '838:59:59'", "'2026-01-01', '2026-00-00', '-00:00:01.5'"];
      expect((await compareTwo(pair, { source: of(...rows), target: of(...rows) })).lines).toEqual([]);
      const { lines } = await compareTwo(pair, {
        source: of(...rows),
        target: of("null, '0000-00-00', '838:59:58'", "'2026-01-01', '2026-01-00', '00:00:01.5'"),
      });
      expect(lines).toEqual(["changed 1:0 c,v", "changed 1:1 c,d"]);
    });
  },
);
