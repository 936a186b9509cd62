import { raw, type Sql, sql, value } from "../../sql/statement.ts";
import { fieldList, type Preset, type PresetParams, productTable, SCHEMA } from "../preset.ts";

/** dbt through Elementary's package: the runs of a model, and with `source` how new that source was when it was last asked before. */
export const elementary: Preset = {
  name: "elementary",
  reads: "the tables of Elementary's dbt package",
  versions: "0.25",
  params: [
    { name: "unique_id", required: true, means: "the model's unique_id: model.project.orders" },
    {
      name: "source",
      required: false,
      means: "the unique_id of the source whose freshness results are its data clock",
    },
    SCHEMA,
  ],
  window: null,
  trust: [
    "dbt writes down no windows (batches of microbatch models are in run_results.json only): runs count for streaks, rhythm and duration, and cover nothing.",
    "Rows are rows_affected by the adapter's own count: written, not read.",
    "The data clock is the newest loaded_at_field of the last `dbt source freshness` before the run, not what the run itself saw.",
  ],
  query: (params) => sql`
    SELECT ${fieldList({
      id: raw("r.invocation_id"),
      from: raw("NULL"),
      to: raw("NULL"),
      started: raw("r.execute_started_at"),
      finished: raw("r.execute_completed_at"),
      status: raw("r.status"),
      rows: raw("r.rows_affected"),
      kind: raw("CASE WHEN r.full_refresh THEN 'full_refresh' ELSE 'run' END"),
      data_clock: clock(params),
    })}
    FROM ${productTable(params, "dbt_run_results")} r
    WHERE r.resource_type = 'model' AND r.unique_id = ${value(params.get("unique_id") ?? null)}`,
};

/** Both columns are texts in one ISO form, whose order is the order of time. */
function clock(params: PresetParams): Sql {
  if (!params.has("source")) return raw("NULL");
  return sql`(SELECT f.max_loaded_at FROM ${productTable(params, "dbt_source_freshness_results")} f
    WHERE f.unique_id = ${value(params.get("source") ?? null)} AND f.snapshotted_at <= r.execute_started_at
    ORDER BY f.snapshotted_at DESC LIMIT 1)`;
}
