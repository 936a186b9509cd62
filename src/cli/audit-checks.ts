import type { Check } from "../domain/check.ts";
import { InterruptedError, TidemarkError } from "../domain/errors.ts";
import type { CheckReport } from "../domain/report.ts";
import { type Audited, auditCheck } from "../flows/audit.ts";
import { incomplete } from "../flows/judge.ts";
import type { AuditOptions, DifferenceLog, KnownFinding, World } from "../flows/ports.ts";
import { BUG } from "./exit-code.ts";

/** How several checks are audited side by side. */
export type Auditing = {
  /** Checks at a time. */
  readonly parallel: number;
  readonly onBegin: (check: Check) => void;
  /** Called as each check ends, before its differences are let go of; `known`: what was known of it before. */
  readonly onEnd: (check: Check, audited: Audited, known: readonly KnownFinding[]) => CheckReport;
  /** Called with a bug of ours, which ends its check and no other. */
  readonly onBug: (check: Check, bug: unknown) => void;
  /** Whether `onEnd` wants `known`, which costs a question to the state store. */
  readonly wantKnown: boolean;
  /** Whether pictures are wanted. */
  readonly pictures: boolean;
};

/**
 * Audits checks, a few at a time, and gives their reports. None stops another; only an interruption stops them all. Where connections
 * allow few sessions, checks wait for each other, but never in a circle: each takes its connections in the order of their names.
 */
export async function auditChecks(
  checks: readonly Check[],
  options: AuditOptions,
  world: World,
  auditing: Auditing,
): Promise<readonly CheckReport[]> {
  const waiting = [...checks];
  const reports: CheckReport[] = [];
  const running = new Set<Promise<void>>();
  let interrupted: InterruptedError | null = null;

  const begin = (check: Check): void => {
    const work = auditOne(check, options, world, auditing)
      .then((report) => void reports.push(report))
      .catch((error: unknown) => {
        if (!(error instanceof InterruptedError)) throw error;
        interrupted = error;
      })
      .finally(() => running.delete(work));
    running.add(work);
  };

  for (;;) {
    const stopped = interrupted !== null || world.signal.aborted;
    const check = stopped || running.size >= auditing.parallel ? undefined : waiting.shift();
    if (check !== undefined) begin(check);
    else if (running.size > 0) await Promise.race(running);
    else break;
  }
  if (interrupted !== null || world.signal.aborted) throw new InterruptedError();
  return reports;
}

async function auditOne(check: Check, options: AuditOptions, world: World, auditing: Auditing): Promise<CheckReport> {
  const logs: DifferenceLog[] = [];
  const own: World = {
    ...world,
    differenceLog: () => {
      const log = world.differenceLog();
      logs.push(log);
      return log;
    },
  };
  auditing.onBegin(check);
  try {
    const known = auditing.wantKnown ? await world.state.known(check.name) : [];
    return auditing.onEnd(check, await auditCheck(check, options, own, auditing.pictures), known);
  } catch (error) {
    if (error instanceof InterruptedError || world.signal.aborted) throw new InterruptedError();
    // What was asked wrongly may fit the other checks (a range of numbers where this cursor is a time).
    if (!(error instanceof TidemarkError)) auditing.onBug(check, error);
    const report = error instanceof TidemarkError ? incomplete(check, error) : broken(check);
    return auditing.onEnd(check, { report, facts: null, differences: [], detail: null }, []);
  } finally {
    for (const log of logs) log[Symbol.dispose]();
  }
}

/** The report of a check that met a bug of ours. */
function broken(check: Check): CheckReport {
  return incomplete(check, { code: BUG, message: "a bug of Tidemark's: standard error says more", hint: null });
}
