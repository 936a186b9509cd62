import type { HistoryPoint } from "../../domain/detail.ts";
import { ROW_FINDINGS } from "../../domain/tally.ts";
import { count } from "../../domain/wording.ts";
import { amount } from "../text/amount.ts";
import { moment } from "../text/place.ts";
import { px, type Size } from "./plane.ts";
import { html, type Html } from "./tag.ts";

/** Audits that are drawn. */
const SHOWN = { wide: 60, narrow: 24 } as const;

/** The check's last audits as bars: as high as rows differed, with the verdict as a letter and zero-row streaks as numbers below. */
export function historyChart(history: readonly HistoryPoint[], size: Size, id: string): Html {
  const wide = size === "wide";
  const [width, height] = wide ? [960, 168] : [360, 168];
  const [left, right, top, bottom] = [wide ? 120 : 74, width - 10, 22, 96];
  const shown = history.slice(-SHOWN[size]);
  const step = Math.min(44, (right - left) / Math.max(1, shown.length));
  const most = Math.max(1, ...shown.map(differing));
  return html`<svg class="chart ${size}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-t"><title id="${id}-t">${historySentence(history)}</title>
<g class="tick"><text x="${left - 8}" y="${bottom - 2}" text-anchor="end">${wide ? "differing rows" : "rows"}</text><text x="${left - 8}" y="${bottom + 17}" text-anchor="end">verdict</text><text x="${left - 8}" y="${bottom + 36}" text-anchor="end">${wide ? "zero-row streak" : "streak"}</text></g>
<line class="strip-base" x1="${left}" x2="${right}" y1="${bottom}" y2="${bottom}"/>
${shown.map((point, i) => {
  const rows = differing(point);
  const tall = rows === 0 ? 0 : 4 + (bottom - top - 4) * (Math.log1p(rows) / Math.log1p(most));
  const middle = left + (i + 0.5) * step;
  const wideBar = Math.max(2, step * 0.62);
  return html`<g><title>${moment(point.startedAt)}: ${point.verdict}, ${count(rows, "differing row")}${point.streak === null ? "" : `, a streak of ${point.streak} runs with 0 rows`}</title>
<rect class="hover" x="${px(left + i * step)}" y="${top - 14}" width="${px(step)}" height="${bottom + 46 - top}"/>
${tall > 0 && html`<rect class="history v-${point.verdict}" x="${px(middle - wideBar / 2)}" y="${px(bottom - tall)}" width="${px(wideBar)}" height="${px(tall)}"/>`}
${rows > 0 && step >= 26 && html`<text class="tick" x="${px(middle)}" y="${px(bottom - tall - 4)}" text-anchor="middle">${amount(rows)}</text>`}
<text class="v-${point.verdict} letter" x="${px(middle)}" y="${bottom + 17}" text-anchor="middle">${LETTERS[point.verdict]}</text>
${point.streak !== null && html`<text class="tick" x="${px(middle)}" y="${bottom + 36}" text-anchor="middle">${point.streak}</text>`}</g>`;
})}
<g class="tick"><text x="${left}" y="${height - 8}">${dayOf(shown.at(0))}</text>${shown.length * step > 260 && html`<text x="${px(left + shown.length * step)}" y="${height - 8}" text-anchor="end">${dayOf(shown.at(-1))}</text>`}</g></svg>`;
}

const LETTERS: Readonly<Record<HistoryPoint["verdict"], string>> = { pass: "✓", warn: "!", fail: "✗", incomplete: "?" };

/** Rows that differed, pending ones left out: nothing is due of those. */
export function differing({ rows }: Pick<HistoryPoint, "rows">): number {
  return ROW_FINDINGS.reduce((sum, code) => sum + (code === "pending-rows" ? 0 : Number(rows[code] ?? 0)), 0);
}

/** The same in words. */
export function historySentence(history: readonly HistoryPoint[]): string {
  const [last, before] = [history.at(-1), history.at(-2)];
  if (last === undefined) return "no audit is on record";
  const passed = history.filter(({ verdict }) => verdict === "pass").length;
  return `${count(history.length, "audit")} on record, ${passed} passed; this one: ${last.verdict}, ${count(differing(last), "differing row")}${before === undefined ? "" : `; the one before: ${before.verdict}, ${count(differing(before), "differing row")}`}`;
}

function dayOf(point: HistoryPoint | undefined): string {
  return point === undefined ? "" : point.startedAt.slice(0, 16).replace("T", " ");
}
