import type { ClockPicture, DrawnRun } from "../../domain/detail.ts";
import { type Axis, type Position } from "../../domain/position.ts";
import { distance, place, rows } from "../../domain/wording.ts";
import { amount } from "../text/amount.ts";
import { clockLine } from "./clock-line.ts";
import { lostMarks } from "./lost-marks.ts";
import { axes, type Plane, planeOf, px, type Size } from "./plane.ts";
import { html, type Html } from "./tag.ts";

/** What a picture of the two clocks is drawn with. */
export type ClockChart = {
  readonly picture: ClockPicture;
  readonly axis: Axis;
  /** Name of the cursor column. */
  readonly cursor: string;
  readonly size: Size;
  /** Half as high, without measures: all of the ledger. */
  readonly flat: boolean;
  /** Unique in the page. */
  readonly id: string;
  readonly title: string;
  /** What is seen, in sentences, for those who do not see it. */
  readonly described: string;
};

/**
 * The two clocks as SVG: wall time across, data time up. The wall clock is the diagonal; the data clock a line of steps below it. Each
 * run is a box that stands at its start and spans its window; what of it lies above the data clock was asked for before it could be seen.
 */
export function twoClocksChart(chart: ClockChart): Html {
  const { picture, axis, id, size } = chart;
  const plane = planeOf(picture, size, chart.flat);
  const { width, height, left, right, top, bottom } = plane;
  const boxes = boxesOf(picture.runs, plane);
  return html`<svg class="chart ${size}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-t ${id}-d">
<title id="${id}-t">${chart.title}</title><desc id="${id}-d">${chart.described}</desc>
<defs><clipPath id="${id}-c"><rect x="${left}" y="${top}" width="${right - left}" height="${bottom - top}"/></clipPath>
<pattern id="${id}-f" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hatch-ground" width="6" height="6"/><line class="hatch" x1="0" y1="0" x2="0" y2="6"/></pattern>
<pattern id="${id}-z" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><rect class="dead-ground" width="5" height="5"/><line class="dead-hatch" x1="0" y1="0" x2="0" y2="5"/></pattern></defs>
<rect class="plot" x="${left}" y="${top}" width="${right - left}" height="${bottom - top}"/>
${axes(picture, plane, axis, chart.cursor)}
<g clip-path="url(#${id}-c)">
${clockLine(picture, plane, axis, "ground")}
${axis === "time" && diagonal(picture, plane)}
${bands(boxes, plane)}
${boxes.map((box) => runBox(box, plane, chart))}
${clockLine(picture, plane, axis, "line")}
${lostMarks(picture, boxes, plane, axis)}
</g>
${!chart.flat && measures(boxes, plane, axis)}
${!chart.flat && bandName(picture, boxes, plane)}
${rail(boxes, plane)}
</svg>`;
}

/** A run with the place of its box. */
export type Box = {
  readonly run: DrawnRun;
  readonly x: number;
  readonly width: number;
  /** It lost rows by closing ahead of the clock, or otherwise. */
  readonly lost: boolean;
};

function boxesOf(runs: readonly DrawnRun[], { x, size, right }: Plane): readonly Box[] {
  const usual = size === "wide" ? 16 : 9;
  return runs.map((run, i) => {
    const from = x(run.started);
    const next = runs[i + 1];
    const room = (next === undefined ? right : x(next.started)) - from - 1.5;
    const took = run.finished === null ? 0 : x(run.finished) - from;
    const width = Math.max(2, Math.min(Math.max(took, usual), room));
    return { run, x: from, width, lost: (run.dead?.lacking ?? 0n) > 0n };
  });
}

function diagonal({ wall, data }: ClockPicture, { x, y, size, right }: Plane): Html | null {
  const from = wall.from > data.from ? wall.from : data.from;
  const to = wall.to < data.to ? wall.to : data.to;
  if (to <= from) return null;
  const [x1, y1, x2, y2] = [x(from), y(from), x(to), y(to)];
  const angle = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
  const at = { x: x1 + (x2 - x1) * 0.3, y: y1 + (y2 - y1) * 0.3 - 7 };
  const long = Math.hypot(x2 - x1, y2 - y1) > 160 && at.x < right;
  return html`<line class="wall" x1="${px(x1)}" y1="${px(y1)}" x2="${px(x2)}" y2="${px(y2)}"><title>the wall clock: data time is now</title></line>${
    long &&
    html`<text class="label" x="${px(at.x)}" y="${px(at.y)}" text-anchor="middle" transform="rotate(${px(angle)} ${px(at.x)} ${px(at.y)})">${size === "wide" ? "wall clock: what could have happened by then" : "wall clock"}</text>`
  }`;
}

/** What no later window looks back to: the dead zones in which rows were lost, from their run on. */
function bands(boxes: readonly Box[], { y, right }: Plane): Html {
  return html`${boxes.map(({ run: { dead }, x, lost }) => lost && dead !== null && html`<rect class="band" x="${px(x)}" y="${px(y(dead.to))}" width="${px(right - x)}" height="${px(Math.max(1, y(dead.from) - y(dead.to)))}"/>`)}`;
}

/** What a band means, in the lowest of them, where neither a box nor the way of a lost row is in its way. */
function bandName({ lost }: ClockPicture, boxes: readonly Box[], { y, right, size }: Plane): Html | null {
  if (size === "narrow") return null;
  const says = "closed: no later window looks back here";
  const places = boxes.flatMap(({ run: { dead }, x: at, width, lost: has }) =>
    has && dead !== null ? [{ from: at + width + 8, base: y(dead.from) - 7, top: y(dead.to) }] : [],
  );
  const free = places
    .toSorted((a, b) => b.base - a.base)
    .find(({ from, base, top }) => {
      const to = from + says.length * 6.6;
      const box = ({ run: { window }, x: left, width }: Box): boolean =>
        window !== null && left < to && left + width > from && y(window.to) < base + 4 && y(window.from) > base - 12;
      const way = lost.some(({ cursors: { first, last } }) => {
        const middle = (y(first) + y(last)) / 2;
        return middle > base - 16 && middle < base + 6;
      });
      return to < right && base - 14 > top && !boxes.some(box) && !way;
    });
  return free === undefined
    ? null
    : html`<text class="band-name" x="${px(free.from)}" y="${px(free.base)}">${says}</text>`;
}

function runBox({ run, x, width, lost }: Box, { y }: Plane, { axis, id }: ClockChart): Html | null {
  const { window, dead } = run;
  if (window === null) return null;
  const rect = (kind: string, from: Position, to: Position, fill: string | null): Html =>
    html`<rect class="${kind}"${fill === null ? "" : html` fill="url(#${id}-${fill})"`} x="${px(x)}" y="${px(y(to))}" width="${px(width)}" height="${px(Math.max(2, y(from) - y(to)))}"/>`;
  const failed = run.outcome === "failed";
  const kind = failed ? "run failed" : run.outcome === "running" ? "run running" : run.empty ? "run empty" : "run";
  return html`<g>${rect(run.backfill ? `${kind} backfill` : kind, window.from, window.to, failed ? "f" : null)}${
    dead !== null && rect(lost ? "dead lost" : "dead", dead.from, dead.to, "z")
  }<title>${runTitle(run, axis)}</title></g>`;
}

/** One run in a sentence or two. */
export function runTitle(run: DrawnRun, axis: Axis): string {
  const { window, dead } = run;
  const who = run.many === 1 ? `run ${run.id}` : `${run.many} runs, ${run.id} to ${run.lastId}`;
  const what =
    run.outcome === "failed"
      ? run.many === 1
        ? "failed"
        : "one or more failed"
      : run.outcome === "running"
        ? "no end is written down"
        : run.rows === null
          ? "succeeded"
          : `succeeded with ${rows(run.rows)}`;
  const spans =
    window === null ? "without a window" : `window ${place(window.from, axis)} to ${place(window.to, axis)}`;
  const told =
    dead === null
      ? ""
      : `\nahead of the data clock by ${distance(dead.to - (run.clock ?? dead.from), axis)}; in the dead zone the source has ${rows(dead.rows)} now${dead.lacking === null ? "" : `, the target lacks ${dead.lacking}`}`;
  return `${who}, started ${place(run.started, "time")}: ${what}${run.backfill ? ", a backfill" : ""}\n${spans}${told}`;
}

/** How far ahead of the data clock the losing runs closed, as measures between line and window. */
function measures(boxes: readonly Box[], { y, left, size }: Plane, axis: Axis): Html {
  const apart = size === "wide" ? 92 : 70;
  const most = boxes
    .filter(({ run, lost }) => lost && run.many === 1 && run.clock !== null)
    .toSorted((a, b) => Number((b.run.dead?.lacking ?? 0n) - (a.run.dead?.lacking ?? 0n)));
  const shown: Box[] = [];
  for (const box of most)
    if (box.x - 8 - apart > left && shown.every((other) => Math.abs(other.x - box.x) >= apart)) shown.push(box);
  return html`${shown.slice(0, 3).map((box) => {
    const { run, x } = box;
    if (run.clock === null || run.dead === null) return null;
    const [low, high, at] = [y(run.clock), y(run.dead.to), x - 8];
    // Close to the data clock, where few windows begin.
    const text = Math.max((low + high) / 2, low - 26);
    const said = distance(run.dead.to - run.clock, axis);
    const long = Math.max(said.length, 5) * 7;
    const taken = (from: number, to: number): boolean =>
      boxes.some(
        ({ run: { window }, x: left, width }) =>
          window !== null && left < to && left + width > from && y(window.to) < text + 16 && y(window.from) > text - 12,
      );
    const right = taken(at - 7 - long, at - 7) && !taken(at + 7, at + 7 + long);
    const place = right ? html`x="${px(at + 7)}"` : html`x="${px(at - 7)}" text-anchor="end"`;
    return html`<g class="measure"><path d="M${px(at - 4)} ${px(low)}H${px(at + 4)}M${px(at)} ${px(low)}V${px(high)}M${px(at - 4)} ${px(high)}H${px(at + 4)}"/><text ${place} y="${px(text)}">${said}</text><text ${place} y="${px(text + 14)}">ahead</text></g>`;
  })}`;
}

/** The names of the runs below their boxes, and how many rows each read, as far as there is room: those that lost rows first. */
function rail(boxes: readonly Box[], { bottom, left, width }: Plane): Html {
  const taken: { readonly from: number; readonly to: number }[] = [];
  const shown = boxes
    .toSorted((a, b) => Number(b.lost) - Number(a.lost))
    .filter(({ run, x, width: box }) => {
      const half = (Math.max(nameOf(run).length, read(run).length) * 6.8 + 6) / 2;
      const at = x + box / 2;
      const span = { from: at - half, to: at + half };
      if (run.many > 1 || span.from < left - 8 || span.to > width - 2) return false;
      if (taken.some((other) => other.from < span.to && span.from < other.to)) return false;
      taken.push(span);
      return true;
    });
  const [first, second] = [bottom + 15, bottom + 29];
  return html`<g class="rail"><text x="${left - 8}" y="${first}" text-anchor="end">run</text><text x="${left - 8}" y="${second}" text-anchor="end">rows read</text>${shown.map(
    ({ run, x, width, lost }) =>
      html`<g${lost ? html` class="lost"` : ""} text-anchor="middle"><text x="${px(x + width / 2)}" y="${first}">${nameOf(run)}</text><text x="${px(x + width / 2)}" y="${second}">${read(run)}</text></g>`,
  )}</g>`;
}

function nameOf({ id }: DrawnRun): string {
  return id.length <= 14 ? id : `${id.slice(0, 13)}…`;
}

function read({ rows, outcome }: DrawnRun): string {
  return outcome === "failed" ? "failed" : rows === null ? "–" : amount(rows.toString());
}
