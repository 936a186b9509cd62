import { raw, sql, value } from "../../sql/statement.ts";
import type { LedgerLine } from "../read-run.ts";
import { fieldList, type Preset, productTable, type RawLine, SCHEMA } from "../preset.ts";

/**
 * Meltano: the runs of one state id, with one stream's bookmark. A run's right end is the bookmark that it left behind, its left end
 * the last one left before it, by a run or by an edit of the state (which is no run itself).
 */
export const meltano: Preset = {
  name: "meltano",
  reads: "the PostgreSQL system database of Meltano",
  versions: "2 to 4",
  params: [
    { name: "state_id", required: true, means: "the state id of the pipeline: dev:tap-to-target" },
    { name: "stream", required: true, means: "the stream whose bookmark is the watermark" },
    {
      name: "bookmark",
      required: false,
      default: "replication_key_value",
      means: "the bookmark's member that holds the value",
    },
    SCHEMA,
  ],
  window: "[]",
  trust: [
    "There are no row counts: nothing is known of empty runs.",
    "A run that leaves the bookmark where it was has an empty window; taps that write none have no window.",
    "Singer taps read from the bookmark on, itself included, so that the last rows of a window are read twice.",
    "A run that died without a trace says RUNNING for ever: it shows as unfinished.",
  ],
  query: (params) => sql`
    SELECT ${fieldList({
      id: raw("r.run_id::text"),
      from: raw("NULL::text"),
      to: sql`(NULLIF(r.payload, '')::jsonb #>> ARRAY['singer_state', 'bookmarks', ${value(params.get("stream") ?? null)}, ${value(params.get("bookmark") ?? null)}])`,
      started: raw("r.started_at"),
      finished: raw("r.ended_at"),
      status: raw(
        "CASE r.state WHEN 'SUCCESS' THEN 'success' WHEN 'RUNNING' THEN 'running' WHEN 'STATE_EDIT' THEN 'state_edit' ELSE 'failed' END",
      ),
      rows: raw("NULL::bigint"),
      kind: raw("CASE WHEN r.state = 'STATE_EDIT' THEN 'state_edit' ELSE coalesce(r.trigger, 'run') END"),
      data_clock: raw("NULL::text"),
    })}
    FROM ${productTable(params, "runs")} r
    WHERE r.job_name = ${value(params.get("state_id") ?? null)}`,
  finish: chain,
};

/** Gives each run the last bookmark before it as its left end. */
function chain(lines: readonly RawLine[]): readonly LedgerLine[] {
  const runs: LedgerLine[] = [];
  let last: string | null = null;
  for (const line of lines) {
    if (line.kind !== "state_edit") runs.push({ ...line, from: last });
    last = line.to ?? last;
  }
  return runs;
}
