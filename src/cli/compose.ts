import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import type { Project } from "../config/project.ts";
import type { KnownSchemes } from "../config/project-mistakes.ts";
import type { Check } from "../domain/check.ts";
import { InterruptedError, must } from "../domain/errors.ts";
import { engineFor, engines } from "../engines/index.ts";
import type { Clock, Databases, World } from "../flows/ports.ts";
import { ledgers } from "../ledgers/ledgers.ts";
import type { Database } from "../sql/session.ts";
import { openState } from "../state/index.ts";
import { differenceLog } from "./difference-log.ts";
import { rowStore } from "./row-store.ts";
import { loggedDatabase } from "./logged-database.ts";
import type { Display } from "./progress.ts";
import { version } from "./version.ts";

/** The outside of an audit, opened; disposing of it closes every connection. */
export interface Surroundings extends AsyncDisposable {
  readonly world: World;
}

/** What decides how connections are made. */
export type Composing = {
  readonly checks: readonly Check[];
  readonly display: Display;
  /** Says every statement. */
  readonly verbose: boolean;
  readonly signal: AbortSignal;
  /** Default: this machine's. */
  readonly clock?: Clock;
};

/** How long one waits for a server before giving up, in milliseconds. */
const CONNECT_TIMEOUT = 15_000;

/** Puts a project and this machine together: its databases, its state, its ledgers, the clock. Databases are opened when they are asked for. */
export async function compose(project: Project, composing: Composing): Promise<Surroundings> {
  const { signal, display, checks } = composing;
  // Each side of a check takes `compare.parallel` sessions at most, and both may be on one connection.
  const most = Math.max(4, ...checks.map((check) => check.compare.parallel * 2));
  const limitOf = (connection: string): number => project.connections.get(connection)?.maxConnections ?? most;
  const databases = openDatabases(project, composing, limitOf);
  const state = await openState({ url: project.state.url.reveal() });
  return {
    world: {
      clock: composing.clock ?? systemClock,
      databases,
      ledgers: ledgers({ readFile: (path) => readFile(path, "utf8") }),
      state,
      progress: display,
      differenceLog,
      rowStore,
      signal,
    },
    async [Symbol.asyncDispose]() {
      await databases[Symbol.asyncDispose]();
      await state[Symbol.asyncDispose]();
    },
  };
}

/** URL schemes that something here answers to. */
export function knownSchemes(): KnownSchemes {
  return { connections: engines.flatMap((engine) => engine.schemes), state: ["sqlite", "postgres", "postgresql"] };
}

/** Each connection once, also where several checks ask for it at the same time; one that failed is not tried again. */
function openDatabases(
  project: Project,
  { display, verbose, signal }: Composing,
  limitOf: (connection: string) => number,
): Databases & AsyncDisposable {
  const opened = new Map<string, Promise<Database>>();
  const connect = async (connection: string): Promise<Database> => {
    const { url, scheme, statementTimeout } = must(
      project.connections.get(connection),
      "checks name known connections",
    );
    const database = await must(engineFor(scheme), "schemes are known once a project is loaded").connect({
      connection,
      url: url.reveal(),
      maxConnections: limitOf(connection),
      statementTimeout: statementTimeout === null ? null : Number(statementTimeout / 1000n),
      connectTimeout: CONNECT_TIMEOUT,
      applicationName: `tidemark ${version()}`,
      access: "read-only",
      signal,
    });
    return verbose ? loggedDatabase(database, (line) => display.detail(line)) : database;
  };
  return {
    primaryOf: (connection) => project.connections.get(connection)?.replicaOf ?? null,
    open(connection) {
      const known = opened.get(connection);
      if (known !== undefined) return known;
      const opening = connect(connection);
      // Whoever asked hears of a failure; nobody else must.
      opening.catch(() => {});
      opened.set(connection, opening);
      return opening;
    },
    async [Symbol.asyncDispose]() {
      const all = await Promise.allSettled(opened.values());
      await Promise.allSettled(
        all.map(async (each) => {
          if (each.status === "fulfilled") await each.value[Symbol.asyncDispose]();
        }),
      );
    },
  };
}

/** This machine's clock. */
export const systemClock: Clock = {
  now: () => BigInt(Date.now()) * 1000n,
  seconds: () => performance.now() / 1000,
  async sleep(microseconds, signal) {
    try {
      await setTimeout(Number(microseconds / 1000n), undefined, { signal });
    } catch {
      throw new InterruptedError();
    }
  },
};
