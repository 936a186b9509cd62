import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Check, LEDGER_FIELDS, type Ledger, type LedgerColumns } from "../../src/domain/check.ts";
import { LedgerError } from "../../src/domain/errors.ts";
import { formatInstant, parseInstant } from "../../src/domain/position.ts";
import { ledgers } from "../../src/ledgers/ledgers.ts";
import type { Database, Snapshot } from "../../src/sql/session.ts";
import { describeEngines, freshDatabase, type TestDatabase } from "../support/databases.ts";
import { open } from "../support/open.ts";

const CANONICAL = Object.fromEntries(
  LEDGER_FIELDS.map((f) => [f, f === "kind" || f === "data_clock" ? null : f]),
) as LedgerColumns;
const at = (text: string): bigint => parseInstant(text) ?? 0n;

function checkWith(ledger: Partial<Ledger> & Pick<Ledger, "from">): Check {
  const runs: Ledger = {
    columns: CANONICAL,
    backfill: ["backfill"],
    where: null,
    success: ["success", "succeeded", "completed", "ok", "done"],
    window: "(]",
    timezone: "UTC",
    since: 0n as Ledger["since"],
    ...ledger,
  };
  // The ledgers look at nothing else of a check.
  return { cursor: { column: "updated_at", unit: null, page: 10_000 }, runs } as unknown as Check;
}

const noFile = async (): Promise<string> => {
  throw new Error("no file is read here");
};
const noSnapshot = (): Snapshot => {
  throw new Error("no snapshot is read here");
};

describe("a JSON Lines ledger", () => {
  const readText = async (text: string, ledger: Partial<Ledger> = {}) =>
    await ledgers({ readFile: async () => text }).read(
      checkWith({ from: { kind: "file", path: "/x/runs.jsonl", file: "checks/runs.jsonl" }, ...ledger }),
      {
        axis: "sequence",
        since: at("2026-06-01"),
        snapshotOf: noSnapshot,
      },
    );
  const line = (more: object = {}): string =>
    JSON.stringify({
      id: 1,
      from: 0,
      to: 5,
      started: "2026-06-01T10:00:00Z",
      finished: "2026-06-01T10:01:00Z",
      status: "ok",
      rows: 5,
      ...more,
    });

  test("gives its runs by start, then by id", async () => {
    const { runs } = await readText(
      [line({ id: 10 }), line({ id: 9 }), "", line({ id: "a", started: "2026-06-01T09:00:00Z" })].join("\n"),
    );
    expect(runs.map((run) => run.id)).toEqual(["a", "9", "10"]);
  });

  test("keeps every digit of a number", async () => {
    const { runs } = await readText(
      '{"id": 9007199254740993, "to": 9223372036854775807, "started": "2026-06-01T10:00:00Z", "status": "ok", "finished": 1780308000}',
    );
    expect(runs[0]).toMatchObject({ id: "9007199254740993", window: { from: null, to: 9223372036854775807n } });
  });

  test("knows kind and data_clock without being told", async () => {
    const { runs } = await readText(line({ kind: "backfill", data_clock: 3 }));
    expect(runs[0]).toMatchObject({ backfill: true, dataClock: 3n });
  });

  test("says which lines cannot be read, and why", async () => {
    const { runs, unreadable } = await readText(
      [line(), "{oops", "[1]", line({ id: 4, to: { a: 1 } }), line({ id: 5, started: null })].join("\n"),
    );
    expect(runs).toHaveLength(1);
    expect(unreadable).toEqual([
      { place: "checks/runs.jsonl:2", why: "it is no JSON" },
      { place: "checks/runs.jsonl:3", why: "it is no JSON object" },
      { place: "checks/runs.jsonl:4", why: "to is neither a text nor a number" },
      { place: "checks/runs.jsonl:5 (run 5)", why: "started is empty" },
    ]);
  });

  test("leaves out what started before, unless it still goes on", async () => {
    const old = { started: "2026-05-01T10:00:00Z" };
    const { runs } = await readText(
      [line({ id: 1, ...old }), line({ id: 2, ...old, status: "running", finished: null }), line({ id: 3 })].join("\n"),
    );
    expect(runs.map((run) => run.id)).toEqual(["2", "3"]);
  });

  test("is no ledger where no line is JSON", async () => {
    await expect(readText("id,from\n1,2\n")).rejects.toThrow(/^checks\/runs\.jsonl:1: not a line of JSON$/);
  });

  test("is empty where the file is", async () => {
    expect(await readText("\n")).toEqual({ runs: [], unreadable: [], precision: null });
  });

  test("cannot be asked a condition in SQL, and says so", async () => {
    await expect(readText(line(), { where: "a = 1" })).rejects.toThrow(/runs.where is a condition in SQL/);
  });

  test("says so where there is no file", async () => {
    const readFile = async (): Promise<string> => {
      throw Object.assign(new Error("ENOENT"), { code: "ENOENT" });
    };
    const check = checkWith({ from: { kind: "file", path: "/x/runs.jsonl", file: "checks/runs.jsonl" } });
    const reading = ledgers({ readFile }).read(check, { axis: "time", since: 0n, snapshotOf: noSnapshot });
    await expect(reading).rejects.toThrow(/^ledger checks\/runs\.jsonl: there is no such file$/);
  });
});

const MAPPED: LedgerColumns = {
  id: "run_id",
  from: "watermark_from",
  to: "watermark_to",
  started: "started_at",
  finished: "finished_at",
  status: "status",
  rows: "rows_read",
  kind: "run_type",
  data_clock: null,
};

const TYPES = {
  postgres: { local: "timestamp", instant: "timestamptz" },
  mariadb: { local: "datetime(6)", instant: "timestamp(6) null" },
  mysql: { local: "datetime(6)", instant: "timestamp(6) null" },
  sqlite: { local: "datetime", instant: "timestamptz" },
} as const;

describeEngines(["postgres", "mariadb", "sqlite"], "a ledger in a database", (engine) => {
  let server: TestDatabase;
  let database: Database;
  let snapshot: Snapshot;
  const { local, instant } = TYPES[engine];
  const from = { kind: "table", connection: "tested", table: { schema: null, name: "sync_runs" } } as const;
  const read = async (ledger: Partial<Ledger> & Pick<Ledger, "from">, since = 0n) =>
    await ledgers({ readFile: noFile }).read(checkWith(ledger), { axis: "time", since, snapshotOf: () => snapshot });

  beforeAll(async () => {
    server = await freshDatabase(engine);
    if (engine === "mariadb") await server.run("set time_zone = '+00:00'");
    await server.run(
      `create table sync_runs (run_id int, pipeline varchar(20), watermark_from ${local}, watermark_to ${local}, started_at ${instant}, finished_at ${instant}, status varchar(20), rows_read bigint, run_type varchar(20), note varchar(20))`,
    );
    const zoned = engine === "mariadb" ? "" : "+00";
    await server.run(`insert into sync_runs values
      (2, 'grades', '2026-06-01 06:00:00.000001', '2026-06-01 12:00:00', '2026-06-01 10:05:00${zoned}', '2026-06-01 10:05:30${zoned}', 'Success', 2, 'scheduled', null),
      (1, 'grades', null, '2026-06-01 06:00:00', '2026-06-01 04:05:00${zoned}', null, 'success', 2, 'backfill', null),
      (2, 'grades', '2026-06-01 06:00:00', '2026-06-01 12:00:00', '2026-06-01 09:00:00${zoned}', '2026-06-01 09:01:00${zoned}', 'failed', null, 'scheduled', null),
      (7, 'grades', '2020-01-01', '2020-01-02', '2020-01-02 00:00:00${zoned}', '2020-01-02 01:00:00${zoned}', 'success', 1, 'scheduled', null),
      (8, 'grades', null, null, '2020-01-02 00:00:00${zoned}', null, 'running', null, 'scheduled', null),
      (9, 'other', null, null, '2026-06-01 00:00:00${zoned}', null, 'running', null, 'scheduled', null)`);
    database = await open(server.url);
    snapshot = await database.snapshot(1);
  });
  afterAll(async () => {
    await snapshot?.[Symbol.asyncDispose]();
    await database?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  test("is read by its mapped columns: retries as runs of their own, naive ends in its zone, moments as they are", async () => {
    const { runs, unreadable, precision } = await read(
      { from, columns: MAPPED, where: "pipeline = 'grades'", timezone: "Europe/Prague" },
      at("2026-06-01"),
    );
    expect(unreadable).toEqual([]);
    expect(precision).toBe(1n);
    expect(runs.map(({ id, outcome, started }) => [id, outcome, formatInstant(started)])).toEqual([
      ["8", "running", "2020-01-02T00:00:00.000000Z"],
      ["1", "success", "2026-06-01T04:05:00.000000Z"],
      ["2", "failed", "2026-06-01T09:00:00.000000Z"],
      ["2", "success", "2026-06-01T10:05:00.000000Z"],
    ]);
    expect(runs[1]).toMatchObject({ window: { from: null, to: at("2026-06-01 04:00") }, backfill: true, rows: 2n });
    expect(runs[3]).toMatchObject({
      window: { from: at("2026-06-01 04:00:00.000001"), to: at("2026-06-01 10:00") },
      backfill: false,
    });
  });

  test("names missing columns with the nearest ones", async () => {
    const columns = { ...MAPPED, from: "watermrk_from", rows: "nothing_like_it" };
    await expect(read({ from, columns })).rejects.toThrow(
      /has no column watermrk_from \(from\), did you mean watermark_from\?; no column nothing_like_it \(rows\)/,
    );
  });

  test("finds a column whose letters differ in case only", async () => {
    expect(
      (await read({ from, columns: { ...MAPPED, id: "RUN_ID" }, where: "pipeline = 'other'" })).runs.map(
        (run) => run.id,
      ),
    ).toEqual(["9"]);
  });

  test("is read by a query of the user's own, with a comment and a semicolon behind it", async () => {
    const quoted = engine === "mariadb" ? ["`from`", "`to`", "`rows`"] : ['"from"', '"to"', '"rows"'];
    const query = `select run_id as id, watermark_from as ${quoted[0]}, watermark_to as ${quoted[1]}, started_at as started, finished_at as finished, status, rows_read as ${quoted[2]} from sync_runs -- all of them\n;`;
    const { runs } = await read({ from: { kind: "query", connection: "tested", query }, where: "id = 2" });
    expect(runs.map(({ outcome, window, rows }) => [outcome, window?.to, rows])).toEqual([
      ["failed", at("2026-06-01 12:00"), null],
      ["success", at("2026-06-01 12:00"), 2n],
    ]);
  });

  test("says why a query cannot be read", async () => {
    const query = "select run_id as id from sync_runs";
    await expect(read({ from: { kind: "query", connection: "tested", query } })).rejects.toThrow(LedgerError);
    await expect(read({ from: { kind: "query", connection: "tested", query } })).rejects.toThrow(
      /the ledger's query on tested cannot be read/,
    );
  });

  test("leaves old runs to the server, but for those without an end", async () => {
    const { runs } = await read(
      { from, columns: { ...MAPPED, id: "note" }, where: "pipeline = 'grades'" },
      at("2026-06-01 09:30"),
    );
    // Without ids, runs are called by their line: the server sent three.
    expect(runs.map((run) => run.outcome)).toEqual(["running", "success"]);
  });
});
