import type { BoundColumn, Dialect, TextPiece } from "../../sql/dialect.ts";
import type { TextHash } from "../../sql/session.ts";
import { join, name, raw, type Sql, sql } from "../../sql/statement.ts";
import { canonicalText } from "./canonical-text.ts";
import { postgresFacts } from "./facts.ts";
import { keyBound, keyIn, ordered, typedValue } from "./keys.ts";
import type { ServerTraits } from "./server-traits.ts";
import { TYPED_PROBE, typedHash } from "./typed-hash.ts";
import { equalityOf } from "./write-dialect.ts";

/** What PostgreSQL of this version and encoding says. */
export function postgresDialect(server: ServerTraits): Dialect {
  return {
    id: "postgres",
    quote: quoteIdentifier,
    placeholder: (n) => `$${n}`,
    table: (table) =>
      table.name.schema === null ? name(table.name.name) : sql`${name(table.name.schema)}.${name(table.name.name)}`,
    text: (column) => canonicalText(column, server),
    printed: (column) => sql`${name(column.name)}::text`,
    rowText: (pieces) => rowText(pieces, server),
    hash: (algorithm, text) => hash(algorithm, text, server),
    hashHex: (algorithm, text) => hashHex(algorithm, text, server),
    typedHash: (columns) => typedHash(columns, server),
    typedProbe: server.utf8 ? TYPED_PROBE : null,
    digest,
    bucket: (hash, modulus) => sql`(${hash} & ${raw(String(modulus - 1))})`,
    value: (text, column) => typedValue(text, column),
    ordered: (column: BoundColumn) => ordered(column),
    keyBound,
    keyIn,
    equality: equalityOf,
    characters: (column) => sql`char_length(${name(column.name)}::text)`,
    countText: (expression) => sql`(${expression})::text`,
    page: (limit, offset) => raw(`LIMIT ${limit} OFFSET ${offset}`),
    facts: postgresFacts,
  };
}

/** An identifier in double quotes, its own doubled. */
export function quoteIdentifier(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** concat() takes at most 100 arguments; with a column's three, thirty columns fit into one. */
const COLUMNS_OF_A_CONCAT = 30;

function rowText(pieces: readonly TextPiece[], server: ServerTraits): Sql {
  const groups: Sql[] = [];
  for (let i = 0; i < pieces.length; i += COLUMNS_OF_A_CONCAT) {
    const parts = pieces.slice(i, i + COLUMNS_OF_A_CONCAT).flatMap((piece) => pieceText(piece, server));
    groups.push(sql`concat(${parts})`);
  }
  const [only] = groups;
  if (only === undefined) return raw("''");
  return groups.length === 1 ? only : join(groups, " || ");
}

function pieceText({ text, plain, nullable }: TextPiece, server: ServerTraits): readonly Sql[] {
  if (plain) return nullable ? [sql`coalesce(${text} || ',', 'N')`] : [text, raw("','")];
  const length = byteLength(text, server);
  return nullable ? [sql`coalesce(${length} || ':' || ${text}, 'N')`] : [length, raw("':'"), text];
}

/** Bytes as UTF-8, whatever the database's own encoding. */
function byteLength(text: Sql, { utf8 }: ServerTraits): Sql {
  return utf8 ? sql`octet_length(${text})` : sql`octet_length(convert_to(${text}, 'UTF8'))`;
}

function hash(algorithm: TextHash, text: Sql, server: ServerTraits): Sql {
  // PostgreSQL 18 casts bytes to a number, big-endian; before, the way leads through a bit string.
  if (algorithm === "sha256" && server.version >= 180000)
    return sql`substring(sha256(convert_to(${text}, 'UTF8')) for 8)::bigint`;
  if (algorithm === "sha256")
    return sql`('x' || encode(substring(sha256(convert_to(${text}, 'UTF8')) for 8), 'hex'))::bit(64)::bigint`;
  return sql`('x' || substr(${hashHex("md5", text, server)}, 1, 16))::bit(64)::bigint`;
}

function hashHex(algorithm: TextHash, text: Sql, { utf8 }: ServerTraits): Sql {
  if (algorithm === "sha256") return sql`encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;
  return utf8 ? sql`md5(${text})` : sql`md5(convert_to(${text}, 'UTF8'))`;
}

/** The hash of a row is never NULL here: a text that is too long fails the statement. */
function digest(hash: Sql): readonly [Sql, Sql] {
  return [raw("count(*)::text"), sql`coalesce(sum(${hash}), 0)::text`];
}
