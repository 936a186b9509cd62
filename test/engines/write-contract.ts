import { afterAll, beforeAll, expect, test } from "vitest";
import { must } from "../../src/domain/errors.ts";
import type { ColumnInfo, TableInfo } from "../../src/domain/table.ts";
import { columnNamed } from "../../src/domain/table.ts";
import { engineFor } from "../../src/engines/index.ts";
import type { BoundColumn } from "../../src/sql/dialect.ts";
import { raw, type Sql, sql } from "../../src/sql/statement.ts";
import { targetText } from "../../src/sql/target-text.ts";
import type { WriteForm } from "../../src/sql/write-dialect.ts";
import type { Writer } from "../../src/sql/writer.ts";
import { describeEngine, freshDatabase, type TestDatabase, type TestEngine } from "../support/databases.ts";
import { openWriter } from "../flows/repair/repair-world.ts";
import { bind, isHeld } from "./contract.ts";
import { literalOf, type Vector, VECTORS } from "./vectors.ts";

/** Columns of one table: some servers' rows are short. */
const COLUMNS = 8;

/**
 * What every engine's writing side must keep: a value staged as its image is the same value, a value staged as the canonical text of its
 * kind has that text, and nothing is written where any unique key is taken.
 */
export function writeContract(engine: TestEngine, prepare = ""): void {
  describeEngine(engine, "the contract of writing", () => {
    let database: TestDatabase;
    let writer: Writer;
    beforeAll(async () => {
      database = await freshDatabase(engine);
      if (prepare !== "") await database.run(prepare);
      writer = await openWriter(database.url, "tested");
    });
    afterAll(async () => {
      await writer[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    });

    const describe = async (table: string): Promise<TableInfo> => {
      const known = must(engineFor(database.url.slice(0, database.url.indexOf(":"))), "an engine answers");
      await using opened = await known.connect({
        connection: "tested",
        url: database.url,
        maxConnections: 1,
        statementTimeout: null,
        connectTimeout: 10_000,
        applicationName: "tidemark-test",
        access: "read-only",
        signal: new AbortController().signal,
      });
      return await opened.describe({ schema: null, name: table });
    };
    const row = async (table: TableInfo, id: number, columns: readonly Sql[]): Promise<readonly (string | null)[]> => {
      const rows = await writer.rows({
        what: "test",
        sql: sql`SELECT ${columns} FROM ${writer.dialect.table(table)} WHERE id = ${raw(String(id))}`,
      });
      return must(rows[0], "the row is there");
    };
    const write = async (
      table: TableInfo,
      columns: readonly ColumnInfo[],
      form: WriteForm,
      values: readonly (string | null)[],
    ): Promise<void> => {
      const id = must(columnNamed(table, "id"), "id is there");
      const shape = { table, key: [id], columns: [id, ...columns], form };
      await writer.stage(shape);
      await writer.begin();
      try {
        await writer.load([{ operation: "insert", key: null, values }]);
        await writer.rows({ what: "test", sql: writer.write.insertStaged(shape, { alwaysGenerated: [] }) });
        await writer.commit();
      } catch (error) {
        await writer.rollback();
        throw error;
      }
    };

    const usable = VECTORS.flatMap((vector) => {
      const literal = literalOf(vector, engine);
      return literal === null ? [] : [{ vector, literal }];
    });
    const groups = Array.from({ length: Math.ceil(usable.length / COLUMNS) }, (_, i) =>
      usable.slice(i * COLUMNS, (i + 1) * COLUMNS),
    );

    test.for(groups.map((group, i) => [i, group.map(({ vector }) => vector.name).join(", "), group] as const))(
      "group %i: %s",
      async ([n, , group]) => {
        const held = group.filter(({ literal }) =>
          isHeld({ server: writer.server } as Parameters<typeof isHeld>[0], literal),
        );
        if (held.length === 0) return;
        await database.run(
          `create table w${n} (id integer primary key, ${held.map(({ literal }, i) => `c${i} ${literal.type}`).join(", ")})`,
        );
        await database.run(`insert into w${n} values (1, ${held.map(({ literal }) => literal.sql).join(", ")})`);
        const table = await describe(`w${n}`);
        const columns = held.map((_, i) => must(columnNamed(table, `c${i}`), "the column is there"));
        const bound = held.map(({ vector }, i): BoundColumn => bind(table, `c${i}`, vector));
        const image = writer.write;
        const texts = bound.map((b) => writer.dialect.text(b) ?? writer.dialect.printed(b.info));
        const images = columns.map((c) => image.image(c));

        const original = await row(table, 1, images);
        const originalTexts = await row(table, 1, texts);
        // SQLite's own images say the storage class.
        await write(table, columns, "image", [engine === "sqlite" ? "i2" : "2", ...original]);
        expect(await row(table, 2, images)).toEqual(original);
        expect(await row(table, 2, texts)).toEqual(originalTexts);

        const said = held.map(({ vector }, i) => canonical(vector, columns[i], originalTexts[i] ?? null));
        await write(table, columns, "text", ["3", ...said]);
        expect(await row(table, 3, texts)).toEqual(originalTexts);
      },
    );

    test("a taken key of any unique index fails the insert as an error of data, and leaves every row as it was", async () => {
      await database.run(
        "create table u (id integer primary key, c0 integer unique); insert into u values (1, 10), (2, 20)",
      );
      const table = await describe("u");
      const column = must(columnNamed(table, "c0"), "the column is there");
      for (const values of [
        ["1", "30"],
        ["3", "20"],
      ]) {
        const error: unknown = await write(table, [column], "text", values).catch((e: unknown) => e);
        expect(writer.write.classify(error as Parameters<typeof writer.write.classify>[0])).toBe("data");
      }
      expect(await database.rows("select id, c0 from u order by id")).toEqual([
        ["1", "10"],
        ["2", "20"],
      ]);
    });

    test("a lock is one writer's until that is closed, and is nobody else's business under another name", async () => {
      const other = await openWriter(database.url, "tested");
      expect(await other.lock("a")).toBe(true);
      expect(await writer.lock("a")).toBe(false);
      expect(await writer.lock("b")).toBe(true);
      await other[Symbol.asyncDispose]();
    });
  });
}

/** What a source's text would come to in this column; the engine's own text where the vector's says no more (json, other). */
function canonical(vector: Vector, info: ColumnInfo | undefined, own: string | null): string | null {
  const text = vector.as.as === "json" || vector.as.as === "other" ? own : vector.text;
  return text === null || info === undefined ? null : targetText(text, vector.as, info, vector.zone ?? "UTC");
}
