import type { ClockPicture, LostRows } from "../../domain/detail.ts";
import type { Axis } from "../../domain/position.ts";
import { distance, moment, place, rows } from "../../domain/wording.ts";
import { type Plane, px } from "./plane.ts";
import { html, type Html } from "./tag.ts";
import type { Box } from "./two-clocks.ts";

/** Lost rows: a dot in the run that should have carried them, and from there a line to where they arrived, which is a ring. */
export function lostMarks({ lost, wall }: ClockPicture, boxes: readonly Box[], plane: Plane, axis: Axis): Html {
  const { x, y, left, right, size } = plane;
  const byStart = new Map(boxes.map((box) => [box.run.started, box]));
  const r = size === "wide" ? 5 : 4;
  // Dots on top of all lines.
  const lines: Html[] = [];
  const dots: Html[] = [];
  for (const each of lost) {
    const box = each.run === null ? undefined : byStart.get(each.run.started);
    const at = {
      x: box === undefined ? left + r : box.x + box.width / 2,
      y: (y(each.cursors.first) + y(each.cursors.last)) / 2,
    };
    const title = lostTitle(each, axis);
    const arrived = each.arrivals?.last ?? null;
    if (arrived !== null && (each.run === null || arrived > each.run.started)) {
      const to = Math.min(right, x(arrived));
      lines.push(html`<line class="wait" x1="${px(at.x)}" x2="${px(to)}" y1="${px(at.y)}" y2="${px(at.y)}"/>`);
      if (arrived <= wall.to)
        dots.push(
          html`<circle class="ring" cx="${px(to)}" cy="${px(at.y)}" r="${r - 1}"><title>${title}</title></circle>`,
        );
    }
    const radius = r + Math.min(4, Math.log10(Number(each.rows)) * 1.5);
    dots.push(
      html`<circle class="lost-dot" cx="${px(at.x)}" cy="${px(at.y)}" r="${px(radius)}"><title>${title}</title></circle>`,
    );
  }
  return html`<g class="lost-rows">${lines}${dots}</g>`;
}

function lostTitle({ rows: many, cursors, run, arrivals }: LostRows, axis: Axis): string {
  const from = place(cursors.first, axis);
  const where = cursors.first === cursors.last ? `of ${from}` : `from ${from} to ${place(cursors.last, axis)}`;
  const lost = run === null ? "no run held them" : `run ${run.id} should have carried ${many === 1n ? "it" : "them"}`;
  if (arrivals === null)
    return `${rows(many)} ${where}: ${lost}; when ${many === 1n ? "it" : "they"} arrived is not known`;
  const late = axis === "time" ? `, ${distance(arrivals.last - cursors.first, "time")} after the change` : "";
  return `${rows(many)} ${where}: ${lost}; arrived ${moment(arrivals.last)}${late}`;
}
