import type { Project } from "../config/project.ts";
import type { Check } from "../domain/check.ts";
import { FileError, TidemarkError } from "../domain/errors.ts";
import type { CheckDetail, ReportDetail } from "../domain/detail.ts";
import type { Report } from "../domain/report.ts";
import type { AuditRecord } from "../domain/state.ts";
import { withHistory } from "../flows/detail/with-history.ts";
import type { AuditOptions, Clock } from "../flows/ports.ts";
import { auditChecks } from "./audit-checks.ts";
import { compose } from "./compose.ts";
import { type FactsWriter, writeFacts } from "./facts-file.ts";
import type { Display } from "./progress.ts";
import { cleaned, reportOf } from "./report-of.ts";
import { version } from "./version.ts";

/** Checks that are audited at a time. */
const PARALLEL = 4;

/** Audits that pages look back at. */
const HISTORY = 500;

/** An audit of some of a project's checks, and what it speaks to meanwhile. */
export type ProjectAudit = {
  readonly project: Project;
  readonly checks: readonly Check[];
  readonly options: AuditOptions;
  readonly parallel?: number;
  readonly display: Display;
  /** Says every statement. */
  readonly verbose: boolean;
  readonly signal: AbortSignal;
  /** Blanks secrets. */
  readonly clean: (text: string) => string;
  /** The facts file to write; null: none. */
  readonly saveFacts: string | null;
  /** Whether pictures are wanted. Default: none are. */
  readonly wantDetails?: boolean;
  /** Default: this machine's. */
  readonly clock?: Clock;
};

/** The report, bugs of ours that ended a check, and what failed beside the checks (a facts file, the history). */
export type ProjectAudited = {
  readonly report: Report;
  /** What its pictures are drawn from. */
  readonly details: ReportDetail;
  /** The newest audits, newest first, this one among them; empty: the state store could not be asked. */
  readonly history: readonly AuditRecord[];
  readonly bugs: readonly unknown[];
  readonly failures: readonly TidemarkError[];
};

/** Audits checks of a project on its databases. Throws `InterruptedError`, and what stops everything: a state store that cannot be opened. */
export async function auditProject(audit: ProjectAudit): Promise<ProjectAudited> {
  const { project, checks, options, display, signal, clean } = audit;
  await using surroundings = await compose(project, {
    checks,
    display,
    verbose: audit.verbose,
    signal,
    ...(audit.clock === undefined ? {} : { clock: audit.clock }),
  });
  const { world } = surroundings;
  const started = world.clock.now();
  using facts =
    audit.saveFacts === null
      ? null
      : writeFacts(audit.saveFacts, { tidemark_facts: 1, tool: version(), started, options });
  const saving = savingTo(facts);
  const bugs: unknown[] = [];
  const details = new Map<string, CheckDetail>();
  const reports = await auditChecks(checks, options, world, {
    parallel: audit.parallel ?? PARALLEL,
    wantKnown: facts !== null,
    pictures: audit.wantDetails === true,
    onBegin: ({ name }) => display.begin(name),
    onEnd: ({ name }, audited, known) => {
      const report = cleaned(audited.report, clean);
      saving.attempt((file) =>
        file.add({ check: name, facts: audited.facts, report, known, differences: audited.differences }),
      );
      if (audited.detail !== null) details.set(name, audited.detail);
      display.end(report);
      return report;
    },
    onBug: (_, bug) => void bugs.push(bug),
  });
  const finished = world.clock.now();
  saving.attempt((file) => file.finish(finished));
  const report = reportOf(reports, { started, finished });
  const failures: TidemarkError[] = [...saving.failures];
  let history: readonly AuditRecord[] = [];
  try {
    await world.state.recordAudit(report);
    if (audit.wantDetails === true) history = await world.state.audits(HISTORY);
  } catch (error) {
    if (!(error instanceof TidemarkError)) throw error;
    failures.push(error);
  }
  return { report, details: withHistory(details, history), history, bugs, failures };
}

/** Writes to a facts file until that fails once; the audit itself goes on. */
function savingTo(file: FactsWriter | null): {
  readonly failures: readonly FileError[];
  attempt(work: (file: FactsWriter) => void): void;
} {
  const failures: FileError[] = [];
  return {
    failures,
    attempt(work) {
      if (file === null || failures.length > 0) return;
      try {
        work(file);
      } catch (error) {
        if (!(error instanceof FileError)) throw error;
        failures.push(error);
      }
    },
  };
}
