import { raw, type Sql, sql, value } from "../../sql/statement.ts";
import { fieldList, type Preset, type PresetParams, productTable, SCHEMA } from "../preset.ts";

/** How long a partition is, in PostgreSQL's words. */
const LENGTH: Readonly<Record<string, string>> = {
  hourly: "1 hour",
  daily: "1 day",
  weekly: "7 days",
  monthly: "1 month",
};

/**
 * Dagster: the materializations of an asset with time partitions, whose key is the window's left end and which is as long as
 * `partitions` says; a backfill over a range of keys is one window. With `job`, its runs that ended without one are read as failed.
 */
export const dagster: Preset = {
  name: "dagster",
  reads: "the PostgreSQL storage of Dagster",
  versions: "1.5 and later",
  params: [
    { name: "asset", required: true, means: "the asset, its path's parts parted by slashes: raw/orders" },
    {
      name: "partitions",
      required: false,
      default: "daily",
      oneOf: Object.keys(LENGTH),
      means: "how long its partitions are",
    },
    { name: "job", required: false, means: "the job whose failed runs count (__ASSET_JOB for runs started by hand)" },
    {
      name: "rows_label",
      required: false,
      default: "dagster/row_count",
      means: "the metadata entry that holds the rows",
    },
    SCHEMA,
  ],
  window: "[)",
  trust: [
    "A window is what the partition's key promises, not what the asset asked the source for.",
    "Keys are read as YYYY-MM-DD or YYYY-MM-DD-HH:MM in `runs.timezone`; an asset without such partitions has no windows.",
    "A failed run leaves no materialization: without `job` it does not show. A job's failed runs may be about other assets of the job.",
    "Rows are there only where the asset reports them as metadata.",
  ],
  query: (params) => {
    const tags = sql`
      LEFT JOIN LATERAL (
        SELECT max(value) FILTER (WHERE key = 'dagster/asset_partition_range_start') AS range_start,
               max(value) FILTER (WHERE key = 'dagster/asset_partition_range_end') AS range_end,
               max(value) FILTER (WHERE key = 'dagster/partition') AS partition
        FROM ${productTable(params, "run_tags")} rt WHERE rt.run_id = r.run_id
      ) t ON true`;
    return sql`
    SELECT ${fields(
      params,
      raw("coalesce(t.range_start, e.partition)"),
      raw("coalesce(t.range_end, e.partition)"),
      sql`
      (SELECT m -> 'entry_data' ->> 'value'
         FROM jsonb_array_elements(e.event::jsonb #> '{dagster_event,event_specific_data,materialization,metadata_entries}') m
        WHERE m ->> 'label' = ${value(params.get("rows_label") ?? null)} LIMIT 1)`,
    )}
    FROM ${productTable(params, "event_logs")} e
    JOIN ${productTable(params, "runs")} r ON r.run_id = e.run_id ${tags}
    WHERE e.dagster_event_type = 'ASSET_MATERIALIZATION' AND e.asset_key = ${value(assetKey(params))}
    UNION ALL
    SELECT ${fields(params, raw("coalesce(t.range_start, t.partition)"), raw("coalesce(t.range_end, t.partition)"), raw("NULL::text"))}
    FROM ${productTable(params, "runs")} r ${tags}
    WHERE r.status IN ('FAILURE', 'CANCELED') AND r.pipeline_name = ${value(params.get("job") ?? null)}
      AND NOT EXISTS (
        SELECT FROM ${productTable(params, "event_logs")} e
        WHERE e.run_id = r.run_id AND e.dagster_event_type = 'ASSET_MATERIALIZATION' AND e.asset_key = ${value(assetKey(params))})`;
  },
};

function fields(params: PresetParams, first: Sql, last: Sql, rows: Sql): readonly Sql[] {
  const length = raw(`interval '${LENGTH[params.get("partitions") ?? "daily"] ?? "1 day"}'`);
  return fieldList({
    id: raw("r.run_id"),
    from: moment(first, raw("interval '0'")),
    to: moment(last, length),
    started: raw("to_timestamp(r.start_time)"),
    finished: raw("to_timestamp(r.end_time)"),
    // What was materialized is there, whatever became of the rest of its run.
    status: rows.parts.some((part) => "raw" in part && part.raw.startsWith("NULL"))
      ? raw("'failed'")
      : raw("'success'"),
    rows,
    kind: raw("CASE WHEN r.backfill_id IS NOT NULL THEN 'backfill' ELSE 'run' END"),
    data_clock: raw("NULL::text"),
  });
}

/** A partition's key as a time without a zone; NULL for a key of another form. */
function moment(key: Sql, more: Sql): Sql {
  return sql`(CASE WHEN ${key} ~ '^\\d{4}-\\d{2}-\\d{2}(-\\d{2}:\\d{2})?$'
      THEN regexp_replace(${key}, '^(\\d{4}-\\d{2}-\\d{2})-', '\\1 ')::timestamp + ${more} END)::text`;
}

/** Dagster keeps the path of an asset as a JSON list. */
function assetKey(params: PresetParams): string {
  const asset = params.get("asset") ?? "";
  const list = asset.startsWith("[") ? asset : JSON.stringify(asset.split("/"));
  // With blanks behind the commas, as Python writes it.
  return list.replaceAll('","', '", "');
}
