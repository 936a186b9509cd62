import type { Finding } from "../domain/finding.ts";
import type { CheckReport } from "../domain/report.ts";
import type { Reporter, ReporterOptions } from "./reporter.ts";
import { amount, counted, span } from "./text/amount.ts";
import { causeHead, evidenceOf, isCopied, markOf, sampleOf, sinceOf, typed } from "./text/finding-words.ts";
import { placeOf } from "./text/place.ts";
import { printable, TOGETHER } from "./text/wrap.ts";

/** What a comment or a ticket holds, in bytes of UTF-8: GitHub counts characters, others bytes. */
const LIMIT = 65_536;
/** Kept free for what says what was left out. */
const RESERVE = 400;
const CHECKS = 200;
const SAMPLE = 5;
const RUNS = 5;

const SYMBOLS = { pass: "✅ pass", warn: "⚠️ warn", fail: "❌ fail", incomplete: "❓ incomplete" } as const;

/** For a pull request or a ticket: the verdicts as a table, then the findings, the gravest in full as long as there is room. */
export const markdown: Reporter = (report, options) => {
  const { checks, verdict } = report;
  const shown = checks.slice(0, CHECKS);
  const head = [
    `## ${SYMBOLS[verdict]}: tidemark audit of ${report.started_at.slice(0, 16).replace("T", " ")} UTC`,
    checks.length === 0 ? "No check was asked for." : table(shown),
  ].join("\n\n");
  const headings = shown.map((check) => heading(check));
  const budget = { left: LIMIT - RESERVE - bytes(head) - headings.reduce((sum, text) => sum + bytes(text) + 2, 0) };
  const { told, short, out } = fit(shown, options, budget);
  const sections = shown.flatMap((check, i) => {
    const blocks = told.get(check) ?? [];
    return blocks.length === 0 && check.error === null ? [] : [headings[i] ?? "", ...blocks];
  });
  const left = [
    ...(checks.length > shown.length ? [`${counted(checks.length - shown.length, "check")} left out`] : []),
    ...(short > 0 ? [`${counted(short, "finding")} told in one line`] : []),
    ...(out > 0 ? [`${counted(out, "finding")} left out`] : []),
  ].map((text) => text.replaceAll(TOGETHER, " "));
  const foot =
    left.length === 0 ? [] : [`_For want of room: ${left.join(", ")}. The HTML and JSON reports have everything._`];
  return `${[head, ...sections, ...foot].join("\n\n")}\n`;
};

/** Errors first, whichever check they are of: in full, else in a line, else not at all. */
function fit(checks: readonly CheckReport[], options: ReporterOptions, budget: { left: number }) {
  const blocks = new Map<Finding, string>();
  let short = 0;
  let out = 0;
  const all = checks.flatMap(({ findings }) => findings);
  const rank = (finding: Finding): number =>
    finding.state === "recovered" || finding.accepted === true
      ? 3
      : ["error", "warn", "info"].indexOf(finding.severity);
  for (const finding of all.toSorted((a, b) => rank(a) - rank(b))) {
    const choices = [block(finding, options), line(finding)];
    const fits = choices.findIndex((text) => bytes(text) + 2 <= budget.left);
    const text = choices[fits];
    if (text === undefined) {
      out++;
      continue;
    }
    if (fits > 0) short++;
    budget.left -= bytes(text) + 2;
    blocks.set(finding, text);
  }
  const told = new Map(checks.map((check) => [check, check.findings.flatMap((finding) => blocks.get(finding) ?? [])]));
  return { told, short, out };
}

function table(checks: readonly CheckReport[]): string {
  const rows = (count: number | string | null): string => (count === null ? "–" : amount(count));
  return [
    "| verdict | check | source rows | target rows | time |",
    "| :-- | :-- | --: | --: | --: |",
    ...checks.map(
      ({ verdict, check, source, target, seconds }) =>
        `| ${SYMBOLS[verdict]} | ${cell(check)} | ${rows(source.rows)} | ${rows(target.rows)} | ${span(seconds)} |`,
    ),
  ].join("\n");
}

function heading({ check, source, target, error }: CheckReport): string {
  const side = ({ connection, table }: CheckReport["source"]): string => cell(`${connection}: ${table}`);
  const lines = [`### ${cell(check)}`, `${side(source)} → ${side(target)}`];
  if (error !== null)
    lines.push(
      `**Could not finish** (${code(error.code)}): ${text(error.message)}${error.hint === null ? "" : `  \n${text(error.hint)}`}`,
    );
  return lines.join("\n\n");
}

function line(finding: Finding): string {
  const { symbol, word } = markOf(finding);
  const state = finding.state === "recovered" ? "" : ` (${finding.state})`;
  return `**${symbol} ${word}** ${code(finding.code)}${state}: ${text(finding.says)}`;
}

function block(finding: Finding, { commandSuffix }: ReporterOptions): string {
  if (finding.state === "recovered") return line(finding);
  const items: string[] = [];
  const keys = Object.keys(finding.sample[0]?.key ?? {});
  for (const place of placeOf(finding.range, keys)) items.push(`where: ${text(place)}`);
  const since = sinceOf(finding);
  if (since !== null) items.push(`since: ${text(since)}`);
  if (finding.columns !== undefined && finding.columns.length > 0)
    items.push(`columns: ${finding.columns.map(code).join(", ")}`);
  const evidence = evidenceOf(finding);
  if (evidence.length > 0) items.push(`evidence: ${text(evidence.join("; "))}`);
  if (finding.sample.length > 0) items.push(`rows: ${text(sampleOf(finding, SAMPLE))}`);
  for (const cause of finding.causes) items.push(`why: **${text(causeHead(cause, RUNS))}**. ${text(cause.says)}`);
  const { fix } = finding;
  if (fix !== null && !isCopied(fix)) items.push(`next: ${text(fix)}`);
  const parts = [line(finding)];
  if (items.length > 0) parts.push(items.map((item) => `- ${item}`).join("\n"));
  if (fix !== null && isCopied(fix)) parts.push(fenced(typed(printable(fix), commandSuffix).join("\n")));
  return parts.join("\n\n");
}

/** A text whose characters mean nothing: no emphasis, no link, no tag, no mention, no issue. */
function text(of: string): string {
  return printable(of)
    .replaceAll(TOGETHER, " ")
    .replaceAll(/\s*\n\s*/g, " ")
    .replaceAll(/[\\`*_{}[\]<>|~&$]/g, "\\$&")
    .replaceAll(/^(\s*)([#+-]|\d+[.)])/g, "$1\\$2")
    .replaceAll(/[@#](?=\w)/g, "$&<!-- -->");
}

/** Code in a line; backticks inside are fenced by more of them. */
function code(of: string): string {
  const clean = printable(of).replaceAll("\n", " ");
  const ticks = "`".repeat(longestRun(clean) + 1);
  const pad = clean.startsWith("`") || clean.endsWith("`") || clean === "" ? " " : "";
  return `${ticks}${pad}${clean}${pad}${ticks}`;
}

/** Code in a table's cell or a heading, where a bar would end the cell even inside of code. */
function cell(of: string): string {
  return code(of).replaceAll("|", "\\|");
}

function fenced(of: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(of) + 1));
  return `${fence}sh\n${of}\n${fence}`;
}

function longestRun(of: string): number {
  return Math.max(0, ...[...of.matchAll(/`+/g)].map(([run]) => run.length));
}

function bytes(of: string): number {
  return new TextEncoder().encode(of).length;
}
