import { type LedgerIndex, windowEnds } from "../domain/ledger-index.ts";
import type { Bigints } from "../domain/packed-bigints.ts";
import { ascending, lowerBound } from "../domain/cuts.ts";
import { SECOND, type Position } from "../domain/position.ts";
import { duration } from "../domain/wording.ts";
import type { Cause } from "./cause.ts";
import { holders, readingOf } from "./lost.ts";

/** The row lies so near to the end of a successful window that the ledger's rounding of that end can have lost it. */
export const precision: Cause = {
  code: "precision",
  holds: (lost, known) => {
    const reading = readingOf(lost, known);
    if (reading === null || known.ledger === null || known.axis !== "time" || lost.x === null) return null;
    const declared = known.ledger.facts.precision ?? null;
    if (declared !== null && declared <= 1n) return null;
    const { step, ends } = endsOf(known.ledger);
    if (step <= 1n) return null;
    const near = nearest(ends, lost.x);
    if (near === null || near === 0n || near >= step) return null;
    return {
      confidence: "inferred",
      runs: holders(lost, known),
      measure: near,
      says: () =>
        `it lies ${duration(near)} from the end of a window, and the ledger keeps ends only to ${duration(step)}`,
    };
  },
};

type Ends = { readonly step: bigint; readonly ends: Bigints };
const known = new WeakMap<LedgerIndex, Ends>();

/** The ends of all successful windows, and how finely the ledger keeps them: as declared, else as the ends themselves show. */
function endsOf(ledger: LedgerIndex): Ends {
  let found = known.get(ledger);
  if (found === undefined) {
    const ends = ascending(windowEnds(ledger.successes));
    found = { step: ledger.facts.precision ?? shownStep(ends), ends };
    known.set(ledger, found);
  }
  return found;
}

function shownStep(ends: Bigints): bigint {
  let shown = SECOND;
  for (const end of ends) while (end % shown !== 0n) shown = shown === SECOND ? 1000n : 1n;
  return shown;
}

function nearest(ends: Bigints, x: Position): bigint | null {
  const i = lowerBound(ends, x);
  const above = ends[i] === undefined ? null : ends[i] - x;
  const below = i === 0 ? null : x - (ends[i - 1] as bigint);
  return above === null ? below : below === null || above < below ? above : below;
}
