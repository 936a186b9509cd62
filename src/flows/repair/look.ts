import type { Check } from "../../domain/check.ts";
import type { Difference } from "../../domain/difference.ts";
import { LedgerError } from "../../domain/errors.ts";
import type { Facts } from "../../domain/facts.ts";
import type { Finding } from "../../domain/finding.ts";
import { appraise } from "../appraise.ts";
import { readFacts } from "../read-facts/read-facts.ts";
import type { Layout } from "./layout.ts";
import type { RepairWorld } from "./ports.ts";

/** A first look: what differs now. What moves meanwhile is seen by the batch that comes to it, so nothing is asked twice here. */
export type Looked = { readonly facts: Facts; readonly differences: Iterable<Difference> };

export async function look(check: Check, range: string | null, world: RepairWorld): Promise<Looked> {
  const whole: Check = {
    ...check,
    compare: {
      ...check.compare,
      recheck: { ...check.compare.recheck, rounds: 0 },
      stopAfter: { differences: null, time: null },
    },
  };
  return await lookAgain(whole, range, world);
}

/** What differs now, by all that the check asks. */
export async function lookAgain(check: Check, range: string | null, world: RepairWorld): Promise<Looked> {
  const read = await readFacts(check, { range, only: null, exact: false }, world);
  // Without its ledger a check cannot say why, and can be repaired all the same.
  if (read.failure !== null && !(read.failure instanceof LedgerError)) throw read.failure;
  return read;
}

/** Which rows are in question by their cursor; the comparison has used the same. */
export function scopeOf(check: Check, { axis, range, now }: Facts): Layout["plan"]["scope"] {
  return axis === "time"
    ? { range, settledUntil: now - check.settle, futureAfter: now + check.expect.future }
    : { range, settledUntil: null, futureAfter: null };
}

/** The findings about rows that are in question and still differ. */
export function remainingIn(
  { facts, differences }: Looked,
  range: string | null,
  inQuestion: (difference: Difference) => boolean,
): readonly Finding[] {
  const asked = { [Symbol.iterator]: () => filtered(differences, inQuestion) };
  const { findings } = appraise(facts, asked, { range, only: ["rows"], exact: false }, []).report;
  return findings.filter((f) => f.group === "rows" && f.state !== "recovered");
}

function* filtered(
  differences: Iterable<Difference>,
  wanted: (difference: Difference) => boolean,
): Generator<Difference> {
  for (const difference of differences) if (wanted(difference)) yield difference;
}
