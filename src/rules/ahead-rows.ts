import { rows } from "../domain/wording.ts";
import { rowFindings } from "./row-findings.ts";
import { rule } from "./rule.ts";

/** Rows that are newer in the target: the source was rolled back, or something else writes to the target. */
export const aheadRows = rule("ahead-rows", ["check", "mapping", "tally", "rowAxis", "ledgerIfRead"], (facts) =>
  rowFindings(
    "ahead-rows",
    "error",
    facts.tally,
    { check: facts.check, mapping: facts.mapping, axis: facts.rowAxis, ledger: facts.ledgerIfRead },
    (n) => `${rows(n.rows)} in the target ${n.rows === 1n ? "is" : "are"} newer than in the source`,
  ),
);
