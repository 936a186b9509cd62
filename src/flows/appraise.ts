import { tally } from "../causes/tally.ts";
import type { CheckDetail } from "../domain/detail.ts";
import type { Difference } from "../domain/difference.ts";
import type { Facts } from "../domain/facts.ts";
import type { CheckReport } from "../domain/report.ts";
import { detailDrawer } from "./detail/detail-drawer.ts";
import { judge } from "./judge.ts";
import type { AuditOptions, KnownFinding } from "./ports.ts";

/** What facts and differences come to. `detail` null: no pictures were asked for. */
export type Appraised = { readonly report: CheckReport; readonly detail: CheckDetail | null };

/**
 * Judges what was read, and draws it where pictures are wanted. Pure, with memory that does not grow with the differences, which are read
 * once; where rows were lost to runs that are drawn, once more. Without a comparison (`facts.comparison` null) they are not looked at.
 * `known`: findings of earlier audits; `finished`: nothing ended this one early.
 */
export function appraise(
  facts: Facts,
  differences: Iterable<Difference>,
  options: AuditOptions,
  known: readonly KnownFinding[],
  { finished = true, pictures = false }: { readonly finished?: boolean; readonly pictures?: boolean } = {},
): Appraised {
  const compared = facts.comparison === null ? [] : differences;
  const drawer = pictures ? detailDrawer(facts) : null;
  const tallied = tally(facts, drawer === null ? compared : tapped(compared, drawer.look));
  return {
    report: judge(facts, facts.comparison === null ? null : tallied, options, known, finished),
    detail: drawer?.draw(tallied.bounds, compared) ?? null,
  };
}

/** The same differences, each looked at as it passes. */
function* tapped(differences: Iterable<Difference>, look: (difference: Difference) => void): Iterable<Difference> {
  for (const difference of differences) {
    look(difference);
    yield difference;
  }
}
