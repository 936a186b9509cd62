import { rows } from "../domain/wording.ts";
import { rowFindings } from "./row-findings.ts";
import { rule } from "./rule.ts";

/** Rows that the next run will carry. */
export const pendingRows = rule("pending-rows", ["check", "mapping", "tally", "rowAxis", "ledgerIfRead"], (facts) =>
  rowFindings(
    "pending-rows",
    "info",
    facts.tally,
    { check: facts.check, mapping: facts.mapping, axis: facts.rowAxis, ledger: facts.ledgerIfRead },
    (n) => `${rows(n.rows)} not due yet: beyond the last successful window`,
  ),
);
