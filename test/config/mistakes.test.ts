import { describe, expect, it } from "vitest";
import { mistakes, mistakesIn, SHORTEST, TIDEMARK } from "./folder.ts";

describe("mistakes in check files", () => {
  it("are told all at once, in the order of files and lines", async () => {
    const told = await mistakes({
      "orders.yaml": `${SHORTEST}cursr: { column: updated_at }\nsettle: ten minutes\nexpect:\n  zero_rows: { streak: 3 }\n  freshnes: { warn: 6h }\n`,
      "billing/lines.yaml": `${SHORTEST}strategy: sometimes\n`,
    });
    expect(told).toEqual([
      'checks/billing/lines.yaml:3:11: strategy is "sometimes", expected one of cursor, full, cdc',
      "checks/orders.yaml:3:1: unknown key cursr; did you mean cursor?",
      'checks/orders.yaml:4:9: settle is "ten minutes", expected a duration such as 30s, 10m, 6h, 2d or 1h30m',
      "checks/orders.yaml:7:3: unknown key freshnes; did you mean freshness?",
    ]);
  });

  it("between fields are told beside all others", async () => {
    expect(await mistakesIn("strategy: cursor\nsettle: soon\n")).toEqual([
      "checks/orders.yaml:3:11: strategy is cursor and there is no cursor, expected cursor: { column: … }",
      expect.stringMatching(/^checks\/orders\.yaml:4:9: settle is "soon", expected a duration/),
    ]);
  });

  it("of one file spare the checks that were asked for", async () => {
    const files = { "orders.yaml": SHORTEST, "wrong.yaml": "sorce: 1\n" };
    expect(await mistakes(files, { only: ["orders"] })).toEqual([]);
    expect(await mistakes(files)).not.toEqual([]);
    expect(await mistakes(files, { only: ["wrong"] })).not.toEqual([]);
  });
});

describe("one mistake", () => {
  const table: readonly (readonly [string, string, string])[] = [
    [
      "an unknown key that is like no other lists the known ones",
      "sync: { zzzzzzzz: 1 }",
      "3:9: unknown key zzzzzzzz, expected one of overlap",
    ],
    ["swapped letters find their key", "setlte: 5m", "3:1: unknown key setlte; did you mean settle?"],
    ["a wrong type", "key: id", '3:6: key is "id", expected a list of columns, such as [id]'],
    ["an empty list", "key: []", "3:6: key is a list, expected a list of columns, such as [id]"],
    ["an item of a list", "key: [id, 5]", "3:11: key[1] is 5, expected a name"],
    ["nothing behind a key", "settle:", "3:8: settle is empty, expected a duration such as 30s, 10m, 6h, 2d or 1h30m"],
    [
      "a number without a unit",
      "settle: 10",
      "3:9: settle is 10, expected a duration such as 30s, 10m, 6h, 2d or 1h30m",
    ],
    ["a size", "cdc: { slot: s, warn: lots }", '3:23: cdc.warn is "lots", expected a size such as 500MB or 1GB'],
    [
      "a range",
      'accept: [{ finding: extra-rows, range: "yesterday" }]',
      '3:40: accept[0].range is "yesterday", expected a range such as 2025-01-01..2025-02-01, key:1000..2000 or run:812',
    ],
    [
      "a code of a finding",
      "accept: [{ finding: extra-row }]",
      '3:21: accept[0].finding is "extra-row"; did you mean extra-rows?',
    ],
    [
      "a date",
      "accept: [{ finding: extra-rows, until: soon }]",
      '3:40: accept[0].until is "soon", expected a date such as 2027-01-01, or an ISO time',
    ],
    [
      "a schedule",
      'expect: { schedule: "every day" }',
      '3:21: expect.schedule is "every day", expected a cron schedule of five fields, such as "0 */2 * * *"',
    ],
    [
      "a schedule with a field out of bounds",
      'expect: { schedule: "0 25 * * *" }',
      '3:21: expect.schedule is "0 25 * * *", expected a cron schedule of five fields, such as "0 */2 * * *"',
    ],
    [
      "a date as a schedule",
      'expect: { schedule: "2026-01-01T00:00:00" }',
      '3:21: expect.schedule is "2026-01-01T00:00:00", expected a cron schedule of five fields, such as "0 */2 * * *"',
    ],
    [
      "hours",
      'repair: { between: "22-6" }',
      '3:20: repair.between is "22-6", expected hours of the day, such as "22:00-06:00"',
    ],
    ["a count", "compare: { parallel: 0 }", "3:22: compare.parallel is 0, expected a whole number, 1 or more"],
    [
      "a fraction for a count",
      "compare: { parallel: 1.5 }",
      "3:22: compare.parallel is 1.5, expected a whole number, 1 or more",
    ],
    [
      "a choice or a count",
      "compare: { chunk_rows: automatic }",
      '3:24: compare.chunk_rows is "automatic", expected auto, or a whole number, 1 or more',
    ],
    [
      "a tolerance below zero",
      "columns: { tolerance: { a: -1 } }",
      "3:28: columns.tolerance.a is -1, expected a number, 0 or more, such as 0.005",
    ],
    [
      "a treatment",
      "columns: { treat: { a: [trimm] } }",
      '3:25: columns.treat.a[0] is "trimm", expected one of trim, case, nfc, empty-as-null, second, millisecond, json',
    ],
    [
      "an arrival of the wrong shape",
      "arrival: loaded_at",
      '3:10: arrival is "loaded_at", expected { column: … } or commit-timestamp',
    ],
    [
      "an unknown key in one of two shapes",
      "arrival: { column: a, by: b }",
      "3:23: unknown key by, expected one of column",
    ],
    [
      "a severity",
      "severity: { cursor-ties: loud }",
      '3:26: severity.cursor-ties is "loud", expected one of off, info, warn, error',
    ],
    ["an unknown finding", "severity: { cursor-tie: off }", "3:13: unknown key cursor-tie; did you mean cursor-ties?"],
    ["a wrong flag", "repair: { delete_extra: sure }", '3:25: repair.delete_extra is "sure", expected true or false'],
    [
      "a window",
      'runs: { connection: ods, table: t, window: "(" }',
      '3:44: runs.window is "(", expected one of (], [), [], ()',
    ],
    [
      "a text for a block",
      "repair: fast",
      '3:9: repair is "fast", expected a mapping with batch_rows, rows_per_second, max_rows, between, timezone, max_poison, delete_extra',
    ],
    [
      "a cursor without its column",
      "cursor: { unit: epoch-s }",
      "3:1: cursor.column is missing, expected the name of a column",
    ],
    [
      "an unknown time zone",
      "repair: { timezone: Mars/Base }",
      '3:21: repair.timezone is "Mars/Base", expected the IANA name of a time zone, such as UTC or Europe/Prague (a fixed offset is Etc/GMT-2 for +02:00)',
    ],
    [
      "a cdc check without limits",
      "strategy: cdc",
      "3:11: strategy is cdc and there is no cdc, expected cdc: { slot: … }",
    ],
    [
      "an unknown connection",
      "origin: { connection: osd, table: t }",
      "3:23: origin.connection: tidemark.yaml has no connection osd; did you mean ods?",
    ],
    [
      "a connection that is like no other",
      "origin: { connection: warehouse, table: t }",
      "3:23: origin.connection: tidemark.yaml has no connection warehouse, expected one of ods, crm",
    ],
    [
      "no place for the runs",
      "runs: { connection: ods }",
      "3:1: runs has none of table, query, file, preset, expected one of them",
    ],
    [
      "two places for the runs",
      "runs: { connection: ods, table: t, file: runs.jsonl }",
      "3:36: runs has table and file, expected one of table, query, file, preset",
    ],
    [
      "a ledger without a connection",
      "runs: { table: t }",
      "3:1: runs.connection is missing, expected the name of a connection in tidemark.yaml",
    ],
    [
      "a connection for a file",
      "runs: { file: runs.jsonl, connection: ods }",
      "3:27: runs.connection says nothing about a file, expected none (a file has the canonical names: id, from, to, started, finished, status, rows)",
    ],
    [
      "a condition for a file",
      "runs: { file: runs.jsonl, where: 'a = 1' }",
      "3:27: runs.where says nothing about a file, expected none (a file has the canonical names: id, from, to, started, finished, status, rows)",
    ],
    [
      "params without a preset",
      "runs: { connection: ods, table: t, params: { a: 1 } }",
      "3:36: runs.params belongs to a preset, expected none",
    ],
    [
      "a ledger whose times nobody names",
      "runs: { connection: ods, table: t, columns: { id: a, to: b } }",
      "3:36: runs.columns.started is missing, expected the ledger's column of it",
    ],
    [
      "a distance and a schedule",
      'expect: { every: 2h, schedule: "0 * * * *" }',
      "3:22: expect has every and schedule, expected one of them",
    ],
    [
      "a column both kept and dropped",
      "columns: { only: [a, b], exclude: [b] }",
      "3:36: the column b is in columns.only and in columns.exclude, expected one of them",
    ],
    ["a column twice in the key", "key: [a, b, a]", "3:13: the column a is twice in key, expected once"],
  ];
  it.each(table)("%s", async (_, text, expected) => {
    expect(await mistakesIn(`${text}\n`)).toEqual([`checks/orders.yaml:${expected}`]);
  });

  it("names the block where a setting is missing, or the file's first line", async () => {
    expect(await mistakes({ "orders.yaml": "source:\n  connection: ods\n" })).toEqual([
      'checks/orders.yaml:1:1: source.table is missing, expected the name of a table, such as orders, public.orders or "odd.schema".orders',
      "checks/orders.yaml:1:1: target is missing, expected a mapping with connection, table, where, timezone",
    ]);
  });

  it.each(["a..b", "a.b.c", '"open', "", ".a", "a.", '""'])("the name %j is no table's", async (name) => {
    const told = await mistakes({
      "orders.yaml": `source: { connection: ods, table: '${name}' }\ntarget: { connection: crm, table: t }\n`,
    });
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/^checks\/orders\.yaml:1:35: source\.table is .*, expected the name of a table/);
  });
});

describe("broken YAML", () => {
  it.each([
    ["a tab", "source:\n\tconnection: ods\n", "2:1: a tab stands where YAML indents, expected spaces"],
    ["a key given twice", `${SHORTEST}settle: 1m\nsettle: 2m\n`, "4:1: the key settle is given twice, expected once"],
    ["an empty file", "", "1:1: the file is empty, expected source and target"],
    ["a file of comments", "# later\n", "1:1: the file is empty, expected source and target"],
    [
      "a list",
      "- a\n",
      "1:1: the file is a list, expected a mapping with description, strategy, source, target, origin, key, columns, cursor, version, arrival …",
    ],
    ["two documents", `${SHORTEST}---\na: 1\n`, "3:1: a second document begins here, expected one document a file"],
  ])("%s", async (_, text, expected) => {
    expect(await mistakes({ "orders.yaml": text })).toEqual([`checks/orders.yaml:${expected}`]);
  });

  it("is told by its place where a bracket is left open", async () => {
    const told = await mistakes({ "orders.yaml": "source: { connection: ods\ntarget: 1\n" });
    expect(told.length).toBeGreaterThan(0);
    for (const line of told) expect(line).toMatch(/^checks\/orders\.yaml:\d+:\d+: this is not YAML 1\.2: /);
  });

  it("does not follow an alias into itself", async () => {
    expect(await mistakesIn("columns: &a { rename: *a }\n")).toContain(
      "checks/orders.yaml:3:23: an alias points to itself or to nothing, expected an anchor before it",
    );
  });

  it("does not unfold aliases for ever", async () => {
    const lines = [
      "a0: &a0 [x, x, x, x, x, x, x, x, x, x]",
      ...Array.from({ length: 8 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(10).fill(`*a${i}`).join(", ")}]`),
    ];
    expect(
      (await mistakes({ "orders.yaml": `${lines.join("\n")}\n` })).some((line) =>
        line.includes("the file's aliases repeat too much"),
      ),
    ).toBe(true);
  });
});

describe("mistakes in tidemark.yaml", () => {
  const inTidemark = (text: string, options = {}) =>
    mistakes({ "tidemark.yaml": text, "orders.yaml": SHORTEST }, options);

  it("are told with those of the checks, which keep quiet about what follows from them", async () => {
    expect(await inTidemark("connection:\n  ods: { url: 'postgres://h/d' }\n")).toEqual([
      "checks/tidemark.yaml:1:1: connections is missing, expected a mapping of names to { url: … }",
      "checks/tidemark.yaml:1:1: unknown key connection; did you mean connections?",
    ]);
  });

  it.each([
    [
      "an alert to nobody",
      "alerts:\n  - { at: warn }",
      "5:5: alerts[0] has neither slack nor webhook, expected one of them",
    ],
    [
      "an alert to two",
      "alerts:\n  - { slack: 'https://a/b', webhook: 'https://a/b' }",
      "5:5: alerts[0] has slack and webhook, expected one of them",
    ],
    [
      "a severity that no alert has",
      "alerts: [{ slack: 'https://a/b', at: 'off' }]",
      '4:38: alerts[0].at is "off", expected one of info, warn, error',
    ],
    ["reports of the wrong shape", "reports: 5", "4:10: reports is 5, expected a folder, or { folder: …, keep: 30d }"],
    [
      "a wrong time in reports",
      "reports: { keep: 30 }",
      "4:18: reports.keep is 30, expected a duration such as 30s, 10m, 6h, 2d or 1h30m",
    ],
    [
      "a wrong default",
      "defaults: { settle: soon }",
      '4:21: defaults.settle is "soon", expected a duration such as 30s, 10m, 6h, 2d or 1h30m',
    ],
    ["an unknown default", "defaults: { setle: 5m }", "4:13: unknown key setle; did you mean settle?"],
    [
      "an unknown connection in the defaults",
      "defaults: { origin: { connection: osd, table: t } }",
      "4:35: defaults: origin.connection: tidemark.yaml has no connection osd; did you mean ods?",
    ],
  ])("%s", async (_, text, expected) => {
    expect(await inTidemark(`${TIDEMARK}${text}\n`)).toEqual([`checks/tidemark.yaml:${expected}`]);
  });

  it("never show a URL", async () => {
    const told = await inTidemark(
      "connections:\n  ods: { url: 'reader:opensesame@host/db' }\n  crm: { url: opensesame, replica_of: osd }\nstate: opensesame\nalerts: [{ slack: 'opensesame' }]\n",
      { schemes: { connections: ["postgres"], state: ["sqlite"] } },
    );
    expect(told).toEqual([
      "checks/tidemark.yaml:2:15: connections.ods.url has an unknown scheme, expected one of postgres",
      "checks/tidemark.yaml:3:15: connections.crm.url is something else (not shown), expected the URL of a database, such as postgres://user@host/db",
      "checks/tidemark.yaml:3:39: connections.crm.replica_of names no connection; did you mean ods?",
      "checks/tidemark.yaml:4:8: state is something else (not shown), expected sqlite:PATH or a postgres:// URL",
      "checks/tidemark.yaml:5:19: alerts[0].slack is something else (not shown), expected an http or https URL",
    ]);
  });

  it("name a scheme that no engine answers to", async () => {
    expect(
      await inTidemark(`${TIDEMARK}state: oracle://h/d\n`, {
        schemes: { connections: ["postgres"], state: ["sqlite", "postgres"] },
      }),
    ).toEqual([
      "checks/tidemark.yaml:3:15: connections.crm.url begins with mysql://, expected one of postgres",
      "checks/tidemark.yaml:4:8: state begins with oracle://, expected one of sqlite, postgres",
    ]);
  });
});

it("a condition that the defaults put on all ledgers is a mistake where one of them is a file: it cannot be asked", async () => {
  const tidemark = `${TIDEMARK}defaults: { runs: { where: "pipeline = 'x'" } }\n`;
  const files = { "tidemark.yaml": tidemark, "orders.yaml": `${SHORTEST}runs: { file: runs.jsonl }` };
  expect(await mistakes(files)).toEqual([
    expect.stringMatching(/^checks\/tidemark.yaml:4:21: defaults: runs.where says nothing about a file/),
  ]);
});
