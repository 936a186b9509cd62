import type { BoundColumn } from "../../sql/dialect.ts";
import { name, raw, type Sql, sql } from "../../sql/statement.ts";
import type { Form } from "./canonical.ts";

/** The canonical text of a column. What SQLite stores in the usual way it prints itself, which is faster than asking us. */
export function textOf(column: BoundColumn): Sql {
  const x = name(column.info.name);
  const asked = sql`tidemark_text(${form(column)}, ${x})`;
  if (column.as.as === "integer" || column.as.as === "boolean")
    return sql`CASE typeof(${x}) WHEN 'integer' THEN CAST(${x} AS TEXT) ELSE ${asked} END`;
  if (column.as.as === "text") return sql`CASE typeof(${x}) WHEN 'text' THEN ${x} ELSE ${asked} END`;
  // JSON kept in SQLite's own binary form (JSONB) is printed as JSON.
  if (column.as.as === "json")
    return sql`CASE WHEN typeof(${x}) <> 'blob' THEN ${asked} WHEN json_valid(${x}, 8) THEN json(${x}) ELSE ${asked} END`;
  return asked;
}

function form({ as, zone, rounding }: BoundColumn): Sql {
  return literal(JSON.stringify({ as, zone, rounding } satisfies Form));
}

/** As a literal, so that two uses of one expression are the same expression to SQLite. Its text is the program's own. */
export function literal(text: string): Sql {
  return raw(`'${text.replaceAll("'", "''")}'`);
}
