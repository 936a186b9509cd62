import type { Check } from "../domain/check.ts";
import type { Project } from "./project.ts";

/**
 * Settings that are read and proven right, and that the running version does nothing with. The command line names those that somebody
 * has set, once, so that no option is silently ignored. A feature that arrives takes its line out of here.
 */
const NOT_YET_USED: readonly { readonly setting: string; readonly set: (check: Check) => boolean }[] = [
  { setting: "sync.overlap", set: (check) => check.sync.overlap !== null },
];

/** Settings of a check that this version does not use yet, as a file writes them. */
export function notYetUsed(check: Check): readonly string[] {
  return NOT_YET_USED.filter(({ set }) => set(check)).map(({ setting }) => setting);
}

/** Settings of a whole project's checks that this version does not use yet, each once. */
export function notYetUsedIn(project: Project): readonly string[] {
  return [...new Set(project.checks.flatMap(notYetUsed))];
}
