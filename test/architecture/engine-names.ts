import { identifier, importsOf, type Source, type Violation } from "./source.ts";

const NAMES = ["postgres", "postgresql", "mysql", "mariadb", "sqlite", "pg"];
/** A text that is an engine's name or URL scheme. Prose for people may name a product; a decision may not hang on it. */
const NAMING = new RegExp(`^(${NAMES.join("|")})2?(:(//)?)?$`, "i");

/** Uses of an engine's name, as an identifier, a text or an import, outside that engine's folder and the places where engines are put together. */
export function engineNames(sources: readonly Source[]): readonly Violation[] {
  return sources
    .filter(({ path }) => !mayName(path))
    .flatMap((source) => [
      ...source.nodes.flatMap(({ type, line, ...node }) => {
        const named = type === "Identifier" ? inIdentifier(identifier({ type, ...node }) ?? "") : inText(type, node);
        return named === undefined ? [] : [{ path: source.path, line, rule: `names an engine: ${named}` }];
      }),
      ...importsOf(source)
        .filter(({ path }) => path?.split(/[/.]/).some((part) => NAMES.includes(part)))
        .map(({ line, from }) => ({ path: source.path, line, rule: `imports an engine: ${from}` })),
    ]);
}

function mayName(path: string): boolean {
  return (
    /^src\/engines\/([^/]+\/|index\.ts$)/.test(path) ||
    /^src\/cli\/(commands\/)?(compose|demo)/.test(path) ||
    (path.startsWith("src/state/") &&
      (path === "src/state/index.ts" || path.split(/[-/.]/).some((part) => NAMES.includes(part))))
  );
}

/** A name in a name: `pgClient`, `fromMysql`, `MARIADB_PORT`. */
function inIdentifier(name: string): string | undefined {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split("_");
  return words.some((word) => NAMES.includes(word)) ? name : undefined;
}

function inText(type: string, node: Readonly<Record<string, unknown>>): string | undefined {
  if (type === "Literal" && typeof node.value === "string") return NAMING.test(node.value) ? node.value : undefined;
  if (type === "TemplateElement") {
    const { cooked } = node.value as { readonly cooked?: string };
    return cooked !== undefined && NAMING.test(cooked) ? cooked : undefined;
  }
  return undefined;
}
