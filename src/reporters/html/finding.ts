import type { Finding } from "../../domain/finding.ts";
import type { ReporterOptions } from "../reporter.ts";
import { causeHead, evidenceOf, isCopied, markOf, sampleOf, sinceOf, typed } from "../text/finding-words.ts";
import { placeOf } from "../text/place.ts";
import { html, type Html, type Part } from "./tag.ts";

const SAMPLE = 20;
const RUNS = 20;

/** One finding with its evidence, its causes, and what to type next. */
export function findingArticle(finding: Finding, { commandSuffix }: ReporterOptions, id: string): Html {
  const { symbol, word } = markOf(finding);
  const tone = word === "warning" ? "warn" : word === "accepted" ? "info" : word;
  const over = finding.state === "recovered";
  return html`<article class="finding ${tone}" aria-labelledby="${id}"><h4 id="${id}"><span class="sev ${tone}">${symbol} ${word}</span> <code>${finding.code}</code>${!over && html` <span class="dim">${finding.state}</span>`}</h4>
<p class="says"><bdi>${finding.says}</bdi></p>${!over && facts(finding)}${!over && finding.fix !== null && fixOf(finding.fix, commandSuffix)}${
    !over &&
    finding.causes
      .filter(({ fix }) => fix !== null && fix !== finding.fix)
      .map(({ code, fix }) => fix !== null && html`<p class="note">for ${code} alone:</p>${fixOf(fix, commandSuffix)}`)
  }</article>`;
}

function facts(finding: Finding): Html | null {
  const keys = Object.keys(finding.sample[0]?.key ?? {});
  const lines: readonly (readonly [string, Part])[] = [
    ...placeOf(finding.range, keys).map((place, i) => [i === 0 ? "where" : "", place] as const),
    ...only("since", sinceOf(finding)),
    ...only("side", finding.sides?.join(", ")),
    ...only("columns", finding.columns?.join(", ")),
    ...only("evidence", evidenceOf(finding).join("; ")),
    ...(finding.sample.length === 0 ? [] : [["rows", sampleOf(finding, SAMPLE)] as const]),
    ...finding.causes.map(
      (cause, i) =>
        [i === 0 ? "why" : "", html`<strong>${causeHead(cause, RUNS)}</strong><br><bdi>${cause.says}</bdi>`] as const,
    ),
  ];
  return lines.length === 0
    ? null
    : html`<dl>${lines.map(([name, text]) => html`<dt>${name}</dt><dd>${typeof text === "string" ? html`<bdi>${text}</bdi>` : text}</dd>`)}</dl>`;
}

function only(name: string, text: string | null | undefined): readonly (readonly [string, Part])[] {
  return text === null || text === undefined || text === "" ? [] : [[name, text]];
}

/** What to type next, to be copied as a whole with one click; or advice in words. */
export function fixOf(fix: string, suffix: string): Html {
  if (!isCopied(fix)) return html`<p class="note">next: ${fix}</p>`;
  return html`<pre tabindex="0" aria-label="command to copy">${typed(fix, suffix).join("\n")}</pre>`;
}
