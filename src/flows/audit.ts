import type { Check } from "../domain/check.ts";
import type { CheckDetail } from "../domain/detail.ts";
import type { Difference } from "../domain/difference.ts";
import { DefinitionError, InterruptedError, TidemarkError, UsageError } from "../domain/errors.ts";
import type { Facts } from "../domain/facts.ts";
import type { CheckReport } from "../domain/report.ts";
import { appraise } from "./appraise.ts";
import { errorOf, incomplete, isWhole } from "./judge.ts";
import type { AuditOptions, KnownFinding, World } from "./ports.ts";
import { readFacts } from "./read-facts/read-facts.ts";

/** One audited check: its report, and what was read for it (null where the check could not finish), for `--save-facts` and pictures. */
export type Audited = {
  readonly report: CheckReport;
  readonly facts: Facts | null;
  readonly differences: Iterable<Difference>;
  /** What its pictures are drawn from; null: not asked for, or it could not finish. */
  readonly detail: CheckDetail | null;
};

/**
 * Audits one check: reads facts, compares, judges, remembers. A failure of the world becomes a report with verdict `incomplete`
 * and never an exception; what was asked wrongly (`UsageError`), bugs and interruptions are thrown. `pictures`: whether they are wanted.
 */
export async function auditCheck(
  check: Check,
  options: AuditOptions,
  world: World,
  pictures = false,
): Promise<Audited> {
  const began = world.clock.seconds();
  const seconds = (): number => world.clock.seconds() - began;
  let known: readonly KnownFinding[] = [];
  try {
    known = await world.state.known(check.name);
    const { facts, differences, failure } = await readFacts(check, options, world);
    const finished = failure === null;
    const { report: judged, detail } = appraise(facts, differences, options, known, { finished, pictures });
    const report: CheckReport = {
      ...judged,
      ...(failure === null ? {} : { verdict: "incomplete", error: errorOf(failure) }),
      seconds: seconds(),
    };
    if (facts.source.cursor !== null)
      await world.state.observe(check.name, { at: facts.now, position: facts.source.cursor.clock });
    await world.state.remember(check.name, facts.now, report.findings, finished && isWhole(facts, options));
    return { report, facts, differences, detail };
  } catch (error) {
    if (world.signal.aborted) throw new InterruptedError();
    if (!(error instanceof TidemarkError) || error instanceof UsageError || error instanceof DefinitionError)
      throw error;
    return { report: { ...incomplete(check, error), seconds: seconds() }, facts: null, differences: [], detail: null };
  }
}
