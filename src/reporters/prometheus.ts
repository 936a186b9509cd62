import { parseInstant } from "../domain/position.ts";
import type { CheckReport, Report } from "../domain/report.ts";
import { longestStreak } from "../domain/streak.ts";
import { ROW_FINDINGS } from "../domain/tally.ts";
import type { Reporter, ReporterOptions } from "./reporter.ts";

type Sample = { readonly labels: Readonly<Record<string, string>>; readonly value: string };
type Metric = {
  readonly name: string;
  readonly help: string;
  readonly of: (check: CheckReport, report: Report, options: ReporterOptions) => readonly Sample[];
};

/**
 * The text format of Prometheus, version 0.0.4, for a textfile collector or a push gateway. All are gauges: what stood when the audit
 * was made. A check that could not finish has no counts, so that none of them reads as zero.
 */
export const prometheus: Reporter = (report, options) => {
  const lines = METRICS.flatMap(({ name, help, of }) => {
    const samples = report.checks.flatMap((check) =>
      of(check, report, options).map((sample) => line(name, check.check, sample)),
    );
    return samples.length === 0 ? [] : [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...samples];
  });
  const at = secondsOf(report.finished_at);
  const own = [
    "# HELP tidemark_audit_timestamp_seconds When the audit ended.",
    "# TYPE tidemark_audit_timestamp_seconds gauge",
    ...(at === null ? [] : [`tidemark_audit_timestamp_seconds ${at}`]),
  ];
  return `${[...lines, ...own].join("\n")}\n`;
};

const METRICS: readonly Metric[] = [
  {
    name: "tidemark_rows",
    help: "Rows compared on a side.",
    of: (check) => bySide(check, ({ rows }) => (rows === null ? null : String(rows))),
  },
  {
    name: "tidemark_differing_rows",
    help: "Rows that differ, by the code of the finding.",
    of: ({ compared, findings }) =>
      compared === null
        ? []
        : ROW_FINDINGS.map((code) => ({
            labels: { code },
            value: findings
              .filter((each) => each.code === code)
              .reduce((sum, { rows }) => sum + BigInt(rows ?? 0), 0n)
              .toString(),
          })),
  },
  {
    name: "tidemark_findings",
    help: "Findings that stand, by severity.",
    of: ({ findings, error }) =>
      error !== null && findings.length === 0
        ? []
        : (["error", "warn", "info"] as const).map((severity) => ({
            labels: { severity },
            value: String(findings.filter((each) => each.severity === severity && each.state !== "recovered").length),
          })),
  },
  {
    name: "tidemark_data_clock_timestamp_seconds",
    help: "The newest cursor value of a side, where the cursor is a time.",
    of: (check) => bySide(check, ({ clock }) => secondsOf(clock)),
  },
  {
    name: "tidemark_data_clock_lag_seconds",
    help: "How far the data clock of a side stood behind the wall clock when the audit began.",
    of: (check, { started_at }) =>
      bySide(check, ({ clock }) => {
        const [then, now] = [secondsOf(clock), secondsOf(started_at)];
        return then === null || now === null ? null : decimal(Number(now) - Number(then));
      }),
  },
  {
    name: "tidemark_zero_row_streak_runs",
    help: "Runs of the longest streak of successful runs with 0 rows that is a finding; 0: none is.",
    of: ({ runs, findings }) => (runs === null ? [] : [{ labels: {}, value: String(longestStreak(findings) ?? 0) }]),
  },
  {
    name: "tidemark_check_seconds",
    help: "How long the check took.",
    of: ({ seconds }) => [{ labels: {}, value: decimal(seconds) }],
  },
  {
    name: "tidemark_check_verdict",
    help: "1 for the verdict that the check came to.",
    of: ({ verdict }) =>
      (["pass", "warn", "fail", "incomplete"] as const).map((each) => ({
        labels: { verdict: each },
        value: each === verdict ? "1" : "0",
      })),
  },
  {
    name: "tidemark_last_success_timestamp_seconds",
    help: "When the newest audit began in which the check passed, with or without warnings.",
    of: ({ check, verdict }, { started_at }, { details }) => {
      const passed = (each: string): boolean => each === "pass" || each === "warn";
      const at = passed(verdict)
        ? started_at
        : (details?.get(check)?.history.findLast((point) => passed(point.verdict))?.startedAt ?? null);
      const seconds = secondsOf(at);
      return seconds === null ? [] : [{ labels: {}, value: seconds }];
    },
  },
];

function bySide(check: CheckReport, value: (side: CheckReport["source"]) => string | null): readonly Sample[] {
  return (["source", "target"] as const).flatMap((side) => {
    const found = value(check[side]);
    return found === null ? [] : [{ labels: { side }, value: found }];
  });
}

/** Seconds since the epoch; null: it is no time (the clock of a sequence). */
function secondsOf(time: string | null): string | null {
  const at = time === null || !time.includes("T") ? null : parseInstant(time);
  return at === null ? null : decimal(Number(at) / 1e6);
}

/** To the millisecond, without an exponent. */
function decimal(n: number): string {
  return n.toFixed(3).replace(/\.?0+$/, "");
}

function line(name: string, check: string, { labels, value }: Sample): string {
  const list = Object.entries({ check, ...labels }).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}{${list.join(",")}} ${value}`;
}

/** A backslash, a quote and a line break are all that a label's value cannot hold. */
function escaped(text: string): string {
  return text.toWellFormed().replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}
