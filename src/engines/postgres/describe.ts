import { InvariantError, SchemaError } from "../../domain/errors.ts";
import { nearest } from "../../domain/nearest.ts";
import {
  type ColumnInfo,
  formatTableName,
  type IndexInfo,
  type TableInfo,
  type TableName,
} from "../../domain/table.ts";
import type { Session } from "../../sql/session.ts";
import { findRelation, KNOWN_RELATIONS, relationFacts } from "./catalog.ts";
import { type CatalogType, kindOf } from "./kinds.ts";

/** The table or view of a name. Throws a `SchemaError` that names the nearest ones where there is none, or what may not be read. */
export async function describeTable(session: Session, connection: string, name: TableName): Promise<TableInfo> {
  const [found] = await session.rows({ what: "search for a table", sql: findRelation(name.schema, name.name) });
  if (found === undefined) throw await missing(session, connection, name);
  const [oid, schema, table, kind, access] = found.map((text) => text ?? "");
  const full: TableName = { schema: schema ?? "", name: table ?? "" };
  if (access === "no" || access === "schema") throw forbidden(connection, full, access);
  const [row] = await session.rows({ what: "description of a table", sql: relationFacts(oid ?? "") });
  return tableInfo(full, kind ?? "", JSON.parse(row?.[0] ?? "null") as RelationFacts);
}

/** What `relationFacts` answers. */
type RelationFacts = {
  readonly encoding: string;
  readonly columns: readonly {
    readonly name: string;
    readonly declared: string;
    readonly type: string;
    readonly schema: string;
    readonly sort: string;
    readonly modifier: number;
    readonly binary: boolean;
    readonly nullable: boolean;
    readonly hasDefault: boolean;
    readonly generated: boolean;
    readonly ordinal: number;
    readonly readable: boolean;
  }[];
  readonly indexes: readonly {
    readonly name: string;
    readonly unique: boolean;
    readonly primary: boolean;
    readonly columns: readonly string[];
    readonly binary: boolean;
    readonly even: boolean;
  }[];
  readonly rows: string | null;
  readonly statistics: { readonly correlation: number | null; readonly quantiles: readonly string[] | null } | null;
  readonly triggers: readonly string[];
  readonly foreignKeys: readonly string[];
};

const RELATIONS: Readonly<Record<string, TableInfo["relation"]>> = {
  r: "table",
  m: "view",
  v: "view",
  p: "partitioned",
  f: "foreign",
};

function tableInfo(name: TableName, kind: string, facts: RelationFacts): TableInfo {
  const relation = RELATIONS[kind];
  if (relation === undefined) throw new InvariantError("a relation of a known kind was asked for");
  return {
    name,
    relation,
    columns: facts.columns.filter((c) => c.readable).map((c) => columnInfo(c, facts.encoding)),
    primaryKey: facts.indexes.find((i) => i.primary)?.columns ?? [],
    indexes: facts.indexes.filter((i) => i.even || i.unique).map(indexInfo),
    estimatedRows: facts.rows === null ? null : BigInt(facts.rows),
    keyOrder: facts.statistics?.correlation ?? null,
    keyQuantiles: facts.statistics?.quantiles ?? [],
    triggers: facts.triggers,
    foreignKeys: facts.foreignKeys,
  };
}

function columnInfo(column: RelationFacts["columns"][number], encoding: string): ColumnInfo {
  const type: CatalogType = { ...column, name: column.type };
  return {
    name: column.name,
    type: column.declared,
    kind: kindOf(type, encoding),
    nullable: column.nullable,
    hasDefault: column.hasDefault,
    generated: column.generated,
    ordinal: column.ordinal,
  };
}

/** One whose columns run in different directions still proves rows unique, but no range of keys runs along it. */
function indexInfo({ name, columns, unique, primary, binary, even }: RelationFacts["indexes"][number]): IndexInfo {
  return { name, columns, unique, primary, byteOrder: binary && even };
}

async function missing(session: Session, connection: string, wanted: TableName): Promise<SchemaError> {
  const known = (await session.rows({ what: "search for tables of a like name", sql: KNOWN_RELATIONS })).map(
    ([schema, name]): TableName => ({ schema: schema ?? "", name: name ?? "" }),
  );
  const same = known.filter((k) => k.name.toLowerCase() === wanted.name.toLowerCase()).map(formatTableName);
  const near = nearest(
    wanted.name,
    known.map((k) => k.name),
    3,
  );
  const likely =
    same.length > 0
      ? same.slice(0, 3)
      : near.flatMap((n) => known.filter((k) => k.name === n).map(formatTableName)).slice(0, 3);
  return new SchemaError(`connection ${connection}: there is no table or view ${formatTableName(wanted)}`, {
    hint:
      likely.length > 0
        ? `did you mean ${likely.join(" or ")}?`
        : known.length === 0
          ? "the database has no tables that this user can see: is it the right database?"
          : "is it in another database or schema?",
  });
}

function forbidden(connection: string, table: TableName, access: "no" | "schema"): SchemaError {
  const full = formatTableName(table);
  return access === "schema"
    ? new SchemaError(`connection ${connection}: its user may not use the schema of ${full}`, {
        hint: `GRANT USAGE ON SCHEMA ${table.schema ?? ""} TO the connection's user`,
      })
    : new SchemaError(`connection ${connection}: its user may not read ${full}`, {
        hint: `GRANT SELECT ON ${full} TO the connection's user`,
      });
}
