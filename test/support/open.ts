import type { ConnectOptions } from "../../src/engines/engine.ts";
import { engineFor } from "../../src/engines/index.ts";
import type { Database } from "../../src/sql/session.ts";

/** Opens a database as the program does, read-only unless asked otherwise. */
export async function open(url: string, more: Partial<ConnectOptions> = {}): Promise<Database> {
  const scheme = url.slice(0, url.indexOf(":"));
  const engine = engineFor(scheme);
  if (engine === null) throw new Error(`no engine for ${scheme}`);
  return await engine.connect({
    connection: "tested",
    url,
    maxConnections: 4,
    statementTimeout: 60_000,
    connectTimeout: 10_000,
    applicationName: "tidemark-test",
    access: "read-only",
    signal: new AbortController().signal,
    ...more,
  });
}
