import { identifier, type Source, type Violation } from "./source.ts";

/**
 * Where the world is touched: the command line, the engines' folders, state and alerts. Everywhere else time, chance, the
 * environment and the network are arguments.
 */
const DOORS = [/^src\/cli\//, /^src\/engines\/[^/]+\//, /^src\/state\//, /^src\/alerts\//];

/** Uses of the clock, of chance, of the process, the console or the network where they do not belong. */
export function worldAccess(sources: readonly Source[]): readonly Violation[] {
  return sources
    .filter(({ path }) => !DOORS.some((door) => door.test(path)))
    .flatMap(({ path, nodes }) =>
      nodes.flatMap((node) => {
        const used = touched(node.type, node);
        return used === undefined
          ? []
          : [{ path, line: node.line, rule: `uses ${used}, which belongs where the world is touched` }];
      }),
    );
}

function touched(type: string, node: Readonly<Record<string, unknown>>): string | undefined {
  if (type === "MemberExpression") {
    const of = identifier(node.object);
    const name = identifier(node.property);
    if (of === "process" || of === "console") return `${of}.${name ?? "[…]"}`;
    if (of === "globalThis" && ["process", "console", "fetch", "Date"].includes(name ?? ""))
      return `globalThis.${name}`;
    if ((of === "Date" && name === "now") || (of === "Math" && name === "random")) return `${of}.${name}`;
  }
  if (type === "NewExpression" && identifier(node.callee) === "Date") return "new Date";
  if (type === "CallExpression" && ["fetch", "Date"].includes(identifier(node.callee) ?? ""))
    return `${identifier(node.callee)}()`;
  if (type === "ImportDeclaration") {
    const { value } = node.source as { readonly value: unknown };
    if (value === "node:process" || value === "node:console") return value;
  }
  return undefined;
}
