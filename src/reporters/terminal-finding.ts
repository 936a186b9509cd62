import { traceCommand } from "../domain/command.ts";
import type { CauseFinding, Finding } from "../domain/finding.ts";
import type { ReporterOptions, Style } from "./reporter.ts";
import { causeHead, evidenceOf, isCopied, type Mark, markOf, sampleOf, sinceOf, typed } from "./text/finding-words.ts";
import type { Incident } from "./text/incidents.ts";
import { cursorPlace, placeOf } from "./text/place.ts";
import { held, printable, TOGETHER, wrap } from "./text/wrap.ts";

const SAMPLE = 5;
const RUNS = 5;
/** Width of the words before a line's text: `where`, `why`, … */
const LABEL = 9;
const ABOVE = "the repair above";

/** One incident: what explains it, with the command that mends it, and below that what else was seen of the same rows. */
export function incidentLines(
  check: string,
  { first, others, explained, repair }: Incident,
  options: ReporterOptions,
): readonly string[] {
  const names = others.map(({ code }) => code).join(", ");
  const led = others.length === 0 ? [] : [[explained ? "led to" : "also", names] as const];
  const told = findingLines(first, options, { more: led, fix: repair ?? nextOf(check, first) });
  const inner: ReporterOptions = { ...options, columns: options.columns - 2 };
  // Said once, a command is known: each that only repeats it would have to be compared by eye.
  const shown = new Set([repair ?? first.fix]);
  return [
    ...told,
    ...others.flatMap((finding) => {
      const known = finding.fix !== null && (repair !== null || shown.has(finding.fix));
      shown.add(finding.fix);
      const lines = findingLines(finding, inner, { more: [], fix: known ? ABOVE : nextOf(check, finding) });
      return ["", ...lines.map((line) => `  ${line}`)];
    }),
  ];
}

/** What to do about a finding; where nothing is to be mended, one of its rows to look at. */
function nextOf(check: string, { fix, group, sample }: Finding): string | null {
  return fix ?? (group === "rows" ? storyOf(check, sample) : null);
}

/** The command that tells the story of the first row of a sample that can be typed; null: none can. */
export function storyOf(check: string, sample: Finding["sample"]): string | null {
  for (const { key } of sample) {
    const command = traceCommand(check, Object.values(key));
    if (command !== null && printable(command) === command && !command.includes("\n")) return command;
  }
  return null;
}

type Around = {
  /** Lines of their own behind the sentence. */
  readonly more: readonly (readonly [label: string, text: string])[];
  /** What to type next in this place. */
  readonly fix: string | null;
};

/** One finding: severity and code, the sentence, where, since when, which rows, why, what to type next. */
export function findingLines(
  finding: Finding,
  options: ReporterOptions,
  { more, fix }: Around = { more: [], fix: finding.fix },
): readonly string[] {
  const { style, columns } = options;
  const { symbol, word } = markOf(finding);
  const since = sinceOf(finding);
  const stands = since === null ? finding.state : `${finding.state} since ${since}`;
  const state = finding.state === "recovered" ? "" : `  ${style("dim", printable(stands.replaceAll(TOGETHER, " ")))}`;
  const lines = [`${style([COLOURS[word], "bold"], `${symbol} ${word}`)}  ${style("bold", finding.code)}${state}`];
  lines.push(...wrap(held(printable(finding.says)), columns - 2).map((line) => `  ${line}`));
  // What is over needs no directions.
  if (finding.state === "recovered") return lines;
  const labelled = (label: string, text: string): void => void lines.push(...withLabel(label, text, options));

  for (const [label, text] of more) labelled(label, text);
  for (const [i, place] of whereOf(finding).entries()) labelled(i === 0 ? "where" : "", place);
  const sides = (finding.sides ?? []).filter((side) => !finding.says.includes(side));
  if (sides.length > 0) labelled("side", sides.join(", "));
  const columnNames = (finding.columns ?? []).filter((column) => !finding.says.includes(column));
  if (columnNames.length > 0) labelled("columns", columnNames.join(", "));
  if (finding.sample.length > 0) labelled("rows", sampleOf(finding, SAMPLE));
  const evidence = evidenceOf(finding);
  if (evidence.length > 0) labelled("evidence", evidence.join("; "));
  for (const cause of finding.causes) lines.push(...causeLines(cause, finding, options));
  if (fix !== null) lines.push(...nextLines(fix, options));
  return lines;
}

/** The stretch of the cursor, and that of the key where not all rows are listed. */
function whereOf({ range, sample, rows }: Finding): readonly string[] {
  const all = rows !== null && BigInt(rows) === BigInt(sample.length) && sample.length <= SAMPLE;
  return all ? cursorPlace(range) : placeOf(range, Object.keys(sample[0]?.key ?? {}));
}

const COLOURS: Readonly<Record<Mark["word"], Style>> = {
  error: "red",
  warning: "yellow",
  info: "cyan",
  accepted: "dim",
  recovered: "green",
};

function causeLines(cause: CauseFinding, finding: Finding, options: ReporterOptions): readonly string[] {
  const lines = [...withLabel("why", `${causeHead(cause, RUNS)}: ${cause.says}`, options)];
  if (finding.causes.length < 2) return lines;
  for (const place of cursorPlace(cause.range)) lines.push(...withLabel("", place, options));
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
  return wrap(held(printable(text)), columns - LABEL - 2).map(
    (line, i) => `  ${i === 0 ? style("dim", label.padEnd(LABEL)) : " ".repeat(LABEL)}${line}`,
  );
}
