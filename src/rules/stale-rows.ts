import { rows } from "../domain/wording.ts";
import { rowFindings } from "./row-findings.ts";
import { rule } from "./rule.ts";

/** Rows that the target holds in an older version. */
export const staleRows = rule("stale-rows", ["check", "mapping", "tally", "rowAxis", "ledgerIfRead"], (facts) =>
  rowFindings(
    "stale-rows",
    "error",
    facts.tally,
    { check: facts.check, mapping: facts.mapping, axis: facts.rowAxis, ledger: facts.ledgerIfRead },
    (n) => `${rows(n.rows)} in the target ${n.rows === 1n ? "is" : "are"} older than in the source`,
  ),
);
