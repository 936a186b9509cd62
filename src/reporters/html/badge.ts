import type { CheckDetail } from "../../domain/detail.ts";
import type { CheckReport, Verdict } from "../../domain/report.ts";
import { duration } from "../../domain/wording.ts";
import { px } from "./plane.ts";
import { html, type Html } from "./tag.ts";

/** What a badge says at a glance. `age`: of it what a verdict that stands beside it does not say already; null: nothing. */
export type BadgeText = {
  readonly says: string;
  readonly age: { readonly says: string; readonly tone: Verdict | "unjudged" } | null;
  readonly tone: Verdict;
  readonly told: string;
};

/** How fresh a check's target was when it was audited, against what the check allows; the verdict where its cursor is no time. */
export function badgeText(check: CheckReport, detail: CheckDetail | undefined): BadgeText {
  const fresh = detail?.freshness ?? null;
  const age = fresh === null ? null : (fresh.target ?? fresh.source);
  if (fresh === null || check.verdict === "incomplete")
    return { says: check.verdict, age: null, tone: check.verdict, told: `${check.check}: ${check.verdict}` };
  if (age === null)
    return {
      says: "no rows",
      age: { says: "no rows", tone: "warn" },
      tone: "warn",
      told: `${check.check}: no row has a cursor`,
    };
  const tone = beyond(age, fresh.error) ? "fail" : beyond(age, fresh.warn) ? "warn" : "pass";
  const limit = fresh.error ?? fresh.warn;
  const old = age < 0n ? "ahead" : `${duration(age)} old`;
  return {
    says: `${check.verdict} · ${old}`,
    age: { says: age < 0n ? "newest row ahead of now" : `newest row ${old}`, tone: limit === null ? "unjudged" : tone },
    tone: worse(tone, check.verdict),
    told: `${check.check}: ${check.verdict}; the target's newest row was ${old} when it was audited${limit === null ? "" : `, at most ${duration(limit)} is allowed`}`,
  };
}

function beyond(age: bigint, limit: bigint | null): boolean {
  return limit !== null && age > limit;
}

function worse(a: Verdict, b: Verdict): Verdict {
  const rank: readonly Verdict[] = ["pass", "warn", "fail", "incomplete"];
  return rank[Math.max(rank.indexOf(a), rank.indexOf(b))] ?? b;
}

const TONES: Readonly<Record<Verdict, string>> = {
  pass: "#1a7f37",
  warn: "#8a5a00",
  fail: "#b3141f",
  incomplete: "#59636e",
};

/** A badge as a file of its own, for a README or a wiki: name on the left, what it says on the right. White on dark, at least 4.5 : 1. */
export function badge(check: CheckReport, detail: CheckDetail | undefined): Html {
  const { says, tone, told } = badgeText(check, detail);
  // No font can be measured here: what DejaVu Sans at 11 px needs at most, and `textLength` holds it to that.
  const wide = (text: string): number => text.length * 6.3;
  const [a, b] = [wide(check.check) + 14, wide(says) + 14];
  const text = (at: number, long: number, of: string): Html =>
    html`<text x="${px(at)}" y="14" textLength="${px(long - 14)}" lengthAdjust="spacingAndGlyphs">${of}</text>`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${px(a + b)}" height="20" role="img" aria-label="${told}"><title>${told}</title>
<clipPath id="r"><rect width="${px(a + b)}" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="${px(a)}" height="20" fill="#3d444d"/><rect x="${px(a)}" width="${px(b)}" height="20" fill="${TONES[tone]}"/></g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(7, a, check.check)}${text(a + 7, b, says)}</g></svg>
`;
}
