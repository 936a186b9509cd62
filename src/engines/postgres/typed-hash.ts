import type { BoundColumn } from "../../sql/dialect.ts";
import { join, name, raw, type Sql, sql } from "../../sql/statement.ts";
import { canonicalText } from "./canonical-text.ts";
import type { ServerTraits } from "./server-traits.ts";
import { atPrecision, momentOf, timeText } from "./times.ts";

/**
 * A link of the chain: the hash of a value over a seed. `weak`: it passes its seed on unchanged for some value (a double's 0), so that
 * two of them in a row could swap their values unseen.
 */
type Link = {
  readonly value: Sql;
  readonly absent: string;
  readonly hash: (value: Sql, seed: Sql) => Sql;
  readonly weak?: boolean;
};

/** NULL bits of one number that enter the chain: half of what it holds, since the server's hash of it folds its halves together. */
const BITS = 31;

/**
 * A 64-bit hash of the columns by the server's typed hash functions, each the next one's seed; texts are made only where those
 * functions lose something. They are strict, so that a NULL enters as a constant, and numbers that say which columns were NULL close
 * the chain: they also mix what the last link left. The form depends on what a pair is agreed as and never on one side's type, so that
 * both sides give the same hash for the same value. Null: some column has no such form.
 *
 * Some would never show a change and are not used, or not alone: `hash_numeric_extended` knows no sign (-1.1 is 1.1);
 * `hashint8extended` folds the halves of its 64 bits together (-1 is 4294967295), and so do those of moments and times, which rest on it.
 */
export function typedHash(columns: readonly BoundColumn[], server: ServerTraits): Sql | null {
  let chain = raw("0");
  let weak = false;
  const flags: (Sql | null)[] = [];
  for (const column of columns) {
    const link = linkOf(column, server);
    if (link === null) return null;
    if (weak && link.weak === true) chain = sql`hashint4extended(1, ${chain})`;
    const { nullable, name: c } = column.info;
    chain = link.hash(nullable ? sql`coalesce(${link.value}, ${raw(link.absent)})` : link.value, chain);
    weak = link.weak === true;
    flags.push(nullable ? sql`${name(c)} IS NULL` : null);
  }
  for (let i = 0; i === 0 || i < flags.length; i += BITS)
    chain = sql`hashint8extended(${bitmap(flags.slice(i, i + BITS))}, ${chain})`;
  return chain;
}

/** A row without a NULL, as most are, is settled before a bit is added up. A flag that this side cannot have keeps its bit. */
function bitmap(flags: readonly (Sql | null)[]): Sql {
  const set = flags.flatMap((flag, i) => (flag === null ? [] : [{ flag, bit: raw(`${1n << BigInt(i)}`) }]));
  if (set.length === 0) return raw("0");
  const any = join(
    set.map(({ flag }) => flag),
    " OR ",
  );
  const bits = join(
    set.map(({ flag, bit }) => sql`CASE WHEN ${flag} THEN ${bit} ELSE 0 END`),
    " + ",
  );
  return sql`CASE WHEN ${any} THEN ${bits} ELSE 0 END`;
}

/** Every function of `linkOf` over constants, chained: two servers whose answers agree hash alike (their byte order is the same). */
export const TYPED_PROBE: Sql = sql`SELECT (${integerHash(
  raw("-9007199254740993"),
  sql`hashint4extended(7, hashfloat8extended(1.5e-7::float8, uuid_hash_extended('0123456789abcdef0123456789abcdef'::uuid,
    ${textHash(momentBytes(sql`timestamp '0044-03-15 00:00:00.000001 BC'`), textHash(sql`'tidemark \u00e9 \u6f6e'`, raw("1")))})))`,
)})::text`;

function linkOf(column: BoundColumn, server: ServerTraits): Link | null {
  const c = name(column.info.name);
  const { kind } = column.info.kind;
  switch (column.as.as) {
    case "integer":
      return kind === "integer" ? { value: sql`${c}::bigint`, absent: "0::bigint", hash: integerHash } : null;
    case "decimal":
      return kind === "decimal" || kind === "integer" ? ofText(canonicalText(column, server)) : null;
    case "float":
      if (kind !== "float") return null;
      return { value: sql`${c}::float8`, absent: "0", hash: calling("hashfloat8extended"), weak: true };
    case "boolean":
      if (kind !== "boolean" && kind !== "integer") return null;
      return {
        value: sql`${c}::${raw(kind === "boolean" ? "int::bigint" : "bigint")}`,
        absent: "0::bigint",
        hash: integerHash,
      };
    case "uuid":
      if (kind !== "uuid") return null;
      return { value: c, absent: `'${"0".repeat(32)}'::uuid`, hash: calling("uuid_hash_extended") };
    case "date":
      return kind === "date" ? { value: dayNumber(c), absent: "0", hash: calling("hashint4extended") } : null;
    case "time":
      return kind === "time" ? ofText(timeText(column)) : null;
    case "instant":
    case "local":
      return ofText(momentBytes(atPrecision(column, momentOf(column))));
    case "bytes":
      return kind === "bytes" ? ofText(sql`encode(${c}, 'hex')`) : null;
    case "text":
      return server.utf8 ? ofText(sql`${c}::text`) : null;
    // The server's own hash of a jsonb forgets nesting ([1] and [[[1]]] agree) and the order of far elements: its text does not.
    case "json":
    case "other":
      return server.utf8 ? ofText(sql`${c}::text`) : null;
  }
}

const calling =
  (call: string) =>
  (value: Sql, seed: Sql): Sql =>
    sql`${raw(call)}(${value}, ${seed})`;

/** What `hashint8extended` folds together the seed tells apart: all 64 bits are in it as well. */
function integerHash(value: Sql, seed: Sql): Sql {
  return sql`hashint8extended(${value}, ${seed} # ${value})`;
}

function textHash(value: Sql, seed: Sql): Sql {
  return sql`hashtextextended((${value}) COLLATE "C", ${seed})`;
}

/** Texts are hashed as the bytes they are stored as, which beyond ASCII are the same on two servers only where both store UTF-8. */
function ofText(value: Sql | null): Link | null {
  return value === null ? null : { value, absent: "''", hash: textHash };
}

/** A moment as the server sends it in binary: its microseconds, all 64 bits of them, for less than its text costs. */
function momentBytes(moment: Sql): Sql {
  return sql`encode(timestamp_send(${moment}), 'hex')`;
}

/** A date has no hash with a seed before 18; days since 2000 tell all of them apart, the infinities by numbers that no date has. */
function dayNumber(c: Sql): Sql {
  return sql`CASE WHEN ${c} = 'infinity' THEN 2147483647 WHEN ${c} = '-infinity' THEN -2147483648 ELSE ${c} - date '2000-01-01' END`;
}
