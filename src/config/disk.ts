import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { FileError } from "../domain/errors.ts";

/** How check files are found and read. */
export type ProjectFiles = {
  /** A file's text by its absolute path. Throws a `FileError`. */
  readonly readFile: (path: string) => Promise<string>;
  /** Paths of all files below a folder, relative to it, with `/`; null: there is no such folder. */
  readonly list: (folder: string) => Promise<readonly string[] | null>;
};

/** Check files on this machine's disk. Folders whose name starts with a dot, and `node_modules`, are not looked into. */
export const diskFiles: ProjectFiles = {
  async readFile(path) {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
    } catch (error) {
      const why =
        error instanceof TypeError ? "it is not UTF-8" : ((error as NodeJS.ErrnoException).code ?? "unknown reason");
      throw new FileError(`cannot read ${path}: ${why}`, { cause: error });
    }
  },
  async list(folder) {
    return walk(folder, "").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
      throw new FileError(`cannot list ${folder}: ${error.code ?? "unknown reason"}`, { cause: error });
    });
  },
};

async function walk(folder: string, below: string): Promise<readonly string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry): Promise<readonly string[]> => {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory())
        return entry.name.startsWith(".") || entry.name === "node_modules" ? [] : walk(folder, path);
      return entry.isFile() || entry.isSymbolicLink() ? [path] : [];
    }),
  );
  return found.flat();
}
