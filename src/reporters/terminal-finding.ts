import type { CauseFinding, Finding, Severity } from "../domain/finding.ts";
import type { ReporterOptions, Style } from "./reporter.ts";
import { counted } from "./text/amount.ts";
import { evidenceText } from "./text/evidence.ts";
import { jsonText, placeOf, sampleText } from "./text/place.ts";
import { printable, wrap } from "./text/wrap.ts";

const SAMPLE = 5;
const RUNS = 5;
/** Width of the words before a line's text: `where`, `why`, … */
const LABEL = 9;

/** One finding: severity and code, the sentence, where, since when, why, which rows, what to type next. */
export function findingLines(finding: Finding, options: ReporterOptions): readonly string[] {
  const { style, columns } = options;
  const { symbol, word, colour } = marks(finding);
  const state = finding.state === "recovered" ? "" : `  ${style("dim", finding.state)}`;
  const lines = [`${style([colour, "bold"], `${symbol} ${word}`)}  ${style("bold", finding.code)}${state}`];
  lines.push(...wrap(printable(finding.says), columns - 2).map((line) => `  ${line}`));
  // What is over needs no directions.
  if (finding.state === "recovered") return lines;
  const labelled = (label: string, text: string): void => void lines.push(...withLabel(label, text, options));

  const keyNames = Object.keys(finding.sample[0]?.key ?? {});
  for (const [i, place] of placeOf(finding.range, keyNames).entries()) labelled(i === 0 ? "where" : "", place);
  const since = sinceOf(finding);
  if (since !== null) labelled("since", since);
  if (finding.sides !== undefined && finding.sides.length > 0) labelled("side", finding.sides.join(", "));
  if (finding.columns !== undefined && finding.columns.length > 0) labelled("columns", finding.columns.join(", "));
  const evidence = evidenceText(finding.evidence, shownElsewhere(finding));
  if (evidence.length > 0) labelled("evidence", evidence.join("; "));
  if (finding.sample.length > 0) labelled("rows", sampleOf(finding));
  for (const cause of finding.causes) lines.push(...causeLines(cause, finding, options));
  if (finding.fix !== null) lines.push(...nextLines(finding.fix, options));
  return lines;
}

/** Evidence that has a line of its own, or that the sentence says already. */
function shownElsewhere({ evidence, rows }: Finding): ReadonlySet<string> {
  const counted = evidence.rows_lacking === rows ? ["rows_lacking"] : [];
  return new Set(["since", "first_seen", "runs_total", "streaks_total", ...counted]);
}

function marks(finding: Finding): Marks {
  if (finding.state === "recovered") return { symbol: "✓", word: "recovered", colour: "green" };
  if (finding.accepted === true) return { symbol: "·", word: "accepted", colour: "dim" };
  return SEVERITIES[finding.severity];
}

type Marks = { readonly symbol: string; readonly word: string; readonly colour: Style };

const SEVERITIES: Readonly<Record<Severity, Marks>> = {
  error: { symbol: "✗", word: "error", colour: "red" },
  warn: { symbol: "!", word: "warning", colour: "yellow" },
  info: { symbol: "·", word: "info", colour: "cyan" },
};

function sinceOf(finding: Finding): string | null {
  const since = finding.evidence.since ?? finding.evidence.first_seen;
  return typeof since === "string" ? jsonText(since) : null;
}

function sampleOf({ sample, rows }: Finding): string {
  const shown = sample.slice(0, SAMPLE).map(sampleText);
  const total = rows === null ? BigInt(sample.length) : BigInt(rows);
  const more = total - BigInt(shown.length);
  return shown.join("; ") + (more > 0n ? `; and ${counted(more.toString(), "more", "more")}` : "");
}

function causeLines(cause: CauseFinding, finding: Finding, options: ReporterOptions): readonly string[] {
  const runs = cause.runs.slice(0, RUNS);
  const more = cause.runs_total - runs.length;
  const held =
    runs.length === 0
      ? ""
      : `, ${cause.runs_total === 1 ? "run" : "runs"} ${runs.join(", ")}${more > 0 ? ` and ${counted(more, "more", "more")}` : ""}`;
  const confidence = cause.confidence === cause.code ? "" : ` (${cause.confidence})`;
  const lines = [
    ...withLabel("why", `${cause.code}${confidence}: ${counted(cause.rows, "row")}${held}`, options),
    ...withLabel("", cause.says, options),
  ];
  if (finding.causes.length > 1)
    for (const place of placeOf(cause.range, [])) lines.push(...withLabel("", place, options));
  if (cause.fix !== null && cause.fix !== finding.fix) lines.push(...nextLines(cause.fix, options));
  return lines;
}

/** A command or a statement stands alone and whole, to be copied; advice in words is wrapped like any sentence. */
function nextLines(fix: string, options: ReporterOptions): readonly string[] {
  const { style, commandSuffix } = options;
  const clean = printable(fix);
  if (!COPIED.test(clean)) return withLabel("next", clean, options);
  return clean
    .split("\n")
    .map((line) => `  ${style("cyan", line.startsWith("tidemark ") ? line + commandSuffix : line)}`);
}

const COPIED = /^(?:tidemark|alter|create|grant|drop|set|update|delete|insert|analyze)\s/i;

function withLabel(label: string, text: string, { style, columns }: ReporterOptions): readonly string[] {
  return wrap(printable(text), columns - LABEL - 2).map(
    (line, i) => `  ${i === 0 ? style("dim", label.padEnd(LABEL)) : " ".repeat(LABEL)}${line}`,
  );
}
