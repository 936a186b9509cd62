import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { differenceLog } from "../../src/cli/difference-log.ts";
import { rowStore } from "../../src/cli/row-store.ts";
import type { Check } from "../../src/domain/check.ts";
import type { Difference } from "../../src/domain/difference.ts";
import { InterruptedError, must } from "../../src/domain/errors.ts";
import type { Facts } from "../../src/domain/facts.ts";
import { engineFor } from "../../src/engines/index.ts";
import type { AuditOptions, DifferenceLog, World } from "../../src/flows/ports.ts";
import { readFacts } from "../../src/flows/read-facts/read-facts.ts";
import { ledgers } from "../../src/ledgers/ledgers.ts";
import type { Database } from "../../src/sql/session.ts";
import { openState } from "../../src/state/index.ts";
import type { TestDatabase } from "../support/databases.ts";

/** The real outside of an audit, put together from the program's own pieces: engines, ledgers, a state in a folder of its own. */
export interface TestWorld extends AsyncDisposable {
  readonly world: World;
  readonly signal: AbortController;
}

/** Connections by name, each to a test database. Sessions per connection: 8, as `compare.parallel` of both sides needs. `replicas`: the primary of each that is a replica. */
export async function openWorld(
  connections: Readonly<Record<string, Pick<TestDatabase, "url">>>,
  replicas: Readonly<Record<string, string>> = {},
): Promise<TestWorld> {
  const folder = mkdtempSync(join(tmpdir(), "tidemark-world-"));
  const state = await openState({ url: `sqlite:${join(folder, "state.db")}` });
  const signal = new AbortController();
  const opened = new Map<string, Promise<Database>>();
  const connect = async (connection: string): Promise<Database> => {
    const { url } = must(connections[connection], `the test has a connection ${connection}`);
    const engine = must(engineFor(url.slice(0, url.indexOf(":"))), `an engine answers to ${url}`);
    return await engine.connect({
      connection,
      url,
      maxConnections: 8,
      statementTimeout: null,
      connectTimeout: 15_000,
      applicationName: "tidemark test",
      access: "read-only",
      signal: signal.signal,
    });
  };
  const world: World = {
    clock: {
      now: () => BigInt(Date.now()) * 1000n,
      seconds: () => performance.now() / 1000,
      async sleep(microseconds, stop) {
        await setTimeout(Number(microseconds / 1000n), undefined, { signal: stop }).catch(() => {
          throw new InterruptedError();
        });
      },
    },
    databases: {
      primaryOf: (connection) => replicas[connection] ?? null,
      open(connection) {
        const known = opened.get(connection) ?? connect(connection);
        opened.set(connection, known);
        return known;
      },
    },
    ledgers: ledgers({ readFile: async () => "" }),
    state,
    progress: { rows: () => {}, step: () => {} },
    differenceLog,
    rowStore,
    signal: signal.signal,
  };
  return {
    world,
    signal,
    async [Symbol.asyncDispose]() {
      for (const database of await Promise.allSettled(opened.values()))
        if (database.status === "fulfilled") await database.value[Symbol.asyncDispose]();
      await state[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What an audit read, its differences taken out of their log. */
export type Compared = { readonly facts: Facts; readonly differences: readonly Difference[] };

/** Reads the facts of a check as an audit does; throws what kept it from finishing. */
export async function compared(
  check: Check,
  { world }: TestWorld,
  options: Partial<AuditOptions> = {},
): Promise<Compared> {
  const logs: DifferenceLog[] = [];
  const own = { ...world, differenceLog: () => logs[logs.push(world.differenceLog()) - 1]! };
  try {
    const { facts, differences, failure } = await readFacts(
      check,
      { range: null, only: null, exact: false, ...options },
      own,
    );
    if (failure !== null) throw failure;
    return { facts, differences: [...differences] };
  } finally {
    for (const log of logs) log[Symbol.dispose]();
  }
}

/** A world in which something happens while an audit waits for a minute before it looks again. */
export function meanwhile(test: TestWorld, happens: (round: number) => Promise<void>): TestWorld {
  let round = 0;
  const world: World = {
    ...test.world,
    clock: {
      ...test.world.clock,
      async sleep(microseconds) {
        // Whoever waits for less waits for something else.
        if (microseconds > 30_000_000n) await happens(++round);
      },
    },
  };
  return { ...test, world };
}
