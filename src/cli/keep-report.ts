import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { FileError } from "../domain/errors.ts";
import { formatInstant, parseInstant } from "../domain/position.ts";
import type { Report } from "../domain/report.ts";
import type { AuditRecord } from "../domain/state.ts";
import { badge } from "../reporters/html/badge.ts";
import { indexPage, type LastState } from "../reporters/html/index-page.ts";
import { html } from "../reporters/html.ts";
import { json } from "../reporters/json.ts";
import type { ReporterOptions } from "../reporters/reporter.ts";
import { auditedCheck } from "../state/audited-check.ts";
import { keptRuns, pathOfRun, runName } from "./kept-runs.ts";
import { picturesBeside, picturesText } from "./pictures-file.ts";

/** Where and how reports are kept. */
export type Keeping = {
  readonly folder: string;
  /** How long, microseconds; null: for ever. */
  readonly keep: bigint | null;
  /** Earlier audits and this one, newest first, as the state store has them; empty: it could not be asked. */
  readonly history: readonly AuditRecord[];
};

/**
 * Keeps a report where reports lie: a folder a run, named by its start (`2026-06-02T01-00-00.000Z`), with `report.json` and `report.html`
 * in it, and the same in `latest`, which is a folder and no link; beside them `index.html`, every check as it stood last, and a badge a
 * check. Of a part that is to be merged, what its pictures are drawn from lies beside `report.json`. Folders of runs older than `keep` go;
 * others' files stay. Gives the path of the page in `latest`. Throws a `FileError`.
 */
export function keepReport(report: Report, keeping: Keeping, options: ReporterOptions, part = false): string {
  const { folder } = keeping;
  try {
    mkdirSync(folder, { recursive: true });
    const own = freshFolder(folder, runName(report.started_at));
    const files = {
      [JSON_FORM]: json(report, options),
      [PAGE]: html(report, options),
      ...(part && options.details !== undefined
        ? { [picturesBeside(JSON_FORM)]: picturesText(report, options.details) }
        : {}),
    };
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(own, name), text);
      replaceFile(join(folder, "latest", name), text);
    }
    for (const check of report.checks)
      replaceFile(join(folder, badgeOf(check.check)), badge(check, options.details?.get(check.check)).text);
    if (keeping.keep !== null) prune(folder, report, keeping.keep);
    replaceFile(
      join(folder, "index.html"),
      indexPage({ checks: lastStates(report, keeping), madeAt: report.finished_at }),
    );
    return join(folder, "latest", PAGE);
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? "unknown reason";
    throw new FileError(`the report cannot be written to ${folder}: ${why}`, {
      hint: "`reports:` in tidemark.yaml, or TIDEMARK_REPORTS, names another folder",
      cause: error,
    });
  }
}

const PAGE = "report.html";
const JSON_FORM = "report.json";

function badgeOf(check: string): string {
  return `badges/${check}.svg`;
}

/** Whoever reads it meanwhile sees the whole old one or the whole new one. */
function replaceFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const next = `${path}.${process.pid}.part`;
  writeFileSync(next, text);
  renameSync(next, path);
}

/** Two audits may start in one millisecond: the second gets `-2`. */
function freshFolder(parent: string, name: string): string {
  for (let n = 1; ; n++) {
    const path = join(parent, n === 1 ? name : `${name}-${n}`);
    try {
      mkdirSync(path);
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

/** Removes the folders of runs that began more than `keep` before this one did. */
function prune(folder: string, { started_at }: Report, keep: bigint): void {
  const oldest = runName(formatInstant((parseInstant(started_at) ?? 0n) - keep).replace(/\d{3}Z$/, "Z"));
  for (const { name } of keptRuns(folder))
    if (name < oldest) rmSync(join(folder, name), { recursive: true, force: true });
}

/** Verdicts before that the index shows. */
const BEFORE = 12;

/** Every check of the history as it stood last; this report's own also where the history could not be asked. */
function lastStates(report: Report, { folder, history }: Keeping): readonly LastState[] {
  const own: AuditRecord = {
    id: "",
    startedAt: report.started_at,
    finishedAt: report.finished_at,
    verdict: report.verdict,
    checks: report.checks.map(auditedCheck),
  };
  const records = history.some(({ startedAt }) => startedAt === own.startedAt) ? history : [own, ...history];
  const states = new Map<string, LastState>();
  for (const { startedAt, checks } of records)
    for (const check of checks) {
      const known = states.get(check.check);
      if (known === undefined) {
        const badge = badgeOf(check.check);
        states.set(check.check, {
          ...check,
          startedAt,
          page: pathOfRun(folder, startedAt),
          badge: existsSync(join(folder, badge)) ? badge : null,
          before: [check.verdict],
        });
      } else if (known.before.length < BEFORE)
        states.set(check.check, { ...known, before: [check.verdict, ...known.before] });
    }
  return [...states.values()];
}
