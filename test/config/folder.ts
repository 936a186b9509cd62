import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { diskFiles } from "../../src/config/disk.ts";
import { type LoadProject, loadProject } from "../../src/config/load-project.ts";
import type { Project } from "../../src/config/project.ts";
import type { Check } from "../../src/domain/check.ts";
import { DefinitionError } from "../../src/domain/errors.ts";

/** tidemark.yaml with two connections. */
export const TIDEMARK = 'connections:\n  ods: { url: "postgres://ods/db" }\n  crm: { url: "mysql://crm/db" }\n';
/** The shortest check. */
export const SHORTEST = "source: { connection: ods, table: orders }\ntarget: { connection: crm, table: orders }\n";

type Files = { readonly [path: string]: string };
type Options = Partial<Pick<LoadProject, "environment" | "only" | "schemes" | "presets" | "folder">>;

/** A folder of check files that is gone when the test is over: paths are below its `checks`. */
export async function folderOf(files: Files): Promise<string> {
  const cwd = await mkdtemp(join(tmpdir(), "tidemark-config-"));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  for (const [path, text] of Object.entries({ "tidemark.yaml": TIDEMARK, ...files })) {
    const full = join(cwd, "checks", path);
    await mkdir(dirname(full), { recursive: true });
    await writeFile(full, text);
  }
  return cwd;
}

/** Loads a folder of these files. */
export async function load(files: Files, options: Options = {}): Promise<Project> {
  return loadProject({ folder: "checks", cwd: await folderOf(files), environment: {}, files: diskFiles, ...options });
}

/** The one check of a folder: `orders.yaml` with this text behind the shortest check. */
export async function loadCheck(more: string, options: Options & { readonly tidemark?: string } = {}): Promise<Check> {
  const project = await load(
    {
      "orders.yaml": SHORTEST + more,
      ...(options.tidemark === undefined ? {} : { "tidemark.yaml": options.tidemark }),
    },
    options,
  );
  const [check] = project.checks;
  if (check === undefined) throw new Error("no check was loaded");
  return check;
}

/** The mistakes of a folder, one line each; empty where there are none. */
export async function mistakes(files: Files, options: Options = {}): Promise<readonly string[]> {
  try {
    await load(files, options);
    return [];
  } catch (error) {
    if (error instanceof DefinitionError) return error.message.split("\n");
    throw error;
  }
}

/** The mistakes of `orders.yaml` with this text behind the shortest check; its first line is line 3. */
export async function mistakesIn(more: string, options: Options = {}): Promise<readonly string[]> {
  return mistakes({ "orders.yaml": SHORTEST + more }, options);
}
