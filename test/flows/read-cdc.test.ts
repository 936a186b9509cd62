import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Check } from "../../src/domain/check.ts";
import { UnsupportedError } from "../../src/domain/errors.ts";
import { parseInstant } from "../../src/domain/position.ts";
import { readCdc } from "../../src/flows/read-cdc.ts";
import { readSafeEdge } from "../../src/flows/read-facts/read-safe-edge.ts";
import type { Database, Snapshot } from "../../src/sql/session.ts";
import { describeEngine, freshDatabase, type TestDatabase } from "../support/databases.ts";
import { open } from "../support/open.ts";
import { startEmbeddedPostgres, startLocalPostgres } from "../support/private-postgres.ts";

const cdc = { slot: null, warn: null, error: null, inactive: null, binlogRetention: null, position: null };
const checkWith = (more: object): Check => ({ cdc: { ...cdc, ...more } }) as unknown as Check;

/** A clock whose second is as long as a writer needs. */
const clock = (during: () => Promise<void>) => {
  let seconds = 0;
  return { seconds: () => seconds, sleep: async () => (await during(), void (seconds += 2)) };
};
const signal = new AbortController().signal;

let server: TestDatabase;
let database: Database;
let snapshot: Snapshot;

const setUp = (engine: "postgres" | "mariadb" | "sqlite") => {
  beforeAll(async () => {
    server = await freshDatabase(engine);
    database = await open(server.url);
    snapshot = await database.snapshot(2);
  });
  afterAll(async () => {
    await snapshot?.[Symbol.asyncDispose]();
    await database?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });
};

describeEngine("postgres", "a slot", () => {
  setUp("postgres");
  const slot = `tm_slot_${process.pid}`;
  afterAll(async () => {
    await server
      .run(
        `select pg_drop_replication_slot('${slot}') where exists (select from pg_replication_slots where slot_name = '${slot}')`,
      )
      .catch(() => {});
  });
  const idle = clock(async () => {});

  test("tells how much log is kept for it, and how fast the log grows", async () => {
    await server.run("create table t (x text)");
    await server.run(`select pg_create_logical_replication_slot('${slot}', 'test_decoding')`);
    await server.run("insert into t select repeat('x', 100) from generate_series(1, 1000)");
    const writing = clock(
      async () => await server.run("insert into t select repeat('x', 100) from generate_series(1, 5000)"),
    );
    const facts = await readCdc(checkWith({ slot }), { source: snapshot, target: snapshot, clock: writing, signal });
    expect(facts).toMatchObject({
      slotMissing: null,
      log: null,
      slot: { name: slot, active: false, walStatus: "reserved", invalidationReason: null },
    });
    expect(facts?.slot?.confirmedLag).toBeGreaterThan(100_000n);
    expect(facts?.slot?.restartLag).toBeGreaterThanOrEqual(facts?.slot?.confirmedLag ?? 0n);
    // 5,000 rows of 100 bytes in two of the clock's seconds.
    expect(facts?.bytesPerSecond).toBeGreaterThan(250_000);
  });

  test("that is not there is missing", async () => {
    const facts = await readCdc(checkWith({ slot: "no_such_slot'; drop table t; --" }), {
      source: snapshot,
      target: snapshot,
      clock: idle,
      signal,
    });
    expect(facts).toEqual({
      slot: null,
      slotMissing: "no_such_slot'; drop table t; --",
      bytesPerSecond: null,
      log: null,
    });
  });

  test("is not asked for where the check is none of change data capture", async () => {
    expect(
      await readCdc({ cdc: null } as unknown as Check, { source: snapshot, target: snapshot, clock: idle, signal }),
    ).toBeNull();
  });
});

test("a slot whose log the server has thrown away is lost, and its lag is not known", async ({ skip }) => {
  // A server of its own: how much log is kept is a setting of all of it.
  const own = (await startLocalPostgres()) ?? (await startEmbeddedPostgres());
  if (own === undefined) return skip("no PostgreSQL server programs here");
  const client = new pg.Client({ connectionString: `${own.url}/postgres` });
  try {
    await client.connect();
    await client.query("alter system set max_slot_wal_keep_size = '1MB'");
    await client.query("select pg_reload_conf()");
    await client.query("create table t (x int)");
    await client.query("select pg_create_logical_replication_slot('s', 'test_decoding')");
    for (let segment = 0; segment < 4; segment++) {
      await client.query("insert into t values (1)");
      await client.query("select pg_switch_wal()");
    }
    await client.query("checkpoint");
    await using opened = await open(`${own.url}/postgres`);
    await using kept = await opened.snapshot(2);
    const idle = clock(async () => {});
    const facts = await readCdc(checkWith({ slot: "s" }), { source: kept, target: kept, clock: idle, signal });
    expect(facts?.slot).toMatchObject({ name: "s", walStatus: "lost", restartLag: null });
  } finally {
    await client.end().catch(() => {});
    await own.stop();
  }
});

describeEngine("postgres", "the safe right edge", () => {
  setUp("postgres");
  const now = parseInstant("2990-01-01") ?? 0n;

  test("is now while nobody has written anything", async () => {
    expect(await readSafeEdge(database, now)).toEqual({ position: now, sure: true });
  });

  test("is the start of the oldest transaction that writes", async () => {
    await server.run("create table e (x int)");
    await server.run("begin");
    await server.run("insert into e values (1)");
    const [[began = null] = []] = await server.rows("select now()::timestamptz(6) at time zone 'UTC'");
    const edge = await readSafeEdge(database, now);
    await server.run("commit");
    expect(edge).toEqual({ position: parseInstant(began ?? ""), sure: true });
  });
});

describeEngine("mariadb", "binary logs", () => {
  setUp("mariadb");
  const idle = clock(async () => {});

  test("are told with their retention, and whether the consumer's place is still in them", async () => {
    const [[on] = []] = await server.rows("select @@log_bin");
    const files = on === "1" ? (await server.rows("show binary logs")).map(([file]) => file ?? "") : [];
    const ask = async (position: string) =>
      (await readCdc(checkWith({ position }), { source: snapshot, target: snapshot, clock: idle, signal }))?.log;
    expect(await ask("select 'binlog.000000:4';")).toMatchObject({
      consumerFile: "binlog.000000",
      holdsPosition: false,
      oldestFile: files[0] ?? null,
    });
    expect(await ask("select 'nothing of the kind'")).toMatchObject({ consumerFile: null, holdsPosition: null });
    if (files[0] !== undefined)
      expect(await ask(`select '/var/lib/mysql/${files[0]}', 4`)).toMatchObject({ holdsPosition: true });
  });

  test("are not asked about unless the check says what of them", async () => {
    expect(await readCdc(checkWith({}), { source: snapshot, target: snapshot, clock: idle, signal })).toEqual({
      slot: null,
      slotMissing: null,
      bytesPerSecond: null,
      log: null,
    });
  });

  test("are no slots", async () => {
    const asked = readCdc(checkWith({ slot: "s" }), { source: snapshot, target: snapshot, clock: idle, signal });
    await expect(asked).rejects.toThrow(UnsupportedError);
  });
});

describe("without a server that says so", () => {
  setUp("sqlite");
  test("the safe right edge is now, and not sure", async () => {
    expect(await readSafeEdge(database, 5n)).toEqual({ position: 5n, sure: false });
  });
});
