import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { canonicalFloat, momentText } from "../../../src/compare/reference.ts";
import { type AgreedKind, isPlain } from "../../../src/domain/kind.ts";
import { compareBytes, compareKeys } from "../../../src/domain/key.ts";
import { daysFromCivil } from "../../../src/domain/position.ts";
import { toInstant, transitions } from "../../../src/domain/timezone.ts";
import { ConnectError, SchemaError, StatementError } from "../../../src/domain/errors.ts";
import type { TableInfo } from "../../../src/domain/table.ts";
import type { Database } from "../../../src/sql/session.ts";
import { name, raw, type Sql, sql, value } from "../../../src/sql/statement.ts";
import { describeEngine, freshDatabase, serverUrl, type TestDatabase } from "../../support/databases.ts";
import { open } from "../../support/open.ts";
import { ask, bind } from "../contract.ts";

const TEXT: AgreedKind = { as: "text" };
const INTEGER: AgreedKind = { as: "integer" };

const byBytes = (a: string | null, b: string | null): number => compareBytes(a ?? "", b ?? "");

/** What MySQL and MariaDB have and others have not. */
export function particulars(engine: "mysql" | "mariadb"): void {
  describeEngine(engine, "particulars", () => {
    let server: TestDatabase;
    let database: Database;
    beforeAll(async () => {
      server = await freshDatabase(engine);
      await server.run("set session sql_mode = 'STRICT_TRANS_TABLES'");
      database = await open(server.url);
    });
    afterAll(async () => {
      await database?.[Symbol.asyncDispose]();
      await server?.[Symbol.asyncDispose]();
    });

    const table = async (name: string, definition: string, rows: string | null = null): Promise<TableInfo> => {
      await server.run(`create table ${name} (${definition}) character set utf8mb4`);
      if (rows !== null) await server.run(`insert into ${name} values ${rows}`);
      return await database.describe({ schema: null, name });
    };
    const texts = async (
      info: TableInfo,
      column: string,
      how: Parameters<typeof bind>[2],
      rest: Sql = raw(""),
    ): Promise<readonly (string | null)[]> =>
      (
        await ask(
          database,
          sql`SELECT ${database.dialect.text(bind(info, column, how)) ?? raw("'cannot be said'")} FROM ${database.dialect.table(info)} ${rest}`,
        )
      ).map((row) => row[0] ?? null);

    test("the server says what it is, whatever the URL calls it", async () => {
      for (const scheme of ["mysql:", "mariadb:"]) {
        await using other = await open(server.url.replace(/^[a-z]+:/, scheme));
        expect([other.server.engine, other.server.family, other.dialect.id]).toEqual([engine, "mysql", engine]);
        expect(other.server.hashes).toContain("sha256");
      }
    });

    test("a session is set and not hoped for", async () => {
      const variables = ["time_zone", "character_set_connection", "character_set_results"].map((v) =>
        raw(`@@session.${v}`),
      );
      const [row] = await ask(
        database,
        sql`SELECT ${variables}, FIND_IN_SET('NO_BACKSLASH_ESCAPES', @@session.sql_mode) + FIND_IN_SET('PAD_CHAR_TO_FULL_LENGTH', @@session.sql_mode) + FIND_IN_SET('IGNORE_SPACE', @@session.sql_mode)`,
      );
      expect(row).toEqual(["+00:00", "utf8mb4", "utf8mb4", "0"]);
      const limit = engine === "mariadb" ? "max_statement_time * 1000" : "max_execution_time";
      expect(Number((await ask(database, sql`SELECT @@session.${raw(limit)}`))[0]?.[0])).toBe(60_000);
    });

    test("a statement that takes too long ends with a hint", async () => {
      await using hasty = await open(server.url, { statementTimeout: 200 });
      // Joined with itself, so that the server has something to do: SLEEP ends without an error.
      await server.run("create table busy (n int not null)");
      await server.run(`insert into busy values ${Array.from({ length: 200 }, (_, i) => `(${i})`).join(", ")}`);
      const error = await ask(
        hasty,
        sql`SELECT COUNT(DISTINCT SHA2(CONCAT(a.n, b.n, c.n, d.n), 256)) FROM busy a, busy b, busy c, busy d`,
      ).catch((e: unknown) => e);
      expect(error).toBeInstanceOf(StatementError);
      expect((error as StatementError).hint).toContain("statement timeout");
      expect(await ask(hasty, sql`SELECT 1`)).toEqual([["1"]]);
    });

    test("any text comes back as it was sent", async () => {
      const any = fc.oneof(
        fc.string({ unit: "grapheme" }),
        fc.string({ unit: "binary" }),
        fc.constantFrom("'", "\\", '"', "\\'", "';--", "\0", "?", "a\\"),
      );
      await fc.assert(
        fc.asyncProperty(any, any, async (a, b) => {
          expect(await ask(database, sql`SELECT ${value(a)}, '?', ${value(b)}`)).toEqual([[a, "?", b]]);
        }),
        { numRuns: 60 },
      );
    });

    test("a double prints as its shortest digits do", async () => {
      const info = await table("doubles", "id int primary key, d double not null, f float not null");
      const numbers = fc.sample(fc.double({ noNaN: true, noDefaultInfinity: true }), 300);
      const singles = fc.sample(fc.float({ noNaN: true, noDefaultInfinity: true }), 300);
      // FLT_MIN and below are lost by the server's own reader of singles.
      const kept = singles.map((n) => (Math.abs(n) < 1.2e-38 ? 0 : n));
      await server.run(
        `insert into doubles values ${numbers.map((n, i) => `(${i}, ${n.toExponential()}, ${(kept[i] ?? 0).toExponential()})`).join(", ")}`,
      );
      const order = sql`ORDER BY ${name("id")}`;
      expect(await texts(info, "d", { as: { as: "float", bits: 64 } }, order)).toEqual(
        numbers.map((n) => canonicalFloat(String(n), 64)),
      );
      expect(await texts(info, "f", { as: { as: "float", bits: 32 } }, order)).toEqual(
        kept.map((n) => canonicalFloat(String(n), 32)),
      );
    });

    test.each([
      "Europe/Prague",
      "America/New_York",
      "Asia/Kolkata",
      "Australia/Lord_Howe",
      "America/Sao_Paulo",
      "Africa/Casablanca",
      "Asia/Tehran",
      "Pacific/Apia",
      "Etc/GMT-2",
    ])("naive times of %s are brought to UTC without the server's zone tables", async (zone) => {
      const info = await table(`zone_${zone.replaceAll(/\W/g, "_")}`, "id int primary key, t datetime(6) not null");
      const at = (year: bigint): bigint => daysFromCivil(year, 1n, 1n) * 86_400_000_000n;
      const between = (from: bigint, to: bigint): fc.Arbitrary<bigint> =>
        fc.bigInt({ min: at(from), max: at(to) - 1n });
      const hours = fc.bigInt({ min: -3n * 3_600_000_000n, max: 3n * 3_600_000_000n });
      // Changes are what it is about; a random moment hardly ever meets one.
      const changes = [
        ...transitions(zone, 1880, 2110),
        ...transitions(zone, 2390, 2402),
        ...transitions(zone, 9980, 9990),
      ];
      const near = changes.flatMap((t) => fc.sample(hours, 4).map((off) => t.utcMicros + t.offsetAfter + off));
      const moments = [...fc.sample(between(1860n, 2040n), 100), ...fc.sample(between(2040n, 10_000n), 300), ...near];
      await server.run(
        `insert into ${info.name.name} values ${moments.map((m, i) => `(${i}, '${momentText(m)}')`).join(", ")}`,
      );
      const printed = await texts(
        info,
        "t",
        { as: { as: "instant", precision: 6 }, zone },
        sql`ORDER BY ${name("id")}`,
      );
      expect(printed).toEqual(moments.map((m) => momentText(toInstant(zone, m).later)));
    });

    test("the last moment of time and zero dates survive a zone", async () => {
      const info = await table(
        "ends",
        "id int primary key, t datetime(6)",
        "(1, '9999-12-31 23:59:59.999999'), (2, '0000-00-00'), (3, null), (4, '9999-12-31')",
      );
      expect(
        await texts(info, "t", { as: { as: "instant", precision: 6 }, zone: "America/New_York" }, raw("ORDER BY id")),
      ).toEqual(["10000-01-01 04:59:59.999999", "0000-00-00 00:00:00", null, "9999-12-31 05:00:00"]);
      expect(
        await texts(info, "t", { as: { as: "local", precision: 3 }, rounding: "round" }, raw("ORDER BY id LIMIT 2")),
      ).toEqual(["9999-12-31 23:59:59.999", "0000-00-00 00:00:00"]);
    });

    test("times beyond a day and below zero keep what they are", async () => {
      const info = await table(
        "clocks",
        "id int primary key, t time(6)",
        "(1, '838:59:58.5'), (2, '-838:59:58.5'), (3, '-00:00:00.0004'), (4, '-00:00:00.0006')",
      );
      const order = raw("ORDER BY id");
      expect(await texts(info, "t", { as: { as: "time", precision: 6, zoned: false } }, order)).toEqual([
        "838:59:58.5",
        "-838:59:58.5",
        "-00:00:00.0004",
        "-00:00:00.0006",
      ]);
      expect(await texts(info, "t", { as: { as: "time", precision: 3, zoned: false } }, order)).toEqual([
        "838:59:58.5",
        "-838:59:58.5",
        "00:00:00",
        "00:00:00",
      ]);
      expect(
        await texts(info, "t", { as: { as: "time", precision: 3, zoned: false }, rounding: "round" }, order),
      ).toEqual(["838:59:58.5", "-838:59:58.5", "00:00:00", "-00:00:00.001"]);
    });

    test("partial zero dates print as they are", async () => {
      const info = await table(
        "zeros",
        "id int primary key, d date",
        "(1, '0000-00-00'), (2, '2024-00-00'), (3, '2024-02-00')",
      );
      expect(await texts(info, "d", { as: { as: "date" } }, raw("ORDER BY id"))).toEqual([
        "0000-00-00",
        "2024-00-00",
        "2024-02-00",
      ]);
    });

    test("a row whose text the server will not make does not vanish from a digest", async () => {
      const info = await table("wide", "id int primary key, a longtext, b longtext, c longblob", "(1, 'x', 'y', 'z')");
      const [packet] = await server.rows("select @@max_allowed_packet");
      const half = Math.floor(Number(packet?.[0]) * 0.6);
      // Each alone is short enough; together they are not. Bytes are twice as long as hex.
      await server.run(
        `insert into wide values (2, repeat('a', ${half}), repeat('b', ${half}), null), (3, null, null, repeat('c', ${half}))`,
      );
      const { dialect } = database;
      const pieces = (["text", "text", "bytes"] as const).map((as, i) => {
        const column = bind(info, ["a", "b", "c"][i] ?? "", { as: { as } });
        return { text: dialect.text(column) ?? raw("NULL"), plain: isPlain({ as }), nullable: true };
      });
      const text = dialect.rowText(pieces);
      const made = await ask(
        database,
        sql`SELECT ${name("id")}, ${text} IS NULL FROM ${dialect.table(info)} ORDER BY 1`,
      );
      expect(made).toEqual([
        ["1", "0"],
        ["2", "1"],
        ["3", "1"],
      ]);
      const [row] = await ask(
        database,
        sql`SELECT ${dialect.digest(dialect.hash("sha256", text))} FROM ${dialect.table(info)}`,
      );
      expect(row?.[0]).toBe("3");
      // Two rows without a hash stand above every sum of real ones.
      expect(BigInt(row?.[1] ?? "0")).toBeGreaterThan(2n ** 96n);
      // By their own hashes they can be told.
      const hashed = pieces.map((piece) =>
        piece.plain ? piece : { ...piece, text: dialect.hashHex("sha256", piece.text), plain: true },
      );
      const wide = await ask(
        database,
        sql`SELECT ${dialect.rowText(hashed)} IS NULL FROM ${dialect.table(info)} ORDER BY ${name("id")}`,
      );
      expect(wide).toEqual([["0"], ["0"], ["1"]]);
    });

    test("collations neither merge nor hide keys", async () => {
      const info = await table(
        "ci",
        "k varchar(20) collate utf8mb4_general_ci not null, n int not null, index (k)",
        "('a', 1), ('A', 2), ('á', 3), ('a ', 4), ('b', 5)",
      );
      const column = bind(info, "k", { as: TEXT });
      const { dialect } = database;
      const found = async (condition: Sql): Promise<readonly (string | null)[]> =>
        (await ask(database, sql`SELECT ${name("n")} FROM ${dialect.table(info)} WHERE ${condition} ORDER BY 1`)).map(
          (r) => r[0] ?? null,
        );
      expect(await found(dialect.keyIn([column], [["a"]]))).toEqual(["1"]);
      expect(await found(dialect.keyIn([column], [["A"], ["a "], ["B"]]))).toEqual(["2", "4"]);
      expect(await found(dialect.keyBound([column], "<", ["a"]))).toEqual(["2"]);
      const grouped = await ask(
        database,
        sql`SELECT COUNT(*) FROM ${dialect.table(info)} GROUP BY ${dialect.text(column) ?? raw("1")}`,
      );
      expect(grouped).toEqual([["1"], ["1"], ["1"], ["1"], ["1"]]);
      expect(info.indexes.map((i) => i.byteOrder)).toEqual([false]);
    });

    test("control characters do not slip through a padding collation", async () => {
      const info = await table(
        "padding",
        "k varchar(10) character set utf8mb4 collate utf8mb4_bin not null, index (k)",
      );
      const letters = fc.constantFrom("a", "b", " ", "\t", "\u0001", "\u0000", "é", "😀");
      const keys = fc.array(letters, { maxLength: 4 }).map((units) => units.join(""));
      const column = bind(info, "k", { as: TEXT });
      const { dialect } = database;
      const write = (text: string): string =>
        text === "" ? "('')" : `(convert(x'${Buffer.from(text).toString("hex")}' using utf8mb4))`;
      await fc.assert(
        fc.asyncProperty(fc.uniqueArray(keys, { minLength: 5, maxLength: 40 }), keys, async (rows, bound) => {
          await server.run("delete from padding");
          await server.run(`insert into padding values ${rows.map(write).join(", ")}`);
          const got = (
            await texts(info, "k", { as: TEXT }, sql`WHERE ${dialect.keyBound([column], ">=", [bound])}`)
          ).toSorted(byBytes);
          expect(got).toEqual(rows.filter((row) => compareKeys([row], [bound], [TEXT]) >= 0).toSorted(byBytes));
          const before = (
            await texts(info, "k", { as: TEXT }, sql`WHERE ${dialect.keyBound([column], "<", [bound])}`)
          ).toSorted(byBytes);
          expect(before).toEqual(rows.filter((row) => compareKeys([row], [bound], [TEXT]) < 0).toSorted(byBytes));
        }),
        { numRuns: 40 },
      );
    });

    test("keys that a character set cannot hold are found nowhere and break nothing", async () => {
      const info = await table(
        "narrow",
        "k varchar(20) character set latin1 not null, a varchar(20) character set ascii not null, primary key (k)",
        "('é', 'a'), ('b', 'b')",
      );
      const { dialect } = database;
      const k = bind(info, "k", { as: TEXT });
      const found = await ask(
        database,
        sql`SELECT ${dialect.text(k) ?? raw("1")} FROM ${dialect.table(info)} WHERE ${dialect.keyIn([k], [["😀"], ["é"], ["€"]])}`,
      );
      expect(found).toEqual([["é"]]);
      const below = await ask(
        database,
        sql`SELECT COUNT(*) FROM ${dialect.table(info)} WHERE ${dialect.keyBound([k], "<", ["😀"])}`,
      );
      expect(below).toEqual([["2"]]);
    });

    test("the largest numbers are keys like others", async () => {
      const info = await table(
        "large",
        "u bigint unsigned not null, b bit(64) not null, y year not null, z int(8) zerofill not null, primary key (u)",
        "(18446744073709551615, b'1111111111111111111111111111111111111111111111111111111111111111', 2026, 42), (0, 0, 0, 7)",
      );
      const { dialect } = database;
      const u = bind(info, "u", { as: INTEGER });
      const order = raw("ORDER BY u");
      expect(await texts(info, "u", { as: INTEGER }, order)).toEqual(["0", "18446744073709551615"]);
      expect(await texts(info, "b", { as: INTEGER }, order)).toEqual(["0", "18446744073709551615"]);
      expect(await texts(info, "y", { as: INTEGER }, order)).toEqual(["0", "2026"]);
      expect(await texts(info, "z", { as: INTEGER }, order)).toEqual(["7", "42"]);
      expect(await texts(info, "z", { as: { as: "decimal", scale: 2 } }, order)).toEqual(["7.00", "42.00"]);
      for (const [bound, rows] of [
        ["18446744073709551615", "1"],
        ["18446744073709551616", "0"],
        ["-99999999999999999999", "2"],
        ["99999999999999999999", "0"],
      ] as const)
        expect(
          await ask(
            database,
            sql`SELECT COUNT(*) FROM ${dialect.table(info)} WHERE ${dialect.keyBound([u], ">=", [bound])}`,
          ),
        ).toEqual([[rows]]);
      expect(
        await ask(
          database,
          sql`SELECT COUNT(*) FROM ${dialect.table(info)} WHERE ${dialect.keyIn([u], [["18446744073709551616"], ["18446744073709551615"]])}`,
        ),
      ).toEqual([["1"]]);
    });

    test("bounds that no date of the server reaches hold all rows or none", async () => {
      const info = await table(
        "reach",
        "t datetime(6) not null primary key",
        "('1000-01-01'), ('9999-12-31 23:59:59.999999')",
      );
      const { dialect } = database;
      const t = bind(info, "t", { as: { as: "local", precision: 6 } });
      for (const [bound, beyond] of [
        ["-infinity", "2"],
        ["0044-03-15 00:00:00 BC", "2"],
        ["infinity", "0"],
        ["12026-06-01 00:00:00", "0"],
      ] as const) {
        expect(
          await ask(
            database,
            sql`SELECT COUNT(*) FROM ${dialect.table(info)} WHERE ${dialect.keyBound([t], ">=", [bound])}`,
          ),
        ).toEqual([[beyond]]);
        expect(
          await ask(
            database,
            sql`SELECT COUNT(*) FROM ${dialect.table(info)} WHERE ${dialect.keyBound([t], "<", [bound])}`,
          ),
        ).toEqual([[String(2 - Number(beyond))]]);
        expect(
          await ask(database, sql`SELECT COUNT(*) FROM ${dialect.table(info)} WHERE ${dialect.keyIn([t], [[bound]])}`),
        ).toEqual([["0"]]);
      }
    });

    test("uuids in text are found however they are spelled", async () => {
      const id = "3f2504e04f8911d39a0c0305e82c3301";
      const spelled = [
        "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
        "3F2504E0-4F89-11D3-9A0C-0305E82C3301",
        id,
        id.toUpperCase(),
        "3f25-04e0-4f89-11d3-9a0c-0305-e82c-3301",
      ];
      for (const [i, collation] of ["utf8mb4_general_ci", "utf8mb4_bin"].entries()) {
        const info = await table(
          `spelled${i}`,
          `k varchar(40) collate ${collation}, n int not null, index (k)`,
          `${spelled.map((s, n) => `('${s}', ${n})`).join(", ")}, ('no uuid', 9), ('3f2504e0-4f89-11d3-9a0c-0305e82c3302', 10)`,
        );
        const column = bind(info, "k", { as: { as: "uuid" } });
        const { dialect } = database;
        const found = await ask(
          database,
          sql`SELECT ${name("n")} FROM ${dialect.table(info)} WHERE ${dialect.keyIn([column], [[id]])} ORDER BY 1`,
        );
        expect(found.map((r) => r[0])).toEqual(["0", "1", "2", "3", "4"]);
      }
    });

    test("columns are described by what they hold", async () => {
      const info = await table(
        "kinds",
        `id bigint unsigned auto_increment primary key, t tinyint(1), b1 bit(1), b9 bit(9), s smallint unsigned, y year, d decimal(12,3), dd decimal(5), f float, g double,
         c char(5), v varchar(7) character set latin1, tt tinytext, lt longtext collate utf8mb4_bin, e enum('x','y'), st set('p','q'), bi binary(4), vb varbinary(9), bl blob,
         da date, ti time(2), dt datetime(3), ts timestamp(1) null, j json, p point, gen int generated always as (s + 1) stored, du int not null default 5`,
      );
      const kinds = Object.fromEntries(info.columns.map((c) => [c.name, c.kind]));
      expect(kinds).toMatchObject({
        id: { kind: "integer", min: 0n, max: 2n ** 64n - 1n },
        t: { kind: "boolean", small: true },
        b1: { kind: "boolean", small: true },
        b9: { kind: "integer", min: 0n, max: 511n },
        s: { kind: "integer", min: 0n, max: 65_535n },
        y: { kind: "integer" },
        d: { kind: "decimal", precision: 12, scale: 3 },
        dd: { kind: "decimal", precision: 5, scale: 0 },
        f: { kind: "float", bits: 32 },
        g: { kind: "float", bits: 64 },
        c: { kind: "text", length: 5, padded: true, bytes: null, characters: "all", binary: false },
        v: { kind: "text", length: 7, padded: false, characters: "latin1" },
        tt: { kind: "text", length: null, bytes: 255n },
        lt: { kind: "text", length: null, bytes: 4_294_967_295n, binary: false },
        e: { kind: "text", binary: false },
        st: { kind: "text" },
        bi: { kind: "bytes", length: 4n, padded: true },
        vb: { kind: "bytes", length: 9n, padded: false },
        bl: { kind: "bytes", length: 65_535n },
        da: { kind: "date" },
        ti: { kind: "time", precision: 2, signed: true, zoned: false },
        dt: { kind: "local", precision: 3 },
        ts: { kind: "instant", precision: 1 },
        j: { kind: "json", normalized: engine === "mysql" },
        p: { kind: "other", family: "mysql", type: "point" },
      });
      const column = (wanted: string): TableInfo["columns"][number] | undefined =>
        info.columns.find((c) => c.name === wanted);
      expect([
        column("id")?.hasDefault,
        column("du")?.hasDefault,
        column("gen")?.generated,
        column("s")?.hasDefault,
      ]).toEqual([true, true, true, false]);
      expect([info.keyOrder, info.relation]).toEqual([1, "table"]);
    });

    test("only indexes that serve are told, and what hangs on the table", async () => {
      await table("parent", "id int primary key, other int unique");
      const hidden =
        engine === "mysql" ? "index hidden (a) invisible, index computed ((a + 1))" : "index hidden (a) ignored";
      const info = await table(
        "child",
        `id int primary key, a int, b varchar(100), c varchar(20) collate ${engine === "mysql" ? "utf8mb4_0900_bin" : "utf8mb4_nopad_bin"}, index part (b(10)), index whole (b, a), unique key bytes (c), fulltext index words (b), ${hidden},
         constraint up foreign key (a) references parent (id)`,
      );
      await server.run(
        "create table grandchild (id int primary key, c int, constraint down foreign key (c) references child (id))",
      );
      await server.run("create trigger watch before insert on child for each row set new.a = new.a");
      const again = await database.describe({ schema: null, name: "child" });
      // A foreign key brings an index of its own.
      expect(
        info.indexes.filter((i) => i.name !== "up").map((i) => [i.name, i.columns, i.unique, i.byteOrder]),
      ).toEqual([
        ["PRIMARY", ["id"], true, true],
        ["bytes", ["c"], true, true],
        ["whole", ["b", "a"], false, false],
      ]);
      expect(again.triggers).toEqual(["watch"]);
      expect(again.foreignKeys).toEqual(["child.up", "grandchild.down"]);
    });

    test("a table that may not be read is told apart from one that is not there", async () => {
      await server.run("create table secret (id int); create table open_one (id int)");
      const user = `tm_${Date.now() % 100_000}`;
      const database_ = new URL(server.url).pathname.slice(1);
      await server.run(`create user ${user}@'%' identified by 'pass word'`);
      try {
        await server.run(`grant select on ${database_}.open_one to ${user}@'%'`);
        const url = new URL(server.url);
        url.username = user;
        url.password = "pass word";
        await using limited = await open(url.href);
        expect((await limited.describe({ schema: null, name: "open_one" })).name.name).toBe("open_one");
        const error = await limited.describe({ schema: null, name: "secret" }).catch((e: unknown) => e);
        expect(error).toBeInstanceOf(SchemaError);
        expect(`${(error as SchemaError).message} ${(error as SchemaError).hint}`).toMatch(
          /secret may not be read[^]*GRANT SELECT/,
        );
      } finally {
        await server.run(`drop user ${user}@'%'`);
      }
    });

    test("a missing database is told from a missing table", async () => {
      const error = await database.describe({ schema: "no_such_db", name: "t" }).catch((e: unknown) => e);
      expect(error).toBeInstanceOf(SchemaError);
      expect((error as SchemaError).message).toContain("no database no_such_db");
      await using nowhere = await open(serverUrl(engine).replace(/\/?$/, "/"));
      await expect(nowhere.describe({ schema: null, name: "t" })).rejects.toThrow(/names no database/);
    });

    const refusals: readonly (readonly [string, (url: URL) => void, RegExp])[] = [
      ["a wrong password", (url) => (url.password = "s3cret%2Fwrong"), /refused the user or the password/],
      ["an unknown database", (url) => (url.pathname = "/no_such_database"), /no such database/],
      ["a closed port", (url) => (url.port = "1"), /connection refused/],
      ["an unknown host", (url) => (url.hostname = "no-such-host.invalid"), /not known/],
      ["an unknown parameter", (url) => (url.search = "?sslmod=x"), /unknown parameter sslmod/],
      ["an unknown mode of encryption", (url) => (url.search = "?ssl-mode=maybe"), /ssl-mode maybe/],
    ];
    test.each(refusals)("%s is told as such, without the URL", async (_, change, says) => {
      const url = new URL(server.url);
      url.username = "root";
      url.password = "s3cret";
      change(url);
      // Root has no password here, so that any is wrong; where only the rest is wrong, none is given.
      if (!/password/.test(String(says))) url.password = "";
      const error = await open(url.href).catch((e: unknown) => e);
      expect(error).toBeInstanceOf(ConnectError);
      expect((error as ConnectError).message).toMatch(says);
      expect(`${(error as ConnectError).message} ${(error as ConnectError).hint}`).not.toContain("s3cret");
      expect((error as ConnectError).message).toContain("tested");
    });
  });
}
