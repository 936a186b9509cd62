import { jsonCount } from "../domain/report.ts";
import { count, rows } from "../domain/wording.ts";
import { sampleRow } from "./row-findings.ts";
import { rule } from "./rule.ts";

/** Keys that stand more than once on a side: an upsert by them would not know which copy it means. */
export const duplicateKeys = rule("duplicate-keys", ["comparison", "mapping"], ({ comparison, mapping }) => {
  const found = comparison.duplicates.filter((each) => each.keys > 0n);
  if (found.length === 0) return [];
  const all = found.reduce((sum, each) => sum + each.rows, 0n);
  return [
    {
      severity: "error",
      says: found
        .map(({ side, keys, rows: n }) => `${count(keys, "key")} more than once in the ${side} (${rows(n)})`)
        .join("; "),
      rows: all,
      sides: found.map(({ side }) => side),
      sample: found.flatMap(({ sample }) => sample.map((key) => sampleRow(key, null, mapping))).slice(0, 20),
      evidence: {
        sides: found.map(({ side, keys, rows: n }) => ({ side, keys: jsonCount(keys), rows: jsonCount(n) })),
      },
    },
  ];
});
