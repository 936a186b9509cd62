import type { AuditedCheckRecord } from "../../domain/state.ts";
import { amount } from "../text/amount.ts";
import { moment } from "../text/place.ts";
import { SYMBOLS, verdictMark } from "./check-section.ts";
import { differing } from "./history-chart.ts";
import { page } from "./page.ts";
import { html, type Html } from "./tag.ts";

/** A check's last audit, and where its page lies. */
export type LastState = AuditedCheckRecord & {
  /** ISO. */
  readonly startedAt: string;
  /** Relative to the index; null: it is not kept. */
  readonly page: string | null;
  /** Relative to the index; null: there is none. */
  readonly badge: string | null;
  /** Verdicts of the audits before, oldest first, this one among them. */
  readonly before: readonly AuditedCheckRecord["verdict"][];
};

/** What the index shows: every check that was ever audited here, as it stood last. */
export type Index = { readonly checks: readonly LastState[]; readonly madeAt: string };

const GRAVITY = ["incomplete", "fail", "warn", "pass"] as const;

/** The page over all checks: the gravest first, each with its verdict, its rows, its clock, and a link to the page of its audit. */
export function indexPage({ checks, madeAt }: Index): string {
  const ordered = checks.toSorted(
    (a, b) => GRAVITY.indexOf(a.verdict) - GRAVITY.indexOf(b.verdict) || (a.check < b.check ? -1 : 1),
  );
  const counts = GRAVITY.flatMap((verdict) => {
    const many = checks.filter((check) => check.verdict === verdict).length;
    return many === 0 ? [] : [`${amount(many)} ${verdict}`];
  });
  return page(
    "Tidemark: every check",
    html`<header class="top"><h1>Every check as it stood last</h1><p>${amount(checks.length)} ${checks.length === 1 ? "check" : "checks"}${counts.length > 0 && `: ${counts.join(", ")}`}. Written ${second(madeAt)}. <a href="latest/report.html">The latest audit</a></p></header>
<main><div class="scroll" role="region" aria-label="Checks" tabindex="0"><table><thead><tr><th scope="col">verdict</th><th scope="col">check</th><th scope="col" class="n">differing rows</th><th scope="col" class="n lesser">source rows</th><th scope="col" class="lesser">target's data clock</th><th scope="col">last audit</th><th scope="col" class="lesser">before</th><th scope="col" class="lesser">badge</th></tr></thead>
<tbody>${ordered.map(row)}</tbody></table></div></main>
<footer class="foot"><p>Verdicts before: oldest first; ✓ pass, ! warn, ✗ fail, ? incomplete.</p></footer>`,
  );
}

/** A moment to the second. */
function second(iso: string): string {
  return moment(iso.replace(/\.\d+Z$/, "Z"));
}

function row(state: LastState): Html {
  const { check, verdict, sourceRows, targetClock, startedAt, before } = state;
  const when = second(startedAt);
  return html`<tr><td>${verdictMark(verdict)}</td><th scope="row"><bdi>${check}</bdi></th><td class="n">${amount(differing(state))}</td><td class="n lesser">${sourceRows === null ? "–" : amount(sourceRows)}</td><td class="lesser">${targetClock === null ? "none" : moment(targetClock)}</td><td>${state.page === null ? when : html`<a href="${state.page}">${when}</a>`}</td><td class="lesser"><span aria-label="${before.join(", ")}" role="img">${before.map((each) => html`<span class="verdict ${each}">${SYMBOLS[each]}</span>`)}</span></td><td class="lesser">${state.badge === null ? "–" : html`<a href="${state.badge}">SVG</a>`}</td></tr>`;
}
