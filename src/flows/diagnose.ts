import { tally } from "../causes/tally.ts";
import type { FindingGroup } from "../domain/codes.ts";
import type { Difference } from "../domain/difference.ts";
import type { Facts } from "../domain/facts.ts";
import type { Finding } from "../domain/finding.ts";
import { judge } from "../rules/apply.ts";

/**
 * Everything that facts and differences mean: findings, errors first, all in state `new`. One pass over the differences; memory does not
 * grow with them. Without a comparison (`facts.comparison` null) the differences are not looked at. `only` null: all groups.
 */
export function diagnose(
  facts: Facts,
  differences: Iterable<Difference>,
  only: readonly FindingGroup[] | null = null,
): readonly Finding[] {
  return judge(facts, facts.comparison === null ? null : tally(facts, differences), only);
}
