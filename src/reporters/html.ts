import type { ReportDetail } from "../domain/detail.ts";
import type { CheckReport, Report } from "../domain/report.ts";
import { checkSection, verdictMark } from "./html/check-section.ts";
import { page } from "./html/page.ts";
import { html as tag, type Html } from "./html/tag.ts";
import type { Reporter } from "./reporter.ts";
import { amount, counted, span } from "./text/amount.ts";

/**
 * One self-contained page: the verdicts, then for each check the two clocks, the findings, where in the keys the sides differ, how late
 * rows arrive, and the history. Pictures need `details`; where those of a check are not there (it was merged from files) the page says so.
 */
export const html: Reporter = (report, options) => {
  const { checks } = report;
  const details = options.details;
  const ids = new Map(checks.map(({ check }, i) => [check, `c${i + 1}`]));
  return page(
    `Tidemark: ${report.verdict}, ${report.started_at.slice(0, 16).replace("T", " ")}`,
    tag`<header class="top"><h1>${verdictMark(report.verdict)} Audit of ${second(report.started_at)}</h1>
<p>${summary(report)}</p>${options.ending !== null && tag`<p class="dim">exit ${options.ending.exit}: ${options.ending.means}</p>`}</header>
<main>${checks.length === 0 ? tag`<p>No check was asked for.</p>` : overview(checks, ids)}
${withoutPictures(checks, details)}
${checks.map((check) => checkSection(check, details?.get(check.check), options, ids.get(check.check) ?? ""))}</main>
<footer class="foot"><p>Keys and column names only; what else a row holds is shown where its check says so. Times are UTC. Made by tidemark ${report.tool.version}.</p></footer>`,
  );
};

/** Which checks have no pictures, and why: those that could not finish say so themselves. */
function withoutPictures(checks: readonly CheckReport[], details: ReportDetail | undefined): Html | null {
  const without = checks.filter(({ check, error }) => error === null && details?.has(check) !== true);
  if (without.length === 0) return null;
  const names = without.slice(0, 5).map(({ check }) => check);
  const more = without.length > 5 ? ` and ${amount(without.length - 5)} more` : "";
  const which = without.length !== checks.length && tag` of <bdi>${names.join(", ")}</bdi>${more}`;
  return tag`<p class="note">There are no pictures${which}: this report was made from JSON forms, and what pictures are drawn from was not beside them. The page of the audit itself has them.</p>`;
}

function overview(checks: readonly CheckReport[], ids: ReadonlyMap<string, string>): Html {
  const rows = (count: number | string | null): string => (count === null ? "–" : amount(count));
  return tag`<div class="scroll" role="region" aria-label="Checks" tabindex="0"><table><thead><tr><th scope="col">verdict</th><th scope="col">check</th><th scope="col" class="n">source rows</th><th scope="col" class="n">target rows</th><th scope="col" class="n lesser">errors</th><th scope="col" class="n lesser">warnings</th><th scope="col" class="n lesser">time</th></tr></thead><tbody>${checks.map(
    (check) =>
      tag`<tr><td>${verdictMark(check.verdict)}</td><th scope="row"><a href="#${ids.get(check.check) ?? ""}"><bdi>${check.check}</bdi></a></th><td class="n">${rows(check.source.rows)}</td><td class="n">${rows(check.target.rows)}</td><td class="n lesser">${standing(check, "error")}</td><td class="n lesser">${standing(check, "warn")}</td><td class="n lesser">${span(check.seconds)}</td></tr>`,
  )}</tbody></table></div>`;
}

function standing({ findings }: CheckReport, severity: "error" | "warn"): number {
  return findings.filter((finding) => finding.state !== "recovered" && finding.severity === severity).length;
}

function summary({ checks, started_at, finished_at }: Report): string {
  const count = (severity: "error" | "warn"): number =>
    checks.reduce((sum, check) => sum + standing(check, severity), 0);
  const recovered = checks.flatMap(({ findings }) => findings).filter(({ state }) => state === "recovered").length;
  return `${counted(checks.length, "check")}: ${counted(count("error"), "error")}, ${counted(count("warn"), "warning")}${recovered > 0 ? `, ${amount(recovered)} recovered` : ""}. From ${second(started_at)} to ${second(finished_at)}.`.replaceAll(
    "\u00a0",
    " ",
  );
}

/** A moment to the second. */
function second(iso: string): string {
  return `${iso.slice(0, 19).replace("T", " ")} UTC`;
}
