import { raw, sql, value } from "../../sql/statement.ts";
import { fieldList, type Preset, productTable } from "../preset.ts";
import { AIRFLOW_PARAMS, pushed, TASK_RUN_ID, TASK_STATUS } from "./airflow2.ts";

/**
 * Airflow 3: as Airflow 2, but XComs are JSON (native from the Task Execution API, a JSON text that holds JSON from the model layer), a
 * data interval may be a single moment (then it is no window), and backfills are marked by their id.
 */
export const airflow3: Preset = {
  name: "airflow3",
  reads: "the PostgreSQL metadata database of Airflow 3",
  versions: "3.0 and later",
  params: AIRFLOW_PARAMS,
  window: "[)",
  trust: [
    "Without the XCom, a window is the DAG run's data interval where it has one: cron triggers of Airflow 3 give an empty interval, and such runs have no window.",
    "A retried task keeps its last try only; earlier tries are in task_instance_history, which is not read.",
    "XComs of old runs are deleted by `airflow db clean`.",
  ],
  query: (params) => sql`
    SELECT ${fieldList({
      id: TASK_RUN_ID,
      from: sql`coalesce(${pushed("from")}, CASE WHEN w.v IS NULL AND dr.data_interval_start < dr.data_interval_end THEN dr.data_interval_start::text END)`,
      to: sql`coalesce(${pushed("to")}, CASE WHEN w.v IS NULL AND dr.data_interval_start < dr.data_interval_end THEN dr.data_interval_end::text END)`,
      started: raw("ti.start_date"),
      finished: raw("ti.end_date"),
      status: TASK_STATUS,
      rows: pushed("rows"),
      kind: raw("CASE WHEN dr.backfill_id IS NOT NULL THEN 'backfill' ELSE dr.run_type END"),
      data_clock: pushed("data_clock"),
    })}
    FROM ${productTable(params, "dag_run")} dr
    JOIN ${productTable(params, "task_instance")} ti ON ti.dag_id = dr.dag_id AND ti.run_id = dr.run_id
    LEFT JOIN LATERAL (
      SELECT CASE WHEN jsonb_typeof(x.value) <> 'string' THEN x.value
                  WHEN x.value #>> '{}' LIKE '{%' THEN (x.value #>> '{}')::jsonb END AS v
      FROM ${productTable(params, "xcom")} x
      WHERE x.dag_run_id = dr.id AND x.task_id = ti.task_id AND x.map_index = ti.map_index
        AND x.key = ${value(params.get("xcom_key") ?? null)}
    ) w ON true
    WHERE ti.dag_id = ${value(params.get("dag_id") ?? null)} AND ti.task_id = ${value(params.get("task_id") ?? null)}`,
};
