import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { describeEngine, describePairs, type TestDatabase, type TestEngine } from "../support/databases.ts";
import { orders, type Orders, printed, REPAIR, same } from "./orders.ts";
import type { Started } from "./process.ts";

const PAIRS: readonly (readonly [TestEngine, TestEngine])[] = [
  ["mariadb", "postgres"],
  ["postgres", "mariadb"],
];

/** Waits until a repair has begun to write. */
async function writing(it: Orders, run: Started): Promise<void> {
  while (it.log("undo") === undefined && run.running()) await setTimeout(5);
}

describePairs([...PAIRS, ["sqlite", "sqlite"]], "repairs that meet", (source, target) => {
  test("are held apart: the second is refused while the first goes on, which Ctrl-C ends after its batch and --resume completes", async () => {
    await using it = await orders([source, target], { rows: 600, extra: 3, batchRows: 20 });
    const first = it.start([...REPAIR, "--rate", "20/s"]);
    await writing(it, first);
    const second = await it.run(REPAIR);
    expect(second, second.stderr).toMatchObject({ code: 2, stdout: "" });
    expect(second.stderr).toMatch(/another repair of this table is running/);
    first.send("SIGINT");
    const ended = await first.done;
    expect(ended, ended.stderr).toMatchObject({ code: 130 });
    expect(printed(ended)).toMatchObject({ status: "interrupted" });
    const { inserted, updated, deleted } = printed(ended).result as Record<"inserted" | "updated" | "deleted", number>;
    expect(inserted + updated + deleted).toBeLessThan(402);
    const resumed = await it.run([...REPAIR, "--resume"]);
    expect(resumed, resumed.stderr).toMatchObject({ code: 0 });
    expect(printed(resumed).result).toMatchObject({ inserted: 199, updated: 200, deleted: 3 });
    same(await it.seen("target"), await it.seen("source"));
  });

  test("at the very same time do the work of one", async () => {
    await using it = await orders([source, target], { rows: 600, extra: 3, batchRows: 20 });
    const were = await it.all();
    const both = await Promise.all([it.run(REPAIR), it.run(REPAIR)]);
    const done = both.filter((ran) => ran.code === 0);
    expect(done.length, both.map((r) => r.stderr).join("\n")).toBeGreaterThanOrEqual(1);
    for (const ran of both)
      if (ran.code !== 0)
        expect(ran, ran.stderr).toMatchObject({ code: 2, stderr: expect.stringMatching(/another repair/) as string });
    const sum = (what: string): number => done.reduce((n, ran) => n + Number(printed(ran).result?.[what] ?? 0), 0);
    expect([sum("inserted"), sum("updated"), sum("deleted")]).toEqual([199, 200, 3]);
    same(await it.seen("target"), await it.seen("source"));
    for (const file of it.logs("undo")) {
      const undone = await it.run(["undo", file.replace(/^.*\/|\.undo\.jsonl$/g, ""), "--apply"]);
      expect(undone, undone.stderr).toMatchObject({ code: 0 });
    }
    same(await it.all(), were);
  });
});

describePairs([...PAIRS, ["sqlite", "sqlite"]], "a writer beside a repair", (source, target) => {
  test("keeps its newer rows, whether it changed them or was the first to insert them", async () => {
    await using it = await orders([source, target], { rows: 600, extra: 0, batchRows: 10 });
    const run = it.start([...REPAIR, "--rate", "150/s"]);
    await writing(it, run);
    const written = new Set<number>();
    for (let i = 600; i > 0 && run.running(); i -= 7) {
      const sql =
        i % 9 < 6
          ? `update orders set name = 'newer ${i}', at = '2027-01-01 00:00:00.000001' where id = ${i}`
          : `insert into orders (id, name, amount, at) select ${i}, 'newer ${i}', 1, '2027-01-01 00:00:00.000001' from (select 1) as one where not exists (select 1 from orders where id = ${i})`;
      await tolerant(it.target, sql);
      const [row] = await it.target.rows(`select name from orders where id = ${i}`);
      if (row?.[0] === `newer ${i}`) written.add(i);
    }
    const ended = await run.done;
    expect([0, 1], ended.stderr).toContain(ended.code);
    expect(written.size).toBeGreaterThan(0);
    expect(printed(ended).result).toMatchObject({ quarantined: 0 });
    const [now, wanted] = [
      await it.target.rows("select id, name from orders order by id"),
      await it.source.rows("select id, name from orders order by id"),
    ];
    expect(now.map(([id, name]) => `${id} ${name}`)).toEqual(
      wanted.map(([id, name]) => (written.has(Number(id)) ? `${id} newer ${id}` : `${id} ${name}`)),
    );
  });
});

/** A writer that loses a race against the repair goes on. */
async function tolerant(database: TestDatabase, sql: string): Promise<void> {
  await database.run(sql).catch((error: unknown) => {
    if (!/deadlock|duplicate|unique|locked/i.test(String(error))) throw error;
  });
}

describePairs(
  [
    ["postgres", "postgres"],
    ["mariadb", "mariadb"],
  ],
  "a repair in a deadlock",
  (source, target) => {
    test("tries its batch again, says so once, and counts no row twice", async () => {
      await using it = await orders([source, target], { rows: 600, extra: 3, batchRows: 1000 });
      const blocker = it.target;
      // Where the server picks a victim by what it has done, that is the repair; where by who waited longest, too.
      if (target === "postgres") await blocker.run("set deadlock_timeout = '20s'");
      else await blocker.run("create table ballast (n int); set autocommit = 0");
      await blocker.run(
        target === "postgres" ? "begin" : `start transaction; insert into ballast select id from orders_were`,
      );
      await blocker.run("update orders set own = 'mine' where id = 585");
      const run = it.start(REPAIR);
      const waits =
        target === "postgres"
          ? "select 1 from pg_locks l where not granted and pg_backend_pid() = any (pg_blocking_pids(l.pid))"
          : "select 1 from information_schema.innodb_trx t join information_schema.processlist p on p.id = t.trx_mysql_thread_id where t.trx_state = 'LOCK WAIT' and p.db = database()";
      while (run.running() && (await it.target.rows(waits)).length === 0) await setTimeout(150); // Asked more often, MariaDB shows what it remembers.
      // In whatever order the repair locks its rows, it holds some of these.
      await blocker.run("update orders set own = 'mine' where id <> 585");
      await blocker.run("rollback");
      const ended = await run.done;
      expect(ended, ended.stderr).toMatchObject({ code: 0 });
      expect(ended.stderr.match(/deadlock.*trying again/gi) ?? []).toHaveLength(1);
      expect(printed(ended).result).toMatchObject({ inserted: 199, updated: 200, deleted: 3 });
      same(await it.seen("target"), await it.seen("source"));
    });
  },
);

describeEngine("postgres", "a repair whose transaction cannot be serialized", () => {
  test("tries its batch again", async () => {
    await using it = await orders(["postgres", "postgres"], { rows: 600, extra: 3, batchRows: 100 });
    await it.target.run(`create sequence tries;
      create function refuse() returns trigger language plpgsql as $$ begin if nextval('tries') in (3, 4) then raise exception 'could not serialize access' using errcode = '40001'; end if; return null; end $$;
      create trigger refuse after insert on orders for each statement execute function refuse()`);
    const ended = await it.run(REPAIR);
    expect(ended, ended.stderr).toMatchObject({ code: 0 });
    expect(ended.stderr.match(/could not serialize access; trying again/g) ?? []).toHaveLength(2);
    expect(printed(ended).result).toMatchObject({ inserted: 199, updated: 200, deleted: 3, quarantined: 0 });
    same(await it.seen("target"), await it.seen("source"));
  });
});
