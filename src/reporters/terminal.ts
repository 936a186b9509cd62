import Table from "cli-table3";
import type { CheckReport, Report, Verdict } from "../domain/report.ts";
import type { Ending, Reporter, ReporterOptions, Style } from "./reporter.ts";
import { incidentLines, storyOf } from "./terminal-finding.ts";
import { amount, counted, span } from "./text/amount.ts";
import { incidentsOf } from "./text/incidents.ts";
import { moment } from "./text/place.ts";
import { printable, wrap } from "./text/wrap.ts";

/**
 * For people: a line per check, then what was found, where, since when, why, and the command to type next; last, what it comes to.
 * Every meaning is a word; symbols and colours only help the eye. Sentences keep to the width, commands stay whole.
 */
export const terminal: Reporter = (report, options) => {
  const narrow: ReporterOptions = { ...options, columns: Math.min(Math.max(options.columns, 40), 120) };
  const blocks = [checkTable(report.checks, narrow), ...report.checks.flatMap((check) => details(check, narrow) ?? [])];
  return `${[...blocks, summary(report, narrow)].filter((block) => block !== "").join("\n\n")}\n`;
};

const VERDICTS: Readonly<Record<Verdict, { readonly symbol: string; readonly style: Style }>> = {
  pass: { symbol: "✓", style: "green" },
  warn: { symbol: "!", style: "yellow" },
  fail: { symbol: "✗", style: "red" },
  incomplete: { symbol: "?", style: "red" },
};

/** What stands before and behind the cells of a line without borders: two blanks between columns. */
const BORDERLESS = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: "  ",
};

function checkTable(checks: readonly CheckReport[], { style }: ReporterOptions): string {
  if (checks.length === 0) return "No check was asked for.";
  const table = new Table({
    chars: BORDERLESS,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
    colAligns: ["left", "left", "right", "right", "right"],
  });
  table.push(["", "check", "source rows", "target rows", "time"].map((head) => style("dim", head)));
  for (const check of checks) {
    const { symbol, style: colour } = VERDICTS[check.verdict];
    const rows = (count: number | string | null): string => (count === null ? "–" : amount(count));
    table.push([
      style([colour, "bold"], `${symbol} ${check.verdict}`),
      printable(check.check),
      rows(check.source.rows),
      rows(check.target.rows),
      span(check.seconds),
    ]);
  }
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

/** Everything about one check; null: there is nothing to tell beyond its line. */
function details(check: CheckReport, options: ReporterOptions): string | null {
  const remarks = remarksOf(check);
  if (check.error === null && check.findings.length === 0 && remarks.length === 0) return null;
  const { style, columns } = options;
  const side = (of: CheckReport["source"]): string =>
    `${of.connection}: ${of.table}${of.engine === null ? "" : ` (${of.engine})`}`;
  const head = [
    style("bold", `── ${printable(check.check)} ──`),
    ...wrap(printable(`${side(check.source)} → ${side(check.target)}`), columns),
    ...clockLine(check, columns),
    ...remarks.flatMap((remark) => wrap(printable(remark), columns)),
  ];
  const blocks = [head.join("\n")];
  if (check.error !== null) blocks.push(errorLines(check.error, options).join("\n"));
  for (const incident of incidentsOf(check.findings))
    blocks.push(incidentLines(check.check, incident, options).join("\n"));
  const story = storyLine(check, options);
  if (story !== null) blocks.push(story);
  return blocks.join("\n\n");
}

/** How to look closer, once a check: one of the rows that a repair would mend. */
function storyLine({ check, findings }: CheckReport, { style, commandSuffix }: ReporterOptions): string | null {
  const mended = findings.find(({ group, state, fix }) => group === "rows" && state !== "recovered" && fix !== null);
  const command = mended === undefined ? null : storyOf(check, mended.sample);
  return command === null ? null : `one row's story:\n  ${style("cyan", `${command}${commandSuffix}`)}`;
}

function clockLine({ source, target }: CheckReport, columns: number): readonly string[] {
  if (source.clock === null && target.clock === null) return [];
  const said = (clock: string | null): string => (clock === null ? "none" : moment(clock));
  const both =
    source.clock === target.clock
      ? `${said(source.clock)} on both sides`
      : `${said(source.clock)} → ${said(target.clock)}`;
  return wrap(`data clock (newest row) ${both}`, columns);
}

/** What one must know to read the findings right: what was left out. */
function remarksOf({ compared, runs }: CheckReport): readonly string[] {
  const remarks: string[] = [];
  for (const { column, why } of compared?.not_compared ?? []) remarks.push(`not compared: ${column} (${why})`);
  for (const note of compared?.notes ?? []) remarks.push(note);
  if (compared !== null && compared.stopped !== null) remarks.push(`ended early: ${compared.stopped}`);
  const unreadable = runs?.unreadable ?? [];
  const [first] = unreadable;
  if (first !== undefined)
    remarks.push(
      `${counted(unreadable.length, "line of the ledger", "lines of the ledger")} could not be read, the first at ${first.place}: ${first.why}`,
    );
  if (runs !== null && runs.without_window > 0) remarks.push(`${counted(runs.without_window, "run")} without a window`);
  return remarks;
}

function errorLines(error: NonNullable<CheckReport["error"]>, { style, columns }: ReporterOptions): readonly string[] {
  const indent = (text: string): string => `  ${text}`;
  const lines = [
    `${style(["red", "bold"], "? could not finish")}  ${error.code}`,
    ...wrap(printable(error.message), columns - 2).map(indent),
  ];
  if (error.hint !== null) lines.push(...wrap(printable(`hint: ${error.hint}`), columns - 2).map(indent));
  return lines;
}

function summary(report: Report, { style, columns, ending }: ReporterOptions): string {
  const { checks, verdict } = report;
  const having = (wanted: Verdict): number => checks.filter((check) => check.verdict === wanted).length;
  const parts = [
    [having("pass"), "passed"],
    [having("warn"), "with warnings"],
    [having("fail"), "failed"],
    [having("incomplete"), "could not finish"],
  ] as const;
  const standing = checks.flatMap((check) => check.findings).filter((finding) => finding.state !== "recovered");
  const errors = standing.filter((finding) => finding.severity === "error").length;
  const warnings = standing.filter((finding) => finding.severity === "warn").length;
  const recovered = checks.flatMap((check) => check.findings).length - standing.length;
  const tally = parts.flatMap(([many, word]) => (many === 0 ? [] : `${amount(many)} ${word}`)).join(", ");
  const found = [counted(errors, "error"), counted(warnings, "warning")];
  if (recovered > 0) found.push(`${amount(recovered)} recovered`);
  const word = style([VERDICTS[verdict].style, "bold"], `${VERDICTS[verdict].symbol} ${verdict}`);
  const lead = `${VERDICTS[verdict].symbol} ${verdict}`;
  const sentence = `${counted(checks.length, "check")}${tally === "" ? "" : `: ${tally}`}; ${found.join(", ")}`;
  const [first = "", ...rest] = wrap(printable(`${lead}  ${sentence}`), columns);
  return [word + first.slice(lead.length), ...rest, ...endingLines(ending, columns)].join("\n");
}

/** What the exit code means, and the report's path whole on a line of its own. */
function endingLines(ending: Ending | null, columns: number): readonly string[] {
  if (ending === null) return [];
  const lines = [...wrap(`exit ${ending.exit}: ${ending.means}`, columns)];
  if (ending.kept !== null) lines.push(`report: ${printable(ending.kept)}`);
  return lines;
}
