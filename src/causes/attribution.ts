import type { Difference } from "../domain/difference.ts";
import { InvariantError } from "../domain/errors.ts";
import type { Facts } from "../domain/facts.ts";
import { indexFacts, type LedgerIndex } from "../domain/ledger-index.ts";
import type { Attribution, RowFinding } from "../domain/tally.ts";
import type { Known, Lost } from "./cause.ts";
import { CAUSES } from "./index.ts";
import { readLedger } from "./readings.ts";

/** Says why a row was lost or differs. A few searches over the ledger a row; nothing is kept of it. */
export type Attribute = (difference: Difference) => Attribution;

/** Makes the ledger ready once, and returns the function that each difference is asked with. */
export function attribution(facts: Facts): Attribute {
  const known = knownOf(facts);
  return (difference) => attribute(lostOf(difference, known), known);
}

/** Everything that causes ask, made ready. */
export function knownOf(facts: Facts): Known & { readonly ledger: LedgerIndex | null } {
  const ledger = indexFacts(facts);
  return {
    facts,
    check: facts.check,
    axis: facts.axis,
    ledger,
    readings: ledger === null ? null : readLedger(ledger),
    arrivals: facts.ledger?.arrivals ?? null,
  };
}

/** A difference with its place in the ledger. */
export function lostOf(difference: Difference, { ledger, readings }: Known): Lost {
  const x = difference.type === "extra" ? difference.target.cursor : difference.source.cursor;
  const a = difference.type === "extra" ? null : difference.source.arrival;
  const leaf = x === null || ledger === null ? -1 : ledger.won.leafOf(x);
  return { difference, x, a, leaf, windows: readings?.won(leaf)?.windows ?? 0 };
}

/** The first cause that holds. */
export function attribute(lost: Lost, known: Known): Attribution {
  for (const cause of CAUSES) {
    const verdict = cause.holds(lost, known);
    if (verdict === null) continue;
    return {
      finding: cause.code === "not-due" ? "pending-rows" : findingOf(lost.difference),
      cause: cause.code,
      runs: verdict.runs ?? NONE,
      confidence: verdict.confidence,
      measure: verdict.measure ?? null,
      detail: verdict.detail ?? null,
      between: verdict.between ?? NONE,
      tells: verdict.tells ?? NONE,
      says: verdict.says,
    };
  }
  throw new InvariantError("broken promise: the last cause always holds");
}

const NONE: readonly never[] = [];

function findingOf(difference: Difference): RowFinding {
  if (difference.type === "missing") return "missing-rows";
  if (difference.type === "extra") return "extra-rows";
  if (difference.order === "source-newer") return "stale-rows";
  return difference.order === "target-newer" ? "ahead-rows" : "changed-rows";
}
