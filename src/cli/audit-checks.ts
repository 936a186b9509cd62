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
  /** Sessions that a connection allows. */
  readonly limitOf: (connection: string) => number;
  readonly onBegin: (check: Check) => void;
  /** Called as each check ends, before its differences are let go of; `known`: what was known of it before. */
  readonly onEnd: (check: Check, audited: Audited, known: readonly KnownFinding[]) => CheckReport;
  /** Called with a bug of ours, which ends its check and no other. */
  readonly onBug: (check: Check, bug: unknown) => void;
  /** Whether `onEnd` wants `known`, which costs a question to the state store. */
  readonly wantKnown: boolean;
};

/**
 * Audits checks, a few at a time, and gives their reports. A check begins once every connection of its has a session to spare for
 * it, so that two checks can never wait for each other. None stops another; only an interruption stops them all.
 */
export async function auditChecks(
  checks: readonly Check[],
  options: AuditOptions,
  world: World,
  auditing: Auditing,
): Promise<readonly CheckReport[]> {
  const waiting = [...checks];
  const reports: CheckReport[] = [];
  const inUse = new Map<string, number>();
  const running = new Set<Promise<void>>();
  let interrupted: InterruptedError | null = null;

  const begin = (check: Check): void => {
    const connections = connectionsOf(check);
    const use = (more: number): void => {
      for (const connection of connections) inUse.set(connection, (inUse.get(connection) ?? 0) + more);
    };
    use(1);
    const work = auditOne(check, options, world, auditing)
      .then((report) => void reports.push(report))
      .catch((error: unknown) => {
        if (!(error instanceof InterruptedError)) throw error;
        interrupted = error;
      })
      .finally(() => {
        use(-1);
        running.delete(work);
      });
    running.add(work);
  };

  while (waiting.length > 0 || running.size > 0) {
    if (interrupted === null && !world.signal.aborted && running.size < auditing.parallel) {
      const next = waiting.findIndex((check) =>
        connectionsOf(check).every((connection) => (inUse.get(connection) ?? 0) < auditing.limitOf(connection)),
      );
      const [check] = next < 0 ? [] : waiting.splice(next, 1);
      if (check !== undefined) {
        begin(check);
        continue;
      }
    }
    if (running.size === 0) break;
    await Promise.race(running);
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
    return auditing.onEnd(check, await auditCheck(check, options, own), known);
  } catch (error) {
    if (error instanceof InterruptedError || world.signal.aborted) throw new InterruptedError();
    // What was asked wrongly may fit the other checks (a range of numbers where this cursor is a time).
    if (!(error instanceof TidemarkError)) auditing.onBug(check, error);
    const report = error instanceof TidemarkError ? incomplete(check, error) : broken(check);
    return auditing.onEnd(check, { report, facts: null, differences: [] }, []);
  } finally {
    for (const log of logs) log[Symbol.dispose]();
  }
}

/** Every connection that a check reads from, each once. */
export function connectionsOf({ source, target, origin, runs }: Check): readonly string[] {
  const ledger = runs !== null && "connection" in runs.from ? [runs.from.connection] : [];
  return [
    ...new Set([source.connection, target.connection, ...(origin === null ? [] : [origin.connection]), ...ledger]),
  ];
}

/** The report of a check that met a bug of ours. */
function broken(check: Check): CheckReport {
  return incomplete(check, { code: BUG, message: "a bug of Tidemark's: standard error says more", hint: null });
}
