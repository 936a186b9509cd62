import { importsOf, type Source, type Violation } from "./source.ts";

/** Folders of pure functions: facts in, facts out. They know the domain and themselves. */
const PURE = ["rules", "causes", "compare", "repair", "advise", "reporters", "sql"];
/** Folders that see the world each in one way. */
const DOORS = ["ledgers", "state", "alerts", "config"];
/** Which engine an engine may take from, because it differs from it in few things only. */
const BASES: Readonly<Record<string, string>> = { mariadb: "mysql" };
/** Where all engines come together. The other files directly in their folder are what they share. */
const REGISTRY = "src/engines/index.ts";
/** Built-in modules that compute and touch nothing. */
const HARMLESS = ["node:assert", "node:buffer", "node:crypto", "node:path", "node:util"];
/** Packages that touch the world, and the folders that may have them (`cli` may have all). */
const WORLDLY: Readonly<Record<string, readonly string[]>> = {
  pg: ["engines", "state"],
  "pg-copy-streams": ["engines"],
  mysql2: ["engines"],
  "@slack/webhook": ["alerts"],
  commander: [],
};

/** Imports that cross the layers of the architecture the wrong way. */
export function brokenLayers(sources: readonly Source[]): readonly Violation[] {
  return sources.flatMap((source) =>
    importsOf(source).flatMap(({ line, from, path }) => {
      const rule = path === undefined ? packageRule(source.path, from) : fileRule(source.path, path);
      return rule === undefined ? [] : [{ path: source.path, line, rule: `imports ${from}, but ${rule}` }];
    }),
  );
}

function fileRule(importer: string, imported: string): string | undefined {
  const from = folderOf(importer);
  const to = folderOf(imported);
  if (!imported.startsWith("src/")) return "src imports src only";
  if (from === "cli" || importer === "src/index.ts") return undefined;
  if (to === "cli") return "nobody imports cli";
  if (imported === "src/index.ts") return "index.ts is for users, not for us";
  if (from === "engines") return engineRule(importer, imported);
  const allowed = allowedFor(from);
  if (allowed === undefined) return `the folder ${from} has no place among the layers`;
  return allowed.includes(to) ? undefined : `${from} may import ${allowed.join(", ")} only`;
}

function allowedFor(folder: string): readonly string[] | undefined {
  if (folder === "domain") return ["domain"];
  if (PURE.includes(folder)) return ["domain", folder];
  if (DOORS.includes(folder)) return ["domain", "sql", folder];
  if (folder === "flows") return ["domain", ...PURE, "flows"];
  return undefined;
}

function engineRule(importer: string, imported: string): string | undefined {
  const to = folderOf(imported);
  if (to === "domain" || to === "sql") return undefined;
  if (importer === REGISTRY && to === "engines") return undefined;
  if (to === "engines" && engineOf(imported) === undefined && imported !== REGISTRY) return undefined;
  const engine = engineOf(importer);
  if (engine === undefined || to !== "engines")
    return "engines may import domain, sql and what stands directly in engines only, but for its index";
  const base = BASES[engine];
  const other = engineOf(imported);
  if (other !== undefined && (other === engine || other === base)) return undefined;
  return `the engine ${engine} may take from ${base === undefined ? "no other engine" : `${base} only`}`;
}

function packageRule(importer: string, imported: string): string | undefined {
  const folder = folderOf(importer);
  if (folder === "cli" || importer === "src/index.ts") return undefined;
  if (imported.startsWith("node:")) {
    if (![...PURE, "domain", "flows"].includes(folder) || HARMLESS.includes(imported)) return undefined;
    return `${folder} touches no files, clocks or networks`;
  }
  const name = imported.split("/", imported.startsWith("@") ? 2 : 1).join("/");
  const allowed = WORLDLY[name];
  return allowed === undefined || allowed.includes(folder)
    ? undefined
    : `${name} belongs in ${[...allowed, "cli"].join(", ")}`;
}

/** `domain` of `src/domain/run.ts`; empty for a file directly in src. */
function folderOf(path: string): string {
  const parts = path.split("/");
  return parts.length > 2 ? (parts[1] ?? "") : "";
}

/** `mysql` of `src/engines/mysql/dialect.ts`; undefined for a file directly in engines. */
function engineOf(path: string): string | undefined {
  const parts = path.split("/");
  return parts.length > 3 ? parts[2] : undefined;
}
