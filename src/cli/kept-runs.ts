import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { FileError } from "../domain/errors.ts";

/** A run whose report lies in the reports folder. Paths are absolute; null: not there. */
export type KeptRun = {
  /** The folder's name, which is the run's start. */
  readonly name: string;
  readonly report: string | null;
  readonly html: string | null;
};

/** What a page of a run may be called, the best first. */
const PAGES = ["report.html", "index.html"] as const;

/** `2026-06-02T01-00-00.000Z`, with `-2` behind it where two runs began in one millisecond. */
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z(?:-\d+)?$/;

/** The name of the run that began then (ISO with milliseconds). Colons are no part of file names everywhere. */
export function runName(startedAt: string): string {
  return startedAt.replaceAll(":", "-");
}

/** The runs that the reports folder holds, the newest first; none where there is no such folder. Throws a `FileError`. */
export function keptRuns(folder: string): readonly KeptRun[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && NAME.test(entry.name))
      .map(({ name }) => ({ name, ...filesIn(join(folder, name)) }))
      .toSorted((a, b) => compareNames(b.name, a.name));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return [];
    throw new FileError(`the reports in ${folder} cannot be listed: ${code ?? "unknown reason"}`, { cause: error });
  }
}

/** The newest file, relative to the reports folder, that shows the run which began then: its page, else its JSON; null: neither is kept. */
export function pathOfRun(folder: string, startedAt: string): string | null {
  const name = runName(startedAt);
  let own = name;
  for (let n = 2; existsSync(join(folder, `${name}-${n}`)); n++) own = `${name}-${n}`;
  const { html, report } = filesIn(join(folder, own));
  const file = html ?? report;
  return file === null ? null : file.slice(folder.length + 1);
}

/** By time, then by number. */
export function compareNames(a: string, b: string): number {
  const [aTime = "", aNumber = "1"] = a.split("Z-");
  const [bTime = "", bNumber = "1"] = b.split("Z-");
  const [x, y] = [aTime.replace(/Z$/, ""), bTime.replace(/Z$/, "")];
  return x === y ? Number(aNumber) - Number(bNumber) : x < y ? -1 : 1;
}

function filesIn(folder: string): Pick<KeptRun, "report" | "html"> {
  const there = (name: string): string | null => {
    const path = join(folder, name);
    return existsSync(path) ? path : null;
  };
  return { report: there("report.json"), html: PAGES.map(there).find((path) => path !== null) ?? null };
}
