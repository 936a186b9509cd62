import { rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { ConnectError, InvariantError } from "../../domain/errors.ts";
import type { ServerFacts } from "../../sql/session.ts";
import { name, raw, render, sql } from "../../sql/statement.ts";
import { STAGE, type StageShape } from "../../sql/write-dialect.ts";
import { INSERTING, type Writer, STAGING } from "../../sql/writer.ts";
import type { ConnectOptions } from "../engine.ts";
import type { Stored } from "./canonical.ts";
import { quote, sqliteDialect } from "./dialect.ts";
import { explain, openSession } from "./sessions.ts";
import { imageOf, storedOf } from "./write-image.ts";
import { sqliteWrites } from "./write-dialect.ts";

/** A connection of its own that may write. It takes no notice of `options.signal`. */
export async function openWriter(options: ConnectOptions, path: string): Promise<Writer> {
  const { signal } = new AbortController();
  const settings = { ...options, access: "read-write" as const, signal, path, counted: (): void => {} };
  const session = openSession(settings);
  const { db } = session;
  db.function("tidemark_image", { deterministic: true, useBigIntArguments: true }, (x) =>
    x === null ? null : imageOf(x),
  );
  let version = "";
  try {
    const [row] = await session.rows({
      what: "version of the server",
      sql: sql`SELECT sqlite_version(), (SELECT COUNT(*) FROM sqlite_schema)`,
    });
    version = row?.[0] ?? "";
    // What is committed is on the disk, whatever happens to the machine.
    db.exec("PRAGMA synchronous = FULL");
  } catch (cause) {
    db.close();
    throw new ConnectError(options.connection, `${options.connection}: ${path} cannot be opened`, { cause });
  }
  const server: ServerFacts = {
    engine: "sqlite",
    family: "sqlite",
    version,
    hashes: ["sha256", "md5"],
    replica: false,
  };
  let shape: StageShape | null = null;
  let lock: { readonly db: DatabaseSync; readonly path: string } | null = null;
  const run = async (what: string, text: string): Promise<void> => {
    await session.rows({ what, sql: raw(text) });
  };
  return {
    connection: options.connection,
    server,
    dialect: sqliteDialect,
    write: sqliteWrites,
    broken: false,
    rows: (statement) => session.rows(statement),
    stream: (statement) => session.stream(statement),
    async facts() {
      return await Promise.resolve({
        lacking: [],
        alwaysGenerated: [],
        touched: [],
        notTransactional: null,
        cascades: [],
        readOnly: readOnlyReason(db),
        replicas: 0,
      });
    },
    async lock(name) {
      // The lock of another, empty database beside the file: it goes with the process that holds it, however that ends.
      const file = `${path}.${Buffer.from(name, "utf8").toString("hex").slice(0, 80)}.lock`;
      const other = new DatabaseSync(file, { timeout: 0 });
      try {
        other.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
      } catch {
        other.close();
        return await Promise.resolve(false);
      }
      lock = { db: other, path: file };
      return true;
    },
    begin: () => run("start of a batch", "BEGIN IMMEDIATE"),
    commit: () => run("commit of a batch", "COMMIT"),
    async rollback() {
      if (db.isTransaction) db.exec("ROLLBACK");
      await Promise.resolve();
    },
    async stage(wanted) {
      for (const statement of sqliteWrites.makeStage(wanted))
        await session.rows({ what: "staging table", sql: statement });
      shape = wanted;
    },
    async load(rows) {
      if (shape === null) throw new InvariantError("the stage is made before it is filled");
      const { key, columns, form } = shape;
      const keys = key.map((c) => storedOf(c, "image"));
      const values = columns.map((c) => storedOf(c, form));
      const places = [1, ...key, ...columns].map(() => raw("?"));
      const statement = { what: STAGING, sql: sql`INSERT INTO temp.${raw(STAGE)} VALUES (${places})` };
      await run(statement.what, `DELETE FROM temp.${STAGE}`);
      try {
        const insert = db.prepare(render(statement.sql, quote, () => "?").text);
        for (const row of rows)
          insert.run(
            row.operation,
            ...keys.map((of, i) => bound(row.key?.[i], of)),
            ...values.map((of, i) => bound(row.values[i], of)),
          );
      } catch (error) {
        throw explain(error, statement, settings);
      }
    },
    takesLines: false,
    async insert(passage, meanwhile) {
      if (shape === null || "lines" in passage)
        throw new InvariantError("the stage is made first, and lines are not taken");
      const { table, columns, form } = shape;
      const values = columns.map((c) => storedOf(c, form));
      const into = sql`INSERT INTO ${sqliteDialect.table(table)} (${columns.map((c) => name(c.name))}) VALUES (${columns.map(() => raw("?"))})`;
      const statement = { what: INSERTING, sql: into };
      // This process is what is busy: but a source that is a server can begin.
      meanwhile();
      try {
        const insert = db.prepare(render(into, quote, () => "?").text);
        for (const row of passage.rows) insert.run(...values.map((of, i) => bound(row[i], of)));
      } catch (error) {
        throw explain(error, statement, settings);
      }
      await Promise.resolve();
    },
    replicaLag: () => Promise.resolve(null),
    async [Symbol.asyncDispose]() {
      if (db.isTransaction) db.exec("ROLLBACK");
      db.close();
      if (lock !== null) {
        lock.db.close();
        rmSync(lock.path, { force: true });
      }
      await Promise.resolve();
    },
  };
}

function bound(text: string | null | undefined, of: (text: string) => Stored): Stored | null {
  return text === null || text === undefined ? null : of(text);
}

function readOnlyReason(db: DatabaseSync): string | null {
  try {
    db.exec("BEGIN IMMEDIATE; ROLLBACK");
    return null;
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    return error instanceof Error && /readonly/i.test(error.message) ? "the file is read-only" : null;
  }
}
