import type { Check } from "../domain/check.ts";
import { jsonCount } from "../domain/report.ts";
import { rows } from "../domain/wording.ts";
import { rule } from "./rule.ts";

/** A column that differs in one and the same way nearly everywhere: one finding instead of one a row. */
export const systematicDifference = rule("systematic-difference", ["check", "comparison"], ({ check, comparison }) =>
  comparison.systematic.map((each) => ({
    part: each.column,
    severity: "error",
    says: `${each.column} differs in one and the same way: ${each.transformation}${each.transformation.startsWith("shifted by") ? " (is a `timezone:` of the check wrong or missing?)" : ""}; ${rows(each.rows)} ${each.rows === 1n ? "differs" : "differ"} in nothing else`,
    rows: each.rows,
    columns: [each.column],
    evidence: {
      column: each.column,
      transformation: each.transformation,
      sampled: each.sampled,
      explained: each.explained,
      rows_explained: jsonCount(each.rows),
      accept: each.accept,
    },
    fix: each.accept ?? zoneFix(each.transformation, check),
  })),
);

/**
 * Times that are shifted are mostly those of another zone, told by nobody. `+02:00` in the target: it keeps the local time of a zone
 * two hours ahead, or the source that of one two hours behind. Null: the difference is no shift.
 */
function zoneFix(transformation: string, { source, target }: Check): string | null {
  const shift = /^shifted by ([+-])(\d\d):(\d\d)$/.exec(transformation);
  if (shift === null) return null;
  const [, sign = "+", hours = "0", minutes = "0"] = shift;
  const untold = [source, target].every(({ timezone }) => timezone === null || timezone === "UTC");
  const zone = (east: boolean): string => `Etc/GMT${east ? "-" : "+"}${Number(hours)}`;
  // Such names are there for whole hours, and count westwards.
  if (!untold || minutes !== "00" || Number(hours) > 12)
    return "say in `timezone:` of the source or of the target which zone its times are of";
  const east = sign === "+";
  return `say which zone the times are of: \`target: { timezone: ${zone(east)} }\` where the target keeps local time, \`source: { timezone: ${zone(!east)} }\` where the source does; or that zone's name, such as Europe/Prague`;
}
