import type { Kind } from "../../domain/kind.ts";
import type { BoundColumn } from "../../sql/dialect.ts";
import { name, raw, type Sql, sql } from "../../sql/statement.ts";
import type { ServerTraits } from "./server-traits.ts";
import { atPrecision, momentOf, timeText } from "./times.ts";

/**
 * A column's canonical text (the table in `domain/kind.ts`), NULL for NULL. Printing is left to the server's own output functions
 * where it can be: they are several times cheaper than formatting in SQL. Null: this server cannot say it.
 */
export function canonicalText(column: BoundColumn, server: ServerTraits): Sql | null {
  const c = name(column.info.name);
  const { kind } = column.info.kind;
  switch (column.as.as) {
    case "decimal":
      return decimalText(c, column.info.kind, column.as.scale, server);
    case "float":
      // Before 12 a double prints 15 or 17 digits, never the shortest.
      return server.version < 120000 ? null : floatText(c);
    case "boolean":
      return kind === "boolean" && column.info.type === "boolean" ? sql`${c}::int::text` : sql`${c}::text`;
    case "bytes":
      return kind === "bytes" ? sql`encode(${c}, 'hex')` : sql`encode(convert_to(${c}::text, 'UTF8'), 'hex')`;
    case "uuid":
      return uuidText(c, column.info.kind);
    case "time":
      return timeText(column);
    case "instant":
    case "local":
      return sql`${atPrecision(column, momentOf(column))}::text`;
    case "integer":
    case "text":
    case "date":
    case "json":
    case "other":
      return sql`${c}::text`;
  }
}

function decimalText(c: Sql, kind: Kind, scale: number | null, server: ServerTraits): Sql {
  if (kind.kind === "integer" && (scale === null || scale === 0)) return sql`${c}::text`;
  const number =
    kind.kind === "decimal" ? c : kind.kind === "integer" ? sql`${c}::bigint::numeric` : sql`${c}::numeric`;
  if (scale === null) return trimmed(number, server);
  const own = kind.kind === "decimal" ? kind.scale : kind.kind === "integer" ? 0 : null;
  if (own === scale) return sql`${number}::text`;
  const scaled = sql`round(${number}, ${raw(String(scale))})`;
  // Digits beyond the agreed scale are shown, not rounded away: the other side cannot hold them.
  return own !== null && own < scale
    ? sql`${scaled}::text`
    : sql`CASE WHEN ${number} = ${scaled} THEN ${scaled}::text ELSE ${trimmed(number, server)} END`;
}

function trimmed(number: Sql, { version }: ServerTraits): Sql {
  if (version >= 130000) return sql`trim_scale(${number})::text`;
  return sql`CASE WHEN strpos(${number}::text, '.') > 0 THEN rtrim(rtrim(${number}::text, '0'), '.') ELSE ${number}::text END`;
}

/**
 * The server prints the shortest digits that read back to the same double (a single is widened first): `123.5`, `100` or `1.5e-07`, in
 * which only a whole number ends in zeros. Sign, digits without outer zeros and the power of ten are taken out of that; most values
 * have a point and no `e`, and are asked for first because every look prints the number again.
 */
function floatText(c: Sql): Sql {
  const printed = sql`${c}::float8::text`;
  const mantissa = sql`split_part(${printed}, 'e', 1)`;
  const digits = (text: Sql): Sql => sql`ltrim(replace(${text}, '.', ''), '-0')`;
  const pointed = (text: Sql): Sql => sql`strpos(${text}, '.') > 0`;
  const behindPoint = (text: Sql): Sql => sql`(length(${text}) - strpos(${text}, '.'))`;
  return sql`CASE WHEN ${c} = 0 THEN '0' WHEN ${c} IN ('NaN', 'Infinity', '-Infinity') THEN ${printed}
    ELSE CASE WHEN ${c} < 0 THEN '-' ELSE '' END || CASE
      WHEN strpos(${printed}, 'e') > 0 THEN ${digits(mantissa)} || 'e' || (split_part(${printed}, 'e', 2)::int
        - CASE WHEN ${pointed(mantissa)} THEN ${behindPoint(mantissa)} ELSE 0 END)
      WHEN ${pointed(printed)} THEN ${digits(printed)} || 'e' || -${behindPoint(printed)}
      ELSE rtrim(ltrim(${printed}, '-'), '0') || 'e' || (length(${printed}) - length(rtrim(${printed}, '0'))) END END`;
}

/** A text that is no uuid keeps its own text in hex behind a `?`, so that it equals nothing and holds no comma. */
function uuidText(c: Sql, { kind }: Kind): Sql {
  if (kind === "uuid") return sql`replace(${c}::text, '-', '')`;
  if (kind === "bytes") return sql`encode(${c}, 'hex')`;
  const digits = sql`replace(lower(${c}::text COLLATE "C"), '-', '')`;
  return sql`CASE WHEN ${digits} ~ '^[0-9a-f]{32}$' THEN ${digits} ELSE '?' || encode(convert_to(${c}::text, 'UTF8'), 'hex') END`;
}
