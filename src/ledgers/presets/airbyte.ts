import { raw, sql, value } from "../../sql/statement.ts";
import { fieldList, type Preset, productTable, SCHEMA } from "../preset.ts";

/**
 * Airbyte: one stream's attempts. The state kept with an attempt is the one that it started from, so that its right end is what the
 * next attempt started from. Only the `state` member of the attempt's settings is read: beside it stand connectors' secrets.
 */
export const airbyte: Preset = {
  name: "airbyte",
  reads: "the PostgreSQL jobs database of Airbyte",
  versions: "platform 0.40.28 and later (attempts.attempt_sync_config, stream_stats)",
  params: [
    { name: "connection_id", required: true, means: "the connection, as in its address" },
    { name: "stream", required: true, means: "the stream's name" },
    { name: "namespace", required: false, means: "the stream's namespace, where it has one" },
    SCHEMA,
  ],
  window: "(]",
  trust: [
    "The newest attempt has no right end until the next one starts: it is a run without a window.",
    "Incremental syncs with a cursor only: a full refresh has no window.",
    "An attempt that failed half way may have moved the state; what it moved shows as the next attempt's left end.",
    "Rows are those that the source emitted (records_emitted).",
    "Cursors that are times come without a zone: `runs.timezone` says which.",
  ],
  query: (params) => sql`
    SELECT ${fieldList({
      id: raw("s.job_id::text || '.' || s.attempt_number::text"),
      from: raw("s.cursor_at"),
      to: raw("lead(s.cursor_at) OVER (ORDER BY s.created_at, s.attempt_id)"),
      started: raw("s.created_at"),
      finished: raw("s.ended_at"),
      status: raw("CASE s.status WHEN 'succeeded' THEN 'success' ELSE s.status END"),
      rows: raw("s.records_emitted"),
      kind: raw("s.kind"),
      data_clock: raw("NULL::text"),
    })}
    FROM (
      SELECT j.id AS job_id, j.config_type::text AS kind, a.id AS attempt_id, a.attempt_number, a.status::text AS status,
             a.created_at, a.ended_at, t.records_emitted,
             (SELECT m #>> '{stream,stream_state,cursor}'
                FROM jsonb_array_elements(
                  CASE jsonb_typeof(a.attempt_sync_config #> '{state,state}')
                    WHEN 'array' THEN a.attempt_sync_config #> '{state,state}' ELSE '[]'::jsonb END) m
               WHERE m #>> '{stream,stream_descriptor,name}' = t.stream_name
                 AND (m #>> '{stream,stream_descriptor,namespace}') IS NOT DISTINCT FROM t.stream_namespace
               LIMIT 1) AS cursor_at
      FROM ${productTable(params, "jobs")} j
      JOIN ${productTable(params, "attempts")} a ON a.job_id = j.id
      JOIN ${productTable(params, "stream_stats")} t ON t.attempt_id = a.id
      WHERE j.config_type::text IN ('sync', 'refresh', 'reset_connection', 'clear')
        AND j.scope = ${value(params.get("connection_id") ?? null)}
        AND t.stream_name = ${value(params.get("stream") ?? null)}
        AND (CAST(${value(params.get("namespace") ?? null)} AS text) IS NULL OR t.stream_namespace = ${value(params.get("namespace") ?? null)})
    ) s`,
};
