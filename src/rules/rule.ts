import type { Check } from "../domain/check.ts";
import type { FindingCode } from "../domain/codes.ts";
import type { CdcFacts, ComparisonFacts, CursorFacts, Facts, Mapping, SideFacts } from "../domain/facts.ts";
import type { CauseFinding, Evidence, FindingRange, SampleRow, Severity } from "../domain/finding.ts";
import type { LedgerIndex } from "../domain/ledger-index.ts";
import type { Axis } from "../domain/position.ts";
import type { Tally } from "../domain/tally.ts";
import type { Coverer } from "./coverer.ts";

/** Everything that rules may ask. A rule names what it needs, sees nothing else, and is not asked where any of it was not read. */
export type Known = {
  readonly check: Check;
  /** The wall clock when the audit began, microseconds. */
  readonly now: bigint;
  readonly axis: Axis;
  readonly source: SideFacts;
  readonly target: SideFacts;
  readonly mapping: Mapping;
  readonly sourceCursor: CursorFacts;
  readonly targetCursor: CursorFacts;
  /** The system behind the source; null: the check names none. */
  readonly origin: Facts["origin"];
  readonly comparison: ComparisonFacts;
  readonly ledger: LedgerIndex;
  /** The axis and the ledger where there are any; null where the check has none, so that its rows can still be told. */
  readonly rowAxis: Axis | null;
  readonly ledgerIfRead: LedgerIndex | null;
  /** Which stretches later runs cover. */
  readonly coverer: Coverer;
  /** What the differences came to; `tallyIfCompared` is null where the tables were not compared. */
  readonly tally: Tally;
  readonly tallyIfCompared: Tally | null;
  readonly cdc: CdcFacts;
};

/** What a rule says: a finding without what all of a code share. Left out is empty. */
export type FindingDraft = {
  /** Where a check has several findings of one code: which one; stable from night to night. */
  readonly part?: string;
  readonly severity: Severity;
  readonly says: string;
  readonly rows?: bigint;
  readonly sides?: readonly ("source" | "target")[];
  readonly columns?: readonly string[];
  readonly range?: FindingRange;
  readonly sample?: readonly SampleRow[];
  readonly evidence?: Evidence;
  readonly causes?: readonly CauseFinding[];
  readonly fix?: string | null;
  /** Index into `check.accept` of the entry by which its rows were accepted already. */
  readonly accepted?: number;
};

/** One idea of what can be wrong: a pure function of the facts that it names. */
export type Rule = {
  readonly code: FindingCode;
  readonly needs: readonly (keyof Known)[];
  readonly judge: (known: Partial<Known>) => readonly FindingDraft[];
};

/** Makes a rule. `judge` is given exactly what `needs` names, so that a rule that touches anything else does not compile. */
export function rule<const N extends keyof Known>(
  code: FindingCode,
  needs: readonly N[],
  judge: (facts: Pick<Known, N>) => readonly FindingDraft[],
): Rule {
  return {
    code,
    needs,
    judge: (known) => (needs.every((need) => known[need] !== undefined) ? judge(known as Pick<Known, N>) : []),
  };
}
