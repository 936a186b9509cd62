import { raw, type Sql, sql, value } from "../../sql/statement.ts";

/**
 * The relation of a name: oid, schema, name, kind, and whether it may be read (`yes`, `columns`: some of them, `schema`: its schema
 * is closed, `no`). The exact name first, then in lower case as unquoted SQL would fold it; without a schema, in the search path's order.
 */
export function findRelation(schema: string | null, table: string): Sql {
  const inSchema =
    schema === null
      ? raw("n.nspname = ANY (current_schemas(true))")
      : sql`n.nspname IN (${value(schema)}, lower(${value(schema)}))`;
  return sql`SELECT c.oid::text, n.nspname, c.relname, c.relkind::text,
    CASE WHEN NOT has_schema_privilege(n.oid, 'USAGE') THEN 'schema' WHEN has_table_privilege(c.oid, 'SELECT') THEN 'yes'
      WHEN has_any_column_privilege(c.oid, 'SELECT') THEN 'columns' ELSE 'no' END
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f') AND c.relname IN (${value(table)}, lower(${value(table)})) AND ${inSchema}
    ORDER BY ${schema === null ? raw("1 = 1") : sql`n.nspname = ${value(schema)}`} DESC, c.relname = ${value(table)} DESC,
      array_position(current_schemas(true), n.nspname) LIMIT 1`;
}

/** Names of all relations that are no part of the system: schema, name. */
export const KNOWN_RELATIONS: Sql = sql`SELECT n.nspname, c.relname
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f') AND n.nspname NOT IN ('information_schema', 'pg_catalog', 'pg_toast')
  ORDER BY n.nspname = ANY (current_schemas(false)) DESC, 1, 2 LIMIT 10000`;

/**
 * Whether a collation's order is that of UTF-8 bytes. `to_jsonb` reaches catalog columns that only newer versions have: `provider` b is
 * the built-in one, which goes by code points. 100 is the database's own.
 */
function isBinary(collation: Sql): Sql {
  return sql`(CASE WHEN ${collation} = 100 THEN
      (SELECT CASE coalesce(to_jsonb(d) ->> 'datlocprovider', 'c') WHEN 'b' THEN TRUE WHEN 'c' THEN
        d.datcollate IN ('C', 'POSIX', 'C.UTF-8', 'C.utf8') ELSE FALSE END
       FROM pg_catalog.pg_database d WHERE d.datname = current_database())
    ELSE (SELECT CASE l.collprovider::text WHEN 'b' THEN TRUE WHEN 'c' THEN l.collcollate IN ('C', 'POSIX') ELSE FALSE END
      FROM pg_catalog.pg_collation l WHERE l.oid = ${collation}) END)`;
}

/** All that is known of a relation, as one JSON object. */
export function relationFacts(oid: string): Sql {
  const id = sql`CAST(${value(oid)} AS oid)`;
  return sql`SELECT json_build_object(
    'encoding', current_setting('server_encoding'),
    'columns', (${columns(id)}),
    'indexes', (${indexes(id)}),
    'rows', (${estimatedRows(id)}),
    'statistics', (${statistics(id)}),
    'triggers', (SELECT coalesce(json_agg(tgname ORDER BY tgname), '[]') FROM pg_catalog.pg_trigger WHERE tgrelid = ${id} AND NOT tgisinternal),
    'foreignKeys', (SELECT coalesce(json_agg(conname ORDER BY conname), '[]') FROM pg_catalog.pg_constraint WHERE conrelid = ${id} AND contype = 'f')
  )::text`;
}

/** Domains are followed to the type they are made of; the outermost modifier that is set counts. */
function columns(id: Sql): Sql {
  return sql`WITH RECURSIVE made AS (
      SELECT a.attnum, a.atttypid AS type, a.atttypmod AS modifier, a.attcollation AS collation
      FROM pg_catalog.pg_attribute a WHERE a.attrelid = ${id} AND a.attnum > 0 AND NOT a.attisdropped
      UNION ALL
      SELECT m.attnum, t.typbasetype, CASE WHEN m.modifier = -1 THEN t.typtypmod ELSE m.modifier END, m.collation
      FROM made m JOIN pg_catalog.pg_type t ON t.oid = m.type WHERE t.typtype = 'd')
    SELECT coalesce(json_agg(json_build_object(
      'name', a.attname, 'declared', pg_catalog.format_type(m.type, m.modifier), 'type', t.typname, 'schema', s.nspname, 'sort', t.typtype,
      'modifier', m.modifier, 'binary', coalesce(${isBinary(raw("m.collation"))}, FALSE), 'nullable', NOT a.attnotnull,
      'hasDefault', (a.atthasdef AND a.attgenerated = '') OR a.attidentity <> '', 'generated', a.attgenerated <> '', 'ordinal', a.attnum,
      'readable', has_column_privilege(a.attrelid, a.attnum, 'SELECT')) ORDER BY a.attnum), '[]')
    FROM made m JOIN pg_catalog.pg_type t ON t.oid = m.type AND t.typtype <> 'd'
    JOIN pg_catalog.pg_namespace s ON s.oid = t.typnamespace
    JOIN pg_catalog.pg_attribute a ON a.attrelid = ${id} AND a.attnum = m.attnum`;
}

/**
 * B-trees over plain columns that are valid and whole. `even`: all columns in one direction, so that a scan can go along a row comparison.
 */
function indexes(id: Sql): Sql {
  return sql`SELECT coalesce(json_agg(json_build_object('name', c.relname, 'unique', x.indisunique, 'primary', x.indisprimary,
      'columns', k.columns, 'binary', k.binary, 'even', k.even) ORDER BY x.indisprimary DESC, c.relname), '[]')
    FROM pg_catalog.pg_index x JOIN pg_catalog.pg_class c ON c.oid = x.indexrelid
    JOIN pg_catalog.pg_am am ON am.oid = c.relam AND am.amname = 'btree'
    CROSS JOIN LATERAL (
      SELECT json_agg(a.attname ORDER BY i) AS columns,
        bool_and((x.indcollation[i] = 0 OR coalesce(${isBinary(raw("x.indcollation[i]"))}, FALSE)) AND o.opcdefault) AS binary,
        count(DISTINCT x.indoption[i]) = 1 AND bool_and(x.indoption[i] IN (0, 3)) AS even
      FROM generate_series(0, x.indnkeyatts - 1) AS i
      JOIN pg_catalog.pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = x.indkey[i]
      JOIN pg_catalog.pg_opclass o ON o.oid = x.indclass[i]) k
    WHERE x.indrelid = ${id} AND x.indisvalid AND x.indisready AND x.indpred IS NULL AND x.indexprs IS NULL`;
}

/** As the planner guesses: the density that ANALYZE saw, times the size of today; a partitioned table is the sum of its leaves. */
function estimatedRows(id: Sql): Sql {
  return sql`SELECT sum(CASE WHEN c.relpages > 0 AND c.reltuples >= 0
      THEN c.reltuples::numeric / c.relpages * (pg_relation_size(c.oid) / current_setting('block_size')::int) ELSE NULL END)::bigint::text
    FROM pg_catalog.pg_class c
    WHERE c.relkind IN ('r', 'm') AND (c.oid = ${id} OR c.oid IN (SELECT relid FROM pg_catalog.pg_partition_tree(${id}) WHERE isleaf))`;
}

/** Of the first column of the primary key: how far the heap follows it, and values that cut its rows into parts of one size. */
function statistics(id: Sql): Sql {
  return sql`SELECT json_build_object('correlation', s.correlation, 'quantiles', array_to_json(s.histogram_bounds::text::text[])) FROM pg_catalog.pg_index x
    JOIN pg_catalog.pg_class c ON c.oid = x.indrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_catalog.pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = x.indkey[0]
    JOIN pg_catalog.pg_stats s ON s.schemaname = n.nspname AND s.tablename = c.relname AND s.attname = a.attname AND NOT s.inherited
    WHERE x.indrelid = ${id} AND x.indisprimary`;
}
