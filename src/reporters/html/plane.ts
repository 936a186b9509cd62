import type { ClockPicture } from "../../domain/detail.ts";
import type { Axis, Position } from "../../domain/position.ts";
import { html, type Html } from "./tag.ts";
import { ticksOf } from "./ticks.ts";

/** How large a picture is drawn: for a desk or paper, and for a phone. Units of its own view box, which are pixels where it fits. */
export type Size = "wide" | "narrow";

/** The plane of wall time and data time on a surface. */
export type Plane = {
  readonly size: Size;
  readonly width: number;
  readonly height: number;
  /** Edges of the plot. */
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly x: (at: bigint) => number;
  readonly y: (position: Position) => number;
};

/** Room below the plot for the names of runs and what they read. */
export const RAIL = 34;

/** Lays a picture out. `flat`: half as high, for the whole ledger. */
export function planeOf({ wall, data }: ClockPicture, size: Size, flat: boolean): Plane {
  const wide = size === "wide";
  const width = wide ? 960 : 360;
  const height = flat ? (wide ? 280 : 240) : wide ? 520 : 420;
  const edges = { left: wide ? 96 : 84, right: width - (wide ? 22 : 10), top: 26, bottom: height - RAIL - 56 };
  return {
    size,
    width,
    height,
    ...edges,
    x: (at) => edges.left + share(at, wall) * (edges.right - edges.left),
    y: (position) => edges.bottom - share(position, data) * (edges.bottom - edges.top),
  };
}

/** Where a value lies between two, 0 … 1, to the millionth; beyond the ends outside of that. */
function share(value: bigint, { from, to }: { readonly from: bigint; readonly to: bigint }): number {
  return Number(((value - from) * 1_000_000n) / (to - from)) / 1e6;
}

/** A coordinate, short. */
export function px(n: number): string {
  return String(Math.round(n * 10) / 10);
}

/** The middle of a text so that none of it leaves the picture. A character is 7 wide at most. */
function inside(middle: number, text: string, width: number): number {
  const half = text.length * 3.5 + 2;
  return Math.min(Math.max(middle, half), width - half);
}

/** Grid, labels and titles of both axes. */
export function axes(picture: ClockPicture, plane: Plane, axis: Axis, cursor: string): Html {
  const { left, right, top, bottom, x, y, size } = plane;
  const wide = size === "wide";
  const across = ticksOf(picture.wall.from, picture.wall.to, "time", wide ? 13 : 5);
  const up = ticksOf(picture.data.from, picture.data.to, axis, bottom - top > 250 ? 10 : 6);
  const base = bottom + RAIL;
  return html`<g class="grid">${across.map(({ at }) => html`<line x1="${px(x(at))}" x2="${px(x(at))}" y1="${top}" y2="${bottom}"/>`)}${up.map(({ at }) => html`<line x1="${left}" x2="${right}" y1="${px(y(at))}" y2="${px(y(at))}"/>`)}</g>
<g class="tick">${across.map(
    ({ at, label, day }) =>
      html`<text x="${px(inside(x(at), label, plane.width))}" y="${base + 14}" text-anchor="middle">${label}</text>${day !== null && html`<text class="day" x="${px(inside(x(at), day, plane.width))}" y="${base + 29}" text-anchor="middle">${day}</text>`}`,
  )}${up.map(({ at, label, day }) => html`<text${day === null ? "" : html` class="day"`} x="${left - 8}" y="${px(y(at) + 4)}" text-anchor="end">${day ?? label}</text>`)}</g>
<text class="axis" x="${right}" y="${base + 47}" text-anchor="end">wall clock (UTC) →</text>
<text class="axis" x="8" y="14">↑ data time: ${cursor}${axis === "time" ? " (UTC)" : ""}</text>`;
}
