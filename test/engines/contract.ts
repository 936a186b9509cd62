import { readDigest } from "../../src/sql/digest.ts";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canonicalJson, canonicalOfPrinted, referenceRowText } from "../../src/compare/reference.ts";
import { unsigned64 } from "../../src/domain/digest.ts";
import { ConnectError, InterruptedError, SchemaError, StatementError } from "../../src/domain/errors.ts";
import { isPlain } from "../../src/domain/kind.ts";
import { compareBytes, compareKeys, type Key, keyIdentity } from "../../src/domain/key.ts";
import type { TableInfo } from "../../src/domain/table.ts";
import type { BoundColumn, TextPiece } from "../../src/sql/dialect.ts";
import type { Database, TextHash } from "../../src/sql/session.ts";
import { name, raw, type Sql, sql, value } from "../../src/sql/statement.ts";
import { describeEngine, freshDatabase, type TestDatabase, type TestEngine } from "../support/databases.ts";
import { open } from "../support/open.ts";
import { KEY_TABLES, keyLiteral } from "./key-tables.ts";
import { type Literal, literalOf, type Vector, VECTORS } from "./vectors.ts";

/** What the suite cannot say in the same way on every engine. */
export type ContractOptions = {
  /** SQL to run in a fresh database before the vectors' tables are made: types of their own. */
  readonly prepare?: string;
  /** An expression that takes a minute to compute, to be cancelled; null: the engine computes nothing that long. */
  readonly slow: string | null;
  /** Cuts every connection to the database but the test's own, as an administrator would; null: there are no connections. */
  readonly cut: ((database: TestDatabase) => Promise<void>) | null;
};

/** A column bound to what a vector (or a key) is compared as. */
export function bind(table: TableInfo, column: string, how: Pick<Vector, "as" | "zone" | "rounding">): BoundColumn {
  const info = table.columns.find((c) => c.name === column);
  if (info === undefined) throw new Error(`no column ${column}`);
  return { info, as: how.as, zone: how.zone ?? "UTC", rounding: how.rounding ?? "cut" };
}

/** The rows of one statement. */
export async function ask(database: Database, statement: Sql): Promise<readonly (readonly (string | null)[])[]> {
  return await database.use(async (session) => await session.rows({ what: "test", sql: statement }));
}

/** The reference's hash: the first 64 bits, big-endian, as 0 … 2^64 − 1. */
export function referenceHash(algorithm: TextHash, text: string): bigint {
  return createHash(algorithm).update(text, "utf8").digest().readBigUInt64BE(0);
}

/** What every engine must do. One call in the engine's own test file. */
export function contract(engine: TestEngine, options: ContractOptions): void {
  describeEngine(engine, "the contract of engines", () => {
    let server_: TestDatabase;
    let database: Database;
    beforeAll(async () => {
      server_ = await freshDatabase(engine);
      if (options.prepare !== undefined) await server_.run(options.prepare);
      database = await open(server_.url);
    });
    afterAll(async () => {
      await database?.[Symbol.asyncDispose]();
      await server_?.[Symbol.asyncDispose]();
    });
    const world = { db: () => database, server: () => server_ };
    textsOfVectors(engine, world);
    digestsOfRows(engine, world);
    keys(engine, world);
    descriptions(engine, world);
    sessions(engine, world, options);
  });
}

/** Whether this version of the server holds a literal at all. */
export function isHeld(database: Database, { since }: Literal): boolean {
  return since === undefined || Number.parseInt(database.server.version, 10) >= since;
}

type Reach = { readonly db: () => Database; readonly server: () => TestDatabase };

/** Columns of a vectors' table: few enough for every engine's row. */
const WIDTH = 25;

function textsOfVectors(engine: TestEngine, { db, server }: Reach): void {
  const held = VECTORS.flatMap((vector) => {
    const literal = literalOf(vector, engine);
    return literal === null ? [] : [{ vector, literal }];
  });
  const tables = Array.from({ length: Math.ceil(held.length / WIDTH) }, (_, n) => ({
    table: `vectors_${n}`,
    columns: held.slice(n * WIDTH, (n + 1) * WIDTH).map((each, i) => ({ ...each, column: `c${i}` })),
  }));

  describe("texts of values", () => {
    beforeAll(async () => {
      for (const { table, columns } of tables) {
        await server().run(`create table ${table} (${columns.map((c) => `${c.column} ${c.literal.type}`).join(", ")})`);
        await server().run(
          `insert into ${table} values (${columns.map((c) => (isHeld(db(), c.literal) ? c.literal.sql : "NULL")).join(", ")})`,
        );
      }
    });

    for (const { table, columns } of tables) {
      for (const { vector, literal, column } of columns)
        test(`prints ${vector.name}`, async ({ skip }) => {
          if (!isHeld(db(), literal)) skip(`only since version ${literal.since}`);
          const info = await db().describe({ schema: null, name: table });
          const bound = bind(info, column, vector);
          const text = db().dialect.text(bound);
          const [row] = await ask(
            db(),
            sql`SELECT ${text ?? db().dialect.printed(bound.info)} FROM ${db().dialect.table(info)}`,
          );
          const printed = row?.[0] ?? null;
          const canonical =
            printed === null
              ? null
              : vector.as.as === "json"
                ? canonicalJson(printed)
                : text === null
                  ? canonicalOfPrinted(printed, vector.as, {
                      kind: bound.info.kind,
                      zone: bound.zone,
                      rounding: bound.rounding,
                    })
                  : printed;
          expect(canonical).toBe(vector.text);
        });

      test(`makes one text and one hash of ${table}'s row, as the reference does`, async () => {
        const info = await db().describe({ schema: null, name: table });
        const { dialect } = db();
        const said = columns.flatMap(({ vector, literal, column }) => {
          const bound = bind(info, column, vector);
          const text = dialect.text(bound);
          const plain = isPlain(vector.as);
          return text === null || vector.as.as === "json"
            ? []
            : [
                {
                  piece: { text, plain, nullable: bound.info.nullable },
                  value: isHeld(db(), literal) ? vector.text : null,
                  plain,
                },
              ];
        });
        const reference = referenceRowText(said.map(({ value, plain }) => ({ text: value, plain })));
        const text = dialect.rowText(said.map(({ piece }) => piece));
        const [row] = await ask(db(), sql`SELECT ${text} FROM ${dialect.table(info)}`);
        expect(row?.[0]).toBe(reference);
        for (const algorithm of db().server.hashes) {
          const hashed = [dialect.countText(dialect.hash(algorithm, text)), dialect.hashHex(algorithm, text)];
          const [hashes] = await ask(db(), sql`SELECT ${hashed} FROM ${dialect.table(info)}`);
          expect(unsigned64(BigInt(hashes?.[0] ?? "0"))).toBe(referenceHash(algorithm, reference));
          expect(hashes?.[1]).toBe(createHash(algorithm).update(reference, "utf8").digest("hex"));
        }
      });
    }
  });
}

/** Rows that careless joining or counting would confuse. */
const TRAPS: readonly (readonly (string | null)[])[] = [
  ["x0", "y"],
  ["x", "0y"],
  ["a|b", "c"],
  ["a", "b|c"],
  ["a,b", "c"],
  ["a", "b,c"],
  [null, ""],
  ["", null],
  ["N", "N"],
  [null, null],
  ["", ""],
  [" ", ""],
  ["", " "],
  ["1:a", ""],
  ["é😀", "\\N"],
  ["é😀", "\\N"],
  ["a".repeat(900), null],
  ["b".repeat(900), null],
];

function digestsOfRows(engine: TestEngine, { db, server }: Reach): void {
  const TEXT_TYPE = engine === "postgres" || engine === "sqlite" ? "text" : "text character set utf8mb4";
  describe("digests", () => {
    let info: TableInfo;
    let pieces: readonly TextPiece[];
    const texts = TRAPS.map((row) => referenceRowText(row.map((text) => ({ text, plain: false }))));
    beforeAll(async () => {
      const literals = TRAPS.map(
        (row) => `(${row.map((text) => keyLiteral(engine, { as: "text" }, text)).join(", ")})`,
      );
      await server().run(`create table traps (a ${TEXT_TYPE}, b ${TEXT_TYPE})`);
      await server().run(`insert into traps values ${literals.join(", ")}`);
      info = await db().describe({ schema: null, name: "traps" });
      pieces = ["a", "b"].map((column) => {
        const text = db().dialect.text(bind(info, column, { as: { as: "text" } }));
        return { text: text ?? raw("NULL"), plain: false, nullable: true };
      });
    });

    test("different rows have different texts", async () => {
      const rows = await ask(db(), sql`SELECT ${db().dialect.rowText(pieces)} FROM ${db().dialect.table(info)}`);
      expect(rows.map(([text]) => text ?? "").toSorted(compareBytes)).toEqual(texts.toSorted(compareBytes));
      // Only the two equal rows share one.
      expect(new Set(rows.map(([text]) => text)).size).toBe(TRAPS.length - 1);
    });

    test("a digest is the number of rows and the exact sum of their hashes", async () => {
      for (const algorithm of db().server.hashes) {
        const { dialect } = db();
        const hash = dialect.hash(algorithm, dialect.rowText(pieces));
        const sum = texts.reduce((total, text) => unsigned64(total + referenceHash(algorithm, text)), 0n);
        const inline = sql`SELECT ${dialect.digest(hash)} FROM ${dialect.table(info)}`;
        const named = sql`SELECT ${dialect.digest(name("h"))} FROM (SELECT ${hash} AS ${name("h")} FROM ${dialect.table(info)}) AS ${name("t")}`;
        for (const statement of [inline, named]) {
          const [row] = await ask(db(), statement);
          const rows = BigInt(TRAPS.length);
          expect(readDigest(row?.[0], row?.[1])).toEqual({ rows, hashed: rows, sum });
        }
      }
    });

    test("a digest of no rows is zero", async () => {
      const { dialect } = db();
      const [algorithm = "sha256"] = db().server.hashes;
      const hash = dialect.hash(algorithm, dialect.rowText(pieces));
      const [row] = await ask(db(), sql`SELECT ${dialect.digest(hash)} FROM ${dialect.table(info)} WHERE 1 = 0`);
      expect(readDigest(row?.[0], row?.[1])).toEqual({ rows: 0n, hashed: 0n, sum: 0n });
    });

    test("buckets part all rows by their hash", async () => {
      const { dialect } = db();
      const [algorithm = "sha256"] = db().server.hashes;
      const hash = dialect.hash(algorithm, dialect.rowText(pieces));
      const rows = await ask(
        db(),
        sql`SELECT ${dialect.countText(hash)}, ${dialect.countText(dialect.bucket(hash, 16))} FROM ${dialect.table(info)}`,
      );
      expect(rows.length).toBe(TRAPS.length);
      for (const [h, bucket] of rows) expect(BigInt(bucket ?? "-1")).toBe(BigInt.asUintN(4, BigInt(h ?? "0")));
    });

    test("a typed hash tells different rows apart, and equal ones not", async () => {
      const { dialect } = db();
      const hash = dialect.typedHash(["a", "b"].map((column) => bind(info, column, { as: { as: "text" } })));
      if (hash === null) {
        expect(dialect.typedProbe).toBeNull();
        return;
      }
      const rows = await ask(db(), sql`SELECT ${dialect.countText(hash)} FROM ${dialect.table(info)}`);
      expect(new Set(rows.map(([h]) => h)).size).toBe(TRAPS.length - 1);
    });
  });
}

function keys(engine: TestEngine, { db, server }: Reach): void {
  describe("keys", () => {
    for (const keyTable of KEY_TABLES) {
      const types = keyTable.types[engine];
      if (types === undefined) continue;
      const kinds = keyTable.kinds;
      const columns = types.map((_, i) => `k${i}`);
      const table = `keys_${keyTable.name.replaceAll(/\W+/g, "_")}`;
      const select = async (info: TableInfo, rest: (bound: readonly BoundColumn[]) => Sql): Promise<readonly Key[]> => {
        const bound = columns.map((column, i) => bind(info, column, { as: kinds[i] ?? { as: "other" } }));
        const { dialect } = db();
        const texts = bound.map((column) => dialect.text(column) ?? dialect.printed(column.info));
        const rows = await ask(db(), sql`SELECT ${texts} FROM ${dialect.table(info)} ${rest(bound)}`);
        return rows.map((row) =>
          row.map((text, i) => {
            const column = bound[i];
            if (text === null || column === undefined || dialect.text(column) !== null) return text;
            return canonicalOfPrinted(text, column.as, { kind: column.info.kind, zone: "UTC", rounding: "cut" });
          }),
        );
      };
      const identities = (found: readonly Key[]): readonly string[] => found.map(keyIdentity).toSorted();

      test(`ranges, lists and order of ${keyTable.name}`, async () => {
        await server().run(`create table ${table} (${columns.map((c, i) => `${c} ${types[i]} not null`).join(", ")})`);
        await server().run(`create index ${table}_key on ${table} (${columns.join(", ")})`);
        const info = await db().describe({ schema: null, name: table });
        const key = fc.tuple(...kinds.map((_, i) => keyTable.values[i] ?? fc.constant("")));
        const property = fc.asyncProperty(
          fc.uniqueArray(key, { selector: keyIdentity, minLength: 1, maxLength: 30 }),
          fc.array(key, { maxLength: 4 }),
          async (rows, strangers) => {
            const literals = rows.map(
              (row) => `(${row.map((text, i) => keyLiteral(engine, kinds[i] ?? { as: "other" }, text)).join(", ")})`,
            );
            await server().run(`delete from ${table}`);
            await server().run(`insert into ${table} values ${literals.join(", ")}`);
            const bounds = [...rows.slice(0, 4), ...strangers];
            for (const bound of bounds) {
              const beyond = await select(info, (c) => sql`WHERE ${db().dialect.keyBound(c, ">=", bound)}`);
              const before = await select(info, (c) => sql`WHERE ${db().dialect.keyBound(c, "<", bound)}`);
              expect(identities(beyond)).toEqual(identities(rows.filter((row) => compareKeys(row, bound, kinds) >= 0)));
              expect(identities(before)).toEqual(identities(rows.filter((row) => compareKeys(row, bound, kinds) < 0)));
            }
            const wanted = new Set(bounds.map(keyIdentity));
            const listed = await select(info, (c) => sql`WHERE ${db().dialect.keyIn(c, bounds)}`);
            expect(identities(listed)).toEqual(identities(rows.filter((row) => wanted.has(keyIdentity(row)))));
            const inOrder = await select(info, (c) => sql`ORDER BY ${c.map((each) => db().dialect.ordered(each))}`);
            expect(inOrder).toEqual(rows.toSorted((a, b) => compareKeys(a, b, kinds)));
            const paged = await select(
              info,
              (c) => sql`ORDER BY ${c.map((each) => db().dialect.ordered(each))} ${db().dialect.page(2, 1n)}`,
            );
            expect(paged).toEqual(inOrder.slice(1, 3));
          },
        );
        await fc.assert(property, { numRuns: 12 });
      });
    }

    test("no key is in an empty list", async () => {
      await server().run("create table listed (id integer not null)");
      await server().run("insert into listed values (1)");
      const info = await db().describe({ schema: null, name: "listed" });
      const bound = [bind(info, "id", { as: { as: "integer" } })];
      expect(
        await ask(db(), sql`SELECT 1 FROM ${db().dialect.table(info)} WHERE ${db().dialect.keyIn(bound, [])}`),
      ).toEqual([]);
    });
  });
}

const ODD_NAMES = ["Mixed Case", "with.dots", "sin'gle", 'dou"ble', "tick`s", "naïve 表 😀", "select", "semi;colon--"];

function descriptions(engine: TestEngine, { db, server }: Reach): void {
  const mysqlLike = engine === "mysql" || engine === "mariadb";
  const quote = (text: string): string =>
    mysqlLike ? `\`${text.replaceAll("`", "``")}\`` : `"${text.replaceAll('"', '""')}"`;
  // MySQL's names hold no characters beyond the BMP.
  const names = mysqlLike ? ODD_NAMES.map((n) => n.replace(" 😀", "")) : ODD_NAMES;

  describe("descriptions", () => {
    test.each(names)("finds and reads a table named %s", async (odd) => {
      await server().run(
        `create table ${quote(odd)} (${quote(`${odd} id`)} integer not null primary key, ${quote(odd)} varchar(20))`,
      );
      await server().run(`insert into ${quote(odd)} values (1, 'here')`);
      const info = await db().describe({ schema: null, name: odd });
      expect(info.name.name).toBe(odd);
      expect(info.relation).toBe("table");
      expect(info.columns.map((c) => c.name)).toEqual([`${odd} id`, odd]);
      expect(info.primaryKey).toEqual([`${odd} id`]);
      const bound = bind(info, odd, { as: { as: "text" } });
      const text = db().dialect.text(bound) ?? raw("NULL");
      const id = bind(info, `${odd} id`, { as: { as: "integer" } });
      const found = await ask(
        db(),
        sql`SELECT ${text} FROM ${db().dialect.table(info)} WHERE ${db().dialect.keyIn([id], [["1"]])}`,
      );
      expect(found).toEqual([["here"]]);
    });

    test("says of columns and indexes what the server knows", async () => {
      await server().run(
        "create table described (a integer not null, b varchar(20), c decimal(12,2) default 1 not null, primary key (a))",
      );
      await server().run("create unique index described_b_c on described (b, c)");
      const info = await db().describe({ schema: null, name: "described" });
      expect(info.columns.map((c) => [c.name, c.kind.kind, c.nullable, c.hasDefault, c.generated, c.ordinal])).toEqual([
        ["a", "integer", false, false, false, 1],
        ["b", "text", true, false, false, 2],
        ["c", "decimal", false, true, false, 3],
      ]);
      expect(info.primaryKey).toEqual(["a"]);
      expect(info.indexes.find((i) => i.primary)?.columns).toEqual(["a"]);
      const second = info.indexes.find((i) => i.name === "described_b_c");
      expect([second?.columns, second?.unique, second?.primary]).toEqual([["b", "c"], true, false]);
    });

    test("reads a view", async () => {
      await server().run("create table viewed (id integer not null primary key)");
      await server().run("create view a_view as select id, id + 1 as next from viewed");
      const info = await db().describe({ schema: null, name: "a_view" });
      expect(info.relation).toBe("view");
      expect(info.columns.map((c) => c.name)).toEqual(["id", "next"]);
      expect(info.primaryKey).toEqual([]);
    });

    test("names the nearest table where there is none", async () => {
      await server().run("create table customers (id integer)");
      const failed = await db()
        .describe({ schema: null, name: "custmers" })
        .catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(SchemaError);
      expect(`${(failed as SchemaError).message} ${(failed as SchemaError).hint}`).toMatch(/custmers[^]*customers/);
    });
  });
}

function sessions(engine: TestEngine, { db, server }: Reach, options: ContractOptions): void {
  describe("sessions", () => {
    const DIGITS = 10;
    beforeAll(async () => {
      await server().run("create table digits (d integer not null)");
      await server().run(`insert into digits values ${Array.from({ length: DIGITS }, (_, d) => `(${d})`).join(", ")}`);
      await server().run("create table many (id integer not null primary key, t varchar(40))");
      await server().run(
        "insert into many select a.d + 10 * b.d + 100 * c.d + 1000 * e.d, 'row' from digits a, digits b, digits c, digits e",
      );
    });

    const all = sql`SELECT ${name("id")}, ${name("t")} FROM ${name("many")} WHERE ${name("t")} = ${value("row")} ORDER BY ${name("id")}`;

    test("streams every row in order, in batches", async () => {
      const ids = await db().use(async (session) => {
        const found: number[] = [];
        for await (const rows of session.stream({ what: "test", sql: all }))
          for (const [id, text] of rows) if (text === "row") found.push(Number(id));
        return found;
      });
      expect(ids).toEqual(Array.from({ length: 10_000 }, (_, i) => i));
    });

    test("streams what texts would break lines and fields with", async () => {
      const odd = "a\tb\nc\\d\re\\N \\x41 \u0008\u000b\u000c é😀";
      const literal = keyLiteral(engine, { as: "text" }, odd);
      const rows = await db().use(async (session) => {
        const found = [];
        for await (const batch of session.stream({ what: "test", sql: sql`SELECT ${raw(literal)}, NULL, ''` }))
          found.push(...batch);
        return found;
      });
      expect(rows).toEqual([[odd, null, ""]]);
    });

    test("serves the next statement after a stream that was left early", async () => {
      const next = await db().use(async (session) => {
        for await (const rows of session.stream({ what: "test", sql: all })) if (rows.length > 0) break;
        return await session.rows({ what: "test", sql: sql`SELECT count(*) FROM ${name("digits")}` });
      });
      expect(next).toEqual([[String(DIGITS)]]);
    });

    test("a failed statement names its purpose and keeps values to itself", async () => {
      const wrong = db().use(
        async (s) =>
          await s.rows({
            what: "a wrong question",
            sql: sql`SELECT ${name("nothing")} FROM ${name("many")} WHERE ${name("t")} = ${value("s3cret")}`,
          }),
      );
      const error = await wrong.catch((e: unknown) => e);
      expect(error).toBeInstanceOf(StatementError);
      expect((error as StatementError).statement).toBe("a wrong question");
      expect((error as StatementError).retryable).toBe(false);
      expect(`${(error as StatementError).message} ${(error as StatementError).sql}`).not.toContain("s3cret");
    });

    test("the server refuses to write in a read-only session", async () => {
      const writing = db().use(
        async (s) => await s.rows({ what: "test", sql: sql`INSERT INTO ${name("digits")} VALUES (11)` }),
      );
      await expect(writing).rejects.toBeInstanceOf(StatementError);
      expect(await server().rows("select count(*) from digits")).toEqual([[String(DIGITS)]]);
    });

    test("writes in a read-write session", async () => {
      await using writer = await open(server().url, { access: "read-write" });
      await writer.use(
        async (s) => await s.rows({ what: "test", sql: sql`INSERT INTO ${name("digits")} VALUES (11)` }),
      );
      await writer.use(
        async (s) => await s.rows({ what: "test", sql: sql`DELETE FROM ${name("digits")} WHERE ${name("d")} = 11` }),
      );
      expect(await server().rows("select count(*) from digits")).toEqual([[String(DIGITS)]]);
      expect(writer.statements).toBe(2);
    });

    test("all sessions of a snapshot see one moment", async () => {
      await server().run("create table moving (id integer not null)");
      await using snapshot = await db().snapshot(3);
      const count = async (): Promise<string | null> =>
        await snapshot.use(
          async (s) =>
            (await s.rows({ what: "test", sql: sql`SELECT count(*) FROM ${name("moving")}` }))[0]?.[0] ?? null,
        );
      expect(await count()).toBe("0");
      if (engine !== "sqlite") await server().run("insert into moving values (1)");
      expect(await count()).toBe("0");
      if (engine === "postgres") expect(await Promise.all([count(), count(), count()])).toEqual(["0", "0", "0"]);
    });

    test("two snapshots over few connections do not block each other", async () => {
      await using few = await open(server().url, { maxConnections: 2 });
      await using first = await few.snapshot(4);
      await using second = await few.snapshot(4);
      const one = async (snapshot: typeof first): Promise<number> =>
        await snapshot.use(async (s) => (await s.rows({ what: "test", sql: sql`SELECT 1` })).length);
      expect(await Promise.all([one(first), one(second), one(first), one(second)])).toEqual([1, 1, 1, 1]);
    });

    test("a snapshot goes on after a failed statement", async () => {
      await using snapshot = await db().snapshot(1);
      const wrong = snapshot.use(async (s) => await s.rows({ what: "test", sql: sql`SELECT ${name("nothing")}` }));
      await expect(wrong).rejects.toBeInstanceOf(StatementError);
      expect(await snapshot.use(async (s) => (await s.rows({ what: "test", sql: sql`SELECT 1` })).length)).toBe(1);
    });

    const { slow, cut } = options;
    if (slow !== null) {
      test("an abort ends a running statement, a waiting one and every later one", async () => {
        const abort = new AbortController();
        await using aborted = await open(server().url, { signal: abort.signal, maxConnections: 1 });
        const running = aborted.use(async (s) => {
          const statement = s.rows({ what: "test", sql: sql`SELECT ${raw(slow)}` });
          abort.abort();
          return await statement;
        });
        const waiting = aborted.use(async (s) => await s.rows({ what: "test", sql: sql`SELECT 1` }));
        for (const ended of await Promise.allSettled([running, waiting]))
          expect(ended.status === "rejected" && ended.reason).toBeInstanceOf(InterruptedError);
        await expect(aborted.use(async () => 1)).rejects.toBeInstanceOf(InterruptedError);
      });
    }
    if (cut !== null)
      test("a cut connection is an error of its statement, and the next one opens another", async () => {
        await using fragile = await open(server().url, { maxConnections: 1 });
        const error = await fragile
          .use(async (s) => {
            await cut(server());
            return await s.rows({ what: "test", sql: sql`SELECT 1` });
          })
          .catch((e: unknown) => e);
        expect(error).toBeInstanceOf(StatementError);
        expect((error as StatementError).retryable).toBe(true);
        expect((await ask(fragile, sql`SELECT 1`)).length).toBe(1);
      });

    test("a server that cannot be reached is named without its URL", async () => {
      const url = engine === "sqlite" ? "sqlite:/nowhere/at/all.db" : `${engine}://somebody:hunter2@127.0.0.1:1/absent`;
      const error = await open(url).catch((e: unknown) => e);
      expect(error).toBeInstanceOf(ConnectError);
      expect((error as ConnectError).connection).toBe("tested");
      expect((error as ConnectError).hint).not.toBeNull();
      expect(`${(error as Error).message} ${(error as ConnectError).hint}`).not.toMatch(/hunter2|:\/\//);
    });
  });
}
