import { notYetUsedIn } from "../config/not-yet-used.ts";
import { auditProject } from "./audit-project.ts";
import type { AuditCommand } from "./commands/audit.ts";
import { type ExitCode, worstExit } from "./exit-code.ts";
import { openProject } from "./open-project.ts";
import type { Around } from "./program.ts";
import { openDisplay } from "./progress.ts";
import { publish } from "./publish.ts";
import { shardOf } from "./shard.ts";
import { tellBug, tellError } from "./tell-error.ts";

/** Does what `tidemark audit` was asked for, on databases. */
export async function runAudit(asked: AuditCommand, { screen, signal }: Around): Promise<ExitCode> {
  const project = await openProject(asked.checks, asked.names, screen);
  const checks = asked.shard === undefined ? project.checks : shardOf(project.checks, asked.shard);
  const { quiet = false, verbose = false } = asked;
  const reported = asked.outputs.some(({ format, file }) => format === "terminal" && file === null);
  const { report, bugs, failures } = await (async () => {
    // Bars are gone before the report is printed below them.
    using display = openDisplay(screen, { quiet, verbose, reported });
    const unused = notYetUsedIn(project).filter((setting) => setting !== "alerts" || asked.alert !== false);
    if (asked.alert === true && !unused.includes("alerts")) unused.push("--alert");
    if (unused.length > 0) display.note(`not yet used: ${unused.join(", ")}`);
    if (checks.length === 0) display.note("there is no check to audit here");
    return await auditProject({
      project,
      checks,
      options: { range: asked.range ?? null, only: asked.only ?? null, exact: asked.exact ?? false },
      display,
      verbose,
      signal,
      clean: screen.clean,
      saveFacts: asked.saveFacts ?? null,
    });
  })();
  for (const bug of bugs) tellBug(bug, screen);
  const exit = await publish(
    report,
    { outputs: asked.outputs, failOn: asked.failOn, keepIn: project.reports.folder, checks: asked.checks },
    screen,
  );
  return worstExit([exit, ...failures.map((failure) => tellError(failure, screen, verbose))]);
}
