import type { CauseFinding, Finding } from "../domain/finding.ts";
import type { ReporterOptions, Style } from "./reporter.ts";
import { causeHead, evidenceOf, isCopied, type Mark, markOf, sampleOf, sinceOf, typed } from "./text/finding-words.ts";
import { placeOf } from "./text/place.ts";
import { printable, wrap } from "./text/wrap.ts";

const SAMPLE = 5;
const RUNS = 5;
/** Width of the words before a line's text: `where`, `why`, … */
const LABEL = 9;

/** One finding: severity and code, the sentence, where, since when, why, which rows, what to type next. */
export function findingLines(finding: Finding, options: ReporterOptions): readonly string[] {
  const { style, columns } = options;
  const { symbol, word } = markOf(finding);
  const state = finding.state === "recovered" ? "" : `  ${style("dim", finding.state)}`;
  const lines = [`${style([COLOURS[word], "bold"], `${symbol} ${word}`)}  ${style("bold", finding.code)}${state}`];
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
  const evidence = evidenceOf(finding);
  if (evidence.length > 0) labelled("evidence", evidence.join("; "));
  if (finding.sample.length > 0) labelled("rows", sampleOf(finding, SAMPLE));
  for (const cause of finding.causes) lines.push(...causeLines(cause, finding, options));
  if (finding.fix !== null) lines.push(...nextLines(finding.fix, options));
  return lines;
}

const COLOURS: Readonly<Record<Mark["word"], Style>> = {
  error: "red",
  warning: "yellow",
  info: "cyan",
  accepted: "dim",
  recovered: "green",
};

function causeLines(cause: CauseFinding, finding: Finding, options: ReporterOptions): readonly string[] {
  const lines = [
    ...withLabel("why", causeHead(cause, RUNS), options),
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
  if (!isCopied(clean)) return withLabel("next", clean, options);
  return typed(clean, commandSuffix).map((line) => `  ${style("cyan", line)}`);
}

function withLabel(label: string, text: string, { style, columns }: ReporterOptions): readonly string[] {
  return wrap(printable(text), columns - LABEL - 2).map(
    (line, i) => `  ${i === 0 ? style("dim", label.padEnd(LABEL)) : " ".repeat(LABEL)}${line}`,
  );
}
