import type { Project } from "../config/project.ts";
import type { Check } from "../domain/check.ts";
import { FileError, TidemarkError } from "../domain/errors.ts";
import type { Report } from "../domain/report.ts";
import type { AuditOptions } from "../flows/ports.ts";
import { auditChecks } from "./audit-checks.ts";
import { compose } from "./compose.ts";
import { type FactsWriter, writeFacts } from "./facts-file.ts";
import type { Display } from "./progress.ts";
import { cleaned, reportOf } from "./report-of.ts";
import { version } from "./version.ts";

/** Checks that are audited at a time. */
const PARALLEL = 4;

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
};

/** The report, bugs of ours that ended a check, and what failed beside the checks (a facts file, the history). */
export type ProjectAudited = {
  readonly report: Report;
  readonly bugs: readonly unknown[];
  readonly failures: readonly TidemarkError[];
};

/** Audits checks of a project on its databases. Throws `InterruptedError`, and what stops everything: a state store that cannot be opened. */
export async function auditProject(audit: ProjectAudit): Promise<ProjectAudited> {
  const { project, checks, options, display, signal, clean } = audit;
  await using surroundings = await compose(project, { checks, display, verbose: audit.verbose, signal });
  const { world } = surroundings;
  const started = world.clock.now();
  using facts =
    audit.saveFacts === null
      ? null
      : writeFacts(audit.saveFacts, { tidemark_facts: 1, tool: version(), started, options });
  const saving = savingTo(facts);
  const bugs: unknown[] = [];
  const reports = await auditChecks(checks, options, world, {
    parallel: audit.parallel ?? PARALLEL,
    wantKnown: facts !== null,
    onBegin: ({ name }) => display.begin(name),
    onEnd: ({ name }, audited, known) => {
      const report = cleaned(audited.report, clean);
      saving.attempt((file) =>
        file.add({ check: name, facts: audited.facts, report, known, differences: audited.differences }),
      );
      display.end(report);
      return report;
    },
    onBug: (_, bug) => void bugs.push(bug),
  });
  const finished = world.clock.now();
  saving.attempt((file) => file.finish(finished));
  const report = reportOf(reports, { started, finished });
  const failures: TidemarkError[] = [...saving.failures];
  try {
    await world.state.recordAudit(report);
  } catch (error) {
    if (!(error instanceof TidemarkError)) throw error;
    failures.push(error);
  }
  return { report, bugs, failures };
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
