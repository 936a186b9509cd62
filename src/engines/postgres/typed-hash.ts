import type { BoundColumn } from "../../sql/dialect.ts";
import { join, name, raw, type Sql, sql } from "../../sql/statement.ts";
import type { ServerTraits } from "./server-traits.ts";
import { atPrecision, isFiner, momentOf, timeText } from "./times.ts";

/**
 * A link of the chain: a function of the server that takes a value and a seed. `weak`: it passes its seed on nearly unchanged for
 * some value (0 of a double gives the seed itself, 0 of a numeric the seed less one, NaN the seed), so that two of them in a row could
 * swap their values unseen.
 */
type Link = { readonly call: string; readonly value: Sql; readonly absent: string; readonly weak: boolean };

/** NULL bits of one number that enter the chain. */
const BITS = 62;

/**
 * A 64-bit hash of the columns by the server's typed hash functions, each the next one's seed; no text is made of most values. They
 * are strict, so that a NULL enters as a constant, and numbers that say which columns were NULL close the chain: they also mix what
 * the last link left. The form depends on what a pair is agreed as and never on one side's type, so that both sides give the same
 * hash for the same value. Null: some column has no such form.
 */
export function typedHash(columns: readonly BoundColumn[], server: ServerTraits): Sql | null {
  let chain = raw("0");
  let weak = false;
  const flags: (Sql | null)[] = [];
  for (const column of columns) {
    const link = linkOf(column, server);
    if (link === null) return null;
    if (weak && link.weak) chain = sql`hashint4extended(1, ${chain})`;
    const value = column.info.nullable ? sql`coalesce(${link.value}, ${raw(link.absent)})` : link.value;
    chain = sql`${raw(link.call)}(${value}, ${chain})`;
    weak = link.weak;
    flags.push(...flagsOf(column, server));
  }
  for (let i = 0; i === 0 || i < flags.length; i += BITS)
    chain = sql`hashint8extended(${bitmap(flags.slice(i, i + BITS))}, ${chain})`;
  return chain;
}

/**
 * What the link of a column leaves out: whether it is NULL and, of a numeric without bounds, which infinity it is (all of them and
 * NaN hash alike). A flag that cannot be true on this side is null, and keeps its bit for the other side.
 */
function flagsOf({ info, as }: BoundColumn, server: ServerTraits): readonly (Sql | null)[] {
  const c = name(info.name);
  const absent = info.nullable ? sql`${c} IS NULL` : null;
  if (as.as !== "decimal" || as.scale !== null) return [absent];
  const infinite = info.kind.kind === "decimal" && info.kind.precision === null && server.version >= 140000;
  return [absent, infinite ? sql`${c} = 'Infinity'` : null, infinite ? sql`${c} = '-Infinity'` : null];
}

/** A row without any of it, as most are, is settled before a bit is added up. */
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
export const TYPED_PROBE: Sql = sql`SELECT hashint8extended(-9007199254740993, hashint4extended(7,
  hash_numeric_extended(12345678901234567890.0012300, hashfloat8extended(1.5e-7::float8,
  uuid_hash_extended('0123456789abcdef0123456789abcdef'::uuid, time_hash_extended('23:59:59.999999'::time,
  timetz_hash_extended('01:02:03.5+05:30'::timetz, timestamp_hash_extended('0044-03-15 00:00:00.000001 BC'::timestamp,
  hashtextextended('tidemark \u00e9 \u6f6e' COLLATE "C", 1)))))))))::text`;

function linkOf(column: BoundColumn, server: ServerTraits): Link | null {
  const c = name(column.info.name);
  const { kind } = column.info.kind;
  switch (column.as.as) {
    case "integer":
      return kind === "integer"
        ? { call: "hashint8extended", value: sql`${c}::bigint`, absent: "0", weak: false }
        : null;
    case "decimal": {
      if (kind !== "decimal" && kind !== "integer") return null;
      const value = kind === "decimal" ? c : sql`${c}::bigint::numeric`;
      return { call: "hash_numeric_extended", value, absent: "0", weak: true };
    }
    case "float":
      if (kind !== "float") return null;
      return { call: "hashfloat8extended", value: sql`${c}::float8`, absent: "0", weak: true };
    case "boolean":
      if (kind === "boolean") return { call: "hashint8extended", value: sql`${c}::int`, absent: "0", weak: false };
      return kind === "integer"
        ? { call: "hashint8extended", value: sql`${c}::bigint`, absent: "0", weak: false }
        : null;
    case "uuid":
      if (kind !== "uuid") return null;
      return { call: "uuid_hash_extended", value: c, absent: `'${"0".repeat(32)}'::uuid`, weak: false };
    case "date":
      return kind === "date" ? { call: "hashint4extended", value: dayNumber(c), absent: "0", weak: false } : null;
    case "time": {
      if (kind !== "time") return null;
      const value = isFiner(column) ? sql`(${timeText(column)})` : c;
      return column.as.zoned
        ? { call: "timetz_hash_extended", value: sql`${value}::timetz`, absent: "'00:00+00'::timetz", weak: false }
        : { call: "time_hash_extended", value: sql`${value}::time`, absent: "'00:00'::time", weak: false };
    }
    case "instant":
    case "local":
      return {
        call: "timestamp_hash_extended",
        value: atPrecision(column, momentOf(column)),
        absent: "'epoch'::timestamp",
        weak: false,
      };
    case "bytes":
      return kind === "bytes" ? ofText(sql`encode(${c}, 'hex')`, server) : null;
    case "text":
      return ofText(sql`${c}::text`, server);
    // The server's own hash of a jsonb forgets nesting ([1] and [[[1]]] agree) and the order of far elements: its text does not.
    case "json":
    case "other":
      return ofText(sql`${c}::text`, server);
  }
}

/** Texts are hashed as the bytes they are stored as, which are the same on two servers only where both store UTF-8. */
function ofText(value: Sql, { utf8 }: ServerTraits): Link | null {
  return utf8 ? { call: "hashtextextended", value: sql`(${value}) COLLATE "C"`, absent: "''", weak: false } : null;
}

/** A date has no hash with a seed before 18; days since 2000 tell all of them apart, the infinities by numbers that no date has. */
function dayNumber(c: Sql): Sql {
  return sql`CASE WHEN ${c} = 'infinity' THEN 2147483647 WHEN ${c} = '-infinity' THEN -2147483648 ELSE ${c} - date '2000-01-01' END`;
}
