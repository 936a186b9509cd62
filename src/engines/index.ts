import type { Engine } from "./engine.ts";
import { postgres } from "./postgres/engine.ts";

/** Every kind of database that Tidemark knows. */
export const engines: readonly Engine[] = [postgres];

/** The engine behind a URL's scheme (without the colon, in any case); null: there is none. */
export function engineFor(scheme: string): Engine | null {
  const wanted = scheme.toLowerCase();
  return engines.find((engine) => engine.schemes.includes(wanted)) ?? null;
}
