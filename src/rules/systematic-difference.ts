import { jsonCount } from "../domain/report.ts";
import { rows } from "../domain/wording.ts";
import { rule } from "./rule.ts";

/** A column that differs in one and the same way nearly everywhere: one finding instead of one a row. */
export const systematicDifference = rule("systematic-difference", ["comparison"], ({ comparison }) =>
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
    fix: each.accept,
  })),
);
