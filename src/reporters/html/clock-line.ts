import type { ClockPicture, ClockPoint } from "../../domain/detail.ts";
import type { Axis } from "../../domain/position.ts";
import { place } from "../../domain/wording.ts";
import { type Plane, px } from "./plane.ts";
import { html, type Html } from "./tag.ts";

const WITNESSES: Readonly<Record<ClockPoint["witness"], string>> = {
  ledger: "the run's own ledger line",
  arrivals: "the arrivals of rows",
  "commit-timestamps": "commit timestamps",
  observations: "an earlier audit",
  "source-now": "the source as it stands now",
  "lost-row": "a lost row that had arrived by then",
};

/** Marks of readings at most: more of them would hide the line. */
const MARKS = 60;

/** Whether a reading was witnessed at its moment, rather than concluded. */
export function isObserved({ witness, certainty }: ClockPoint): boolean {
  return certainty === "exact" && witness !== "source-now";
}

/**
 * The data clock as a line of steps: it holds each reading until the next, which is the least that can be said in between. `ground`: what
 * lies between it and the wall clock, which had happened and could not be seen.
 */
export function clockLine(picture: ClockPicture, plane: Plane, axis: Axis, part: "ground" | "line"): Html | null {
  const { x, y, right } = plane;
  const points = picture.clock.filter(({ certainty }) => certainty !== "at-most");
  const first = points.find(({ position }) => position !== null);
  const marks = picture.clock.length <= MARKS && picture.clock.map((point) => mark(point, plane, axis));
  if (first === undefined || first.position === null) return part === "line" ? html`${marks}` : null;
  const steps: string[] = [];
  let level = y(first.position);
  for (const { at, position } of points) {
    if (position === null) continue;
    const to = { x: x(at), y: y(position) };
    steps.push(steps.length === 0 ? `M${px(to.x)} ${px(to.y)}` : `H${px(to.x)}V${px(to.y)}`);
    level = to.y;
  }
  const end = Math.min(right, x(picture.wall.to));
  if (part === "ground") {
    // What a sequence will come to is not something that has happened.
    if (axis === "sequence") return null;
    const left = Math.max(x(first.at), x(picture.wall.from));
    const now = picture.wall.from < first.at ? first.at : picture.wall.from;
    const over = `H${px(end)}L${px(end)} ${px(y(picture.wall.to))}L${px(left)} ${px(y(now))}Z`;
    return html`<path class="unseen" d="${steps.join("")}${over}"><title>had happened, and the source did not show it yet</title></path>`;
  }
  return html`<path class="clock" d="${steps.join("")}H${px(end)}"><title>the data clock: the newest row that the source showed</title></path>
${marks}
${name(picture, plane, level)}`;
}

/** Filled where witnessed, hollow where concluded; of a mere bound a short line says in which direction. */
function mark(point: ClockPoint, { x, y, left, size }: Plane, axis: Axis): Html | null {
  // A lost row that had arrived has a ring there already.
  if (point.position === null || point.witness === "lost-row" || x(point.at) < left) return null;
  const r = size === "wide" ? 4 : 3;
  const at = { x: x(point.at), y: y(point.position) };
  const said = point.certainty === "exact" ? "" : point.certainty === "at-least" ? "no lower than " : "no higher than ";
  const observed = isObserved(point);
  return html`<path class="${observed ? "mark observed" : "mark inferred"}" d="M${px(at.x)} ${px(at.y - r)}l${r} ${r}l-${r} ${r}l-${r} -${r}z"><title>${place(point.at, "time")}: the data clock stood ${said === "" ? "at " : said}${place(point.position, axis)}
${observed ? "observed" : "inferred"}; witness: ${WITNESSES[point.witness]}</title></path>`;
}

/** Its name below the longest stretch on which it stands still. */
function name({ clock, wall }: ClockPicture, { x, y, left, right, bottom }: Plane, level: number): Html {
  const points = clock.filter(({ position, certainty }) => position !== null && certainty !== "at-most");
  const stretches = points.map(({ at, position }, i) => {
    const next = points[i + 1];
    const from = Math.max(left, x(at));
    return { from, to: Math.min(right, x(next?.at ?? wall.to)), y: position === null ? level : y(position) };
  });
  const joined: { from: number; to: number; y: number }[] = [];
  for (const each of stretches) {
    const last = joined.at(-1);
    if (last !== undefined && Math.abs(last.y - each.y) < 0.5) last.to = each.to;
    else joined.push({ ...each });
  }
  const longest = joined.reduce((a, b) => (b.to - b.from > a.to - a.from ? b : a), { from: 0, to: 0, y: level });
  const under = longest.y + 16 < bottom - 4 ? longest.y + 16 : longest.y - 8;
  return html`<text class="clock-name" x="${px(Math.min(Math.max((longest.from + longest.to) / 2, left + 40), right - 40))}" y="${px(under)}" text-anchor="middle">data clock</text>`;
}
