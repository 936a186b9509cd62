import { SchemaError } from "../../domain/errors.ts";
import { nearest } from "../../domain/nearest.ts";
import {
  type ColumnInfo,
  formatTableName,
  type IndexInfo,
  type TableInfo,
  type TableName,
} from "../../domain/table.ts";
import type { Row, Session } from "../../sql/session.ts";
import { name, type Sql, sql, value } from "../../sql/statement.ts";
import { type Collation, kindOf } from "./kinds.ts";

type Found = { readonly schema: string; readonly name: string; readonly type: string; readonly withoutRowid: boolean };

/**
 * The table or view of that name, which SQLite finds in any letter case. Throws a `SchemaError` that names the nearest ones. The row
 * count is exact: counting is the cheapest thing that SQLite does.
 */
export async function describe(session: Session, connection: string, asked: TableName): Promise<TableInfo> {
  const found = await find(session, connection, asked);
  const here = [value(found.name), value(found.schema)];
  const read = (what: string, statement: Sql): Promise<readonly Row[]> => session.rows({ what, sql: statement });
  const columns = await read(
    "columns of a table",
    sql`SELECT cid, name, type, "notnull", dflt_value IS NOT NULL, pk, hidden FROM pragma_table_xinfo(${here}) WHERE hidden <> 1 ORDER BY cid`,
  );
  const primary = columns
    .filter((c) => Number(c[5]) > 0)
    .toSorted((a, b) => Number(a[5]) - Number(b[5]))
    .map((c) => c[1] ?? "");
  const rowid = found.withoutRowid || primary.length !== 1 ? null : rowidAlias(columns, primary[0] ?? "");
  const isTable = found.type === "table";
  const indexes = isTable ? await readIndexes(session, found, rowid) : [];
  const [count] = isTable
    ? await read("rows of a table", sql`SELECT COUNT(*) FROM ${name(found.schema)}.${name(found.name)}`)
    : [];
  const triggers = await read(
    "triggers of a table",
    sql`SELECT name FROM ${name(found.schema)}.sqlite_schema WHERE type = 'trigger' AND tbl_name = ${value(found.name)} COLLATE NOCASE ORDER BY name`,
  );
  const foreign = await read(
    "foreign keys of a table",
    sql`SELECT group_concat("from", ', ') || ' → ' || "table" FROM pragma_foreign_key_list(${here}) GROUP BY id ORDER BY id`,
  );
  const infos: ColumnInfo[] = [];
  for (const [cid, column, type, notNull, hasDefault, pk, hidden] of columns) {
    if (column === undefined || column === null) continue;
    const isKey = Number(pk) > 0;
    infos.push({
      name: column,
      type: type ?? "",
      kind: kindOf(type ?? "", await collationOf(session, found, column, type ?? "")),
      // A PRIMARY KEY alone forbids no NULL in SQLite, unless it is the rowid or the table has none.
      nullable: notNull !== "1" && column !== rowid && !(isKey && found.withoutRowid),
      hasDefault: hasDefault === "1",
      generated: hidden === "2" || hidden === "3",
      ordinal: Number(cid) + 1,
    });
  }
  return {
    name: { schema: asked.schema === null ? null : found.schema, name: found.name },
    relation: found.type === "virtual" ? "foreign" : isTable ? "table" : "view",
    columns: infos,
    primaryKey: primary,
    indexes,
    estimatedRows: count?.[0] === undefined || count[0] === null ? null : BigInt(count[0]),
    keyOrder: found.withoutRowid || rowid !== null ? 1 : null,
    keyQuantiles: [],
    triggers: triggers.map((row) => row[0] ?? ""),
    foreignKeys: foreign.map((row) => row[0] ?? ""),
  };
}

async function find(session: Session, connection: string, asked: TableName): Promise<Found> {
  const rows = await session.rows({
    what: "tables of the database",
    sql: sql`SELECT schema, name, type, wr FROM pragma_table_list WHERE type IN ('table', 'view', 'virtual') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
  });
  const all = rows.map(
    ([schema, table, type, withoutRowid]): Found => ({
      schema: schema ?? "",
      name: table ?? "",
      type: type ?? "",
      withoutRowid: withoutRowid === "1",
    }),
  );
  const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
  const match = all.find((t) => same(t.name, asked.name) && (asked.schema === null || same(t.schema, asked.schema)));
  if (match !== undefined) return match;
  const wrongSchema = asked.schema !== null && !all.some((t) => same(t.schema, asked.schema ?? ""));
  const near = nearest(
    asked.name,
    all.map((t) => t.name),
    3,
  );
  throw new SchemaError(`${connection} has no table or view ${formatTableName(asked)}`, {
    hint: wrongSchema
      ? `SQLite has no schema ${asked.schema}; write the table's name alone`
      : near.length > 0
        ? `did you mean ${near.join(" or ")}?`
        : all.length === 0
          ? "the database has no tables; is it the right file?"
          : "check the name in the check file",
  });
}

/** The column that is the rowid by another name: declared INTEGER PRIMARY KEY, by exactly that word. */
function rowidAlias(columns: readonly Row[], key: string): string | null {
  return columns.some((c) => c[1] === key && c[2]?.toUpperCase() === "INTEGER") ? key : null;
}

/** Indexes made of whole columns; partial ones and those over expressions are left out. The rowid is one too, though SQLite lists it nowhere. */
async function readIndexes(session: Session, table: Found, rowid: string | null): Promise<readonly IndexInfo[]> {
  const rows = await session.rows({
    what: "indexes of a table",
    sql: sql`SELECT i.name, i."unique", i.origin, c.cid, c.name, c.coll FROM pragma_index_list(${[value(table.name), value(table.schema)]}) i, pragma_index_xinfo(i.name, ${value(table.schema)}) c WHERE i.partial = 0 AND c.key = 1 ORDER BY i.seq, c.seqno`,
  });
  const byName = Map.groupBy(rows, (row) => row[0] ?? "");
  const indexes: IndexInfo[] =
    rowid === null ? [] : [{ name: "rowid", columns: [rowid], unique: true, primary: true, byteOrder: true }];
  for (const [index, columns] of byName) {
    if (columns.some((c) => c[3] === "-2")) continue;
    indexes.push({
      name: index,
      columns: columns.map((c) => c[4] ?? rowid ?? "rowid"),
      unique: columns[0]?.[1] === "1",
      primary: columns[0]?.[2] === "pk",
      byteOrder: columns.every((c) => c[5]?.toUpperCase() === "BINARY"),
    });
  }
  return indexes;
}

/**
 * No pragma tells a column's collation. A value that stands in its place in a compound SELECT takes it on: then 'a' = 'A' holds
 * under NOCASE, and 'a' = 'a ' under RTRIM.
 */
async function collationOf(session: Session, table: Found, column: string, type: string): Promise<Collation> {
  if (kindOf(type, "binary").kind !== "text") return "binary";
  const [row] = await session.rows({
    what: "collation of a column",
    sql: sql`WITH probe(x) AS MATERIALIZED (SELECT ${name(column)} FROM ${name(table.schema)}.${name(table.name)} WHERE 0 UNION ALL SELECT 'a') SELECT x = 'A' OR x = 'a ' FROM probe`,
  });
  return row?.[0] === "1" ? "other" : "binary";
}
