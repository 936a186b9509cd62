import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { provision, type Provision } from "./provision.ts";

const NOT_ASKED: Provision = { why: "no test of this run was seen to need a server" };

/** Before the tests: servers for those that need them. Afterwards (also after Ctrl-C) they are gone. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!(await serversAreNeeded(project))) {
    project.provide("servers", { postgres: NOT_ASKED, mariadb: NOT_ASKED, mysql: NOT_ASKED });
    return undefined;
  }
  const provisions = await provision();
  const { found } = provisions;
  if (process.env.REQUIRE_DB === "1") {
    const missing = [found.postgres, found.mariadb].flatMap((each) => ("why" in each ? [each.why] : []));
    if (missing.length > 0) {
      await provisions.stop();
      throw new Error(`REQUIRE_DB=1, but a server is missing: ${missing.join(" | ")}`);
    }
  }
  project.provide("servers", found);
  return () => provisions.stop();
}

/** Starting servers costs seconds; a run of pure tests alone does without. In watch mode anything may come. */
async function serversAreNeeded(project: TestProject): Promise<boolean> {
  if (project.vitest.config.watch) return true;
  // The names given on the command line are not part of Vitest's types. Without them all files count: slower, not wrong.
  const { filenamePattern } = project.vitest as { readonly filenamePattern?: string[] };
  const { testFiles } = await project.globTestFiles(filenamePattern);
  const databases = fileURLToPath(new URL("databases.ts", import.meta.url));
  return testFiles.length === 0 || importedFrom(testFiles).has(databases);
}

/** The files of this repository that these files import, directly or not. */
function importedFrom(files: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file) || !existsSync(file)) return;
    seen.add(file);
    for (const [, path] of readFileSync(file, "utf8").matchAll(/(?:from|import)\s*\(?\s*['"](\.[^'"]+\.ts)['"]/g)) {
      if (path !== undefined) visit(resolve(dirname(file), path));
    }
  };
  for (const file of files) visit(file);
  return seen;
}
