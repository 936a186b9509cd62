import { basename, relative, sep } from "node:path";
import { shellQuote } from "../../domain/command.ts";

/** How a process was started: its script (`process.argv[1]`), its folder, and what npm says of itself in the environment. */
export type Start = {
  readonly script: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/**
 * What is to be typed for `tidemark`, in the way in which this process was started: a newcomer has no `tidemark` on the path yet.
 * `npx tidemark`, `node bin/tidemark.mjs` in a clone, or `tidemark` itself.
 */
export function startedBy({ script, cwd, environment }: Start): string {
  const name = basename(script);
  // npx puts what it runs in the way of the shell for that one command only.
  const byNpx = environment.npm_command === "exec" && script.includes(`${sep}node_modules${sep}`);
  if (byNpx || script.includes(`${sep}node_modules${sep}.bin${sep}`)) return "npx tidemark";
  if (!name.endsWith(".mjs")) return "tidemark";
  const below = relative(cwd, script);
  return `node ${shellQuote(below.startsWith("..") || below === "" ? script : below)}`;
}

/** A text in which every line that is a command of ours can be typed as it stands; colours may stand around it. */
export function asTyped(text: string, program: string): string {
  return program === "tidemark"
    ? text
    : // oxlint-disable-next-line no-control-regex -- the colours of terminals begin with one
      text.replaceAll(/^((?:\s|\u001b\[\d+m)*)tidemark (?=[a-z]+ )/gm, (_, before: string) => `${before}${program} `);
}
