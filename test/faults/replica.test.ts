import { afterAll, beforeAll, describe, expect, test } from "vitest";
import mysql from "mysql2/promise";
import { checkOf, openRepairs } from "../flows/repair/repair-world.ts";
import { describeEngines, freshDatabase } from "../support/databases.ts";
import { open } from "../support/open.ts";
import { startLocalMariadb } from "../support/private-mariadb.ts";
import type { PrivateServer } from "../support/private-server.ts";

describeEngines(["postgres", "mariadb", "mysql", "sqlite"], "a server that is no replica", (engine) => {
  test("is behind nobody", async () => {
    await using database = await freshDatabase(engine);
    await using opened = await open(database.url);
    expect(await opened.replicaLag()).toBeNull();
  });
});

const [primary, replica] = await Promise.all([
  startLocalMariadb(["--server-id=1", "--log-bin"]),
  startLocalMariadb(["--server-id=2"]),
]);

describe.skipIf(primary === undefined || replica === undefined)("a target with a replica", () => {
  const servers = [primary, replica] as [PrivateServer, PrivateServer];
  const ask = async (server: number, sql: string): Promise<void> => {
    const { hostname, port } = new URL(servers[server]!.url);
    const connection = await mysql.createConnection({
      host: hostname,
      port: Number(port),
      user: "root",
      multipleStatements: true,
    });
    await connection.query(sql);
    await connection.end();
  };
  const target = { url: `${servers[0]?.url}/shop` };
  const copy = { url: `${servers[1]?.url}/shop` };
  beforeAll(async () => {
    const { port } = new URL(servers[0].url);
    await ask(
      1,
      `change master to master_host = '127.0.0.1', master_port = ${port}, master_user = 'root', master_use_gtid = slave_pos; start slave`,
    );
    await ask(0, "create database shop; create table shop.t (id bigint primary key, n int)");
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
  });

  test("is written to once the replica is no longer far behind, where the config names it", async () => {
    await using source = await freshDatabase("sqlite");
    await source.run("create table t (id bigint primary key, n int); insert into t values (1, 1), (2, 2)");
    await using repairs = await openRepairs({ src: source, dst: target, copy }, { copy: "dst" });
    const database = await repairs.world.databases.open("copy");
    const lag = async (): Promise<bigint> => (await database.replicaLag()) ?? 0n;
    await ask(1, "stop slave; change master to master_delay = 3600; start slave");
    await ask(0, "insert into shop.t values (9, 9)");
    while ((await lag()) <= 10_000_000n) await new Promise((resolve) => setTimeout(resolve, 200));
    const told = await repairs.repair(checkOf(), { apply: false });
    expect(told.plan.notes.join("\n")).not.toContain("replica");
    const { clock } = repairs.world;
    let waits = 0;
    const outcome = await repairs.repair(
      checkOf(),
      {},
      {
        clock: {
          ...clock,
          async sleep(wait, signal) {
            if (wait < 1_000_000n) return await clock.sleep(wait, signal);
            waits++;
            await ask(1, "stop slave; change master to master_delay = 0; start slave");
            while ((await lag()) > 0n) await new Promise((resolve) => setTimeout(resolve, 100));
          },
          // What is asked once in a while is asked each time.
          now: () => clock.now() + BigInt(waits) * 60_000_000n,
        },
      },
    );
    expect(outcome.result).toMatchObject({ inserted: 2n });
    expect(waits).toBe(1);
    expect(repairs.said.join("\n")).toMatch(/a replica is \d\d+ s behind; waiting for it/);
  });

  test("is said to have one in the plan where the config names none", async () => {
    await using source = await freshDatabase("sqlite");
    await source.run("create table t (id bigint primary key, n int); insert into t values (3, 3)");
    await using repairs = await openRepairs({ src: source, dst: target });
    const { plan } = await repairs.repair(checkOf(), { apply: false });
    expect(plan.notes.join("\n")).toContain("does not know how far they are behind");
    expect(plan.notes.join("\n")).toContain("replica_of: dst");
  });

  test("is written to all the same where the replica cannot be asked, which is said once", async () => {
    await using source = await freshDatabase("sqlite");
    await source.run("create table t (id bigint primary key, n int); insert into t values (5, 1), (6, 2), (7, 3)");
    const away = { url: target.url.replace(/:\d+\//, ":1/") };
    await using repairs = await openRepairs({ src: source, dst: target, away }, { away: "dst" });
    const outcome = await repairs.repair(checkOf({ repair: { batchRows: 1 } }));
    expect(outcome.result).toMatchObject({ inserted: 3n });
    expect(repairs.said.filter((line) => line.includes("is not waited for"))).toHaveLength(1);
  });
});
