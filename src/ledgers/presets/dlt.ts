import { inflateSync } from "node:zlib";
import { name, raw, sql, value } from "../../sql/statement.ts";
import type { LedgerLine } from "../read-run.ts";
import { fieldList, type Preset, type PresetParams, productTable, type RawLine, SCHEMA } from "../preset.ts";

/**
 * dlt: the completed loads of a schema. Each load may carry the pipeline's state, which knows the newest cursor value that an
 * incremental resource has read: the load's right end, and the left end of the next one.
 */
export const dlt: Preset = {
  name: "dlt",
  reads: "dlt's tables in a PostgreSQL destination",
  versions: "0.4 to 1.26",
  params: [
    { name: "dlt_schema", required: true, means: "dlt's schema name, as _dlt_loads.schema_name has it" },
    { name: "resource", required: true, means: "the incremental resource" },
    { name: "cursor", required: true, means: "the cursor_path of its incremental" },
    { name: "source", required: false, means: "the source's name in the state; default: dlt_schema" },
    { name: "data_table", required: false, means: "the resource's table, to count each load's rows (reads all of it)" },
    SCHEMA,
  ],
  window: "[]",
  trust: [
    "Only completed loads are written down: a failed or partial load does not show.",
    "A load's start is its load id, the moment when its package was made, which may be after the rows were read.",
    "The state is written only when it changed: a load without one left the cursor where it was and has an empty window.",
    "Rows are those that are in the destination now: what a later merge replaced counts for the later load.",
    "dlt reads from the last value on, itself included, and drops what it knows already.",
  ],
  extra: ["state"],
  query: (params) => sql`
    SELECT ${fieldList({
      id: raw("l.load_id"),
      from: raw("NULL::text"),
      to: raw("NULL::text"),
      started: raw(
        "CASE WHEN l.load_id ~ '^[0-9]+([.][0-9]+)?$' THEN to_timestamp(l.load_id::numeric) ELSE l.inserted_at END",
      ),
      finished: raw("l.inserted_at"),
      status: raw("CASE l.status WHEN 0 THEN 'success' ELSE 'running' END"),
      rows: rowsOf(params),
      kind: raw("'run'"),
      data_clock: raw("NULL::text"),
    })}, s.state AS ${name("state")}
    FROM ${productTable(params, "_dlt_loads")} l
    LEFT JOIN ${productTable(params, "_dlt_pipeline_state")} s ON s._dlt_load_id = l.load_id
    ${params.has("data_table") ? sql`LEFT JOIN (SELECT _dlt_load_id, count(*) AS n FROM ${productTable(params, params.get("data_table") ?? "")} GROUP BY 1) d ON d._dlt_load_id = l.load_id` : raw("")}
    WHERE l.schema_name = ${value(params.get("dlt_schema") ?? null)}`,
  finish: chain,
};

const rowsOf = (params: PresetParams) => (params.has("data_table") ? raw("coalesce(d.n, 0)") : raw("NULL::bigint"));

/** Gives each load the value that it left in the state, and the last one before it. */
function chain(lines: readonly RawLine[], params: PresetParams): readonly LedgerLine[] {
  let last: string | null = null;
  return lines.map(({ extra: [state = null], ...line }) => {
    const from = last;
    last = (state === null ? null : lastValue(state, params)) ?? last;
    return { ...line, from, to: last };
  });
}

/** The newest cursor value in a state: base64 over zlib over JSON. Null where there is none, or it is no state. */
function lastValue(blob: string, params: PresetParams): string | null {
  let at: unknown;
  try {
    at = JSON.parse(inflateSync(Buffer.from(blob, "base64")).toString("utf8"));
  } catch {
    return null;
  }
  const source = params.get("source") ?? params.get("dlt_schema") ?? "";
  const path = [
    "sources",
    source,
    "resources",
    params.get("resource") ?? "",
    "incremental",
    params.get("cursor") ?? "",
    "last_value",
  ];
  for (const step of path) at = typeof at === "object" && at !== null ? new Map(Object.entries(at)).get(step) : null;
  if (typeof at === "number") return String(at);
  // dlt marks typed values by a character of the private use area before them.
  return typeof at === "string" ? at.replace(/^[\uf026-\uf02f]/, "") : null;
}
