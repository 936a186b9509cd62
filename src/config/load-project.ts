import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { Check } from "../domain/check.ts";
import { DefinitionError, type Mistake, UsageError } from "../domain/errors.ts";
import { completeCheck } from "./complete-check.ts";
import { completeProject } from "./complete-project.ts";
import { crossFieldMistakes } from "./cross-field.ts";
import { BLOCK_DEFAULTS, CHECK_DEFAULTS } from "./defaults.ts";
import type { ProjectFiles } from "./disk.ts";
import type { Environment } from "./expand.ts";
import { isPlain, merge } from "./merge.ts";
import { mistakesOf, type Written } from "./mistakes.ts";
import { type KnownPresets, presetMistakesOf } from "./known-presets.ts";
import { nearest } from "../domain/nearest.ts";
import type { Project } from "./project.ts";
import { type KnownSchemes, projectMistakes } from "./project-mistakes.ts";
import { readYaml } from "./read-yaml.ts";
import { type CheckInput, checkSchema } from "./check-schema.ts";
import { projectSchema } from "./project-schema.ts";
import { nodeAt } from "./yaml-node.ts";

/** What to load, and from where. */
export type LoadProject = {
  /** The checks folder; relative to `cwd`. */
  readonly folder: string;
  /** Where the user stands: files are named from there. Absolute. */
  readonly cwd: string;
  readonly environment: Environment;
  /** Names of the checks wanted; only their files and tidemark.yaml need to be right. Absent or empty: all. */
  readonly only?: readonly string[] | undefined;
  readonly files: ProjectFiles;
  readonly schemes?: KnownSchemes | undefined;
  /** Absent: any preset is taken, and says nothing of its windows. */
  readonly presets?: KnownPresets | undefined;
};

type Found = { readonly name: string; readonly path: string; readonly file: string };

/**
 * Reads a folder of checks. Throws a `DefinitionError` with every mistake of every file at once, or a `UsageError` for a folder that is
 * not there or a check that nobody wrote. Opens no connection. No message holds a secret or the value of an environment variable.
 */
export async function loadProject(options: LoadProject): Promise<Project> {
  const folder = resolve(options.cwd, options.folder);
  const listed = await options.files.list(folder);
  if (listed === null)
    throw new UsageError(`there is no folder ${options.folder} here`, {
      hint: "`tidemark demo` writes one to look at; --checks DIR names another",
    });
  const display = (path: string): string => (relative(options.cwd, path) || path).split(sep).join("/");
  const found = listed
    .filter((path) => /\.ya?ml$/.test(path))
    .toSorted()
    .map(
      (path): Found => ({
        name: path.replace(/\.ya?ml$/, ""),
        path: join(folder, path),
        file: display(join(folder, path)),
      }),
    );
  const own = found.filter(({ name }) => name === "tidemark");
  const wanted = choose(
    found.filter(({ name }) => name !== "tidemark"),
    options.only ?? [],
  );

  const mistakes: Mistake[] = [...twice(own), ...twice(wanted)];
  const read = async ({ path, file }: Found, holds: string): Promise<Written | null> => {
    const yaml = readYaml(file, await options.files.readFile(path), options.environment, holds);
    mistakes.push(...yaml.mistakes);
    return yaml.root === null ? null : { file, root: yaml.root };
  };

  const [first] = own;
  if (first === undefined)
    mistakes.push({
      file: display(join(folder, "tidemark.yaml")),
      line: 1,
      column: 1,
      message: "this file is missing, expected connections: { NAME: { url: … } }",
    });
  const project = first === undefined ? null : await read(first, "connections: { NAME: { url: … } }");
  const parsedProject = project === null ? null : projectSchema.safeParse(project.root.value);
  if (project !== null && parsedProject !== null) {
    if (parsedProject.error) mistakes.push(...mistakesOf(parsedProject.error, projectSchema, project));
    mistakes.push(...projectMistakes(project, options.schemes ?? {}));
  }

  const defaultsNode = project === null ? null : nodeAt(project.root, ["defaults"]);
  const connections = project === null ? null : nodeAt(project.root, ["connections"])?.fields;
  const parsedChecks: { readonly one: Found; readonly input: CheckInput }[] = [];
  for (const one of wanted) {
    const written = await read(one, "source and target");
    if (written === null) continue;
    const merged = layered(written.root.value, isPlain(defaultsNode?.value) ? defaultsNode.value : {});
    const parsed = checkSchema.safeParse(merged);
    if (parsed.error) mistakes.push(...mistakesOf(parsed.error, checkSchema, written, defaultsNode));
    // Without its connections a project says nothing about names, and its own mistake is told already.
    const fields = { merged, written, project, connections: [...(connections?.keys() ?? [])] };
    if (connections) mistakes.push(...crossFieldMistakes(fields));
    if (options.presets !== undefined) mistakes.push(...presetMistakesOf(fields, options.presets));
    if (parsed.success) parsedChecks.push({ one, input: parsed.data });
  }

  if (mistakes.length > 0 || project === null || !parsedProject?.success) throw new DefinitionError(inOrder(mistakes));
  const checks = parsedChecks.map(
    ({ one, input }): Check =>
      completeCheck(input, {
        name: one.name,
        file: one.file,
        folder: dirname(one.path),
        display,
        windowOfPreset: options.presets?.windowOf,
      }),
  );
  return deepFreeze({
    ...completeProject(parsedProject.data, folder, options.environment),
    defaults: isPlain(defaultsNode?.value) ? defaultsNode.value : {},
    checks,
  });
}

/** The layers of a check: what is always so, what holds for blocks that are there, the project's defaults, the check. */
function layered(check: unknown, defaults: Readonly<Record<string, unknown>>): unknown {
  if (!isPlain(check)) return check;
  const said = merge(defaults, check);
  const blocks = Object.fromEntries(Object.entries(BLOCK_DEFAULTS).filter(([block]) => isPlain(said) && block in said));
  return merge(merge(CHECK_DEFAULTS, blocks), said);
}

function choose(all: readonly Found[], only: readonly string[]): readonly Found[] {
  if (only.length === 0) return all;
  const names = [...new Set(all.map(({ name }) => name))];
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    const said = unknown.map((name) => {
      const close = nearest(name, names, 3);
      return `there is no check ${name}${close.length > 0 ? `; did you mean ${close.join(" or ")}?` : ""}`;
    });
    throw new UsageError(said.join("\n"), {
      hint: names.length === 0 ? "the folder holds no check" : `checks: ${names.join(", ")}`,
    });
  }
  return all.filter(({ name }) => only.includes(name));
}

function twice(files: readonly Found[]): readonly Mistake[] {
  return files.flatMap(({ name, file }, i) => {
    const before = files.slice(0, i).find((other) => other.name === name);
    return before === undefined
      ? []
      : [
          {
            file,
            line: 1,
            column: 1,
            message: `the check ${name} is written twice, here and in ${basename(before.file)}; expected one file a check`,
          },
        ];
  });
}

function inOrder(mistakes: readonly Mistake[]): readonly Mistake[] {
  const unique = new Map(mistakes.map((m) => [`${m.file}:${m.line}:${m.column}: ${m.message}`, m]));
  return [...unique.values()].toSorted((a, b) =>
    a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || a.column - b.column,
  );
}

/** Options are the same for everybody who reads them. Secrets and maps keep their own locks. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  if (value instanceof Map) for (const inner of value.values()) deepFreeze(inner);
  return Object.freeze(value);
}
