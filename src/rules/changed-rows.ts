import { rows } from "../domain/wording.ts";
import { rowFindings } from "./row-findings.ts";
import { rule } from "./rule.ts";

/** Rows that differ and whose versions do not (or that have none). */
export const changedRows = rule("changed-rows", ["check", "mapping", "tally", "rowAxis", "ledgerIfRead"], (facts) =>
  rowFindings(
    "changed-rows",
    "error",
    facts.tally,
    { check: facts.check, mapping: facts.mapping, axis: facts.rowAxis, ledger: facts.ledgerIfRead },
    (n) => `${rows(n.rows)} ${n.rows === 1n ? "differs" : "differ"} although neither side is newer`,
  ),
);
