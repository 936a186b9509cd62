import { SchemaError, StatementError } from "../../domain/errors.ts";
import { nearest } from "../../domain/nearest.ts";
import { formatTableName, type IndexInfo, type TableInfo, type TableName } from "../../domain/table.ts";
import type { Row, Session } from "../../sql/session.ts";
import { name, raw, type Sql, sql, value } from "../../sql/statement.ts";
import { isByteOrdered, kindOf, type MysqlColumn } from "./column.ts";
import type { DeclaredColumn, Flavour, ServerVersion } from "./flavour.ts";

/** What describing a table depends on beside the session. */
export type DescribeContext = {
  readonly connection: string;
  /** The URL's database; null: it names none. */
  readonly database: string | null;
  readonly flavour: Flavour;
  readonly version: ServerVersion;
};

/** A table or view as it is now; `SchemaError` where it is not there or may not be read. */
export async function describeTable(session: Session, context: DescribeContext, table: TableName): Promise<TableInfo> {
  const schema = table.schema ?? context.database;
  if (schema === null)
    throw new SchemaError(
      `connection ${context.connection}: its URL names no database, so ${table.name} has to be qualified`,
      { hint: `write database.${table.name}, or put the database behind the last / of the URL` },
    );
  const [sheet] = await session.rows({ what: "description of a table", sql: tableSheet(schema, table.name) });
  await probe(session, context, { schema, name: sheet?.[0] ?? table.name }, table);
  const found = sheet?.[0] ?? table.name;
  const columns = (
    await session.rows({ what: "columns of a table", sql: columnSheet(schema, found, context.flavour) })
  ).map((row) => columnOf(row, context.flavour));
  const usable = await session.rows({ what: "indexes of a table", sql: indexSheet(schema, found, context) });
  const indexes = indexesOf(usable, columns);
  const [, type, engine, rows, options] = sheet ?? [];
  const related = await session.rows({
    what: "triggers and foreign keys of a table",
    sql: relatedSheet(schema, found),
  });
  const named = (kind: string): readonly string[] => related.filter((r) => r[0] === kind).map((r) => r[1] ?? "");
  return {
    name: { schema, name: found },
    relation: relationOf(type ?? "", engine ?? "", options ?? ""),
    columns,
    primaryKey: indexes.find((i) => i.primary)?.columns ?? [],
    indexes,
    estimatedRows: rows === null || rows === undefined ? null : BigInt(rows),
    // InnoDB keeps a table in the order of its primary key.
    keyOrder: engine?.toLowerCase() === "innodb" && indexes.some((i) => i.primary) ? 1 : null,
    keyQuantiles: [],
    triggers: named("trigger"),
    foreignKeys: named("key"),
  };
}

/** Reads nothing, and so finds out whether the table is there and may be read. */
async function probe(
  session: Session,
  context: DescribeContext,
  table: { readonly schema: string; readonly name: string },
  asked: TableName,
): Promise<void> {
  try {
    await session.rows({
      what: "first look at a table",
      sql: sql`SELECT 1 FROM ${name(table.schema)}.${name(table.name)} LIMIT 0`,
    });
  } catch (error) {
    if (!(error instanceof StatementError)) throw error;
    const shown = formatTableName({ schema: table.schema, name: asked.name });
    switch (error.serverCode) {
      case "1049":
      case "1146":
        if (!(await hasDatabase(session, table.schema)))
          throw new SchemaError(
            `connection ${context.connection}: there is no database ${table.schema}, where ${asked.name} was looked for`,
          );
        throw new SchemaError(`connection ${context.connection}: there is no table or view ${shown}`, {
          hint: await nearestTables(session, table),
        });
      case "1044":
      case "1142":
      case "1143":
        throw new SchemaError(`connection ${context.connection}: ${shown} may not be read, or is not there`, {
          hint: `GRANT SELECT ON ${table.schema}.${table.name} to the connection's user`,
        });
      default:
        throw error;
    }
  }
}

async function hasDatabase(session: Session, schema: string): Promise<boolean> {
  const found = await session.rows({
    what: "look for a database",
    sql: sql`SELECT 1 FROM information_schema.schemata WHERE schema_name = ${value(schema)}`,
  });
  return found.length > 0;
}

async function nearestTables(
  session: Session,
  table: { readonly schema: string; readonly name: string },
): Promise<string> {
  const rows = await session.rows({
    what: "tables of a database",
    sql: sql`SELECT table_name FROM information_schema.tables WHERE table_schema = ${value(table.schema)} ORDER BY 1`,
  });
  const names = rows.map((r) => r[0] ?? "");
  const alike = nearest(table.name, names, 3);
  if (alike.length > 0) return `did you mean ${alike.join(" or ")}?`;
  return names.length === 0
    ? `the database ${table.schema} has no table that this user may see`
    : `its tables are ${names.slice(0, 12).join(", ")}${names.length > 12 ? ", …" : ""}`;
}

/** Names in `information_schema` compare without letter case: among several, the one written exactly so comes first. */
const exactly = (column: string, wanted: string): Sql =>
  sql`CAST(${raw(column)} AS BINARY) = CAST(${value(wanted)} AS BINARY)`;

function tableSheet(schema: string, table: string): Sql {
  return sql`SELECT table_name, table_type, engine, table_rows, create_options FROM information_schema.tables
    WHERE table_schema = ${value(schema)} AND table_name = ${value(table)} AND (@@lower_case_table_names <> 0 OR ${exactly("table_name", table)})`;
}

function columnSheet(schema: string, table: string, flavour: Flavour): Sql {
  return sql`SELECT c.column_name, c.data_type, c.column_type, c.character_maximum_length, c.character_octet_length,
      c.numeric_precision, c.numeric_scale, c.datetime_precision, c.character_set_name, c.collation_name,
      c.is_nullable, c.column_default, c.extra, c.ordinal_position, ${flavour.jsonCheck}
    FROM information_schema.columns c
    WHERE c.table_schema = ${value(schema)} AND c.table_name = ${value(table)} AND (@@lower_case_table_names <> 0 OR ${exactly("c.table_name", table)})
    ORDER BY c.ordinal_position`;
}

function columnOf(row: Row, flavour: Flavour): MysqlColumn {
  const [
    columnName,
    dataType,
    columnType,
    characters,
    bytes,
    precision,
    scale,
    timePrecision,
    charset,
    collation,
    nullable,
    fallback,
    extra,
    ordinal,
    json,
  ] = row;
  const big = (text: string | null | undefined): bigint | null =>
    text === null || text === undefined ? null : BigInt(text);
  const small = (text: string | null | undefined): number | null =>
    text === null || text === undefined ? null : Number(text);
  const declared: DeclaredColumn = {
    name: columnName ?? "",
    dataType: (dataType ?? "").toLowerCase(),
    columnType: columnType ?? "",
    characters: big(characters),
    bytes: big(bytes),
    precision: small(precision),
    scale: small(scale),
    timePrecision: small(timePrecision) ?? 0,
    charset: charset ?? null,
    collation: collation ?? null,
    checkedJson: json === "1",
  };
  return {
    name: declared.name,
    type: declared.columnType,
    kind: kindOf(declared, flavour),
    nullable: nullable === "YES",
    hasDefault:
      (fallback !== null && fallback !== flavour.noDefault) ||
      /\b(auto_increment|default_generated)\b/i.test(extra ?? ""),
    generated: /\b(virtual|stored|persistent)\b/i.test(extra ?? ""),
    ordinal: Number(ordinal),
    charset: declared.charset,
    collation: declared.collation,
  };
}

function indexSheet(schema: string, table: string, { flavour, version }: DescribeContext): Sql {
  return sql`SELECT s.index_name, s.non_unique, s.column_name, s.sub_part, s.index_type, ${raw(flavour.usableIndex(version))}
    FROM information_schema.statistics s
    WHERE s.table_schema = ${value(schema)} AND s.table_name = ${value(table)} AND (@@lower_case_table_names <> 0 OR ${exactly("s.table_name", table)})
    ORDER BY s.index_name, s.seq_in_index`;
}

/** Indexes of whole columns, in the order of B-trees, that the optimizer may use. The primary key comes first. */
function indexesOf(rows: readonly Row[], columns: readonly MysqlColumn[]): readonly IndexInfo[] {
  const byName = new Map<string, Row[]>();
  for (const row of rows) byName.set(row[0] ?? "", [...(byName.get(row[0] ?? "") ?? []), row]);
  const whole = [...byName].filter(([, parts]) =>
    parts.every((p) => p[2] !== null && p[3] === null && p[4] === "BTREE" && p[5] === "1"),
  );
  const indexes = whole.map(([index, parts]): IndexInfo => {
    const names = parts.map((p) => p[2] ?? "");
    const own = names.map((n) => columns.find((c) => c.name === n));
    return {
      name: index,
      columns: names,
      unique: parts[0]?.[1] === "0",
      primary: index === "PRIMARY",
      byteOrder: own.every((c) => c !== undefined && isByteOrdered(c)),
    };
  });
  return indexes.toSorted((a, b) => Number(b.primary) - Number(a.primary));
}

/** Triggers on the table, and foreign keys of it and to it, each by the table that has it. */
function relatedSheet(schema: string, table: string): Sql {
  return sql`SELECT 'trigger', trigger_name FROM information_schema.triggers
      WHERE event_object_schema = ${value(schema)} AND event_object_table = ${value(table)}
    UNION ALL SELECT 'key', CONCAT(table_name, '.', constraint_name) FROM information_schema.referential_constraints
      WHERE constraint_schema = ${value(schema)} AND (table_name = ${value(table)} OR referenced_table_name = ${value(table)})
    ORDER BY 1, 2`;
}

function relationOf(type: string, engine: string, options: string): TableInfo["relation"] {
  if (type.includes("VIEW")) return "view";
  if (/^(federated|connect|spider|s3)$/i.test(engine)) return "foreign";
  return /\bpartitioned\b/i.test(options) ? "partitioned" : "table";
}
