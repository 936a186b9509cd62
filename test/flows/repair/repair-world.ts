import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repairFiles, spillFile } from "../../../src/cli/repair-files.ts";
import type { Check } from "../../../src/domain/check.ts";
import { must } from "../../../src/domain/errors.ts";
import { engineFor } from "../../../src/engines/index.ts";
import type { RepairWorld } from "../../../src/flows/repair/ports.ts";
import { repairCheck, type RepairOutcome, type RepairRequest } from "../../../src/flows/repair/repair.ts";
import { undoRepair, type UndoOutcome } from "../../../src/flows/repair/undo.ts";
import type { Writer } from "../../../src/sql/writer.ts";
import { micros } from "../../compare/build.ts";
import { type Asked, checkFor } from "../../scenarios/two-tables.ts";
import { openWorld } from "../../scenarios/world.ts";
import type { TestDatabase } from "../../support/databases.ts";

/** The real outside of a repair, with a reports folder of its own. */
export interface TestRepairs extends AsyncDisposable {
  readonly world: RepairWorld;
  readonly said: readonly string[];
  repair(check: Check, request?: Partial<RepairRequest>, over?: Partial<RepairWorld>): Promise<RepairOutcome>;
  undo(id: string, apply?: boolean): Promise<UndoOutcome>;
  /** The whole lines of the newest file of that kind, as JSON; empty: there is none. */
  lines(file: "undo" | "quarantine"): readonly Record<string, unknown>[];
  stop(): void;
}

/** A check of `t` by its id, whose repairs do not look twice before they write. */
export function checkOf(
  asked: Partial<Omit<Asked, "repair">> & { readonly repair?: Partial<Check["repair"]> } = {},
): Check {
  const { repair, ...rest } = asked;
  const base = checkFor({ key: ["id"], ...rest });
  return {
    ...base,
    repair: { ...base.repair, ...repair },
    compare: { ...base.compare, recheck: { rounds: 0, wait: micros(0n) } },
  };
}

/** Opens a writer as the program does. */
export async function openWriter(url: string, connection = "dst"): Promise<Writer> {
  const engine = must(engineFor(url.slice(0, url.indexOf(":"))), "an engine answers");
  return await engine.openWriter({
    connection,
    url,
    maxConnections: 1,
    statementTimeout: null,
    connectTimeout: 15_000,
    applicationName: "tidemark test",
    access: "read-write",
    signal: new AbortController().signal,
  });
}

export async function openRepairs(
  connections: Readonly<Record<string, Pick<TestDatabase, "url">>>,
  replicas: Readonly<Record<string, string>> = {},
): Promise<TestRepairs> {
  const test = await openWorld(connections, replicas);
  const folder = mkdtempSync(join(tmpdir(), "tidemark-repairs-"));
  const said: string[] = [];
  const world: RepairWorld = {
    ...test.world,
    writers: {
      open: (connection) => openWriter(must(connections[connection], "the connection is there").url, connection),
    },
    files: repairFiles(folder),
    spill: spillFile,
    replicasOf: (connection) => Object.keys(replicas).filter((name) => replicas[name] === connection),
    random: () => 0.5,
    say: (line) => void said.push(line),
  };
  return {
    world,
    said,
    repair: (check, request = {}, over = {}) =>
      repairCheck(
        check,
        {
          range: null,
          report: null,
          approved: null,
          apply: true,
          resume: false,
          maxRows: null,
          rowsPerSecond: 1_000_000,
          deleteExtra: false,
          confirm: async () => true,
          ...request,
        },
        { ...world, ...over },
      ),
    undo: (id, apply = true) => undoRepair({ id, apply, confirm: async () => true }, world),
    lines(file) {
      const newest = readdirSync(folder)
        .filter((name) => name.endsWith(`.${file}.jsonl`))
        .toSorted()
        .at(-1);
      return newest === undefined
        ? []
        : readFileSync(join(folder, newest), "utf8")
            .trimEnd()
            .split("\n")
            .map((line) => JSON.parse(line) as Record<string, unknown>);
    },
    stop: () => test.signal.abort(),
    async [Symbol.asyncDispose]() {
      await test[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
