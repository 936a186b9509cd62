import { join } from "node:path";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { diskFiles } from "../../src/config/disk.ts";
import { loadProject } from "../../src/config/load-project.ts";
import { secretsOf } from "../../src/config/project.ts";
import { UsageError } from "../../src/domain/errors.ts";
import { folderOf, load, loadCheck, mistakes, SHORTEST, TIDEMARK } from "./folder.ts";

const SECOND = 1_000_000n;
const DAY = 86_400n * SECOND;

/** The whole example of the contract. */
const GRADES = `description: grades from the LMS snapshot into the CRM
strategy: cursor
source: { connection: ods, table: lms.grade_grades, where: "deleted = false", timezone: UTC }
target: { connection: crm, table: public.grades, timezone: UTC }
origin: { connection: lms, table: mdl_grade_grades }
key: [id]
columns:
  only: [id, userid, finalgrade, timemodified]
  exclude: [_loaded_at]
  rename: { userid: user_id }
  tolerance: { finalgrade: 0.005 }
  treat: { feedback: [trim, case], created: [second] }
cursor: { column: timemodified, unit: epoch-s, page: 10000 }
version: { column: source_lsn }
arrival: { column: loaded_at }
loaded: { column: _loaded_at }
runs:
  connection: crm
  table: etl.sync_runs
  columns: { id: run_id, from: watermark_from, to: watermark_to, started: started_at, finished: finished_at, status: status, rows: rows_extracted, kind: run_type, data_clock: src_max }
  backfill: [backfill]
  where: "pipeline = 'grades'"
  success: [Success]
  window: "(]"
  timezone: UTC
  since: 30d
expect:
  zero_rows: { streak: 3 }
  freshness: { warn: 6h, error: 24h }
  arrival_lag: 24h
  every: 2h
  max_run: 1h
  future: 5m
settle: 10m
severity: { cursor-ties: "off", zero-row-streak: error }
accept:
  - { finding: extra-rows, range: "2025-01-01..2025-02-01", reason: "archived, see OPS-12", until: 2027-01-01 }
compare: { chunk_rows: auto, parallel: 4, recheck: { rounds: 2, wait: 2s }, stop_after: { differences: 100000, time: 2h } }
cdc: { slot: orders_slot, warn: 1GB, error: 10GB, inactive: 15m }
repair: { batch_rows: 1000, rows_per_second: 5000, max_rows: 1000000, between: "22:00-06:00", timezone: Europe/Prague, max_poison: 100, delete_extra: false }
`;
const GRADES_PROJECT = `connections:
  ods: { url: "\${ODS_URL}" }
  lms: { url: "\${ODS_URL}" }
  crm: { url: "\${CRM_URL}", max_connections: 4, statement_timeout: 60s, replica_of: null }
state: sqlite:.tidemark/state.db
reports: reports
alerts:
  - { slack: "\${SLACK_WEBHOOK_URL}", at: warn, repeat_after: 24h }
  - { webhook: "\${OPS_URL}", at: error, secret: "\${OPS_SECRET:-}" }
defaults: { settle: 10m, expect: { zero_rows: { streak: 3 } } }
`;
const ENVIRONMENT = {
  ODS_URL: "postgres://reader:opensesame@ods/db",
  CRM_URL: "mysql://writer:letmein99@crm/db",
  SLACK_WEBHOOK_URL: "https://hooks.slack.com/services/T0/B0/abcdefghijklmnop",
  OPS_URL: "https://ops.example/hook/qrstuvwxyz",
};

describe("the example of the contract", () => {
  it("is read whole", async () => {
    const project = await load(
      { "tidemark.yaml": GRADES_PROJECT, "grades.yaml": GRADES },
      { environment: ENVIRONMENT },
    );
    const [check] = project.checks;
    expect(check).toMatchObject({
      name: "grades",
      file: "checks/grades.yaml",
      strategy: "cursor",
      source: {
        connection: "ods",
        table: { schema: "lms", name: "grade_grades" },
        where: "deleted = false",
        timezone: "UTC",
      },
      origin: { connection: "lms", table: { schema: null, name: "mdl_grade_grades" }, where: null, timezone: null },
      key: ["id"],
      columns: {
        exclude: ["_loaded_at"],
        rename: { userid: "user_id" },
        tolerance: { finalgrade: "0.005" },
        treat: { feedback: ["trim", "case"], created: ["second"] },
      },
      cursor: { column: "timemodified", unit: "epoch-s", page: 10_000 },
      version: "source_lsn",
      arrival: { by: "column", column: "loaded_at" },
      loaded: "_loaded_at",
      runs: {
        from: { kind: "table", connection: "crm", table: { schema: "etl", name: "sync_runs" } },
        columns: { id: "run_id", from: "watermark_from", kind: "run_type", data_clock: "src_max" },
        backfill: ["backfill"],
        where: "pipeline = 'grades'",
        success: ["success"],
        window: "(]",
        since: 30n * DAY,
      },
      expect: {
        zeroRowStreak: 3,
        freshness: { warn: DAY / 4n, error: DAY },
        arrivalLag: DAY,
        every: { by: "distance", distance: DAY / 12n },
        maxRun: DAY / 24n,
        future: 300n * SECOND,
      },
      settle: 600n * SECOND,
      severity: { "cursor-ties": "off", "zero-row-streak": "error" },
      accept: [
        {
          finding: "extra-rows",
          range: { by: "cursor", from: "2025-01-01", to: "2025-02-01" },
          reason: "archived, see OPS-12",
          until: 1_798_761_600n * SECOND,
        },
      ],
      compare: {
        chunkRows: "auto",
        parallel: 4,
        gentle: false,
        recheck: { rounds: 2, wait: 2n * SECOND },
        stopAfter: { differences: 100_000, time: DAY / 12n },
      },
      cdc: {
        slot: "orders_slot",
        warn: 1n << 30n,
        error: 10n << 30n,
        inactive: 900n * SECOND,
        binlogRetention: null,
        position: null,
      },
      repair: { between: { from: (DAY * 22n) / 24n, to: DAY / 4n }, timezone: "Europe/Prague", deleteExtra: false },
    });
    expect(project.connections.get("crm")).toMatchObject({
      scheme: "mysql",
      maxConnections: 4,
      statementTimeout: 60n * SECOND,
      replicaOf: null,
    });
    expect(project.alerts).toMatchObject([
      { kind: "slack", at: "warn", repeatAfter: DAY, secret: null },
      { kind: "webhook", at: "error", repeatAfter: null, secret: null },
    ]);
  });

  it("shows none of its secrets, however it is printed", async () => {
    const project = await load(
      { "tidemark.yaml": GRADES_PROJECT, "grades.yaml": GRADES },
      { environment: { ...ENVIRONMENT, OPS_SECRET: "signing-key" } },
    );
    const bigints = (_: string, value: unknown) =>
      typeof value === "bigint" ? value.toString() : value instanceof Map ? [...value] : value;
    const printed = JSON.stringify(project, bigints) + inspect(project, { depth: 20, showHidden: true });
    expect(printed).not.toMatch(/opensesame|letmein99|abcdefghijklmnop|qrstuvwxyz|signing-key/);
    expect(secretsOf(project).map((secret) => secret.reveal())).toEqual(
      expect.arrayContaining(["signing-key", ENVIRONMENT.CRM_URL, ENVIRONMENT.OPS_URL]),
    );
  });
});

describe("the shortest check", () => {
  it("is complete: every default stands in it", async () => {
    expect(await loadCheck("")).toEqual({
      name: "orders",
      file: "checks/orders.yaml",
      description: null,
      strategy: "full",
      source: { connection: "ods", table: { schema: null, name: "orders" }, where: null, timezone: null },
      target: { connection: "crm", table: { schema: null, name: "orders" }, where: null, timezone: null },
      origin: null,
      key: null,
      columns: { only: null, exclude: [], rename: {}, tolerance: {}, treat: {} },
      cursor: null,
      version: null,
      arrival: null,
      loaded: null,
      runs: null,
      expect: {
        zeroRowStreak: 3,
        freshness: { warn: null, error: null },
        arrivalLag: null,
        every: null,
        maxRun: null,
        future: 300n * SECOND,
      },
      settle: 600n * SECOND,
      severity: {},
      accept: [],
      compare: {
        chunkRows: "auto",
        parallel: 4,
        gentle: false,
        recheck: { rounds: 2, wait: null },
        stopAfter: { differences: null, time: null },
      },
      cdc: null,
      repair: {
        batchRows: 1000,
        rowsPerSecond: 5000,
        maxRows: 1_000_000,
        between: null,
        timezone: "UTC",
        maxPoison: 100,
        deleteExtra: false,
      },
      report: { values: "mask" },
      sync: { overlap: null },
    });
  });

  it("cannot be changed", async () => {
    const check = await loadCheck("");
    expect(() => Object.assign(check.expect.freshness, { warn: 1n })).toThrow(TypeError);
  });

  it("with a cursor has its strategy and its version from it", async () => {
    expect(await loadCheck("cursor: { column: updated_at }\n")).toMatchObject({
      strategy: "cursor",
      version: "updated_at",
      cursor: { unit: null, page: 10_000 },
    });
  });

  it("with a ledger has the ledger's defaults", async () => {
    const check = await loadCheck("runs: { connection: crm, query: 'select 1' }\n");
    expect(check.runs).toEqual({
      from: { kind: "query", connection: "crm", query: "select 1" },
      columns: {
        id: "id",
        from: "from",
        to: "to",
        started: "started",
        finished: "finished",
        status: "status",
        rows: "rows",
        kind: null,
        data_clock: null,
      },
      backfill: ["backfill"],
      where: null,
      success: ["success", "succeeded", "completed", "ok", "done"],
      window: "(]",
      timezone: "UTC",
      since: 30n * DAY,
    });
  });

  it.each([
    ["strategy: cdc\ncdc: { slot: s }\n", { strategy: "cdc" }],
    ["arrival: commit-timestamp\n", { arrival: { by: "commit-timestamp" } }],
    ["settle: 0\n", { settle: 0n }],
    ["compare: { chunk_rows: 500 }\n", { compare: { chunkRows: 500, parallel: 4 } }],
    [
      "columns: { tolerance: { a: 1e-7, b: '12.50', c: 3 } }\n",
      { columns: { tolerance: { a: "0.0000001", b: "12.5", c: "3" } } },
    ],
    [
      "expect: { schedule: '0 */2 * * *', timezone: Europe/Prague }\n",
      { expect: { every: { by: "schedule", schedule: "0 */2 * * *", timezone: "Europe/Prague" } } },
    ],
    ["severity: { cursor-ties: off }\n", { severity: { "cursor-ties": "off" } }],
    [
      "runs: { connection: crm, preset: airflow3, params: { dag_id: x, n: 5 } }\n",
      { runs: { from: { kind: "preset", connection: "crm", preset: "airflow3", params: { dag_id: "x", n: "5" } } } },
    ],
    ["runs: { connection: crm, table: t, success: [1, OK, true] }\n", { runs: { success: ["1", "ok", "true"] } }],
    [
      "origin: { connection: ods, table: '\"odd.schema\".`My Table`' }\n",
      { origin: { table: { schema: "odd.schema", name: "My Table" } } },
    ],
    [
      "report: { values: hash }\nsync: { overlap: 1h30m }\n",
      { report: { values: "hash" }, sync: { overlap: 5400n * SECOND } },
    ],
  ])("with %j", async (more, expected) => {
    expect(await loadCheck(more)).toMatchObject(expected);
  });
});

describe("the defaults of a project", () => {
  const withDefaults = (defaults: string) => ({ tidemark: `${TIDEMARK}defaults: ${defaults}\n` });

  it("lie under every check, block by block, and the check wins", async () => {
    const check = await loadCheck(
      "expect: { max_run: 1h }\nsettle: 1m\n",
      withDefaults("{ settle: 20m, expect: { zero_rows: { streak: 7 }, max_run: 9h } }"),
    );
    expect(check).toMatchObject({
      settle: 60n * SECOND,
      expect: { zeroRowStreak: 7, maxRun: DAY / 24n, future: 300n * SECOND },
    });
  });

  it("give a list as a whole or not at all", async () => {
    expect(
      (await loadCheck("columns: { exclude: [b] }\n", withDefaults("{ columns: { exclude: [a], only: [c] } }")))
        .columns,
    ).toMatchObject({ exclude: ["b"], only: ["c"] });
  });

  it("may hold half of a table that each check completes", async () => {
    const project = await load({
      "tidemark.yaml": `${TIDEMARK}defaults: { source: { connection: ods, timezone: Europe/Prague } }\n`,
      "a.yaml": "source: { table: a }\ntarget: { connection: crm, table: a }\n",
    });
    expect(project.checks[0]?.source).toEqual({
      connection: "ods",
      table: { schema: null, name: "a" },
      where: null,
      timezone: "Europe/Prague",
    });
  });

  it("give way where a check chooses the other of two", async () => {
    const check = await loadCheck(
      "expect: { schedule: '0 * * * *' }\nruns: { file: runs.jsonl }\n",
      withDefaults("{ expect: { every: 2h }, runs: { connection: crm, table: t } }"),
    );
    expect(check).toMatchObject({
      expect: { every: { by: "schedule", timezone: "UTC" } },
      runs: { from: { kind: "file", file: "checks/runs.jsonl" } },
    });
  });

  it("tell their own mistakes once, however many checks they reach", async () => {
    const told = await mistakes({
      "tidemark.yaml": `${TIDEMARK}defaults: { settle: soon, source: { connection: osd } }\n`,
      "a.yaml": "source: { table: a }\ntarget: { connection: crm, table: a }\n",
      "b.yaml": "source: { table: b }\ntarget: { connection: crm, table: b }\n",
    });
    expect(told).toEqual([
      expect.stringMatching(/^checks\/tidemark\.yaml:4:21: defaults\.settle is "soon"/),
      "checks/tidemark.yaml:4:49: defaults: source.connection: tidemark.yaml has no connection osd; did you mean ods?",
    ]);
  });
});

describe("files", () => {
  it("below the folder are checks, named by their path", async () => {
    const project = await load({
      "orders.yaml": SHORTEST,
      "billing/lines.yml": SHORTEST,
      "billing/tidemark.yaml": SHORTEST,
      "notes.txt": "no check",
      ".git/x.yaml": "no: check",
    });
    expect(project.checks.map(({ name, file }) => [name, file])).toEqual([
      ["billing/lines", "checks/billing/lines.yml"],
      ["billing/tidemark", "checks/billing/tidemark.yaml"],
      ["orders", "checks/orders.yaml"],
    ]);
  });

  it("of one name are a mistake", async () => {
    expect(await mistakes({ "a.yaml": SHORTEST, "a.yml": SHORTEST })).toEqual([
      "checks/a.yml:1:1: the check a is written twice, here and in a.yaml; expected one file a check",
    ]);
  });

  it("are named as the user would type them, whatever --checks says", async () => {
    const cwd = await folderOf({ "a.yaml": `${SHORTEST}x: 1\n` });
    const elsewhere = loadProject({
      folder: join(cwd, "checks"),
      cwd: join(cwd, "checks", "deeper"),
      environment: {},
      files: diskFiles,
    });
    await expect(elsewhere).rejects.toThrow(/^\.\.\/a\.yaml:3:1: unknown key x/);
  });

  it("without tidemark.yaml are no project", async () => {
    const cwd = await folderOf({ "sub/a.yaml": SHORTEST });
    await expect(loadProject({ folder: "checks/sub", cwd, environment: {}, files: diskFiles })).rejects.toThrow(
      /^checks\/sub\/tidemark\.yaml:1:1: this file is missing, expected connections/,
    );
  });

  it("in a folder that is not there are a usage error with a hint", async () => {
    const cwd = await folderOf({});
    const missing = loadProject({ folder: "chekcs", cwd, environment: {}, files: diskFiles });
    await expect(missing).rejects.toBeInstanceOf(UsageError);
    await expect(missing).rejects.toMatchObject({
      message: "there is no folder chekcs here",
      hint: expect.stringContaining("tidemark demo"),
    });
  });

  it("that no name asks for are not read", async () => {
    const project = await load(
      { "orders.yaml": SHORTEST, "wrong.yaml": "\t", "unset.yaml": `${SHORTEST}description: "\${NOBODY}"\n` },
      { only: ["orders"] },
    );
    expect(project.checks.map(({ name }) => name)).toEqual(["orders"]);
  });

  it("that are asked for and not there are a usage error that names the nearest and lists what there is", async () => {
    const missing = load({ "cities.yaml": SHORTEST, "orders.yaml": SHORTEST }, { only: ["cites", "zzz"] });
    await expect(missing).rejects.toMatchObject({
      code: "usage",
      message: "there is no check cites; did you mean cities?\nthere is no check zzz",
      hint: "checks: cities, orders",
    });
  });
});

describe("places", () => {
  it("of reports and state lie beside the checks folder", async () => {
    const cwd = await folderOf({ "tidemark.yaml": `${TIDEMARK}  file: { url: "sqlite:data/x.db" }\n` });
    const project = await loadProject({ folder: "checks", cwd, environment: {}, files: diskFiles });
    expect(project.reports).toEqual({ folder: join(cwd, "reports"), keep: null, url: null });
    expect(project.state.scheme).toBe("sqlite");
    expect(project.state.url.reveal()).toBe(`sqlite:${join(cwd, ".tidemark/state.db")}`);
    expect(project.connections.get("file")?.url.reveal()).toBe(`sqlite:${join(cwd, "data/x.db")}`);
  });

  it("may be absolute, in memory, or on a server", async () => {
    const state = async (text: string) =>
      (await load({ "tidemark.yaml": `${TIDEMARK}state: "${text}"\n` })).state.url.reveal();
    for (const url of ["sqlite:/var/lib/state.db", "sqlite::memory:", "postgres://h/state"])
      expect(await state(url)).toBe(url);
  });

  it("of the environment win", async () => {
    const project = await load(
      {
        "tidemark.yaml": `${TIDEMARK}state: sqlite:a.db\nreports: { folder: out, keep: 30d }\nreports_url: https://reports.example/\n`,
      },
      { environment: { TIDEMARK_STATE: "sqlite:/tmp/b.db", TIDEMARK_REPORTS: "/tmp/reports" } },
    );
    expect(project.state.url.reveal()).toBe("sqlite:/tmp/b.db");
    expect(project.reports).toEqual({ folder: "/tmp/reports", keep: 30n * DAY, url: "https://reports.example/" });
  });

  it("of the environment that are none are a usage error that does not show them", async () => {
    const wrong = load({}, { environment: { TIDEMARK_STATE: "opensesame" } });
    await expect(wrong).rejects.toThrow(UsageError);
    await expect(wrong).rejects.not.toThrow(/opensesame/);
  });

  it("of a ledger's file start at the check's file", async () => {
    const cwd = await folderOf({ "billing/a.yaml": `${SHORTEST}runs: { file: ../runs.jsonl }\n` });
    const project = await loadProject({ folder: "checks", cwd, environment: {}, files: diskFiles });
    expect(project.checks[0]?.runs?.from).toEqual({
      kind: "file",
      path: join(cwd, "checks/runs.jsonl"),
      file: "checks/runs.jsonl",
    });
    expect(project.checks[0]?.runs?.columns).toMatchObject({ kind: "kind", data_clock: "data_clock" });
  });
});

describe("environment variables", () => {
  it("stand in any text, with a default where they are unset or empty", async () => {
    const check = await loadCheck('description: "${A}-${B:-b}-${EMPTY:-c}-${EMPTY}-$${A}"\n', {
      environment: { A: "a", EMPTY: "" },
    });
    expect(check.description).toBe("a-b-c--${A}");
  });

  it("cannot change the shape of a file", async () => {
    expect((await loadCheck('description: "${A}"\n', { environment: { A: 'x"\nkey: [evil]' } })).key).toBeNull();
  });

  it("without quotes may be numbers", async () => {
    expect((await loadCheck("compare:\n  parallel: ${N}\n", { environment: { N: "8" } })).compare.parallel).toBe(8);
  });

  it("that are unset are a mistake with a place, and nothing follows from it", async () => {
    expect(await mistakes({ "a.yaml": `${SHORTEST}settle: "\${NOBODY}"\n` })).toEqual([
      "checks/a.yaml:3:9: the environment variable NOBODY is not set, expected a value, or a default as in ${NOBODY:-default}",
    ]);
    expect(
      await mistakes({
        "a.yaml": "source: { connection: '${NOBODY}', table: t }\ntarget: { connection: crm, table: t }\n",
      }),
    ).toHaveLength(1);
  });

  it("are not what every object has anyway", async () => {
    expect(await mistakes({ "a.yaml": `${SHORTEST}description: "\${constructor}"\n` })).toHaveLength(1);
  });

  it("that are written wrong are a mistake", async () => {
    expect(await mistakes({ "a.yaml": `${SHORTEST}description: "\${no name} \${open"\n` })).toEqual([
      "checks/a.yaml:3:14: a variable is not written right, expected ${NAME} or ${NAME:-default}, or $${ for the characters themselves",
    ]);
  });

  it("never show their values in a mistake", async () => {
    const told = await mistakes(
      {
        "a.yaml": `source: { connection: "\${S}", table: t }\ntarget: { connection: crm, table: t }\nsettle: "\${S}"\nstrategy: "\${S}"\nkey: ["\${S}", "\${S}"]\naccept: [{ finding: "\${S}" }]\nrepair: { timezone: "\${S}" }\n`,
      },
      { environment: { S: "opensesame" } },
    );
    expect(told).toHaveLength(6);
    expect(told.join("\n")).not.toContain("opensesame");
    expect(told[1]).toBe('checks/a.yaml:3:9: settle is "${S}", expected a duration such as 30s, 10m, 6h, 2d or 1h30m');
  });
});
