import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Finding } from "../../src/domain/finding.ts";
import type { Report } from "../../src/domain/report.ts";
import { openState } from "../../src/state/index.ts";
import { describeEngine, freshDatabase, type TestDatabase, type TestEngine } from "../support/databases.ts";

const HOUR = 3_600_000_000n;

function finding(part: Partial<Finding> & Pick<Finding, "code">): Finding {
  return {
    id: `grades/${part.code}`,
    group: "rows",
    severity: "error",
    state: "new",
    says: "",
    rows: 3,
    range: {},
    sample: [],
    evidence: { note: "ž, '' and \"quotes\"", big: "9007199254740993" },
    causes: [],
    fix: null,
    ...part,
  };
}

const missing = finding({
  code: "missing-rows",
  causes: [
    {
      code: "closed-ahead-of-clock",
      rows: "18446744073709551616",
      runs: ["812"],
      runs_total: 1,
      confidence: "observed",
      state: "new",
      range: {},
      evidence: { ahead: 37_200 },
      fix: null,
      says: "",
    },
  ],
});
const stale = finding({ code: "stale-source", group: "clock", severity: "warn", rows: null });

function report(started: string): Report {
  const side = { connection: "ods", engine: "x", table: "grades", rows: 19, clock: "2026-06-01T21:45:00.000000Z" };
  return {
    version: 1,
    tool: { name: "tidemark", version: "0" },
    started_at: started,
    finished_at: started,
    verdict: "fail",
    checks: [
      {
        check: "grades",
        description: null,
        strategy: "cursor",
        verdict: "fail",
        source: side,
        target: { ...side, rows: "9007199254740993" },
        compared: null,
        runs: null,
        findings: [missing, stale, finding({ code: "extra-rows", severity: "info", state: "recovered", rows: 0 })],
        seconds: 1.5,
        error: null,
      },
    ],
  };
}

/** Runs a writer of its own process to its end. */
async function write(url: string, name: number, times: number): Promise<void> {
  const script = fileURLToPath(new URL("./writer.ts", import.meta.url));
  const child = spawn(process.execPath, [script, url, String(name), String(times)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (piece: Buffer) => (said += piece));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(said);
}

const engines: readonly TestEngine[] = ["sqlite", "postgres"];

for (const engine of engines)
  describeEngine(engine, "the state store", () => {
    let database: TestDatabase;
    let url: string;
    beforeAll(async () => {
      database = await freshDatabase(engine);
      url = database.url;
    });
    afterAll(() => database[Symbol.asyncDispose]());

    const tables = engine === "sqlite" ? "" : "tidemark.";
    const empty = async () => {
      await using _made = await openState({ url });
      for (const table of ["observations", "findings", "audits", "told"])
        await database.run(`delete from ${tables}${table}`);
    };

    test("several processes may make it, and write to it, at once; nothing is lost", async () => {
      await Promise.all(Array.from({ length: 8 }, (_, name) => write(url, name, 25)));
      await using state = await openState({ url });
      expect(await state.observations("shared")).toHaveLength(200);
      for (let name = 0; name < 8; name++) expect(await state.observations(`own-${name}`)).toHaveLength(25);
      expect(await state.known("shared")).toHaveLength(8);
    });

    test("observations come back ascending, with positions of any size, in another session", async () => {
      await empty();
      {
        await using state = await openState({ url });
        await state.observe("grades", { at: 1_780_000_000_000_001n, position: 18_446_744_073_709_551_615n });
        await state.observe("grades", { at: 1_780_000_000_000_000n, position: null });
        await state.observe("other", { at: 7n, position: -1n });
        await state.observe("other", { at: 7n, position: -2n });
      }
      await using state = await openState({ url });
      expect(await state.observations("grades")).toEqual([
        { at: 1_780_000_000_000_000n, position: null },
        { at: 1_780_000_000_000_001n, position: 18_446_744_073_709_551_615n },
      ]);
      expect(await state.observations("other")).toEqual([{ at: 7n, position: -2n }]);
      expect(await state.observations("none")).toEqual([]);
    });

    test("the newest 5,000 observations are kept, of older ones the last of each hour", async () => {
      await empty();
      await using state = await openState({ url });
      const values = [
        ...[0n, 1n, HOUR - 1n, HOUR, HOUR + 5n].map((at) => `('c', ${at}, '1')`),
        ...Array.from({ length: 4999 }, (_, i) => `('c', ${10n * HOUR + BigInt(i)}, '2')`),
      ];
      await database.run(`insert into ${tables}observations (check_name, at, position) values ${values.join()}`);
      await state.observe("c", { at: 20n * HOUR, position: 3n });
      const kept = await state.observations("c");
      expect(kept.slice(0, 3).map(({ at }) => at)).toEqual([HOUR - 1n, HOUR + 5n, 10n * HOUR]);
      expect(kept).toHaveLength(5002);
    });

    test("findings and their causes are known until they are gone", async () => {
      await empty();
      await using state = await openState({ url });
      await state.remember("grades", 100n, [missing, stale], true);
      await state.remember("other", 100n, [finding({ code: "extra-rows", id: "other/extra-rows" })], true);
      const known = await state.known("grades");
      expect(known.map(({ id, cause, rows, severity }) => ({ id, cause, rows, severity }))).toEqual([
        { id: "grades/missing-rows", cause: null, rows: 3n, severity: "error" },
        {
          id: "grades/missing-rows/closed-ahead-of-clock",
          cause: "closed-ahead-of-clock",
          rows: 18_446_744_073_709_551_616n,
          severity: "error",
        },
        { id: "grades/stale-source", cause: null, rows: null, severity: "warn" },
      ]);
      expect(known[0]?.evidence).toEqual(missing.evidence);
      await state.remember("grades", 200n, [{ ...missing, causes: [] }], true);
      const later = await state.known("grades");
      expect(later.map(({ id, firstSeen }) => [id, firstSeen])).toEqual([["grades/missing-rows", 100n]]);
      await state.remember("grades", 300n, [{ ...missing, state: "recovered" }], true);
      expect(await state.known("grades")).toEqual([]);
      expect(await state.known("other")).toHaveLength(1);
    });

    test("an audit that did not finish drops nothing, and what it saw of the whole takes nothing back", async () => {
      await empty();
      await using state = await openState({ url });
      await state.remember("grades", 100n, [missing, stale], true);
      const part = { ...missing, rows: 1, severity: "warn", causes: [] } as const;
      await state.remember("grades", 200n, [part, finding({ code: "extra-rows" })], false);
      const known = await state.known("grades");
      expect(known.map(({ id, rows, severity, firstSeen }) => [id, rows, severity, firstSeen])).toEqual([
        ["grades/extra-rows", 3n, "error", 200n],
        ["grades/missing-rows", 3n, "error", 100n],
        ["grades/missing-rows/closed-ahead-of-clock", 18_446_744_073_709_551_616n, "error", 100n],
        ["grades/stale-source", null, "warn", 100n],
      ]);
    });

    test("a transaction that fails writes nothing", async () => {
      await empty();
      await using state = await openState({ url });
      await state.remember("grades", 100n, [missing], true);
      const unsound = { ...stale, evidence: { toJSON: () => 1n } } as unknown as Finding;
      await expect(state.remember("grades", 200n, [stale, unsound], true)).rejects.toThrow();
      expect((await state.known("grades")).map(({ id }) => id)).toContain("grades/missing-rows");
    });

    test("what each alert knows is kept apart, written over, and forgotten once it is over", async () => {
      await empty();
      const one = { check: "grades", id: "grades/missing-rows", code: "missing-rows", severity: "error" } as const;
      const told = { ...one, rows: 18_446_744_073_709_551_616n, since: 100n, toldAt: 200n };
      const pending = {
        ...one,
        id: "grades/incomplete",
        code: "incomplete",
        rows: null,
        since: 100n,
        toldAt: null,
      } as const;
      {
        await using state = await openState({ url });
        await state.noteTold("a", [told, pending, { ...pending, check: "other" }], []);
        await state.noteTold("b", [pending], []);
      }
      await using state = await openState({ url });
      const other = { ...pending, check: "other" };
      expect(await state.told("a")).toEqual([pending, told, other]);
      await state.noteTold("a", [{ ...told, rows: 3n, toldAt: 300n }], [pending]);
      expect(await state.told("a")).toEqual([{ ...told, rows: 3n, toldAt: 300n }, other]);
      expect(await state.told("b")).toEqual([pending]);
      expect(await state.told("c")).toEqual([]);
    });

    test("the history tells audits, newest first, with the counts of each check", async () => {
      await empty();
      await using state = await openState({ url });
      for (const day of ["01", "02", "03"]) await state.recordAudit(report(`2026-06-${day}T01:00:00.000Z`));
      const audits = await state.audits(2);
      expect(audits.map(({ startedAt }) => startedAt)).toEqual([
        "2026-06-03T01:00:00.000Z",
        "2026-06-02T01:00:00.000Z",
      ]);
      expect(BigInt(audits[0]?.id ?? 0)).toBeGreaterThan(BigInt(audits[1]?.id ?? 0));
      expect(audits[0]).toMatchObject({
        verdict: "fail",
        checks: [
          {
            check: "grades",
            sourceRows: 19,
            targetRows: "9007199254740993",
            findings: { error: 1, warn: 1, info: 0, recovered: 1 },
            rows: { "missing-rows": 3 },
            seconds: 1.5,
          },
        ],
      });
    });

    test("a state that a newer version wrote is refused, and opened again once it is as known", async () => {
      await database.run(`insert into ${tables}schema_version (version) values (99)`);
      await expect(openState({ url })).rejects.toMatchObject({
        code: "file",
        message: expect.stringContaining("written by a newer Tidemark (schema 99;"),
      });
      await database.run(`delete from ${tables}schema_version where version = 99`);
      await using state = await openState({ url });
      expect(await state.audits(1)).toHaveLength(1);
    });
  });

describe("a state in a file", () => {
  const folder = mkdtempSync(join(tmpdir(), "tidemark-state-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("its folder is made; it is in WAL mode; its tables are strict", async () => {
    const path = join(folder, "deep", "er", "state.db");
    await using state = await openState({ url: `sqlite:${path}` });
    await state.observe("c", { at: 1n, position: 1n });
    using db = new DatabaseSync(path);
    expect(db.prepare("PRAGMA journal_mode").get()).toMatchObject({ journal_mode: "wal" });
    expect(
      db
        .prepare(
          "SELECT COUNT(*) AS n FROM pragma_table_list WHERE schema = 'main' AND strict = 0 AND name NOT LIKE 'sqlite%'",
        )
        .get(),
    ).toMatchObject({ n: 0 });
  });
  test("a path that cannot be is a FileError", async () => {
    writeFileSync(join(folder, "file"), "");
    const below = openState({ url: `sqlite:${join(folder, "file", "state.db")}` });
    await expect(below).rejects.toMatchObject({ code: "file", exit: 3 });
    await expect(openState({ url: `sqlite:${folder}` })).rejects.toMatchObject({ code: "file" });
  });
  test("a database that cannot keep it is refused", async () => {
    await expect(openState({ url: "mysql://root@127.0.0.1/x" })).rejects.toMatchObject({ code: "usage" });
  });
  test("a server that is not there is a ConnectError without the password", async () => {
    const refused = openState({ url: "postgres://someone:s3cr3tword@127.0.0.1:1/x" });
    await expect(refused).rejects.toMatchObject({
      code: "connect",
      message: expect.not.stringContaining("s3cr3tword"),
    });
  });
});
