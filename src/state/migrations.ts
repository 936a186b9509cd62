import { FileError } from "../domain/errors.ts";
import { join, raw, type Sql, sql, value } from "../sql/statement.ts";
import type { Transaction } from "./store.ts";

/** What databases call the same thing. */
export type Words = {
  /** A 64-bit integer. */
  readonly integer: Sql;
  /** A primary key that counts by itself. */
  readonly counter: Sql;
  /** Behind the columns of a table. */
  readonly end: Sql;
};

type Migration = (table: (name: string) => Sql, words: Words) => readonly Sql[];

/**
 * The schema's history: migration n brings version n to n + 1. Never change one that has been released; add another. Numbers that may
 * pass 64 bits (positions, row counts) are kept as text.
 */
export const MIGRATIONS: readonly Migration[] = [
  (table, { integer, counter, end }) => [
    sql`CREATE TABLE ${table("observations")} (check_name text NOT NULL, at ${integer} NOT NULL, position text, PRIMARY KEY (check_name, at))${end}`,
    sql`CREATE TABLE ${table("findings")} (
      check_name text NOT NULL, id text NOT NULL, code text NOT NULL, cause text, severity text NOT NULL, state text NOT NULL,
      row_count text, first_seen ${integer} NOT NULL, last_seen ${integer} NOT NULL, evidence text NOT NULL,
      PRIMARY KEY (check_name, id))${end}`,
    sql`CREATE TABLE ${table("audits")} (id ${counter}, started_at text NOT NULL, finished_at text NOT NULL, verdict text NOT NULL, checks text NOT NULL)${end}`,
  ],
  (table, { integer, end }) => [
    sql`CREATE TABLE ${table("repairs")} (id text PRIMARY KEY, check_name text NOT NULL, started_at ${integer} NOT NULL, updated_at ${integer} NOT NULL, status text NOT NULL, record text NOT NULL)${end}`,
    sql`CREATE INDEX repairs_check ON ${table("repairs")} (check_name, started_at)`,
  ],
  (table, { integer, end }) => [
    sql`CREATE TABLE ${table("told")} (
      alert text NOT NULL, check_name text NOT NULL, id text NOT NULL, code text NOT NULL, severity text NOT NULL, row_count text,
      since ${integer} NOT NULL, told_at ${integer}, PRIMARY KEY (alert, check_name, id))${end}`,
  ],
  (table, { end }) => [sql`CREATE TABLE ${table("secrets")} (name text PRIMARY KEY, value text NOT NULL)${end}`],
];

/** Brings the schema to `target` (this version's, but in tests), inside a transaction that no other process shares. A `FileError` where it is newer. */
export async function migrate(
  transaction: Transaction,
  table: (name: string) => Sql,
  words: Words,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  const versions = table("schema_version");
  await transaction.rows(
    sql`CREATE TABLE IF NOT EXISTS ${versions} (version ${words.integer} PRIMARY KEY)${words.end}`,
  );
  const at = await versionOf(transaction, table);
  refuseNewer(at, migrations.length);
  for (const [n, migration] of migrations.entries()) {
    if (n < at) continue;
    for (const statement of migration(table, words)) await transaction.rows(statement);
    await transaction.rows(sql`INSERT INTO ${versions} (version) VALUES (${value(String(n + 1))})`);
  }
}

/** The version of a schema whose version table is there; 0: nothing has been made yet. */
export async function versionOf(transaction: Transaction, table: (name: string) => Sql): Promise<number> {
  const [row] = await transaction.rows(join([raw("SELECT MAX(version) FROM"), table("schema_version")], " "));
  return Number(row?.[0] ?? 0);
}

/** A newer Tidemark may have changed what we would read wrongly, or write. */
export function refuseNewer(version: number, known = MIGRATIONS.length): void {
  if (version > known)
    throw new FileError(`the state was written by a newer Tidemark (schema ${version}; this one knows ${known})`, {
      hint: "use the newer version, or name another `state` in tidemark.yaml",
    });
}
