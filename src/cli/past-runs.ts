import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { nearest } from "../domain/nearest.ts";
import { UsageError } from "../domain/errors.ts";
import type { Report } from "../domain/report.ts";
import type { AuditRecord } from "../domain/state.ts";
import type { PastRun } from "../reporters/answers/past-runs.ts";
import { auditedCheck } from "../state/audited-check.ts";
import { compareNames, type KeptRun, keptRuns, runName } from "./kept-runs.ts";

/** A run that is known to the state store, to the reports folder, or to both. */
export type KnownRun = { readonly name: string; readonly record: AuditRecord | null; readonly kept: KeptRun | null };

/** Every run that somebody knows of, the newest first. `records`: as the state store gives them, the newest first. */
export function knownRuns(records: readonly AuditRecord[], folder: string): readonly KnownRun[] {
  const kept = new Map(keptRuns(folder).map((run) => [run.name, run]));
  const known = new Map<string, KnownRun>();
  for (const record of records.toReversed()) {
    const time = runName(record.startedAt);
    let name = time;
    for (let n = 2; known.has(name); n++) name = `${time}-${n}`;
    known.set(name, { name, record, kept: kept.get(name) ?? null });
  }
  for (const [name, run] of kept) if (!known.has(name)) known.set(name, { name, record: null, kept: run });
  return [...known.values()].toSorted((a, b) => compareNames(b.name, a.name));
}

/** What there is to tell of a run; null: its report alone is kept, and cannot be read. */
export function pastRun({ name, record, kept }: KnownRun): PastRun | null {
  const files = { run: name, report: kept?.report ?? null, html: kept?.html ?? null };
  if (record !== null) return { ...files, ...record };
  const report = readKept(files.report);
  if (report === null) return null;
  const { started_at: startedAt, finished_at: finishedAt, verdict, checks } = report;
  return { ...files, startedAt, finishedAt, verdict, checks: checks.map(auditedCheck) };
}

/** The report in a file that we have written; null: it is not there, or is none of ours. */
export function readKept(file: string | null): Report | null {
  if (file === null) return null;
  try {
    const report = JSON.parse(readFileSync(file, "utf8")) as Partial<Report>;
    return report.version === 1 && report.tool?.name === "tidemark" && Array.isArray(report.checks)
      ? (report as Report)
      : null;
  } catch {
    return null;
  }
}

/** The page over all checks; null: none. */
export function indexPage(folder: string): string | null {
  const path = join(folder, "index.html");
  return existsSync(path) ? path : null;
}

/** The run that a word means: its name, its time, the beginning of either, or `latest`. A `UsageError` names the nearest. */
export function findRun(asked: string, runs: readonly KnownRun[]): KnownRun {
  const [newest] = runs;
  if (newest === undefined) throw new UsageError(`there is no run ${asked}: no audit has been recorded here yet`);
  if (asked === "latest") return newest;
  const name = asked.replaceAll(":", "-");
  const exact = runs.find((run) => run.name === name);
  if (exact !== undefined) return exact;
  const begun = name === "" ? [] : runs.filter((run) => run.name.startsWith(name));
  const [only, second] = begun;
  if (only !== undefined && second === undefined) return only;
  if (second !== undefined)
    throw new UsageError(
      `${asked} may mean ${begun.length} runs: ${begun
        .slice(0, 3)
        .map((run) => run.name)
        .join(", ")}${begun.length > 3 ? ", …" : ""}`,
      {
        hint: "write more of its time",
      },
    );
  throw new UsageError(`there is no run ${asked}; the nearest is ${nearestRun(name, runs) ?? newest.name}`, {
    hint: "`tidemark report` lists them",
  });
}

/** By time where the word begins like one, else by spelling. */
function nearestRun(name: string, runs: readonly KnownRun[]): string | undefined {
  const asked = timeOf(name);
  if (asked === null) return nearest(name, ["latest", ...runs.map((run) => run.name)])[0];
  const away = (run: KnownRun): number => Math.abs((timeOf(run.name) ?? 0) - asked);
  return runs.toSorted((a, b) => away(a) - away(b))[0]?.name;
}

/** Milliseconds of `2026-06-02`, `2026-06-02T01`, `2026-06-02T01-00-00.000Z` and what lies between; null: no time. */
function timeOf(name: string): number | null {
  const parts = /^(\d{4}-\d\d-\d\d)(?:T(\d\d)(?:-(\d\d)(?:-(\d\d(?:\.\d+)?)Z?)?)?)?/.exec(name);
  if (parts === null) return null;
  const [, day, hour = "00", minute = "00", second = "00"] = parts;
  const at = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(at) ? null : at;
}
