import { gently } from "./gently.ts";
import { diskFiles } from "../config/disk.ts";
import type { Environment } from "../config/expand.ts";
import { loadProject as load } from "../config/load-project.ts";
import { type Project, secretsOf } from "../config/project.ts";
import type { FindingGroup } from "../domain/codes.ts";
import { UsageError } from "../domain/errors.ts";
import { readRange } from "../domain/range.ts";
import type { Report } from "../domain/report.ts";
import { redact } from "../domain/secret.ts";
import { knownPresets } from "../ledgers/known-presets.ts";
import { auditProject } from "./audit-project.ts";
import { knownSchemes } from "./compose.ts";
import type { Display } from "./progress.ts";

/** What `loadProject` may be told. */
export type LoadOptions = {
  /** The checks folder. Default: `checks`. */
  readonly folder?: string;
  /** Where relative paths begin. Default: the current folder. */
  readonly cwd?: string;
  /** What `${NAME}` in check files is taken from. Default: the process's environment. */
  readonly environment?: Environment;
  /** Names of the checks wanted. Default: all. */
  readonly only?: readonly string[];
};

/**
 * Reads a folder of checks. Throws a `DefinitionError` with every mistake of every file at once, or a `UsageError` for a folder or a
 * check that is not there. Opens no connection.
 */
export async function loadProject(options: LoadOptions = {}): Promise<Project> {
  return await load({
    folder: options.folder ?? "checks",
    cwd: options.cwd ?? process.cwd(),
    environment: options.environment ?? process.env,
    only: options.only,
    files: diskFiles,
    schemes: knownSchemes(),
    presets: knownPresets,
  });
}

/** What `audit` may be told. */
export type AuditSettings = {
  /** Names of the project's checks. Default: all of them. */
  readonly checks?: readonly string[];
  /** As `--range` writes it. */
  readonly range?: string;
  /** Groups of findings to report. Default: all. */
  readonly only?: readonly FindingGroup[];
  /** Compares values row by row, trusting no checksum. */
  readonly exact?: boolean;
  /** Spares the servers: one check and one connection a side at a time, short statements, and a rest after each. Default false. */
  readonly gentle?: boolean;
  /** Checks at a time. Default 4; 1 where it is gentle. */
  readonly parallel?: number;
  /** Stops the audit: statements are cancelled on the server, and `audit` throws an `InterruptedError`. */
  readonly signal?: AbortSignal;
  /** Told as a check goes on: rows done of rows expected (null: unknown). */
  readonly onProgress?: (check: string, done: bigint, of: bigint | null) => void;
};

/**
 * Audits checks of a project on their databases: what `tidemark audit` does, without writing a report anywhere. A check that could not
 * finish is told in the report (`verdict: "incomplete"`). Throws `UsageError` for a check that is not there or a range that cannot be
 * read, `InterruptedError` after an abort, and the first bug of ours that a check met.
 */
export async function audit(project: Project, settings: AuditSettings = {}): Promise<Report> {
  if (settings.range !== undefined) readRange(settings.range);
  const names = settings.checks ?? project.checks.map(({ name }) => name);
  for (const name of names)
    if (!project.checks.some((check) => check.name === name)) throw new UsageError(`there is no check ${name}`);
  const secrets = secretsOf(project);
  const chosen = project.checks.filter(({ name }) => names.includes(name));
  const parallel = settings.parallel ?? (settings.gentle === true ? 1 : undefined);
  const { report, bugs } = await auditProject({
    project,
    checks: settings.gentle === true ? chosen.map(gently) : chosen,
    options: { range: settings.range ?? null, only: settings.only ?? null, exact: settings.exact ?? false },
    ...(parallel === undefined ? {} : { parallel }),
    display: silent(settings.onProgress),
    verbose: false,
    signal: settings.signal ?? new AbortController().signal,
    clean: (text) => redact(text, secrets),
    saveFacts: null,
  });
  if (bugs.length > 0) throw bugs[0];
  return report;
}

function silent(rows: AuditSettings["onProgress"]): Display {
  const nothing = (): void => {};
  return {
    begin: nothing,
    end: nothing,
    note: nothing,
    detail: nothing,
    step: nothing,
    rows: rows ?? nothing,
    [Symbol.dispose]: nothing,
  };
}
