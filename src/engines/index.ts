import type { Engine } from "./engine.ts";
import { mariadbFlavour } from "./mariadb/flavour.ts";
import { mysqlEngine } from "./mysql/engine.ts";
import { mysqlFlavour } from "./mysql/flavour.ts";
import { postgres } from "./postgres/engine.ts";
import { sqlite } from "./sqlite/engine.ts";

/** Both servers answer under either scheme; what a server is, it says itself. */
const mysqlFamily = [mariadbFlavour, mysqlFlavour];

/** Every kind of database that Tidemark knows. */
export const engines: readonly Engine[] = [
  postgres,
  mysqlEngine("mysql", mysqlFamily),
  mysqlEngine("mariadb", mysqlFamily),
  sqlite,
];

/** The engine behind a URL's scheme (without the colon, in any case); null: there is none. */
export function engineFor(scheme: string): Engine | null {
  const wanted = scheme.toLowerCase();
  return engines.find((engine) => engine.schemes.includes(wanted)) ?? null;
}
