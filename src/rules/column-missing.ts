import { type FindingDraft, rule } from "./rule.ts";

/** Columns of one side only, which nobody said to leave out: a warning in the source, a note in the target. */
export const columnMissing = rule("column-missing", ["mapping"], ({ mapping }) => [
  ...mapping.missingInTarget.map(
    (column): FindingDraft => ({
      part: column,
      severity: "warn",
      says: `the target has no column ${column}; leave it out with \`columns.exclude\` if that is meant`,
      sides: ["source"],
      columns: [column],
      evidence: { column, missing_in: "target" },
    }),
  ),
  ...mapping.missingInSource.map(
    (column): FindingDraft => ({
      part: `target:${column}`,
      severity: "info",
      says: `the source has no column ${column}`,
      sides: ["target"],
      columns: [column],
      evidence: { column, missing_in: "source" },
    }),
  ),
]);
