import type { KeyPart, KeySpace } from "../../domain/detail.ts";
import { count } from "../../domain/wording.ts";
import { px, type Size } from "./plane.ts";
import { html, type Html } from "./tag.ts";

/** Kinds of differences from the gravest on, with how each is drawn: a shade and a row of its own, so that none hangs on colour. */
const KINDS = [
  { of: "missing", says: "missing from the target" },
  { of: "stale", says: "older in the target" },
  { of: "changed", says: "changed" },
  { of: "ahead", says: "newer in the target" },
  { of: "extra", says: "only in the target" },
] as const;

/** The order of keys as a strip, with a row for each kind of difference: where they are, and how many by the height of each bar. */
export function keyStrip(space: KeySpace, size: Size, id: string): Html {
  const width = size === "wide" ? 960 : 360;
  const inner = { left: size === "wide" ? 150 : 10, right: width - 10 };
  const shown = KINDS.filter(({ of }) => space.parts.some((part) => part[of] > 0));
  const rowHeight = size === "wide" ? 30 : 44;
  const bar = 20;
  const height = 34 + Math.max(1, shown.length) * rowHeight;
  const places = placesOf(space.parts, inner.left, inner.right);
  const most = Math.max(1, ...space.parts.flatMap((part) => shown.map(({ of }) => part[of])));
  const row = (kind: (typeof KINDS)[number], at: number): Html => {
    const base = 8 + at * rowHeight + (size === "wide" ? bar : rowHeight - 8);
    const label =
      size === "wide"
        ? html`<text x="${inner.left - 8}" y="${base - 5}" text-anchor="end">${kind.says}</text>`
        : html`<text x="${inner.left}" y="${base - bar - 5}">${kind.says}</text>`;
    return html`${label}<line class="strip-base" x1="${inner.left}" x2="${inner.right}" y1="${base}" y2="${base}"/>${places.map(
      ({ part, from, to }) => {
        const many = part[kind.of];
        if (many === 0) return null;
        const tall = 5 + (bar - 5) * (Math.log1p(many) / Math.log1p(most));
        return html`<rect class="key-${kind.of}" x="${px(from)}" y="${px(base - tall)}" width="${px(Math.max(2.5, to - from - 0.4))}" height="${px(tall)}"><title>${count(many, "row")} ${kind.says}: keys ${part.from || space.first} to ${part.to || space.last}</title></rect>`;
      },
    )}`;
  };
  const foot = height - 10;
  return html`<svg class="chart ${size}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-t"><title id="${id}-t">${keySentence(space)}</title>
${shown.length === 0 ? html`<line class="strip-base" x1="${inner.left}" x2="${inner.right}" y1="20" y2="20"/>` : shown.map(row)}
<g class="tick"><text x="${inner.left}" y="${foot}">${short(space.first)}</text><text x="${inner.right}" y="${foot}" text-anchor="end">${short(space.last)}</text></g></svg>`;
}

/** The same in words. */
export function keySentence({ parts, first, last }: KeySpace): string {
  const said = KINDS.flatMap(({ of, says }) => {
    const many = parts.reduce((sum, part) => sum + part[of], 0);
    const places = parts.filter((part) => part[of] > 0).length;
    return many === 0 ? [] : [`${count(many, "row")} ${says}, in ${count(places, "place")}`];
  });
  return said.length === 0 ? `no key from ${first} to ${last} differs` : said.join("; ");
}

function placesOf(
  parts: readonly KeyPart[],
  left: number,
  right: number,
): readonly { readonly part: KeyPart; readonly from: number; readonly to: number }[] {
  let at = left;
  return parts.map((part) => {
    const from = at;
    at += part.share * (right - left);
    return { part, from, to: at };
  });
}

function short(key: string): string {
  return key.length > 24 ? `${key.slice(0, 23)}…` : key;
}
