import { deflateSync } from "node:zlib";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Check, LEDGER_FIELDS, type LedgerColumns } from "../../../src/domain/check.ts";
import { formatInstant, parseInstant } from "../../../src/domain/position.ts";
import type { Run } from "../../../src/domain/run.ts";
import { ledgers } from "../../../src/ledgers/ledgers.ts";
import { presetMistakes } from "../../../src/ledgers/preset.ts";
import { PRESETS } from "../../../src/ledgers/presets/index.ts";
import type { Database, Snapshot } from "../../../src/sql/session.ts";
import { describeEngine, freshDatabase, type TestDatabase } from "../../support/databases.ts";
import { open } from "../../support/open.ts";

const FIXTURE = fileURLToPath(new URL("../../../../shared/presets/_fixture_setup.sql", import.meta.url));

const from = (preset: string, params: Readonly<Record<string, string>>) =>
  ({ kind: "preset", connection: "tested", preset, params }) as const;

function checkWith(preset: string, params: Readonly<Record<string, string>>, where: string | null): Check {
  const columns = Object.fromEntries(LEDGER_FIELDS.map((f) => [f, f])) as LedgerColumns;
  const runs = {
    from: from(preset, params),
    columns,
    backfill: ["backfill"],
    where,
    success: ["success"],
    window: PRESETS.get(preset)?.window ?? "(]",
    timezone: "UTC",
    since: 0n,
  };
  return { cursor: { column: "updated_at", unit: null, page: 1 }, runs } as unknown as Check;
}

/** A run in one line: id, window, outcome, rows, backfill. */
function show({ id, window, outcome, rows, backfill }: Run): string {
  const end = (x: bigint | null | undefined): string =>
    x === null || x === undefined ? "…" : formatInstant(x).replace("T00:00:00.000000Z", "").replace(".000000Z", "Z");
  const ends = window === null ? "no window" : `${end(window.from)}–${end(window.to)}`;
  return `${id} ${ends} ${outcome}${rows === null ? "" : ` ${rows}`}${backfill ? " backfill" : ""}`;
}

describeEngine("postgres", "a preset", () => {
  let server: TestDatabase;
  let database: Database;
  let snapshot: Snapshot;

  beforeAll(async () => {
    if (!existsSync(FIXTURE)) return;
    server = await freshDatabase("postgres");
    await server.run("set timezone to 'UTC'");
    await server.run(readFileSync(FIXTURE, "utf8"));
    const state = (last: string): string =>
      deflateSync(
        JSON.stringify({
          sources: { shop: { resources: { orders: { incremental: { updated_at: { last_value: last } } } } } },
        }),
      ).toString("base64");
    await server.run(`
      insert into dag.event_logs(run_id, event, dagster_event_type, timestamp, asset_key, partition) values ('r9', 'not json', 'ASSET_MATERIALIZATION', now(), '["other"]', 'x');
      insert into dl._dlt_loads values ('1767398460.5', 'shop', 0, '2026-01-03 00:02', 'h'), ('1767484860.5', 'shop', 0, '2026-01-04 00:02', 'h'), ('1767484861.5', 'crm', 0, '2026-01-04 00:02', 'h');
      update dl._dlt_pipeline_state set state = '${state("2026-01-01T00:00:00Z")}';
      insert into dl._dlt_pipeline_state values (2, 4, 'p', '${state("\\uf0272026-01-02T00:00:00Z".replace("\\uf027", "\uf027"))}', now(), 'h', '1767484860.5', 'y');
      insert into el.dbt_run_results (unique_id, invocation_id, status, resource_type, execute_started_at, execute_completed_at, rows_affected, full_refresh) values
        ('model.p.orders', 'i1', 'success', 'model', '2026-01-02T00:01:00', '2026-01-02T00:02:00', 7, false),
        ('model.p.orders', 'i2', 'error', 'model', '2026-01-03T00:01:00', '2026-01-03T00:02:00', null, false);
      insert into el.dbt_source_freshness_results (unique_id, max_loaded_at, snapshotted_at) values
        ('source.p.raw.orders', '2026-01-01T22:00:00', '2026-01-02T00:00:30'), ('source.p.raw.orders', '2026-01-02T22:00:00', '2026-01-02T12:00:00');
      update af2.xcom set value = value;
      insert into af2.xcom values (2, 'extract', -1, 'window', 'd', 'scheduled__2', '\\x80049500', now());
      insert into sqm._intervals values ('b', 1767398460000, '"db"."m"', 'i', 'v', 'dv', 1767312000000, 1767398400000, false, true, false, false, null);
    `);
    database = await open(server.url);
    snapshot = await database.snapshot(1);
  });
  afterAll(async () => {
    await snapshot?.[Symbol.asyncDispose]();
    await database?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  const noFile = async (): Promise<string> => "";
  const read = async (preset: string, params: Readonly<Record<string, string>>, where: string | null = null) =>
    await ledgers({ readFile: noFile }).read(checkWith(preset, params, where), {
      axis: "time",
      since: 0n,
      snapshotOf: () => snapshot,
    });

  test.for([
    // The first pushed its window; the second's is pickled, so that its data interval stands for it.
    [
      "airflow2",
      { dag_id: "d", task_id: "extract", schema: "af2" },
      ["scheduled__1 2026-01-01–2026-01-01T23:59:59.123456Z success 12", "scheduled__2 2026-01-02–2026-01-03 success"],
    ],
    [
      "airbyte",
      { connection_id: "c1", stream: "orders", schema: "ab" },
      ["1.0 …–2026-01-01 success 10", "2.0 2026-01-01–2026-01-01T01:00:00Z success 3", "3.0 no window success 0"],
    ],
    ["airbyte", { connection_id: "c1", stream: "orders", namespace: "elsewhere", schema: "ab" }, []],
    [
      "dagster",
      { asset: "orders", schema: "dag", job: "__ASSET_JOB" },
      ["r1 2026-01-01–2026-01-02 success 42", "r2 2026-01-02–2026-01-03 failed"],
    ],
    ["dagster", { asset: "orders", schema: "dag" }, ["r1 2026-01-01–2026-01-02 success 42"]],
    [
      "dlt",
      { dlt_schema: "shop", resource: "orders", cursor: "updated_at", schema: "dl", data_table: "orders" },
      [
        "1767312060.123 …–2026-01-01 success 1",
        "1767398460.5 2026-01-01–2026-01-01 success 0",
        "1767484860.5 2026-01-01–2026-01-02 success 0",
      ],
    ],
    [
      "meltano",
      { state_id: "dev:tap-to-target", stream: "public-orders", schema: "mel" },
      ["…–2026-01-01 success", "no window failed"],
    ],
    [
      "sqlmesh",
      { model: '"db"."m"', schema: "sqm" },
      ["a 2026-01-01–2026-01-02 success", "b 2026-01-02–2026-01-03 failed"],
    ],
    ["elementary", { unique_id: "model.p.orders", schema: "el" }, ["i1 no window success 7", "i2 no window failed"]],
  ] as const)("%s reads %o", async ([preset, params, expected], { skip }) => {
    if (!existsSync(FIXTURE)) skip("the presets' fixture is not here");
    const { runs, unreadable } = await read(preset, params);
    expect(unreadable).toEqual([]);
    // Meltano's run ids are random.
    expect(runs.map(show).map((line) => (preset === "meltano" ? line.replace(/^\S+ /, "") : line))).toEqual(expected);
  });

  test("airflow3 reads native and twice-written JSON, and marks backfills", async ({ skip }) => {
    if (!existsSync(FIXTURE)) skip("the presets' fixture is not here");
    await server.run(`
      update af3.xcom set value = to_jsonb('{"from":"2026-01-01T00:00:00Z","to":"2026-01-02T00:00:00Z","rows":3}'::text) where dag_run_id = 1;
      update af3.xcom set value = '{"from":"2026-01-02T00:00:00Z","to":"2026-01-03T00:00:00Z","rows":0,"data_clock":"2026-01-02T10:00:00Z"}' where dag_run_id = 2;`);
    const after = await database.snapshot(1);
    try {
      const { runs } = await ledgers({ readFile: noFile }).read(
        checkWith("airflow3", { dag_id: "d", task_id: "extract", schema: "af3" }, null),
        { axis: "time", since: 0n, snapshotOf: () => after },
      );
      expect(runs.map(show)).toEqual([
        "r1 2026-01-01–2026-01-02 success 3",
        "r2 2026-01-02–2026-01-03 success 0",
        "r3 2025-12-01–2025-12-02 failed backfill",
      ]);
      expect(runs[1]?.dataClock).toBe(parseInstant("2026-01-02 10:00"));
    } finally {
      await after[Symbol.asyncDispose]();
    }
  });

  test("elementary takes the source's freshness as the data clock", async ({ skip }) => {
    if (!existsSync(FIXTURE)) skip("the presets' fixture is not here");
    const { runs } = await read("elementary", {
      unique_id: "model.p.orders",
      source: "source.p.raw.orders",
      schema: "el",
    });
    expect(runs.map((run) => run.dataClock)).toEqual([
      parseInstant("2026-01-01 22:00"),
      parseInstant("2026-01-02 22:00"),
    ]);
  });

  test("a condition is asked of the canonical names", async ({ skip }) => {
    if (!existsSync(FIXTURE)) skip("the presets' fixture is not here");
    const { runs } = await read("airflow2", { dag_id: "d", task_id: "extract", schema: "af2" }, "id = 'scheduled__1'");
    expect(runs.map((run) => run.id)).toEqual(["scheduled__1"]);
  });

  test("parameters are values, whatever they hold", async ({ skip }) => {
    if (!existsSync(FIXTURE)) skip("the presets' fixture is not here");
    expect((await read("airflow2", { dag_id: "d' OR '1'='1", task_id: "extract", schema: "af2" })).runs).toEqual([]);
  });

  test("says what it reads where the tables are not there", async ({ skip }) => {
    if (!existsSync(FIXTURE)) skip("the presets' fixture is not here");
    await expect(read("airflow2", { dag_id: "d", task_id: "t", schema: "nowhere" })).rejects.toMatchObject({
      hint: "it reads the PostgreSQL metadata database of Airflow 2 (2.3 to 2.11)",
    });
  });
});

describe("a preset's mistakes", () => {
  test.each([
    [from("airflow", {}), ["there is no preset airflow; did you mean airflow2?"]],
    [
      from("airflow3", { dag: "d", task_id: "t" }),
      [expect.stringContaining("has no parameter dag"), expect.stringContaining("needs the parameter dag_id")],
    ],
    [
      from("dagster", { asset: "a", partitions: "yearly" }),
      ["preset dagster: partitions is one of hourly, daily, weekly, monthly"],
    ],
    [from("sqlmesh", { model: "m" }), []],
  ])("of %o", (preset, expected) => {
    expect(presetMistakes(preset, PRESETS).map(({ says }) => says)).toEqual(expected);
  });

  test("every preset says what it reads, in which versions, with what parameters, and where its trust ends", () => {
    for (const [name, preset] of PRESETS) {
      expect(preset.name).toBe(name);
      expect(preset.versions).toMatch(/\d/);
      expect(preset.trust.length).toBeGreaterThan(0);
      expect(preset.params.every((param) => param.means.length > 10)).toBe(true);
    }
  });
});
