import { rows } from "../domain/wording.ts";
import { rowFindings } from "./row-findings.ts";
import { rule } from "./rule.ts";

/** Rows that the source has and the target does not, although a run should have carried them. */
export const missingRows = rule("missing-rows", ["check", "mapping", "tally", "rowAxis", "ledgerIfRead"], (facts) =>
  rowFindings(
    "missing-rows",
    "error",
    facts.tally,
    { check: facts.check, mapping: facts.mapping, axis: facts.rowAxis, ledger: facts.ledgerIfRead },
    (n) => `${rows(n.rows)} of the source ${n.rows === 1n ? "is" : "are"} missing from the target`,
  ),
);
