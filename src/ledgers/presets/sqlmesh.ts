import { formatInstant } from "../../domain/position.ts";
import { raw, sql, value } from "../../sql/statement.ts";
import { fieldList, type Preset, productTable, SCHEMA } from "../preset.ts";

/** SQLMesh: the intervals of a model that its state calls done. It keeps coverage, not runs: what an interval says is when it was added. */
export const sqlmesh: Preset = {
  name: "sqlmesh",
  reads: "the state database of SQLMesh",
  versions: "0.2xx (seen in 0.233)",
  params: [
    {
      name: "model",
      required: true,
      means: 'the model\'s full name as the state has it, quotes included: "db"."schema"."model"',
    },
    SCHEMA,
  ],
  window: "[)",
  trust: [
    "Compaction merges intervals: old runs lie together in one line with the time of the first.",
    "Start and end of a run are the one moment at which the interval was written down, after the run.",
    "There are no failed runs and no row counts.",
    "Intervals that were removed or wait for restatement count as failed: their windows are not covered.",
  ],
  query: (params) => sql`
    SELECT ${fieldList({
      id: raw("id"),
      from: raw("start_ts * 1000"),
      to: raw("end_ts * 1000"),
      started: raw("created_ts"),
      finished: raw("created_ts"),
      status: raw("CASE WHEN is_removed OR is_pending_restatement THEN 'failed' ELSE 'success' END"),
      rows: raw("NULL"),
      kind: raw(
        "CASE WHEN is_removed THEN 'removed' WHEN is_pending_restatement THEN 'pending_restatement' ELSE 'interval' END",
      ),
      data_clock: raw("NULL"),
    })}
    FROM ${productTable(params, "_intervals")}
    WHERE NOT is_dev AND name = ${value(params.get("model") ?? null)}`,
  // Milliseconds since the epoch, whatever the cursor's own unit is.
  finish: (lines) => lines.map((line) => ({ ...line, from: iso(line.from), to: iso(line.to) })),
};

function iso(micros: string | null | undefined): string | null {
  return micros === null || micros === undefined ? null : formatInstant(BigInt(micros));
}
