import { raw, type Sql, sql, value } from "../../sql/statement.ts";
import { fieldList, type Preset, type PresetParam, productTable, SCHEMA } from "../preset.ts";

/** What both generations of Airflow ask for. */
export const AIRFLOW_PARAMS: readonly PresetParam[] = [
  { name: "dag_id", required: true, means: "the DAG that moves the rows" },
  { name: "task_id", required: true, means: "its task that reads the source" },
  {
    name: "xcom_key",
    required: false,
    default: "window",
    means:
      "the XCom under which the task pushes {from, to, rows, data_clock}; without it the DAG run's data interval is taken",
  },
  SCHEMA,
];

/** Words of Airflow's task states as outcomes. */
export const TASK_STATUS = raw(`CASE
    WHEN ti.state = 'success' THEN 'success'
    WHEN ti.state IN ('failed', 'upstream_failed', 'skipped', 'removed') THEN 'failed'
    WHEN ti.state IS NULL OR ti.state IN ('scheduled', 'queued', 'none') THEN 'queued'
    ELSE 'running' END`);

/** A mapped task is a run for each of its instances. */
export const TASK_RUN_ID = raw("ti.run_id || CASE WHEN ti.map_index >= 0 THEN '[' || ti.map_index || ']' ELSE '' END");

/** A JSON object's member as text; `w.v` is the pushed window. */
export const pushed = (member: string): Sql => raw(`w.v ->> '${member}'`);

/**
 * Airflow 2: one task's instances, with the window that it pushed as an XCom. The value is bytes that hold JSON (what
 * `enable_xcom_pickling = False` writes), or a JSON text that holds JSON once more; a pickled value is passed over.
 */
export const airflow2: Preset = {
  name: "airflow2",
  reads: "the PostgreSQL metadata database of Airflow 2",
  versions: "2.3 to 2.11",
  params: AIRFLOW_PARAMS,
  window: "[)",
  trust: [
    "Without the XCom, a window is the DAG run's data interval: what the schedule says, not what the task asked for, and there are no row counts.",
    "A retried task keeps its last try only: earlier failures of the same instance are gone from task_instance.",
    "A cleared and rerun task overwrites its start and end.",
    "XComs of old runs are deleted by `airflow db clean`; such runs fall back to the data interval.",
  ],
  query: (params) => sql`
    SELECT ${fieldList({
      id: TASK_RUN_ID,
      from: sql`coalesce(${pushed("from")}, CASE WHEN w.v IS NULL THEN dr.data_interval_start::text END)`,
      to: sql`coalesce(${pushed("to")}, CASE WHEN w.v IS NULL THEN dr.data_interval_end::text END)`,
      started: raw("ti.start_date"),
      finished: raw("ti.end_date"),
      status: TASK_STATUS,
      rows: pushed("rows"),
      kind: raw("dr.run_type"),
      data_clock: pushed("data_clock"),
    })}
    FROM ${productTable(params, "dag_run")} dr
    JOIN ${productTable(params, "task_instance")} ti ON ti.dag_id = dr.dag_id AND ti.run_id = dr.run_id
    LEFT JOIN LATERAL (
      SELECT CASE jsonb_typeof(j) WHEN 'string' THEN (j #>> '{}')::jsonb ELSE j END AS v
      FROM (
        SELECT CASE WHEN octet_length(x.value) > 0 AND get_byte(x.value, 0) IN (34, 123)
                    THEN convert_from(x.value, 'UTF8')::jsonb END AS j
        FROM ${productTable(params, "xcom")} x
        WHERE x.dag_run_id = dr.id AND x.task_id = ti.task_id AND x.map_index = ti.map_index
          AND x.key = ${value(params.get("xcom_key") ?? null)}
      ) decoded
    ) w ON true
    WHERE ti.dag_id = ${value(params.get("dag_id") ?? null)} AND ti.task_id = ${value(params.get("task_id") ?? null)}`,
};
