import type { Check } from "../domain/check.ts";
import type { Difference } from "../domain/difference.ts";
import { DefinitionError, InterruptedError, TidemarkError, UsageError } from "../domain/errors.ts";
import type { Facts } from "../domain/facts.ts";
import type { CheckReport } from "../domain/report.ts";
import { errorOf, incomplete, isWhole, judge } from "./judge.ts";
import type { AuditOptions, KnownFinding, World } from "./ports.ts";
import { readFacts } from "./read-facts/read-facts.ts";

/** One audited check: its report, and what was read for it (null where the check could not finish), for `--save-facts`. */
export type Audited = {
  readonly report: CheckReport;
  readonly facts: Facts | null;
  readonly differences: Iterable<Difference>;
};

/**
 * Audits one check: reads facts, compares, judges, remembers. A failure of the world becomes a report with verdict `incomplete`
 * and never an exception; what was asked wrongly (`UsageError`), bugs and interruptions are thrown.
 */
export async function auditCheck(check: Check, options: AuditOptions, world: World): Promise<Audited> {
  const began = world.clock.seconds();
  const seconds = (): number => world.clock.seconds() - began;
  let known: readonly KnownFinding[] = [];
  try {
    known = await world.state.known(check.name);
    const { facts, differences, failure } = await readFacts(check, options, world);
    const judged = judge(facts, differences, options, known, failure === null);
    const report: CheckReport = {
      ...judged,
      ...(failure === null ? {} : { verdict: "incomplete", error: errorOf(failure) }),
      seconds: seconds(),
    };
    if (facts.source.cursor !== null)
      await world.state.observe(check.name, { at: facts.now, position: facts.source.cursor.clock });
    await world.state.remember(check.name, facts.now, report.findings, failure === null && isWhole(facts, options));
    return { report, facts, differences };
  } catch (error) {
    if (world.signal.aborted) throw new InterruptedError();
    if (!(error instanceof TidemarkError) || error instanceof UsageError || error instanceof DefinitionError)
      throw error;
    return { report: { ...incomplete(check, error), seconds: seconds() }, facts: null, differences: [] };
  }
}
