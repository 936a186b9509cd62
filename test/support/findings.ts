import { tally } from "../../src/causes/tally.ts";
import type { FindingCode, FindingGroup } from "../../src/domain/codes.ts";
import type { Difference } from "../../src/domain/difference.ts";
import type { Facts } from "../../src/domain/facts.ts";
import type { Finding } from "../../src/domain/finding.ts";
import { judge } from "../../src/rules/apply.ts";
import { type Timeline, timeline } from "./timeline.ts";

/** Everything that facts and differences mean: findings, errors first, all in state `new`. `only` null: all groups. */
export function diagnose(
  facts: Facts,
  differences: Iterable<Difference>,
  only: readonly FindingGroup[] | null = null,
): readonly Finding[] {
  return judge(facts, facts.comparison === null ? null : tally(facts, differences), only);
}

/** All findings of a pipeline. */
export function diagnosed(told: Timeline): readonly Finding[] {
  const { facts, differences } = timeline(told);
  return diagnose(facts, differences);
}

/** Its findings of one code. */
export function findings(code: FindingCode, told: Timeline): readonly Finding[] {
  return diagnosed(told).filter((finding) => finding.code === code);
}

/** Severity and part of each finding of one code: `error`, `warn/recent`. */
export function severities(code: FindingCode, told: Timeline): readonly string[] {
  return findings(code, told).map(({ id, severity }) => {
    const part = id.split("/").slice(2).join("/");
    return part === "" ? severity : `${severity}/${part}`;
  });
}
