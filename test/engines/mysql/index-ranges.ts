import { afterAll, beforeAll, expect, test } from "vitest";
import type { AgreedKind } from "../../../src/domain/kind.ts";
import type { TableInfo } from "../../../src/domain/table.ts";
import type { BoundColumn } from "../../../src/sql/dialect.ts";
import type { Database } from "../../../src/sql/session.ts";
import { sql } from "../../../src/sql/statement.ts";
import { describeEngine, freshDatabase, type TestDatabase } from "../../support/databases.ts";
import { open } from "../../support/open.ts";
import { ask, bind } from "../contract.ts";

/** A key, an expression that makes its n-th value from `n`, and values in the middle of the table. */
type Indexed = {
  readonly name: string;
  readonly types: readonly string[];
  readonly made: readonly string[];
  readonly as: readonly AgreedKind[];
  readonly low: readonly string[];
  readonly high: readonly string[];
  /** How keys of a range are found; lists always by the index. */
  readonly ranges: "index" | "scan";
};

const INTEGER: AgreedKind = { as: "integer" };
const TEXT: AgreedKind = { as: "text" };
const UUID: AgreedKind = { as: "uuid" };

const one = (
  name: string,
  type: string,
  made: string,
  as: AgreedKind,
  low: string,
  high: string,
  ranges: Indexed["ranges"] = "index",
): Indexed => ({ name, types: [type], made: [made], as: [as], low: [low], high: [high], ranges });

const KEYS: readonly Indexed[] = [
  one("bigint", "bigint", "n", INTEGER, "500", "520"),
  one(
    "unsigned bigint",
    "bigint unsigned",
    "18446744073709551615 - n",
    INTEGER,
    "18446744073709551000",
    "18446744073709551020",
  ),
  one("decimal", "decimal(30,4)", "n / 4", { as: "decimal", scale: 4 }, "50.2500", "55.0000"),
  one(
    "datetime",
    "datetime(6)",
    "'2026-01-01' + interval n second",
    { as: "local", precision: 6 },
    "2026-01-01 00:01:00.5",
    "2026-01-01 00:01:20",
  ),
  one(
    "timestamp",
    "timestamp(6)",
    "'2026-01-02' + interval n second",
    { as: "instant", precision: 6 },
    "2026-01-02 05:01:00.5",
    "2026-01-02 05:01:20",
  ),
  one("date", "date", "'2026-01-01' + interval n day", { as: "date" }, "2026-02-01", "2026-02-20"),
  one("varbinary", "varbinary(20)", "concat('k', 10000 + n)", { as: "bytes" }, "6b3130343030", "6b3130343230"),
  one("uuid in bytes", "binary(16)", "unhex(left(sha2(n, 256), 32))", UUID, "80".repeat(16), "82".repeat(16)),
  one(
    "text under a padding _bin",
    "varchar(20) collate utf8mb4_bin",
    "concat('k', 10000 + n)",
    TEXT,
    "k10400",
    "k10420",
  ),
  one(
    "ascii text under _bin",
    "varchar(20) character set ascii collate ascii_bin",
    "concat('k', 10000 + n)",
    TEXT,
    "k10400",
    "k10420",
  ),
  one(
    "text that ignores case",
    "varchar(20) collate utf8mb4_general_ci",
    "concat('k', 10000 + n)",
    TEXT,
    "k10400",
    "k10420",
    "scan",
  ),
  one("latin1 text", "varchar(20) character set latin1", "concat('k', 10000 + n)", TEXT, "k10400", "k10420", "scan"),
  one(
    "uuid in CHAR(36)",
    "char(36)",
    "insert(insert(insert(insert(left(sha2(n, 256), 32), 9, 0, '-'), 14, 0, '-'), 19, 0, '-'), 24, 0, '-')",
    UUID,
    "80".repeat(16),
    "82".repeat(16),
    "scan",
  ),
  {
    name: "tenant and id",
    types: ["int", "bigint"],
    made: ["if(n % 100 = 0, n, 7)", "n"],
    as: [INTEGER, INTEGER],
    low: ["7", "500"],
    high: ["7", "520"],
    ranges: "index",
  },
  {
    name: "three columns",
    types: ["int", "varchar(20) collate utf8mb4_bin", "bigint"],
    made: ["7", "concat('k', 10000 + n)", "n"],
    as: [INTEGER, TEXT, INTEGER],
    low: ["7", "k10400", "3"],
    high: ["7", "k10420", "3"],
    ranges: "index",
  },
];

/** Keys of every kind are found by their index: the server says so itself. */
export function indexRanges(engine: "mysql" | "mariadb"): void {
  describeEngine(engine, "ranges of keys by the index", () => {
    let server: TestDatabase;
    let database: Database;
    beforeAll(async () => {
      server = await freshDatabase(engine);
      await server.run("create table d (d int not null); insert into d values (0),(1),(2),(3),(4),(5),(6),(7),(8),(9)");
      await server.run(
        "create table numbers as select a.d + 10 * b.d + 100 * c.d + 1000 * e.d as n from d a, d b, d c, d e where e.d < 3",
      );
      for (const [i, key] of KEYS.entries()) {
        const columns = key.types.map((type, c) => `k${c} ${type} not null`);
        const names = key.types.map((_, c) => `k${c}`).join(", ");
        await server.run(
          `create table t${i} (${columns.join(", ")}, filler char(200) not null default 'x', primary key (${names})) character set utf8mb4`,
        );
        await server.run(`insert into t${i} (${names}) select ${key.made.join(", ")} from numbers`);
        await server.run(`analyze table t${i}`);
      }
      database = await open(server.url);
    });
    afterAll(async () => {
      await database?.[Symbol.asyncDispose]();
      await server?.[Symbol.asyncDispose]();
    });

    const bound = (info: TableInfo, key: Indexed): readonly BoundColumn[] =>
      key.as.map((as, c) => bind(info, `k${c}`, { as }));
    const plan = async (statement: Parameters<typeof ask>[1]): Promise<readonly (string | null)[]> =>
      (await ask(database, sql`EXPLAIN FORMAT=TRADITIONAL ${statement}`))[0] ?? [];
    const BY_INDEX = /^(range|ref|eq_ref|const)$/;

    for (const [i, key] of KEYS.entries()) {
      test(`a range of ${key.name} is ${key.ranges === "index" ? "read by the index" : "exact, by a scan"}`, async () => {
        const info = await database.describe({ schema: null, name: `t${i}` });
        const { dialect } = database;
        const columns = bound(info, key);
        const range = sql`FROM ${dialect.table(info)} WHERE (${dialect.keyBound(columns, ">=", key.low)}) AND (${dialect.keyBound(columns, "<", key.high)})`;
        const [count] = await ask(database, sql`SELECT COUNT(*) ${range}`);
        expect(Number(count?.[0])).toBeGreaterThan(5);
        expect(Number(count?.[0])).toBeLessThan(100);
        const explained = await plan(sql`SELECT filler ${range}`);
        expect(explained.some((cell) => BY_INDEX.test(cell ?? ""))).toBe(key.ranges === "index");
      });

      test(`a list of ${key.name} is read by the index`, async () => {
        const info = await database.describe({ schema: null, name: `t${i}` });
        const { dialect } = database;
        const columns = bound(info, key);
        const texts = columns.map((column) => dialect.text(column) ?? dialect.printed(column.info));
        const some = await ask(database, sql`SELECT ${texts} FROM ${dialect.table(info)} ${dialect.page(30, 0n)}`);
        const keys = some.map((row) => row.map((text) => text ?? ""));
        const list = sql`FROM ${dialect.table(info)} WHERE ${dialect.keyIn(columns, keys)}`;
        expect(await ask(database, sql`SELECT COUNT(*) ${list}`)).toEqual([["30"]]);
        const explained = await plan(sql`SELECT filler ${list}`);
        expect(explained.some((cell) => BY_INDEX.test(cell ?? ""))).toBe(true);
      });
    }

    test("five hundred keys of two columns are read by the index", async () => {
      const at = KEYS.findIndex((key) => key.name === "tenant and id");
      const info = await database.describe({ schema: null, name: `t${at}` });
      const { dialect } = database;
      const columns = ["k0", "k1"].map((column) => bind(info, column, { as: INTEGER }));
      const keys = Array.from({ length: 500 }, (_, n) => ["7", String(n * 3 + 1)]);
      const explained = await plan(
        sql`SELECT filler FROM ${dialect.table(info)} WHERE ${dialect.keyIn(columns, keys)}`,
      );
      expect(explained.some((cell) => BY_INDEX.test(cell ?? ""))).toBe(true);
    });
  });
}
