import type { CheckDetail } from "../../domain/detail.ts";
import { wrap } from "../text/wrap.ts";
import { caption } from "./clock-section.ts";
import { DRAWING_STYLE } from "./style.ts";
import { html, Html } from "./tag.ts";
import { twoClocksChart } from "./two-clocks.ts";

/** Room for the title above, and the width of the picture. */
const TITLE = 66;
const WIDTH = 960;
const HEIGHT = 520;
/** Characters of a line of it. */
const LINE = 112;

/** The two clocks of a check as a file of its own, light and dark, for a README or a ticket; null: the check has none. */
export function clockFile({ clocks, axis, cursor }: CheckDetail): string | null {
  if (clocks === null || axis === null || cursor === null) return null;
  const told = caption(clocks, axis);
  const lines = wrap(told, LINE);
  const chart = twoClocksChart({
    picture: clocks.near,
    axis,
    cursor,
    size: "wide",
    flat: false,
    id: "clocks",
    title: "The two clocks",
    described: told,
  });
  return html`<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 ${WIDTH} ${TITLE + HEIGHT}" role="img" aria-label="${told}">
<style>${new Html(DRAWING_STYLE.replaceAll("&", "&amp;").replaceAll("<", "&lt;"))}</style>
<rect class="paper" width="${WIDTH}" height="${TITLE + HEIGHT}"/>
${lines.map((line, i) => html`<text class="title" x="12" y="${26 + i * 22}">${line}</text>`)}
<g transform="translate(0 ${TITLE})">${chart}</g></svg>
`.text;
}
