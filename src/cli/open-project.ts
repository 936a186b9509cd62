import { diskFiles } from "../config/disk.ts";
import { loadProject } from "../config/load-project.ts";
import { type Project, secretsOf } from "../config/project.ts";
import { knownPresets } from "../ledgers/known-presets.ts";
import { knownSchemes } from "./compose.ts";
import type { Screen } from "./screen.ts";

/** Loads a folder of checks, and from then on blanks its secrets. */
export async function openProject(folder: string, only: readonly string[], screen: Screen): Promise<Project> {
  const project = await loadProject({
    folder,
    only,
    cwd: process.cwd(),
    environment: process.env,
    files: diskFiles,
    schemes: knownSchemes(),
    presets: knownPresets,
  });
  screen.hide(secretsOf(project));
  return project;
}
