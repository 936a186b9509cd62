import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { FileError, TidemarkError } from "../domain/errors.ts";
import { name, raw, render, sql } from "../sql/statement.ts";
import { migrate, MIGRATIONS, refuseNewer, versionOf, type Words } from "./migrations.ts";
import type { Store, Transaction } from "./store.ts";

const WORDS: Words = {
  integer: raw("INTEGER"),
  counter: raw("INTEGER PRIMARY KEY AUTOINCREMENT"),
  end: raw(" STRICT"),
};

/**
 * The state in a file, made with its folder where it is not there. WAL, so that readers and a writer do not wait for each other;
 * fully synchronous, so that what was written survives a cut of the power. Writers take their lock at once (BEGIN IMMEDIATE): a
 * reader that turns writer half-way may find that it cannot. One transaction at a time in this process.
 */
export async function openSqliteStore(url: string): Promise<Store> {
  const rest = url.slice(url.indexOf(":") + 1);
  const path = rest === ":memory:" ? rest : resolve(rest.startsWith("///") ? rest.slice(2) : rest);
  const db = open(path);
  let last: Promise<unknown> = Promise.resolve();
  const rows: Transaction["rows"] = async (statement) => {
    const { text, values } = render(statement, quote, () => "?");
    return (db.prepare(text).all(...values) as unknown as SQLOutputValue[][]).map((row) =>
      row.map((x) => (x === null ? null : String(x))),
    );
  };
  const store: Store = {
    table: name,
    transaction(access, _subject, work) {
      const next = last.then(async () => {
        try {
          db.exec(access === "write" ? "BEGIN IMMEDIATE" : "BEGIN");
          const result = await work({ rows });
          db.exec("COMMIT");
          return result;
        } catch (error) {
          if (db.isTransaction) db.exec("ROLLBACK");
          throw explain(error, path);
        }
      });
      last = next.catch(() => {});
      return next;
    },
    async [Symbol.asyncDispose]() {
      await last;
      if (db.isOpen) db.close();
    },
  };
  try {
    await prepare(store, db);
    return store;
  } catch (error) {
    db.close();
    throw explain(error, path);
  }
}

function open(path: string): DatabaseSync {
  try {
    if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true });
    return new DatabaseSync(path, { timeout: 5000, readBigInts: true, returnArrays: true });
  } catch (error) {
    throw explain(error, path);
  }
}

/** A store that is already as it should be costs no write: audits that start together do not queue. */
async function prepare(store: Store, db: DatabaseSync): Promise<void> {
  await whenFree(() => db.exec("PRAGMA journal_mode = WAL"));
  db.exec("PRAGMA synchronous = FULL");
  const version = await store.transaction("read", "schema", async (transaction) => {
    const [known] = await transaction.rows(sql`SELECT 1 FROM sqlite_schema WHERE name = 'schema_version'`);
    return known === undefined ? 0 : await versionOf(transaction, store.table);
  });
  refuseNewer(version);
  if (version === MIGRATIONS.length) return;
  await store.transaction("write", "schema", (transaction) => migrate(transaction, store.table, WORDS));
}

/** The change to WAL does not wait for its lock as statements do: with several processes at once, ask again. */
async function whenFree(ask: () => void): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      ask();
      return;
    } catch (error) {
      if (attempt === 200 || !isBusy(error)) throw error;
      await new Promise((done) => setTimeout(done, 25));
    }
  }
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof Error && "errcode" in error && typeof error.errcode === "number" && (error.errcode & 0xff) === 5
  );
}

function explain(error: unknown, path: string): unknown {
  if (error instanceof TidemarkError || !(error instanceof Error) || !("code" in error)) return error;
  return new FileError(`the state in ${path} cannot be used: ${error.message}`, {
    hint: isBusy(error)
      ? "another process holds it; try again"
      : "check the path and its permissions, or name another `state`",
    cause: error,
  });
}

function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}
