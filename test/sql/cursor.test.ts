import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UnsupportedError } from "../../src/domain/errors.ts";
import { formatInstant, parseInstant, type Position } from "../../src/domain/position.ts";
import { columnNamed, type ColumnInfo, type TableInfo } from "../../src/domain/table.ts";
import { holds, windowOf } from "../../src/domain/window.ts";
import { bindCursor, type BoundCursor, notOnAxis, positionOf } from "../../src/sql/cursor.ts";
import { cursorCondition, orNull, windowCondition } from "../../src/sql/cursor-condition.ts";
import type { Comparison } from "../../src/sql/dialect.ts";
import type { Database } from "../../src/sql/session.ts";
import { columnText } from "../../src/sql/side.ts";
import { name, type Sql, sql } from "../../src/sql/statement.ts";
import { open } from "../support/open.ts";
import { describeEngines, freshDatabase, type TestDatabase, type TestEngine } from "../support/databases.ts";

const MOMENTS = [
  "2026-06-01 09:59:59.999999",
  "2026-06-01 10:00:00",
  "2026-06-01 10:00:00.000001",
  "2026-06-01 10:00:00.5",
  "2026-06-01 10:00:01",
  "2026-03-29 01:59:59",
  "2026-03-29 02:30:00",
  "2026-03-29 03:00:00",
  "2026-10-25 01:59:59.5",
  "2026-10-25 02:00:00",
  "2026-10-25 02:30:00",
  "2026-10-25 03:00:00",
  "1999-12-31 23:59:59",
  "9999-12-31 23:59:59",
];
const micros = (text: string): bigint => parseInstant(text) ?? 0n;

/** Each column of the table with its unit and its zone. */
const COLUMNS: readonly (readonly [column: string, unit: BoundCursor["unit"], zone: string | null])[] = [
  ["zoned", null, null],
  ["zoned3", null, null],
  ["naive", null, "UTC"],
  ["naive", null, "Europe/Prague"],
  ["naive0", null, "America/New_York"],
  ["day", null, "Europe/Prague"],
  ["secs", "epoch-s", null],
  ["millis", "epoch-ms", null],
  ["us", "epoch-us", null],
  ["exact", "epoch-s", null],
  ["dbl", "epoch-s", null],
  ["small", "sequence", null],
  ["us", null, null],
];

const TYPES: Readonly<Record<TestEngine, string>> = {
  postgres:
    "zoned timestamptz, zoned3 timestamptz(3), naive timestamp, naive0 timestamp(0), day date, secs bigint, millis bigint, us bigint, exact numeric(20,6), dbl double precision, small smallint",
  mariadb:
    "zoned timestamp(6) null, zoned3 timestamp(3) null, naive datetime(6), naive0 datetime(0), day date, secs bigint, millis bigint, us bigint, exact decimal(20,6), dbl double, small smallint",
  mysql:
    "zoned timestamp(6) null, zoned3 timestamp(3) null, naive datetime(6), naive0 datetime(0), day date, secs bigint, millis bigint, us bigint, exact decimal(20,6), dbl double, small smallint",
  sqlite:
    "zoned timestamptz, zoned3 timestamptz, naive datetime, naive0 datetime, day date, secs bigint, millis bigint, us bigint, exact decimal(20,6), dbl double, small smallint",
};

function rowsFor(engine: TestEngine): string {
  const rows = MOMENTS.map((moment, i) => {
    const at = micros(moment);
    const inTimestamp = at > 0n && at < micros("2038-01-01");
    const zoned = inTimestamp ? `'${moment}${engine === "postgres" || engine === "sqlite" ? "+00" : ""}'` : "null";
    const zoned3 = inTimestamp
      ? `'${moment.slice(0, 19)}.123${engine === "postgres" || engine === "sqlite" ? "+00" : ""}'`
      : "null";
    const cut = moment.slice(0, 19);
    const fraction = (at % 1_000_000n).toString().padStart(6, "0");
    return `(${i}, ${zoned}, ${zoned3}, '${moment}', '${cut}', '${moment.slice(0, 10)}', ${at / 1_000_000n}, ${at / 1000n}, ${at}, ${at / 1_000_000n}.${fraction}, ${Number(at / 1_000_000n)}.${fraction}, ${i % 2 === 0 ? i : -i})`;
  });
  const odd =
    engine === "postgres"
      ? [
          `(100, 'infinity', '-infinity', '-infinity', 'infinity', 'infinity', -1, -1, -1, 'NaN', 'NaN', -32768)`,
          `(101, null, null, '0044-03-15 12:00:00 BC', null, '0044-03-15 BC', null, null, null, null, '-Infinity', 32767)`,
        ]
      : [];
  return [...rows, ...odd, "(200, null, null, null, null, null, null, null, null, null, null, null)"].join(",");
}

describeEngines(["postgres", "mariadb", "sqlite"], "a condition on a cursor", (engine) => {
  let test_: TestDatabase;
  let database: Database;
  let table: TableInfo;

  beforeAll(async () => {
    test_ = await freshDatabase(engine);
    await test_.run(engine === "mariadb" ? "set time_zone = '+00:00'" : "select 1");
    await test_.run(`create table c (id int primary key, ${TYPES[engine]})`);
    await test_.run(`insert into c values ${rowsFor(engine)}`);
    database = await open(test_.url);
    table = await database.describe({ schema: null, name: "c" });
  });
  afterAll(async () => {
    await database?.[Symbol.asyncDispose]();
    await test_?.[Symbol.asyncDispose]();
  });

  const bound = (column: string, unit: BoundCursor["unit"], zone: string | null): BoundCursor => {
    const info = columnNamed(table, column);
    if (info === null) throw new Error(column);
    return bindCursor(info, unit, zone);
  };
  const ids = async (condition: Sql): Promise<readonly string[]> => {
    const rows = await database.use((session) =>
      session.rows({
        what: "test",
        sql: sql`SELECT ${name("id")} FROM ${database.dialect.table(table)} WHERE ${condition} ORDER BY ${name("id")}`,
      }),
    );
    return rows.map(([id]) => id ?? "");
  };
  const positions = async (
    cursor: BoundCursor,
  ): Promise<readonly { readonly id: string; readonly position: Position | null }[]> => {
    const rows = await database.use((session) =>
      session.rows({
        what: "test",
        sql: sql`SELECT ${name("id")}, ${columnText(database, cursor.column)} FROM ${database.dialect.table(table)} ORDER BY ${name("id")}`,
      }),
    );
    return rows.map(([id, text]) => ({ id: id ?? "", position: positionOf(text ?? null, cursor) }));
  };
  const compare: Readonly<Record<Comparison, (a: bigint, b: bigint) => boolean>> = {
    "<": (a, b) => a < b,
    "<=": (a, b) => a <= b,
    ">": (a, b) => a > b,
    ">=": (a, b) => a >= b,
    "=": (a, b) => a === b,
  };
  const near = (known: readonly bigint[]): fc.Arbitrary<bigint> =>
    fc.oneof(
      fc
        .tuple(
          fc.constantFrom(...known),
          fc.constantFrom(
            -3_600_000_000n,
            -1_000_001n,
            -1000n,
            -1n,
            0n,
            1n,
            999n,
            500_000n,
            1_000_000n,
            3_600_000_000n,
          ),
        )
        .map(([p, d]) => p + d),
      fc.bigInt({ min: -(10n ** 19n), max: 10n ** 19n }),
    );

  test.each(COLUMNS)("on %s (%s, %s) holds exactly where its position does", async (column, unit, zone) => {
    const cursor = bound(column, unit, zone);
    const rows = await positions(cursor);
    const known = rows.flatMap(({ position }) => position ?? []);
    expect(known.length).toBeGreaterThan(5);
    await fc.assert(
      fc.asyncProperty(
        near(known),
        fc.constantFrom<Comparison>("<", "<=", ">", ">=", "="),
        async (position, operator) => {
          const wanted = rows
            .filter((row) => row.position !== null && compare[operator](row.position, position))
            .map(({ id }) => id);
          expect(await ids(cursorCondition(cursor, operator, position, database.dialect))).toEqual(wanted);
        },
      ),
      { numRuns: 60 },
    );
  });

  test.each(COLUMNS)("a window on %s (%s, %s) holds the rows that it should", async (column, unit, zone) => {
    const cursor = bound(column, unit, zone);
    const rows = await positions(cursor);
    const end = fc.option(near(rows.flatMap(({ position }) => position ?? [])), { freq: 5 });
    await fc.assert(
      fc.asyncProperty(
        end,
        end,
        fc.constantFrom("(]" as const, "[)" as const, "[]" as const, "()" as const),
        async (from, to, ends) => {
          const window = windowOf(from, to, ends);
          const wanted = rows
            .filter(({ position }) => position !== null && holds(window, position))
            .map(({ id }) => id);
          expect(await ids(windowCondition(cursor, window, database.dialect))).toEqual(wanted);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("takes NULL in only where that is asked for", async () => {
    const cursor = bound("us", "epoch-us", null);
    const none = cursorCondition(cursor, ">", 10n ** 18n, database.dialect);
    expect(await ids(none)).toEqual([]);
    const orNothing = await ids(orNull(cursor, none));
    expect(orNothing).toEqual(engine === "postgres" ? ["101", "200"] : ["200"]);
  });
});

const info = (kind: ColumnInfo["kind"], type = "x"): ColumnInfo => ({
  name: "c",
  type,
  kind,
  nullable: true,
  hasDefault: false,
  generated: false,
  ordinal: 1,
});
const integer: ColumnInfo["kind"] = { kind: "integer", min: -(2n ** 63n), max: 2n ** 63n - 1n };

describe("a position", () => {
  test.each([
    [{ kind: "instant", precision: 6 } as const, null, "UTC", "2026-06-01 10:00:00.5", "2026-06-01T10:00:00.500000Z"],
    [
      { kind: "local", precision: 6 } as const,
      null,
      "Europe/Prague",
      "2026-06-01 10:00:00",
      "2026-06-01T08:00:00.000000Z",
    ],
    [{ kind: "date" } as const, null, "Europe/Prague", "2026-06-01", "2026-05-31T22:00:00.000000Z"],
    [integer, "epoch-s" as const, null, "1780308000", "2026-06-01T10:00:00.000000Z"],
    [integer, "epoch-ms" as const, null, "1780308000123", "2026-06-01T10:00:00.123000Z"],
    [
      { kind: "decimal", precision: 20, scale: 7 } as const,
      "epoch-s" as const,
      null,
      "1780308000.1234569",
      "2026-06-01T10:00:00.123456Z",
    ],
    [{ kind: "float", bits: 64 } as const, "epoch-s" as const, null, "17803080005e-1", "2026-06-01T10:00:00.500000Z"],
    [
      { kind: "decimal", precision: 20, scale: 7 } as const,
      "epoch-s" as const,
      null,
      "-0.0000001",
      "1969-12-31T23:59:59.999999Z",
    ],
  ])("of %o as %s in %s from %s is %s", (kind, unit, zone, text, instant) => {
    expect(formatInstant(positionOf(text, bindCursor(info(kind), unit, zone)) ?? 0n)).toBe(instant);
  });

  test("keeps 64 bits of a sequence", () => {
    expect(positionOf("9223372036854775807", bindCursor(info(integer), null, null))).toBe(9223372036854775807n);
  });

  test.each(["infinity", "-infinity", "0000-00-00 00:00:00"])("%s has none, and that can be told", (text) => {
    const cursor = bindCursor(info({ kind: "instant", precision: 6 }), null, null);
    expect(positionOf(text, cursor)).toBeNull();
    expect(notOnAxis(text, cursor)).toBe(true);
  });

  test("NULL has none, and is nothing to tell", () => {
    const cursor = bindCursor(info(integer), null, null);
    expect([positionOf(null, cursor), notOnAxis(null, cursor)]).toEqual([null, false]);
    expect(positionOf("NaN", bindCursor(info({ kind: "float", bits: 64 }), null, null))).toBeNull();
  });
});

test("a column that cuts nothing is no cursor", () => {
  expect(() => bindCursor(info({ kind: "uuid" }, "uuid"), null, null)).toThrow(UnsupportedError);
  expect(() => bindCursor(info({ kind: "float", bits: 32 }, "real"), "epoch-s", null)).toThrow(
    /nothing can be cut by a column of type real/,
  );
  expect(() => bindCursor(info({ kind: "instant", precision: 6 }, "timestamptz"), "epoch-s", null)).toThrow(
    /unit of numbers/,
  );
});
