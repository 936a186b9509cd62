import { join } from "node:path";
import { diskFiles } from "../../config/disk.ts";
import { loadProject } from "../../config/load-project.ts";
import { shellQuote } from "../../domain/command.ts";
import { InterruptedError } from "../../domain/errors.ts";
import { knownPresets } from "../../ledgers/known-presets.ts";
import { auditProject } from "../audit-project.ts";
import type { DemoCommand } from "../commands/demo.ts";
import { knownSchemes } from "../compose.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Around } from "../program.ts";
import { openDisplay } from "../progress.ts";
import { publish } from "../publish.ts";
import type { Screen } from "../screen.ts";
import { tellBug, tellError } from "../tell-error.ts";
import { makeDemoFolder, writeDemoChecks } from "./demo-folder.ts";
import { openFiles, openServer, type OpenStage } from "./stages.ts";
import { asTyped, startedBy } from "./started-by.ts";
import { plantStory } from "./story.ts";

/**
 * Plants the two-clock story in databases of its own, audits it the way `tidemark audit` does, and says what to try next. Its findings
 * are what it is for, so that they make no exit code. What was started ends with it, also when it is interrupted.
 */
export async function runDemo(asked: DemoCommand, { screen, signal }: Around): Promise<ExitCode> {
  const { folder, quiet = false, verbose = false } = asked;
  const checks = join(folder, "checks");
  const audited = await (async () => {
    using display = openDisplay(screen, { quiet, verbose, reported: true });
    makeDemoFolder(folder);
    await using open = await openStage(asked, (line) => display.note(line));
    if (signal.aborted) throw new InterruptedError();
    writeDemoChecks(folder, open.urls);
    await plantStory({ ...open.stage, now: BigInt(Date.now()) * 1000n });
    // Nothing of the user's own reaches into the demo: neither a state nor a reports folder.
    const environment = open.environment;
    const project = await loadProject({
      folder: checks,
      cwd: process.cwd(),
      environment,
      files: diskFiles,
      schemes: knownSchemes(),
      presets: knownPresets,
    });
    const result = await auditProject({
      project,
      checks: project.checks,
      options: { range: null, only: null, exact: false },
      display,
      verbose,
      signal,
      clean: screen.clean,
      saveFacts: null,
      wantDetails: true,
    });
    return { ...result, reports: project.reports, stays: open.stays };
  })();
  for (const bug of audited.bugs) tellBug(bug, screen);
  for (const failure of audited.failures) tellError(failure, screen, verbose);
  const outputs = [{ format: "terminal", file: null }];
  const program = startedBy({ script: process.argv[1] ?? "", cwd: process.cwd(), environment: process.env });
  const shown: Screen = { ...screen, result: (text) => screen.result(asTyped(text, program)) };
  const exit = await publish(
    audited.report,
    {
      outputs,
      failOn: "never",
      wholeMeans: "a demo ends well, whatever it finds",
      keepIn: { ...audited.reports, history: audited.history },
      details: audited.details,
      checks,
    },
    shown,
  );
  await shown.result(`\n${nextLines(folder, audited.stays).join("\n")}\n`);
  return exit;
}

async function openStage({ folder, keep }: DemoCommand, note: (line: string) => void): Promise<OpenStage> {
  if (!keep) {
    const server = await openServer();
    if (!("why" in server)) {
      note("the story is planted in a PostgreSQL of its own, which is gone afterwards");
      return server;
    }
    note(`the story is planted in SQLite files: ${server.why}`);
  }
  return openFiles(folder);
}

/** What to try next, in three lines. */
function nextLines(folder: string, stays: boolean): readonly string[] {
  const inside = (...path: readonly string[]): string => shellQuote(join(folder, ...path));
  return [
    "What to try next:",
    `  look at ${inside("checks", "grades.yaml")} (what was promised) and ${inside("reports", "latest", "report.html")}`,
    stays
      ? `  tidemark audit --checks ${inside("checks")}`
      : `  tidemark demo ${shellQuote(folder)} --keep (its tables are gone now; so they stay, in SQLite files, and the commands above work)`,
    "  write a check for your own two tables: the README's quick start has ten lines",
  ];
}
