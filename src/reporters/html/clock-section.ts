import type { CheckDetail, ClockPicture, DrawnRun, TwoClocks } from "../../domain/detail.ts";
import type { Axis, Position } from "../../domain/position.ts";
import { count, distance, place } from "../../domain/wording.ts";
import { amount } from "../text/amount.ts";
import { html, type Html } from "./tag.ts";
import { runTitle, twoClocksChart } from "./two-clocks.ts";

/** The two clocks of a check: the place where rows were lost, its legend, the runs as a table, and the whole ledger below. */
export function clockSection({ clocks, axis, cursor }: CheckDetail, id: string): Html | null {
  if (clocks === null || axis === null || cursor === null) return null;
  const chart = (picture: ClockPicture, part: string, title: string, flat: boolean): Html =>
    html`${(["wide", "narrow"] as const).map((size) =>
      twoClocksChart({
        picture,
        axis,
        cursor,
        size,
        flat,
        id: `${id}-${part}-${size}`,
        title,
        described: described(picture, axis),
      }),
    )}`;
  const { near, whole } = clocks;
  return html`<section aria-labelledby="${id}-clocks"><h3 id="${id}-clocks">The two clocks</h3>
<figure><figcaption>${caption(clocks, axis)}</figcaption>${chart(near, "near", "The two clocks where rows were lost", false)}${legend(near, axis)}</figure>
${notes(near)}
${runTable(near, axis)}
${
  whole !== null &&
  html`<details><summary>The whole ledger: ${count(
    whole.runs.reduce((n, run) => n + run.many, 0),
    "run",
  )}</summary><figure>${chart(whole, "whole", "The two clocks over the whole ledger", true)}</figure>${notes(whole)}</details>`
}</section>`;
}

/** What the picture shows, in one or two sentences. */
export function caption({ near }: TwoClocks, axis: Axis): string {
  const losers = near.runs.filter(({ dead }) => (dead?.lacking ?? 0n) > 0n);
  const ahead = losers.filter((run): run is DrawnRun & { clock: bigint } => run.clock !== null && run.many === 1);
  const [worst] = ahead.toSorted((a, b) => Number((b.dead?.to ?? 0n) - b.clock - ((a.dead?.to ?? 0n) - a.clock)));
  const lost = near.lost.reduce((sum, { rows }) => sum + rows, 0n);
  if (worst !== undefined && worst.dead !== null) {
    const late = near.lost.some(({ arrivals }) => arrivals !== null);
    return `${losers.length === 1 ? `Run ${worst.id} asked for data that the source did not show yet: it` : `${count(losers.length, "run")} asked for data that the source did not show yet. Run ${worst.id} went furthest: it`} closed its window ${distance(worst.dead.to - worst.clock, axis)} ahead of the data clock. ${lost === 1n ? "The row" : `The ${amount(lost.toString())} rows`} in the hatched part ${late ? `arrived later (rings), and no later window looks back` : `${lost === 1n ? "is" : "are"} still missing`}.`;
  }
  if (lost > 0n)
    return `${lost === 1n ? "The lost row is a dot" : `The ${amount(lost.toString())} lost rows are dots`} in the run that should have carried ${lost === 1n ? "it" : "them"}.${isKnown(near) ? "" : UNKNOWN}`;
  return `The target lacks no row of these windows.${isKnown(near) ? "" : UNKNOWN}`;
}

const UNKNOWN = " Where the data clock stood then is not known: nobody wrote it down.";

/** Whether there is a line of the data clock to draw. */
function isKnown({ clock }: ClockPicture): boolean {
  return clock.some(({ position, certainty }) => position !== null && certainty !== "at-most");
}

function described(picture: ClockPicture, axis: Axis): string {
  const told = picture.runs.filter(({ dead }) => dead !== null).slice(0, 5);
  const spans = `${count(
    picture.runs.reduce((n, run) => n + run.many, 0),
    "run",
  )} from ${place(picture.wall.from, "time")} to ${place(picture.wall.to, "time")}.`;
  return [spans, ...told.map((run) => `${runTitle(run, axis).replaceAll("\n", "; ")}.`)].join(" ");
}

function notes({ notes }: ClockPicture): Html | null {
  return notes.length === 0 ? null : html`<p class="note">${notes.join("; ")}.</p>`;
}

/** Only what the picture holds, each with its mark. */
function legend(picture: ClockPicture, axis: Axis): Html {
  const { runs, clock, lost } = picture;
  const has = (test: (run: DrawnRun) => boolean): boolean => runs.some(test);
  const entry = (shown: boolean, mark: Html, says: string): Html | null =>
    shown ? html`<li><svg class="chart" viewBox="0 0 26 16" aria-hidden="true">${mark}</svg>${says}</li>` : null;
  const box = (kind: string, fill: Html | null = null): Html =>
    html`${fill}<rect class="${kind}" x="7" y="1" width="12" height="14"/>`;
  const observed = clock.some(({ certainty, witness }) => certainty === "exact" && witness !== "source-now");
  const inferred = clock.some(
    ({ certainty, witness }) => witness !== "lost-row" && (certainty !== "exact" || witness === "source-now"),
  );
  return html`<ul class="legend">
${entry(axis === "time", html`<line class="wall" x1="1" x2="25" y1="14" y2="2"/>`, "wall clock: now")}
${entry(isKnown(picture), html`<path class="clock" d="M1 13H13V4H25"/>`, "data clock: newest row the source showed")}
${entry(observed, html`<path class="mark observed" d="M13 4l4 4l-4 4l-4 -4z"/>`, "observed reading")}
${entry(inferred, html`<path class="mark inferred" d="M13 4l4 4l-4 4l-4 -4z"/>`, "inferred reading")}
${entry(axis === "time" && isKnown(picture), html`<rect class="unseen" x="1" y="1" width="24" height="14"/>`, "had happened, not shown yet")}
${entry(
  has((run) => run.outcome === "success" && !run.empty),
  box("run"),
  "run and its window",
)}
${entry(
  has(({ empty }) => empty),
  box("run empty"),
  "run with 0 rows (hollow)",
)}
${entry(
  has(({ outcome }) => outcome === "failed"),
  html`<rect class="run failed hatch-ground" x="7" y="1" width="12" height="14"/><path class="hatch" d="M7 9L13 1M9 15L19 3M15 15L19 10"/>`,
  "failed run (hatched)",
)}
${entry(
  has(({ outcome }) => outcome === "running"),
  box("run running"),
  "run without an end",
)}
${entry(
  has(({ backfill }) => backfill),
  box("run backfill"),
  "backfill",
)}
${entry(
  has(({ dead }) => dead !== null),
  html`<rect class="dead dead-ground" x="7" y="1" width="12" height="14"/><path class="dead-hatch" d="M7 7L13 15M7 1L18 15M13 1L19 9"/>`,
  "dead zone: asked for before it was there",
)}
${entry(
  has(({ dead }) => (dead?.lacking ?? 0n) > 0n),
  html`<rect class="band" x="1" y="1" width="24" height="14"/>`,
  "closed with rows lost: no later window looks back here",
)}
${entry(lost.length > 0, html`<circle class="lost-dot" cx="13" cy="8" r="5"/>`, "lost rows, where they were lost")}
${entry(
  lost.some(({ arrivals, run }) => arrivals !== null && (run === null || arrivals.last > run.started)),
  html`<line class="wait" x1="1" x2="20" y1="8" y2="8"/><circle class="ring" cx="20" cy="8" r="4"/>`,
  "where they arrived",
)}</ul>`;
}

/** A moment without its zone, which stands above. */
function short(position: Position, axis: Axis): string {
  return place(position, axis).replace(/ UTC$/, "");
}

/** Runs that a table lists. */
const LISTED = 40;

function runTable({ runs }: ClockPicture, axis: Axis): Html {
  const shown = runs.slice(-LISTED);
  return html`<details><summary>These runs as a table</summary><div class="scroll" role="region" aria-label="Runs" tabindex="0"><table>
<thead><tr><th scope="col">run</th><th scope="col">started (UTC)</th><th scope="col">window to</th><th scope="col">outcome</th><th scope="col" class="n">rows</th><th scope="col">data clock then</th><th scope="col" class="n">rows lost in its dead zone</th></tr></thead>
<tbody>${shown.map(
    (run) =>
      html`<tr><th scope="row"><bdi>${run.many === 1 ? run.id : `${run.id} … ${run.lastId}`}</bdi></th><td class="t">${short(run.started, "time")}</td><td class="t">${run.window === null ? "none" : short(run.window.to, axis)}</td><td>${run.outcome}${run.backfill && ", backfill"}</td><td class="n">${run.rows === null ? "–" : amount(run.rows.toString())}</td><td class="t">${run.clock === null ? "not known" : short(run.clock, axis)}</td><td class="n">${run.dead?.lacking ?? "–"}</td></tr>`,
  )}</tbody></table></div>${runs.length > shown.length && html`<p class="note">The newest ${LISTED} of ${runs.length}.</p>`}</details>`;
}
