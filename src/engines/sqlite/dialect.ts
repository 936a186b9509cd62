import type { Dialect, TextPiece } from "../../sql/dialect.ts";
import { join, name, raw, type Sql, sql } from "../../sql/statement.ts";
import type { TextHash } from "../../sql/session.ts";
import { sqliteFacts } from "./facts.ts";
import { keyBound, keyIn, orderOf } from "./order.ts";
import { literal, textOf } from "./text.ts";
import { equalityOf } from "./write-dialect.ts";

/** What this engine says in its own way; most of it calls the functions of `functions.ts`. */
export const sqliteDialect: Dialect = {
  id: "sqlite",
  quote,
  // Anonymous: node:sqlite takes ?1 for a named parameter.
  placeholder: () => "?",
  table: ({ name: { schema, name: table } }) => (schema === null ? name(table) : sql`${name(schema)}.${name(table)}`),

  text: textOf,
  printed: (column) => sql`tidemark_printed(${name(column.name)})`,

  rowText: (pieces) => (pieces.length === 0 ? raw("''") : join(pieces.map(rowPiece), " || ")),
  hash: (algorithm, text) => sql`tidemark_hash(${word(algorithm)}, CAST(${text} AS BLOB))`,
  hashHex: (algorithm, text) => sql`tidemark_hex(${word(algorithm)}, CAST(${text} AS BLOB))`,
  typedHash: () => null,
  typedProbe: null,
  digest: (hash) => [sql`CAST(COUNT(*) AS TEXT)`, sql`tidemark_sum(${hash})`],
  // Negative numbers are in two's complement: the mask is the remainder from 0.
  bucket: (hash, modulus) => sql`((${hash}) & ${raw(String(modulus - 1))})`,

  value: (text, column) => orderOf(column).value(text),
  ordered: (column) => orderOf(column).expression,
  keyBound,
  keyIn,
  equality: equalityOf,

  characters: (column) => sql`LENGTH(${name(column.name)})`,
  countText: (expression) => sql`CAST(${expression} AS TEXT)`,
  page: (limit, offset) => raw(`LIMIT ${limit} OFFSET ${offset}`),

  facts: sqliteFacts,
};

/** `"name"`, quotes in it doubled. */
export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

function word(algorithm: TextHash): Sql {
  return literal(algorithm);
}

/** The length is counted in bytes of a blob: LENGTH of a text would stop at a NUL. */
function rowPiece({ text, plain, nullable }: TextPiece): Sql {
  const said = plain ? sql`${text} || ','` : sql`LENGTH(CAST(${text} AS BLOB)) || ':' || ${text}`;
  return nullable ? sql`CASE WHEN (${text}) IS NULL THEN 'N' ELSE ${said} END` : sql`(${said})`;
}
