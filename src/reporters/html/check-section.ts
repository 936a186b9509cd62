import type { CheckDetail } from "../../domain/detail.ts";
import type { Finding } from "../../domain/finding.ts";
import type { CheckReport, Verdict } from "../../domain/report.ts";
import type { ReporterOptions } from "../reporter.ts";
import { amount, counted, span } from "../text/amount.ts";
import { moment } from "../text/place.ts";
import { badgeText } from "./badge.ts";
import { clockSection } from "./clock-section.ts";
import { findingArticle, fixOf } from "./finding.ts";
import { historyChart, historySentence } from "./history-chart.ts";
import { keySentence, keyStrip } from "./key-strip.ts";
import { lagChart, lagNotes, lagSentence } from "./lag-chart.ts";
import type { Size } from "./plane.ts";
import { html, type Html } from "./tag.ts";

/** Symbols beside the words of verdicts. */
export const SYMBOLS: Readonly<Record<Verdict, string>> = { pass: "✓", warn: "!", fail: "✗", incomplete: "?" };

export function verdictMark(verdict: Verdict): Html {
  return html`<span class="verdict ${verdict}">${SYMBOLS[verdict]} ${verdict}</span>`;
}

/** Everything about one check. `id`: unique in the page. */
export function checkSection(
  check: CheckReport,
  detail: CheckDetail | undefined,
  options: ReporterOptions,
  id: string,
): Html {
  const { age, told } = badgeText(check, detail);
  const side = ({ connection, table, engine }: CheckReport["source"]): string =>
    `${connection}: ${table}${engine === null ? "" : ` (${engine})`}`;
  return html`<section class="check" id="${id}" aria-labelledby="${id}-h">
<div class="head"><h2 id="${id}-h"><bdi>${check.check}</bdi></h2>${verdictMark(check.verdict)}${age !== null && html`<span class="badge ${age.tone}" title="${told}">${age.says}</span>`}</div>
${check.description !== null && html`<p>${check.description}</p>`}
<p class="dim"><bdi>${side(check.source)}</bdi> → <bdi>${side(check.target)}</bdi></p>
${headline(check, options)}
${detail !== undefined && clockSection(detail, id)}
${findings(check, options, id)}
${detail !== undefined && pictures(detail, id)}
${compared(check)}
</section>`;
}

/** Why rows fell through, or that none did. */
function headline({ verdict, error, findings }: CheckReport, { commandSuffix }: ReporterOptions): Html {
  if (error !== null)
    return html`<div class="why"><p><strong>Could not finish: ${error.message}</strong></p>${error.hint !== null && html`<p>${error.hint}</p>`}<p class="dim">${error.code}</p></div>`;
  const standing = findings.filter(({ state, accepted }) => state !== "recovered" && accepted !== true);
  const lead = standing.find(({ causes }) => causes.length > 0) ?? standing[0];
  if (lead === undefined || verdict === "pass")
    return html`<div class="why pass"><p><strong>Nothing is wrong here that an audit can see.</strong></p></div>`;
  const cause = lead.causes[0];
  return html`<div class="why ${verdict}"><p><strong><bdi>${sentence(lead.says)}</bdi></strong></p>${cause !== undefined && html`<p><bdi>${sentence(cause.says)}</bdi> <span class="dim">(${cause.code}, ${cause.confidence})</span></p>`}${lead.fix !== null && fixOf(lead.fix, commandSuffix)}</div>`;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? capital(text) : `${capital(text)}.`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function findings({ findings }: CheckReport, options: ReporterOptions, id: string): Html | null {
  if (findings.length === 0) return null;
  const grave = (finding: Finding): boolean => finding.severity !== "info" && finding.state !== "recovered";
  const [first, lesser] = [findings.filter(grave), findings.filter((finding) => !grave(finding))];
  const article = (finding: Finding, n: number): Html => findingArticle(finding, options, `${id}-f${n}`);
  return html`<section aria-labelledby="${id}-findings"><h3 id="${id}-findings">Findings</h3>${first.map(article)}${
    lesser.length > 0 &&
    html`<details${first.length === 0 ? html` open` : ""}><summary>${amount(lesser.length)} more: for your information, accepted, or recovered</summary>${lesser.map((finding, i) => article(finding, first.length + i))}</details>`
  }</section>`;
}

function pictures({ keys, lag, history, axis }: CheckDetail, id: string): Html {
  const both = (draw: (size: Size) => Html): Html => html`${draw("wide")}${draw("narrow")}`;
  const part = (
    name: string,
    title: string,
    caption: string,
    draw: (size: Size) => Html,
    notes: readonly string[] = [],
  ): Html =>
    html`<section aria-labelledby="${id}-${name}"><h3 id="${id}-${name}">${title}</h3><figure><figcaption>${capital(caption)}</figcaption>${both(draw)}</figure>${notes.length > 0 && html`<p class="note">${notes.join("; ")}.</p>`}</section>`;
  return html`${
    keys !== null &&
    (keys.parts.length === 0
      ? html`<section><h3>Key space</h3><p class="note">${keys.notes.join("; ")}.</p></section>`
      : part(
          "keys",
          "Key space",
          `${keySentence(keys)}. ${amount(keys.chunksDifferent)} of ${counted(keys.chunks, "chunk")} differed.`,
          (size) => keyStrip(keys, size, `${id}-keys-${size}`),
          keys.notes,
        ))
  }${
    lag !== null &&
    axis === "time" &&
    part(
      "lag",
      "Arrival lag and overlap",
      `${lagSentence(lag.advice)}.`,
      (size) => lagChart(lag, size, `${id}-lag-${size}`),
      lagNotes(lag),
    )
  }${
    history.length > 0 &&
    part("history", "History", `${historySentence(history)}.`, (size) =>
      historyChart(history, size, `${id}-history-${size}`),
    )
  }`;
}

/** What proves that rows are the same, in words. */
const PROOFS: Readonly<Record<string, string>> = {
  typed: "checksums of the values as the databases hold them",
  sha256: "SHA-256 checksums of the values' texts",
  md5: "MD5 checksums of the values' texts",
  values: "their values, one by one",
};

/** What was compared, and what was not. */
function compared({ source, target, compared, runs, seconds }: CheckReport): Html {
  const rows = (count: number | string | null): string => (count === null ? "–" : amount(count));
  const clock = (text: string | null): string => (text === null ? "none" : moment(text));
  const told: string[] = [];
  for (const { column, why } of compared?.not_compared ?? []) told.push(`not compared: ${column} (${why})`);
  told.push(...(compared?.notes ?? []));
  if (compared !== null && compared.stopped !== null) told.push(`ended early: ${compared.stopped}`);
  if (runs !== null && runs.without_window > 0) told.push(`${counted(runs.without_window, "run")} without a window`);
  for (const { place, why } of (runs?.unreadable ?? []).slice(0, 5)) told.push(`ledger line ${place}: ${why}`);
  return html`<h3>What was compared</h3><table><thead><tr><td></td><th scope="col" class="n">rows</th><th scope="col">data clock</th></tr></thead>
<tbody><tr><th scope="row">source</th><td class="n">${rows(source.rows)}</td><td>${clock(source.clock)}</td></tr><tr><th scope="row">target</th><td class="n">${rows(target.rows)}</td><td>${clock(target.clock)}</td></tr></tbody></table>
${compared !== null && html`<p class="note">${counted(compared.columns.length, "column")} (<bdi>${compared.columns.join(", ")}</bdi>) in ${counted(compared.chunks, "chunk")}, compared by ${PROOFS[compared.digest] ?? compared.digest}; ${counted(compared.statements, "statement")}, ${counted(compared.rows_fetched, "row")} fetched, ${span(seconds)}.</p>`}
${runs !== null && html`<p class="note">${counted(runs.read, "run")} of the ledger read, ${amount(runs.successful)} successful, ${amount(runs.empty)} of them with 0 rows.</p>`}
${told.length > 0 && html`<ul class="note">${told.map((line) => html`<li><bdi>${line}</bdi></li>`)}</ul>`}`;
}
