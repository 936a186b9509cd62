import type { Json } from "../../domain/finding.ts";
import { type Axis, formatInstant, formatPosition, type Position } from "../../domain/position.ts";
import { jsonCount } from "../../domain/report.ts";
import type { Trace, TracedRun } from "../../domain/trace.ts";
import { distance, moment, place, rows } from "../../domain/wording.ts";
import type { ReporterOptions } from "../reporter.ts";
import { printable, wrap } from "../text/wrap.ts";

/** The JSON form of a trace (interface.md §6). */
export function traceJson(trace: Trace): { readonly [name: string]: Json } {
  const at = (position: Position | null): Json =>
    position === null || trace.axis === null ? null : formatPosition(position, trace.axis);
  const wall = (micros: bigint | null): Json => (micros === null ? null : formatInstant(micros));
  return {
    version: 1,
    check: trace.check,
    key: Object.fromEntries(trace.key.map(({ column, json }) => [column, json])),
    source: { present: trace.source.present, cursor: at(trace.source.cursor), arrival: wall(trace.source.arrival) },
    target: { present: trace.target.present, cursor: at(trace.target.cursor), loaded: wall(trace.target.loaded) },
    columns: trace.columns,
    windows: trace.windows.map(({ run, clock, saw }) => ({
      run: run.id,
      from: at(run.window?.from ?? null),
      to: at(run.window?.to ?? null),
      started: wall(run.started),
      finished: wall(run.finished),
      status: run.status,
      rows: run.rows === null ? null : jsonCount(run.rows),
      clock: at(clock),
      saw,
    })),
    verdict: trace.verdict,
    fix: trace.fix,
  };
}

/** What happened to the row at one moment of the wall clock; null stands first: nobody knows when. */
type Event = { readonly at: bigint | null; readonly says: string };

/** One row's story as a timeline, its verdict, and the command that mends it. */
export function traceText(trace: Trace, { columns, style, commandSuffix }: ReporterOptions): string {
  const key = trace.key.map(({ column, value }) => `${column} ${value ?? "NULL"}`).join(", ");
  const lines = [style("bold", printable(`${trace.check}: the row ${key}`)), ""];
  for (const { at, says } of timeline(trace)) {
    const when = at === null ? "" : moment(at);
    const [first = "", ...rest] = wrap(printable(says), Math.max(20, columns - WHEN - 4));
    lines.push(`  ${when.padEnd(WHEN)}  ${first}`, ...rest.map((line) => `${" ".repeat(WHEN + 4)}${line}`));
  }
  const { finding, cause, confidence, says } = trace.verdict;
  const name =
    finding === null
      ? ""
      : `${finding}${cause === null ? "" : `, ${cause}`}${confidence === null || confidence === cause ? "" : ` (${confidence})`}: `;
  lines.push("", ...wrap(printable(`${name}${says}`), columns));
  if (trace.columns.length > 0)
    lines.push(...wrap(printable(`columns that differ: ${trace.columns.join(", ")}`), columns));
  if (trace.fix !== null) lines.push("", `  ${trace.fix}${commandSuffix}`);
  return `${lines.join("\n")}\n`;
}

/** Room for `Mon 2026-06-01 12:00:00 UTC`. */
const WHEN = 27;

function cursorText(cursor: Position | null, axis: Axis): string {
  if (cursor === null) return "without a cursor: no window will ever hold it";
  return `changed at ${place(cursor, axis)}, by its cursor`;
}

function timeline(trace: Trace): readonly Event[] {
  const { source, target, axis } = trace;
  const events: Event[] = [];
  if (source.present) {
    const cursor = axis === null ? "" : `, ${cursorText(source.cursor, axis)}`;
    events.push({
      at: axis === "time" ? source.cursor : null,
      says:
        axis === "time" && source.cursor !== null ? "changed in the source, by its cursor" : `in the source${cursor}`,
    });
    if (source.arrival !== null)
      events.push({ at: source.arrival, says: `became visible in the source${late(source)}` });
  } else events.push({ at: null, says: "not in the source" });
  for (const traced of trace.windows) events.push({ at: traced.run.started, says: runText(traced, trace) });
  if (target.loaded !== null) events.push({ at: target.loaded, says: "written in the target by the pipeline" });
  const held =
    target.cursor === null || axis === null
      ? "in the target"
      : `in the target, with the cursor ${place(target.cursor, axis)}`;
  if (source.present && trace.windows.length === 0 && source.cursor !== null)
    events.push({ at: null, says: "no run of the ledger has a window that holds it" });
  const known = events.filter((e) => e.at !== null).toSorted((a, b) => Number((a.at ?? 0n) - (b.at ?? 0n)));
  return [
    ...events.filter((e) => e.at === null),
    ...known,
    { at: null, says: `now ${target.present ? held : "not in the target"}` },
  ];
}

const bound = { exact: "", "at-least": "or beyond ", "at-most": "or before " } as const;

function late({ cursor, arrival }: Trace["source"]): string {
  return cursor === null || arrival === null || arrival <= cursor
    ? ""
    : `, ${distance(arrival - cursor, "time")} later`;
}

function runText({ run, clock, certainty, saw }: TracedRun, { axis, source }: Trace): string {
  const unit = axis ?? "sequence";
  const { window } = run;
  const end = (position: Position | null): string => (position === null ? "…" : place(position, unit));
  const stretch =
    window === null
      ? ""
      : ` over ${window.fromClosed ? "[" : "("}${end(window.from)}, ${end(window.to)}${window.toClosed ? "]" : ")"}`;
  const count = run.rows === null ? "" : `, ${rows(run.rows)}`;
  const x = source.cursor;
  const stood =
    clock === null
      ? ""
      : `; the data clock stood at ${bound[certainty ?? "exact"]}${place(clock, unit)}${x !== null && clock < x && certainty !== "at-least" ? `, ${certainty === "at-most" ? "at least " : ""}${distance(x - clock, unit)} before this row` : ""}`;
  const could =
    run.outcome !== "success"
      ? "it did not succeed"
      : saw === null
        ? "whether it could see the row is not known"
        : saw
          ? "it could see the row"
          : "it could not see the row yet";
  return `run ${run.id} (${run.status})${stretch}${count}${stood}: ${could}`;
}
