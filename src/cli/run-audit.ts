import { notYetUsedIn } from "../config/not-yet-used.ts";
import { UsageError } from "../domain/errors.ts";
import { auditProject } from "./audit-project.ts";
import type { AuditCommand } from "./commands/audit.ts";
import { type ExitCode, worstExit } from "./exit-code.ts";
import { openProject } from "./open-project.ts";
import type { Around } from "./program.ts";
import { openDisplay } from "./progress.ts";
import { gently } from "./gently.ts";
import { publish } from "./publish.ts";
import { sendAlerts } from "./send-alerts.ts";
import { shardOf } from "./shard.ts";
import { tellBug, tellError } from "./tell-error.ts";

/** Does what `tidemark audit` was asked for, on databases. */
export async function runAudit(asked: AuditCommand, { screen, signal }: Around): Promise<ExitCode> {
  const project = await openProject(asked.checks, asked.names, screen);
  if (asked.alert === true && project.alerts.length === 0)
    throw new UsageError("--alert: there is nobody to alert", {
      hint: 'add some to tidemark.yaml, such as alerts: [{ slack: "${SLACK_WEBHOOK_URL}" }], or leave --alert out',
    });
  const part = asked.shard === undefined ? project.checks : shardOf(project.checks, asked.shard);
  const gentle = asked.gentle ?? false;
  const checks = gentle ? part.map(gently) : part;
  const { quiet = false, verbose = false } = asked;
  const reported = asked.outputs.some(({ format, file }) => format === "terminal" && file === null);
  const { report, details, history, bugs, failures } = await (async () => {
    // Bars are gone before the report is printed below them.
    using display = openDisplay(screen, { quiet, verbose, reported });
    const unused = notYetUsedIn(project);
    if (unused.length > 0) display.note(`not yet used: ${unused.join(", ")}`);
    if (checks.length === 0) display.note("there is no check to audit here");
    return await auditProject({
      project,
      checks,
      ...(gentle ? { parallel: 1 } : {}),
      options: { range: asked.range ?? null, only: asked.only ?? null, exact: asked.exact ?? false },
      display,
      verbose,
      signal,
      clean: screen.clean,
      saveFacts: asked.saveFacts ?? null,
      wantDetails: true,
    });
  })();
  for (const bug of bugs) tellBug(bug, screen);
  const exit = await publish(
    report,
    {
      outputs: asked.outputs,
      failOn: asked.failOn,
      keepIn: { ...project.reports, history },
      only: asked.only ?? null,
      details,
      part: asked.shard !== undefined,
      checks: asked.checks,
    },
    screen,
  );
  const whole = asked.range === undefined && asked.only === undefined;
  const untold =
    asked.alert === false ? [] : await sendAlerts(report, { project, whole, checks: asked.checks, signal });
  return worstExit([exit, ...[...failures, ...untold].map((failure) => tellError(failure, screen, verbose))]);
}
