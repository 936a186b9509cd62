import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { auditProject } from "../../src/cli/audit-project.ts";
import { slackMessage } from "../../src/alerts/slack-message.ts";
import { makeDemoFolder, writeDemoChecks } from "../../src/cli/demo/demo-folder.ts";
import { openFiles } from "../../src/cli/demo/stages.ts";
import { plantStory } from "../../src/cli/demo/story.ts";
import { loadProject } from "../../src/cli/library.ts";
import { tidingsFor } from "../../src/domain/news.ts";
import { must } from "../../src/domain/errors.ts";
import { parseInstant } from "../../src/domain/position.ts";
import type { Report } from "../../src/domain/report.ts";
import { clockFile } from "../../src/reporters/html/clock-file.ts";
import { badge } from "../../src/reporters/html/badge.ts";
import { html } from "../../src/reporters/html.ts";
import { json } from "../../src/reporters/json.ts";
import { markdown } from "../../src/reporters/markdown.ts";
import { PLAIN, type ReporterOptions } from "../../src/reporters/reporter.ts";

/** Where the sample lies. */
export const SAMPLE = fileURLToPath(new URL("../../reports/sample", import.meta.url));

/** The Tuesday after the story's Monday. */
const NOW = must(parseInstant("2026-06-02T08:00:00Z"), "a moment");

/** The demo's reports as an audit on that Tuesday makes them, by file name: the same on every machine, whatever it takes. */
export async function makeSample(): Promise<Readonly<Record<string, string>>> {
  const folder = mkdtempSync(join(tmpdir(), "tidemark-sample-"));
  try {
    makeDemoFolder(folder);
    const open = openFiles(folder);
    writeDemoChecks(folder, open.urls);
    await plantStory({ ...open.stage, now: NOW });
    await open[Symbol.asyncDispose]();
    const project = await loadProject({ folder: join(folder, "checks"), cwd: folder, environment: {} });
    const silent = (): void => {};
    const { report, details, bugs } = await auditProject({
      project,
      checks: project.checks,
      options: { range: null, only: null, exact: false },
      display: {
        begin: silent,
        end: silent,
        note: silent,
        detail: silent,
        step: silent,
        rows: silent,
        [Symbol.dispose]: silent,
      },
      verbose: false,
      signal: new AbortController().signal,
      clean: (text) => text,
      saveFacts: null,
      wantDetails: true,
      clock: { now: () => NOW, seconds: () => 0, sleep: async () => {} },
    });
    if (bugs.length > 0) throw bugs[0];
    const told = timed(report);
    const options: ReporterOptions = { columns: 80, style: PLAIN, commandSuffix: "", ending: null, details };
    const check = must(told.checks[0], "the demo has a check");
    const detail = must(details.get(check.check), "the demo's check has pictures");
    return {
      "report.json": json(told, options),
      "report.html": html(told, options),
      "report.md": markdown(told, options),
      "two-clocks.svg": must(clockFile(detail), "the demo has two clocks"),
      "badge.svg": badge(check, detail).text,
      "slack.json": `${JSON.stringify(slackOf(told), null, 2)}\n`,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What Slack is told of it, by an alert that has told nothing yet. */
function slackOf(report: Report): ReturnType<typeof slackMessage> {
  const asked = { at: "warn", repeatAfter: null } as const;
  const { items } = tidingsFor(report, asked, [], { now: NOW, whole: true });
  return slackMessage({ report, items, whole: true, link: null, commandSuffix: "" });
}

/** The same report with the times and counts of a machine that is like no other. */
function timed(report: Report): Report {
  return {
    ...report,
    finished_at: report.started_at.replace("00.000Z", "01.200Z"),
    checks: report.checks.map((check) => ({
      ...check,
      seconds: 1.2,
      compared: check.compared && { ...check.compared, seconds: 0.9, statements: 20 },
    })),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(SAMPLE, { recursive: true });
  for (const [name, text] of Object.entries(await makeSample())) writeFileSync(join(SAMPLE, name), text);
}
