import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "vite";

/** A source file as the architecture's tests look at it: its path below the repository, with `/`, and its syntax tree. */
export interface Source {
  readonly path: string;
  readonly nodes: readonly SyntaxNode[];
}

/** A node of the syntax tree (ESTree with TypeScript's nodes), comments being none. */
export interface SyntaxNode {
  readonly type: string;
  readonly line: number;
  readonly [field: string]: unknown;
}

/** What one file takes from another, or from a package. */
export interface Import {
  readonly line: number;
  /** As written: `../domain/run.ts`, `pg`, `node:fs`. */
  readonly from: string;
  /** The path below the repository of a file of ours; undefined for packages. */
  readonly path: string | undefined;
}

/** One thing that is not as the architecture says. */
export interface Violation {
  readonly path: string;
  readonly line: number;
  readonly rule: string;
}

/** The repository's folder. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** All TypeScript files below a folder of the repository; none where the folder is not there. */
export function readSources(folder: string): readonly Source[] {
  return listFiles(folder).map((path) => parseSource(path, readFileSync(join(ROOT, path), "utf8")));
}

/** The paths of the TypeScript files below a folder of the repository, sorted. */
export function listFiles(folder: string): readonly string[] {
  try {
    const found = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true });
    return found
      .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join("/"))
      .toSorted();
  } catch {
    return [];
  }
}

/** Reads a file's syntax; a file that is no TypeScript throws. */
export function parseSource(path: string, text: string): Source {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const starts = [0, ...[...text.matchAll(/\n/g)].map((match) => match.index + 1)];
  const nodes: SyntaxNode[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === "object" && value !== null) {
      if ("type" in value && typeof value.type === "string" && "start" in value) {
        const start = Number(value.start);
        const after = starts.findIndex((each) => each > start);
        nodes.push({ ...value, type: value.type, line: after < 0 ? starts.length : after });
      }
      Object.values(value).forEach(visit);
    }
  };
  visit(program);
  return { path, nodes };
}

/** Everything that a file imports or re-exports, types included. */
export function importsOf(source: Source): readonly Import[] {
  const kinds = [
    "ImportDeclaration",
    "ExportNamedDeclaration",
    "ExportAllDeclaration",
    "ImportExpression",
    "TSImportType",
  ];
  return source.nodes.flatMap((node) => {
    const from = kinds.includes(node.type) ? literal(node.source) : undefined;
    if (from === undefined) return [];
    const path = from.startsWith(".")
      ? normalize(join(dirname(source.path), from))
          .split(sep)
          .join("/")
      : undefined;
    return [{ line: node.line, from, path }];
  });
}

/** The name of an identifier node; undefined for anything else. */
export function identifier(node: unknown): string | undefined {
  return isNode(node) && node.type === "Identifier" && typeof node.name === "string" ? node.name : undefined;
}

/** Says a violation as an editor can open it. */
export function show({ path, line, rule }: Violation): string {
  return `${path}:${line}: ${rule}`;
}

function literal(node: unknown): string | undefined {
  return isNode(node) && node.type === "Literal" && typeof node.value === "string" ? node.value : undefined;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value;
}
