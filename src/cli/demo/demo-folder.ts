import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FileError, RefusedError } from "../../domain/errors.ts";
import { demoChecks, type DemoUrls } from "./checks.ts";

/** Says that the demo made this folder and may make it anew. */
const MARK = ".tidemark-demo";

/** Files of the demo's databases, where they are kept. */
export const FILES = { lms: "lms.db", crm: "crm.db" } as const;

/**
 * Makes the demo's folder, or makes its own of an earlier time anew. A `RefusedError` for a folder that holds
 * anything else, a `FileError` where it cannot be written. The folder asks git to look away.
 */
export function makeDemoFolder(folder: string): void {
  try {
    const there = existsSync(folder) ? readdirSync(folder) : [];
    if (there.length > 0 && !there.includes(MARK))
      throw new RefusedError(`${folder} holds files that \`tidemark demo\` did not make`, {
        hint: "name another folder: tidemark demo DIR",
      });
    for (const name of there) if (isOurs(name)) rmSync(join(folder, name), { recursive: true, force: true });
    mkdirSync(join(folder, "checks"), { recursive: true });
    writeFileSync(join(folder, MARK), "Made by `tidemark demo`, which makes it anew each time.\n");
    writeFileSync(join(folder, ".gitignore"), "*\n");
  } catch (error) {
    throw error instanceof RefusedError ? error : unwritable(folder, error);
  }
}

/** Writes the demo's checks into its folder. A `FileError` where that fails. */
export function writeDemoChecks(folder: string, urls: DemoUrls): void {
  try {
    for (const [name, text] of Object.entries(demoChecks(urls))) writeFileSync(join(folder, "checks", name), text);
  } catch (error) {
    throw unwritable(folder, error);
  }
}

function unwritable(folder: string, error: unknown): FileError {
  return new FileError(`cannot write to ${folder}: ${(error as NodeJS.ErrnoException).code ?? "unknown reason"}`, {
    hint: "name another folder: tidemark demo DIR",
    cause: error,
  });
}

function isOurs(name: string): boolean {
  return (
    ["checks", "reports", ".tidemark"].includes(name) || Object.values(FILES).some((file) => name.startsWith(file))
  );
}
