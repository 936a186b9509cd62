import { scaleLog } from "d3-scale";
import type { LagPicture } from "../../domain/detail.ts";
import { SECOND } from "../../domain/position.ts";
import { count, duration } from "../../domain/wording.ts";
import { px, type Size } from "./plane.ts";
import { html, type Html } from "./tag.ts";

/** Lengths at which the axis has its marks. */
const MARKS: readonly bigint[] = [
  1n,
  10n,
  60n,
  600n,
  3600n,
  6n * 3600n,
  86_400n,
  7n * 86_400n,
  30n * 86_400n,
  365n * 86_400n,
].map((seconds) => seconds * SECOND);

/**
 * How late rows arrived, on a scale of equal ratios, with the overlap in force and the overlap advised across it: rows to the right of
 * the overlap in force had nobody who looked back for them.
 */
export function lagChart({ histogram, advice }: LagPicture, size: Size, id: string): Html {
  const wide = size === "wide";
  const [width, height] = wide ? [960, 250] : [360, 250];
  const [left, right, top, bottom] = [wide ? 40 : 14, width - (wide ? 40 : 14), 66, height - 34];
  const least = histogram.find((part) => part.most > 0n)?.most ?? SECOND;
  const most = [advice.advised, advice.lag.max, advice.needed, advice.overlapInForce].reduce(
    (a, b) => (b > a ? b : a),
    SECOND,
  );
  const low = Math.max(1e6, Number(least) / 2);
  const scale = scaleLog([low, Math.max(Number(most) * 1.25, low * 10)], [left, right]).clamp(true);
  const x = (length: bigint): number => scale(Math.max(low, Number(length)));
  const bars = rebinned(histogram, x);
  const tallest = Math.max(1, ...bars.map(({ rows }) => rows));
  const lines = [
    { says: "in force", at: advice.overlapInForce, kind: "force" },
    { says: "needed", at: advice.needed, kind: "needed" },
    { says: "advised", at: advice.advised, kind: "advised" },
  ];
  const labels = lines.map(({ says, at, kind }, i) => {
    const place = x(at);
    const text = `${says} ${at === 0n ? "none" : duration(at)}`;
    const anchor = place > (left + right) / 2 ? "end" : "start";
    return html`<g class="overlap ${kind}"><line x1="${px(place)}" x2="${px(place)}" y1="${18 + i * 16}" y2="${bottom}"/><text x="${px(place + (anchor === "end" ? -5 : 5))}" y="${22 + i * 16}" text-anchor="${anchor}">${text}</text></g>`;
  });
  const ticks = MARKS.filter((mark) => Number(mark) >= low && Number(mark) <= Number(most) * 1.25);
  return html`<svg class="chart ${size}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-t"><title id="${id}-t">${lagSentence(advice)}</title>
<g class="grid">${ticks.map((mark) => html`<line x1="${px(x(mark))}" x2="${px(x(mark))}" y1="${top}" y2="${bottom}"/>`)}</g>
${bars.map(({ from, to, rows, least: a, most: b }) => {
  const tall = Math.max(2, (rows / tallest) * (bottom - top));
  return html`<rect class="lag" x="${px(from)}" y="${px(bottom - tall)}" width="${px(Math.max(1.5, to - from - 0.8))}" height="${px(tall)}"><title>${count(rows, "row")} arrived ${duration(a)} to ${duration(b)} after the change</title></rect>`;
})}
<line class="strip-base" x1="${left}" x2="${right}" y1="${bottom}" y2="${bottom}"/>
${labels}
<g class="tick">${ticks.map((mark) => html`<text x="${px(x(mark))}" y="${bottom + 15}" text-anchor="middle">${duration(mark)}</text>`)}</g>
<text class="axis" x="${right}" y="${height - 4}" text-anchor="end">arrival lag (equal ratios) →</text></svg>`;
}

/** The same in words. */
export function lagSentence({ lag, overlapInForce, needed, advised, arrivals }: LagPicture["advice"]): string {
  const half = lag.p50 === null ? "" : `half of the rows arrive within ${duration(lag.p50)}, `;
  const most = lag.p99 === null ? "" : `99 % within ${duration(lag.p99)}, `;
  const force =
    overlapInForce === 0n ? "the runs look back by nothing" : `the runs look back by ${duration(overlapInForce)}`;
  return `${half}${most}the latest after ${duration(lag.max)}${arrivals === "bounded" ? " or more" : ""}; ${force}; ${needed === 0n ? "no look-back was needed" : `just over ${duration(needed)} was needed`}; advised is ${duration(advised)}`;
}

/** What is to be said below the picture. */
export function lagNotes({ histogram, sampled }: Pick<LagPicture, "histogram" | "sampled">): readonly string[] {
  if (histogram.length === 0) return ["nobody knows when rows arrived: only the overlaps are drawn"];
  return sampled === null
    ? []
    : [
        `the bars, and within how long half and 99 % of the rows arrive, are told from a sample of ${count(Number(sampled), "row")}`,
      ];
}

type Bar = { readonly from: number; readonly to: number; rows: number; readonly least: bigint; most: bigint };

/** Bars of a quarter of an octave, between the lags that were really seen. */
function rebinned(histogram: LagPicture["histogram"], x: (length: bigint) => number): readonly Bar[] {
  const bars = new Map<number, Bar>();
  for (const { least, most, rows } of histogram) {
    const quarter = Math.floor(Math.log2(Math.max(1, Number(least))) * 4);
    const edge = (n: number): bigint => BigInt(Math.round(2 ** (n / 4)));
    const known = bars.get(quarter);
    if (known === undefined)
      bars.set(quarter, { from: x(edge(quarter)), to: x(edge(quarter + 1)), rows: Number(rows), least, most });
    else {
      known.rows += Number(rows);
      if (most > known.most) known.most = most;
    }
  }
  return [...bars.values()];
}
