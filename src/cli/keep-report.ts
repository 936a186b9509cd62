import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FileError } from "../domain/errors.ts";
import type { Report } from "../domain/report.ts";
import { json } from "../reporters/json.ts";
import { PLAIN } from "../reporters/reporter.ts";

/**
 * Keeps a report where reports lie: a folder a run, named by its start (`2026-06-02T01-00-00.000Z`), with `report.json` in it, and the
 * same in `latest`, which is a folder and no link. Gives the path in `latest`. Throws a `FileError`.
 */
export function keepReport(report: Report, folder: string): string {
  const text = json(report, { columns: 80, style: PLAIN, commandSuffix: "", ending: null });
  try {
    mkdirSync(folder, { recursive: true });
    const own = freshFolder(folder, report.started_at.replaceAll(":", "-"));
    writeFileSync(join(own, NAME), text);
    const latest = join(folder, "latest");
    mkdirSync(latest, { recursive: true });
    // Whoever reads it meanwhile sees the whole old one or the whole new one.
    const next = join(latest, `.${process.pid}.${NAME}`);
    writeFileSync(next, text);
    renameSync(next, join(latest, NAME));
    return join(latest, NAME);
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? "unknown reason";
    throw new FileError(`the report cannot be written to ${folder}: ${why}`, {
      hint: "`reports:` in tidemark.yaml, or TIDEMARK_REPORTS, names another folder",
      cause: error,
    });
  }
}

const NAME = "report.json";

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
