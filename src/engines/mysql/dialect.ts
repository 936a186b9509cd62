import type { TableInfo } from "../../domain/table.ts";
import type { Dialect, TextPiece } from "../../sql/dialect.ts";
import { NO_HASH } from "../../sql/digest.ts";
import type { TextHash } from "../../sql/session.ts";
import { name, raw, type Sql, sql } from "../../sql/statement.ts";
import { mysqlFacts } from "./facts.ts";
import type { DoublePrint } from "./float-text.ts";
import { keyBound, keyIn, orderedColumn } from "./keys.ts";
import { absenceOf, type ColumnText, type Exactness, printed, textOf } from "./text.ts";
import { valueOf } from "./value.ts";
import { equalityOf } from "./write-dialect.ts";

/** What the dialect depends on. */
export type DialectTraits = {
  readonly id: string;
  /** How texts are compared by bytes. */
  readonly exact: Exactness;
  readonly printDouble: DoublePrint;
};

/** What MySQL and MariaDB say differently from other engines. */
export function mysqlDialect({ id, exact, printDouble }: DialectTraits): Dialect {
  return {
    id,
    quote: quoteName,
    placeholder: () => "?",
    table: tableName,
    text: (column) => textOf(column, exact, printDouble),
    printed: (column) => printed(column, exact, printDouble),
    rowText,
    hash: (algorithm, text) => sql`CAST(CONV(LEFT(${hashHex(algorithm, text)}, 16), 16, 10) AS UNSIGNED)`,
    hashHex,
    typedHash: () => null,
    typedProbe: null,
    digest: (hash) => [raw("COUNT(*)"), sql`COALESCE(SUM(COALESCE(${hash}, ${raw(String(NO_HASH))})), 0)`],
    bucket: (hash, modulus) => sql`(${hash} & ${raw(String(modulus - 1))})`,
    value: valueOf,
    ordered: (column) => orderedColumn(column, exact),
    keyBound: (columns, operator, key) => keyBound(columns, operator, key, exact),
    keyIn: (columns, keys) => keyIn(columns, keys, exact),
    equality: equalityOf,
    characters: (column) => sql`CHAR_LENGTH(${name(column.name)})`,
    countText: (expression) => sql`CAST(${expression} AS CHAR)`,
    page: (limit, offset) => raw(`LIMIT ${limit} OFFSET ${offset}`),
    facts: mysqlFacts,
  };
}

/** An identifier in backticks. */
export function quoteName(identifier: string): string {
  return `\`${identifier.replaceAll("`", "``")}\``;
}

function tableName({ name: { schema, name: table } }: TableInfo): Sql {
  return schema === null ? name(table) : sql`${name(schema)}.${name(table)}`;
}

/**
 * A text longer than `max_allowed_packet` makes CONCAT and HEX give NULL. Then the whole row text must be NULL, and not hold the
 * sign of a NULL column: so that is asked of the column itself.
 */
function rowText(pieces: readonly TextPiece[]): Sql {
  if (pieces.length === 0) return raw("''");
  const written = pieces.flatMap(({ text, plain, nullable }) => {
    const parts = plain ? [text, raw("','")] : [sql`LENGTH(${text})`, raw("':'"), text];
    return nullable ? [sql`IF(${absenceOf(text)}, 'N', CONCAT(${parts}))`] : parts;
  });
  return sql`CONCAT(${written})`;
}

function hashHex(algorithm: TextHash, text: Sql): Sql {
  const { parts } = algorithm === "sha256" ? sql`SHA2(${text}, 256)` : sql`MD5(${text})`;
  const hashed: Sql | ColumnText = "absent" in text ? { parts, absent: absenceOf(text) } : { parts };
  return hashed;
}
