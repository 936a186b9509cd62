import type { Json } from "../../domain/finding.ts";
import type { Verdict } from "../../domain/report.ts";
import type { AuditedCheckRecord } from "../../domain/state.ts";
import type { ReporterOptions, Style } from "../reporter.ts";
import { amount, span } from "../text/amount.ts";
import { printable } from "../text/wrap.ts";

/** One past run, from the state store or, where that does not know it, from its kept report. */
export type PastRun = {
  /** What it is called: its start, without colons. */
  readonly run: string;
  /** ISO, as in the report. */
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly verdict: Verdict;
  readonly checks: readonly AuditedCheckRecord[];
  /** Paths of what was kept; null: it is not there (any more). */
  readonly report: string | null;
  readonly html: string | null;
};

/** Past runs, the newest first, and how many older ones there are. */
export type PastRuns = {
  readonly runs: readonly PastRun[];
  readonly older: number;
  /** The page over all checks; null: none. */
  readonly index: string | null;
};

const COUNTS = ["error", "warn", "info", "recovered"] as const;
const HEADS = ["run", "verdict", "found", "time", "checks"] as const;

/** For people: a line a run, then what to type next. */
export function pastRunsText({ runs, older, index }: PastRuns, options: ReporterOptions): string {
  const { style, commandSuffix } = options;
  const where = index === null ? [] : [`page: ${printable(index)}`];
  if (runs.length === 0) return `${["No run yet: `tidemark audit` makes one.", ...where].join("\n")}\n`;
  const cells = runs.map((run) => [
    run.run,
    `${MARKS[run.verdict].symbol} ${run.verdict}`,
    foundIn((count) => total(run, count)),
    timeOf(run),
  ]);
  const widths = HEADS.slice(0, -1).map((head, i) =>
    Math.max(head.length, ...cells.map((line) => (line[i] ?? "").length)),
  );
  const aligned = (line: readonly string[]): readonly string[] => line.map((cell, i) => cell.padEnd(widths[i] ?? 0));
  const room = options.columns - widths.reduce((sum, width) => sum + width + 2, 0);
  const lines = runs.map((run, i) => {
    const [name = "", verdict = "", ...rest] = aligned(cells[i] ?? []);
    return [name, style(MARKS[run.verdict].style, verdict), ...rest, namesOf(run, room)].join("  ").trimEnd();
  });
  const head = style("dim", [...aligned(HEADS.slice(0, -1)), "checks"].join("  "));
  const more = older === 0 ? [] : [`and ${amount(older)} older: tidemark report --all${commandSuffix}`];
  const next = `one of them again: tidemark report ${runs[0]?.run ?? ""}${commandSuffix}`;
  return `${[[head, ...lines].join("\n"), [...more, next, ...where].join("\n")].join("\n\n")}\n`;
}

/** For people: what the state store still knows of a run whose report is not kept. */
export function pastRunText(run: PastRun, { style }: ReporterOptions): string {
  const lines = run.checks.map((check) => {
    const rows = Object.entries(check.rows).map(
      ([code, many]) => `; ${code}: ${amount(many)} ${String(many) === "1" ? "row" : "rows"}`,
    );
    const { symbol, style: colour } = MARKS[check.verdict];
    return `${style([colour, "bold"], `${symbol} ${check.verdict}`)}  ${printable(check.check)}: ${foundIn((count) => check.findings[count])}${rows.join("")}`;
  });
  return `${[`run ${run.run}, ${timeOf(run)}`, ...lines, "", "Its report is not kept any more; this is what the state store knows of it."].join("\n")}\n`;
}

/** The JSON form, version 1. */
export function pastRunsJson({ runs, older, index }: PastRuns): { readonly [name: string]: Json } {
  return {
    version: 1,
    index,
    older,
    runs: runs.map((run) => ({
      run: run.run,
      started_at: run.startedAt,
      finished_at: run.finishedAt,
      verdict: run.verdict,
      report: run.report,
      html: run.html,
      checks: run.checks.map((check) => ({
        check: check.check,
        verdict: check.verdict,
        source_rows: check.sourceRows,
        target_rows: check.targetRows,
        source_clock: check.sourceClock,
        target_clock: check.targetClock,
        findings: check.findings,
        rows: check.rows as { readonly [code: string]: number | string },
        seconds: check.seconds,
      })),
    })),
  };
}

const MARKS: Readonly<Record<Verdict, { readonly symbol: string; readonly style: Style }>> = {
  pass: { symbol: "✓", style: "green" },
  warn: { symbol: "!", style: "yellow" },
  fail: { symbol: "✗", style: "red" },
  incomplete: { symbol: "?", style: "red" },
};

/** `5 errors, 1 warning`: what was found, the worst first. What is for information only counts where there is nothing else. */
function foundIn(many: (count: (typeof COUNTS)[number]) => number): string {
  const said = COUNTS.flatMap((count) => {
    const n = many(count);
    if (n === 0) return [];
    const word = { error: "error", warn: "warning", info: "for information", recovered: "recovered" }[count];
    return [`${amount(n)} ${word}${n > 1 && (count === "error" || count === "warn") ? "s" : ""}`];
  });
  const weighty = said.filter((part) => !part.endsWith("information"));
  return (weighty.length > 0 ? weighty : said).join(", ") || "nothing";
}

function total({ checks }: PastRun, count: (typeof COUNTS)[number]): number {
  return checks.reduce((sum, { findings }) => sum + findings[count], 0);
}

/** From start to finish. */
function timeOf({ startedAt, finishedAt }: PastRun): string {
  const seconds = (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
  return Number.isFinite(seconds) ? span(Math.max(0, seconds)) : "–";
}

/** As many names as there is room for, and how many there are besides. */
function namesOf({ checks }: PastRun, room: number): string {
  const names = checks.map(({ check }) => printable(check));
  for (let shown = names.length; shown > 0; shown--) {
    const more = names.length - shown;
    const text = `${names.slice(0, shown).join(", ")}${more > 0 ? ` + ${amount(more)}` : ""}`;
    if (text.length <= room) return text;
  }
  return amount(names.length);
}
