import type { Evidence, Json } from "../domain/finding.ts";
import { jsonCount } from "../domain/report.ts";
import type { CauseTally } from "../domain/tally.ts";
import { distance, duration, moment, names, rows, runs, seconds } from "../domain/wording.ts";
import type { RowContext } from "./row-findings.ts";

/** What one cause came to, in one sentence. `ids`: the runs that are named, of `total`. */
export function causeSays(cause: CauseTally, ids: readonly string[], total: number, context: RowContext): string {
  const n = rows(cause.rows);
  const by = ids.length === 0 ? "no run" : runs(ids, total);
  const most = cause.measure?.most ?? null;
  switch (cause.code) {
    case "null-cursor":
      return `${n} without a cursor: no window will ever hold ${it(cause)}`;
    case "not-due":
      return `${n} beyond the last successful window: the next run will carry ${it(cause)}`;
    case "failed-run":
      return `${n} that only ${by} held, which did not succeed and ${total === 1 ? "was" : "were"} never retried`;
    case "uncovered-window":
      return cause.byConfidence.inferred === cause.rows
        ? `${n} from before the first audited window`
        : `${n} that no window holds`;
    case "boundary":
      return `${n} exactly on the end of the window of ${by}, while others with the same cursor arrived`;
    case "closed-ahead-of-clock":
      return `${n} lost by ${by}, ${windowsClosed(cause, context)}`;
    case "old-dated":
      return `${n} imported with old dates${most === null ? "" : `, up to ${duration(most)} behind`}, after ${by} had read`;
    case "late-commit":
      return `${n} committed behind the data clock${most === null ? "" : `, up to ${duration(most)} after the cursor`}, after ${by} had read`;
    case "precision":
      return `${n} within ${most === null ? "a fraction" : duration(most)} of a window's end, which the ledger rounds`;
    case "out-of-order-write":
      return `${n} that ${by} carried, and an older copy was written over ${it(cause)}`;
    case "dropped-in-pipeline":
      return `${n} that ${cause.rows === 1n ? "was" : "were"} there when ${by} read, and the pipeline dropped ${it(cause)}${dropped(cause)}`;
    case "unstamped-update":
      return `${n} written without moving the cursor, so that no window reads ${it(cause)} again`;
    case "hard-delete":
      return `${n} deleted in the source, which told nobody`;
    default:
      return undetermined(cause, n);
  }
}

const it = (cause: CauseTally): string => (cause.rows === 1n ? "it" : "them");

function windowsClosed(cause: CauseTally, context: RowContext): string {
  const only = cause.runs.length === 1 ? cause.runs[0]?.run : undefined;
  const run = only === undefined ? undefined : context.ledger?.facts.runs[only];
  const clock = only === undefined ? null : (context.ledger?.facts.clocks[only] ?? null);
  const axis = context.axis ?? "time";
  const end = run?.window?.to ?? null;
  if (end === null || clock === null)
    return `${cause.runs.length === 1 ? "which" : "each of which"} closed ${cause.runs.length === 1 ? "its" : "a"} window ahead of the data clock`;
  if (clock.position === null) return "which closed its window before anything was visible";
  const to = axis === "time" ? moment(end) : end.toString();
  return `which closed its window at ${to}, ${clock.certainty === "at-most" ? "at least " : ""}${distance(end - clock.position, axis)} ahead of the data clock`;
}

function dropped({ details, rows: all }: CauseTally): string {
  if (details.notLoaded === all) return ": read and not loaded, by its row count";
  if (details.notRead === all) return ": not read, by its row count";
  return "";
}

function undetermined(cause: CauseTally, n: string): string {
  if (cause.between.length === 0) return `${n} whose cause cannot be told`;
  return `${n} whose cause cannot be told: ${or(cause.between)}; ${or(cause.tells)} would tell`;
}

function or(list: readonly string[]): string {
  return names(list, list.length, 9).replace(/ and ([^,]*)$/, " or $1");
}

/** What was measured of one cause, for machines. */
export function causeEvidence(cause: CauseTally, context: RowContext): Evidence {
  const evidence: Record<string, Json> = {};
  const { byConfidence: by, measure } = cause;
  const kinds = [by.observed, by.inferred, by.undetermined].filter((n) => n > 0n);
  if (kinds.length > 1)
    evidence["rows_by_confidence"] = {
      observed: jsonCount(by.observed),
      inferred: jsonCount(by.inferred),
      undetermined: jsonCount(by.undetermined),
    };
  if (measure !== null) {
    const time = context.axis !== "sequence";
    const name =
      { "closed-ahead-of-clock": "beyond_clock", precision: "from_window_end" }[cause.code as string] ?? "lag";
    const value = (n: bigint): Json => (time ? seconds(n) : jsonCount(n));
    evidence[`${name}_min${time ? "_seconds" : ""}`] = value(measure.least);
    evidence[`${name}_max${time ? "_seconds" : ""}`] = value(measure.most);
  }
  if (cause.code === "closed-ahead-of-clock") {
    const witnesses = new Set(cause.runs.flatMap(({ run }) => context.ledger?.facts.clocks[run]?.witness ?? []));
    evidence["witnesses"] = [...witnesses];
  }
  if (cause.code === "dropped-in-pipeline") {
    evidence["read_and_not_loaded"] = jsonCount(cause.details.notLoaded);
    evidence["not_read"] = jsonCount(cause.details.notRead);
  }
  if (cause.between.length > 0) {
    evidence["between"] = cause.between;
    evidence["would_tell"] = cause.tells;
  }
  return evidence;
}
