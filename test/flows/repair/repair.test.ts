import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RefusedError } from "../../../src/domain/errors.ts";
import { lockName } from "../../../src/flows/repair/target-link.ts";
import { planText, readPlan } from "../../../src/repair/saved-plan.ts";
import {
  describeEngine,
  describeEngines,
  freshDatabase,
  type TestDatabase,
  type TestEngine,
} from "../../support/databases.ts";
import { micros } from "../../compare/build.ts";
import { checkOf, openRepairs, openWriter, type TestRepairs } from "./repair-world.ts";

let src: TestDatabase;
let dst: TestDatabase;
let repairs: TestRepairs;

/** Makes both databases anew for every test of a block. */
function withDatabases(source: TestEngine, target: TestEngine = source): void {
  beforeEach(async () => {
    src = await freshDatabase(source);
    dst = await freshDatabase(target);
    repairs = await openRepairs({ src, dst });
  });
  afterEach(async () => {
    await repairs[Symbol.asyncDispose]();
    await src[Symbol.asyncDispose]();
    await dst[Symbol.asyncDispose]();
  });
}

const both = async (sql: string): Promise<void> => {
  await src.run(sql);
  await dst.run(sql);
};

const insert = (ids: readonly number[], n: (id: number) => number | string = (id) => id): string =>
  `insert into t (id, n) values ${ids.map((id) => `(${id}, ${n(id)})`).join(", ")}`;
const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);

describeEngines(["postgres", "mariadb", "sqlite"], "a repair", (engine) => {
  withDatabases(engine);

  test("plans without writing anything, not even a record", async () => {
    await both("create table t (id bigint primary key, n int)");
    await src.run(insert(upTo(3)));
    const outcome = await repairs.repair(checkOf(), { apply: false });
    expect(outcome).toMatchObject({
      applied: false,
      result: null,
      undoable: false,
      plan: { counts: { insert: 3n, update: 0n }, batches: 1n },
    });
    expect(await dst.rows("select count(*) from t")).toEqual([["0"]]);
    expect(await repairs.world.state.repairs("orders")).toEqual([]);
  });

  test("with nothing to do says so and writes nothing, not even a record", async () => {
    await both("create table t (id bigint primary key, n int)");
    await both(insert(upTo(3)));
    const outcome = await repairs.repair(checkOf());
    expect(outcome).toMatchObject({
      applied: true,
      undoable: false,
      remaining: [],
      result: { inserted: 0n, unchanged: 3n },
    });
    expect(await repairs.world.state.repairs("orders")).toEqual([]);
    expect(repairs.lines("undo")).toEqual([]);
  });

  test("does not write a row again that is the same by the check's own rules, nor touch columns that the check leaves out", async () => {
    await both("create table t (id bigint primary key, n decimal(10,4), name varchar(20), secret varchar(20))");
    await src.run(
      "insert into t values (1, 1.0040, 'a', 'source'), (2, 2, 'ANNA ', 'source'), (3, 3, 'c', 'source'), (4, 4.5, 'd', 'source')",
    );
    await dst.run("insert into t values (1, 1.0000, 'a', 'mine'), (2, 2, 'anna', 'mine'), (3, 3.2, 'c', 'mine')");
    const check = checkOf({
      columns: { tolerance: { n: "0.005" }, treat: { name: ["trim", "case"] }, exclude: ["secret"] },
    });
    const outcome = await repairs.repair(check);
    expect(outcome.result).toMatchObject({ inserted: 1n, updated: 1n, quarantined: 0n });
    const decimal = engine === "sqlite" ? ["1", "2", "3", "4.5"] : ["1.0000", "2.0000", "3.0000", "4.5000"];
    expect(await dst.rows("select id, n, name, secret from t order by id")).toEqual([
      ["1", decimal[0], "a", "mine"],
      ["2", decimal[1], "anna", "mine"],
      ["3", decimal[2], "c", "mine"],
      ["4", decimal[3], "d", null],
    ]);
  });

  test("puts single bad rows aside with the reason and lets their neighbours through; after the breaker, --resume goes on", async () => {
    await src.run("create table t (id bigint primary key, n int)");
    await dst.run("create table t (id bigint primary key, n int check (n < 1000))");
    const bad = new Set([3, 40, 41, 77]);
    await src.run(insert(upTo(90), (id) => (bad.has(id) ? 5000 : id)));
    const check = checkOf({ repair: { batchRows: 16, maxPoison: 2 } });
    const stopped = await repairs.repair(check);
    expect(stopped).toMatchObject({
      status: "stopped",
      stopped: "more than 2 rows were refused (max_poison)",
      result: { quarantined: 3n },
    });
    const named = repairs.lines("quarantine");
    expect(named.map((line) => line["key"])).toEqual([{ id: 3 }, { id: 40 }, { id: 41 }]);
    expect(String(named[0]?.["reason"])).toMatch(/check|constraint/i);
    expect(JSON.stringify(named)).not.toContain("5000");

    const resumed = await repairs.repair({ ...check, repair: { ...check.repair, maxPoison: 10 } }, { resume: true });
    expect(resumed).toMatchObject({ id: stopped.id, status: "finished", result: { inserted: 86n, quarantined: 4n } });
    expect(await dst.rows("select count(*) from t")).toEqual([["86"]]);
    expect((await repairs.undo(stopped.id)).counts).toMatchObject({ removed: 86n, leftAlone: 0n });
    expect(await dst.rows("select count(*) from t")).toEqual([["0"]]);
  });

  test("takes a row whose parent comes later in key order", async () => {
    await src.run("create table t (id bigint primary key, n bigint)");
    await dst.run("create table t (id bigint primary key, n bigint, foreign key (n) references t (id))");
    await src.run("insert into t values (1, 3), (2, null), (3, 2), (4, 99)");
    const outcome = await repairs.repair(checkOf({ repair: { batchRows: 1 } }));
    expect(outcome.result).toMatchObject({ inserted: 3n, quarantined: 1n });
    expect(outcome.plan.foreignKeys.length).toBe(1);
    expect(repairs.lines("quarantine").filter((line) => line["released"] === true)).toEqual([
      { key: { id: 1 }, released: true },
    ]);
    expect(await dst.rows("select id, n from t order by id")).toEqual([
      ["1", "3"],
      ["2", null],
      ["3", "2"],
    ]);
  });

  test("swaps two values of another unique key without hurting a row", async () => {
    await src.run("create table t (id bigint primary key, n int)");
    await dst.run("create table t (id bigint primary key, n int unique)");
    await both("insert into t values (1, 10), (2, 20), (3, 30)");
    await src.run("insert into t values (4, 30); update t set n = 31 where id = 3");
    const outcome = await repairs.repair(checkOf({ repair: { batchRows: 1 } }));
    expect(outcome.result).toMatchObject({ inserted: 1n, updated: 1n, quarantined: 0n });
    expect(await dst.rows("select id, n from t order by id")).toEqual([
      ["1", "10"],
      ["2", "20"],
      ["3", "31"],
      ["4", "30"],
    ]);
  });

  test("deletes only when asked, at most one row in a hundred, and undo brings the rows back in full", async () => {
    await both("create table t (id bigint primary key, n int, own varchar(20))");
    await both(insert(upTo(200)));
    await dst.run("insert into t values (500, 5, 'precious'), (501, 5, 'precious')");
    expect(await repairs.repair(checkOf())).toMatchObject({
      plan: { counts: { extra: 2n, delete: 0n } },
      result: { deleted: 0n },
    });
    const outcome = await repairs.repair(checkOf({ columns: { exclude: ["own"] } }), { deleteExtra: true });
    expect(outcome.result).toMatchObject({ deleted: 2n, inserted: 0n });
    await repairs.undo(outcome.id);
    expect(await dst.rows("select id, n, own from t where id >= 500 order by id")).toEqual([
      ["500", "5", "precious"],
      ["501", "5", "precious"],
    ]);
    await dst.run("insert into t values (502, 5, 'x')");
    await expect(repairs.repair(checkOf(), { deleteExtra: true })).rejects.toThrow(/1 %/);
    expect(await dst.rows("select count(*) from t")).toEqual([["203"]]);
  });

  test("refuses a plan beyond max_rows", async () => {
    await both("create table t (id bigint primary key, n int)");
    await src.run(insert(upTo(5)));
    await expect(repairs.repair(checkOf(), { maxRows: 4 })).rejects.toThrow(/max_rows/);
    expect(await dst.rows("select count(*) from t")).toEqual([["0"]]);
  });

  test("refuses a target without a unique index on exactly the key, or that a row could not be filled in, and writes the cure", async () => {
    await src.run("create table t (id bigint primary key, n int)");
    await dst.run("create table t (id bigint not null, n int, must int not null, unique (id, n))");
    await src.run(insert(upTo(2)));
    const refusal = await repairs.repair(checkOf()).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(RefusedError);
    expect(String(refusal)).toMatch(/not-idempotent[^]*CREATE UNIQUE INDEX/);
    expect(String(refusal)).toMatch(/must of t must not be NULL|must of .*\.t must not be NULL/);
  });

  test("refuses a view whose table may have no unique index, and does not ask for an index on the view", async () => {
    await src.run("create table t (id bigint primary key, n int)");
    await dst.run("create table behind (id bigint primary key, n int)");
    await dst.run("create view t as select * from behind");
    await src.run(insert(upTo(2)));
    const refusal = await repairs.repair(checkOf({ key: ["id"] })).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(RefusedError);
    expect(String(refusal)).toMatch(/not-idempotent[^]*the table behind the view/);
    expect(String(refusal)).not.toContain("CREATE UNIQUE INDEX");
  });

  test("holds a lock in the target database, so that a second one is refused", async () => {
    await both("create table t (id bigint primary key, n int)");
    await src.run(insert(upTo(2)));
    const table = await (await repairs.world.databases.open("dst")).describe({ schema: null, name: "t" });
    const other = await openWriter(dst.url);
    try {
      expect(await other.lock(lockName(table))).toBe(true);
      await expect(repairs.repair(checkOf())).rejects.toThrow(/another repair of this table is running/);
    } finally {
      await other[Symbol.asyncDispose]();
    }
    expect((await repairs.repair(checkOf())).result).toMatchObject({ inserted: 2n });
  });

  test("stops after the batch in hand when it is interrupted, and --resume completes it under the same id", async () => {
    await both("create table t (id bigint primary key, n int)");
    await src.run(insert(upTo(50)));
    const stop = new AbortController();
    const check = checkOf({ repair: { batchRows: 8 } });
    let batches = 0;
    const progress = {
      step: () => {},
      rows: (_check: string, _done: bigint, of: bigint | null) => void (of === 50n && ++batches === 2 && stop.abort()),
    };
    const cut = await repairs.repair(check, {}, { signal: stop.signal, progress });
    expect(cut).toMatchObject({ status: "interrupted", undoable: true });
    const there = BigInt((await dst.rows("select count(*) from t"))[0]?.[0] ?? "0");
    expect(there).toBe(cut.result?.inserted);
    expect(there).toBeGreaterThan(0n);
    expect(there).toBeLessThan(50n);
    await expect(repairs.repair(check, { resume: true, range: "key:1..10" })).rejects.toThrow(
      /is about the whole check, and this asks for key:1..10/,
    );
    const resumed = await repairs.repair(check, { resume: true });
    expect(resumed).toMatchObject({ id: cut.id, status: "finished", result: { inserted: 50n, quarantined: 0n } });
    expect((await repairs.undo(cut.id)).counts).toMatchObject({ removed: 50n, leftAlone: 0n });
  });

  test("applies an approved plan, and refuses it once the check or a table has changed", async () => {
    await both("create table t (id bigint primary key, n int)");
    await src.run(insert(upTo(4)));
    const check = checkOf();
    const { plan } = await repairs.repair(check, { apply: false, range: "key:2..4", maxRows: 7 });
    const approved = readPlan(planText(plan), "plan.json");
    await expect(repairs.repair({ ...check, settle: micros(1n) }, { approved })).rejects.toThrow(
      /stale: the check has changed/,
    );
    await dst.run("alter table t add column more int");
    await expect(repairs.repair(check, { approved })).rejects.toThrow(/stale: a table/);
    await dst.run("alter table t drop column more");
    const outcome = await repairs.repair(check, { approved });
    expect(outcome).toMatchObject({ plan: { id: plan.id, bounds: { maxRows: 7 } }, result: { inserted: 2n } });
    expect(await dst.rows("select id from t order by id")).toEqual([["2"], ["3"]]);
  });

  test("puts a row aside whose key the target holds outside of the check's where", async () => {
    await both("create table t (id bigint primary key, n int, gone int default 0)");
    await src.run(insert(upTo(2)));
    await dst.run("insert into t values (1, 100, 1)");
    const outcome = await repairs.repair(checkOf({ target: { where: "gone = 0" }, columns: { exclude: ["gone"] } }));
    expect(outcome.result).toMatchObject({ inserted: 1n, quarantined: 1n });
    expect(await dst.rows("select id, n, gone from t order by id")).toEqual([
      ["1", "100", "1"],
      ["2", "2", "0"],
    ]);
  });

  test("has an id of its own, though the same plan is applied twice at one moment", async () => {
    await both("create table t (id bigint primary key, n int)");
    const now = 1_780_315_200_000_000n;
    const clock = { now: () => now, seconds: () => 0, sleep: async () => {} };
    await src.run(insert([1]));
    const first = await repairs.repair(checkOf(), {}, { clock });
    await src.run(insert([2]));
    const second = await repairs.repair(checkOf(), {}, { clock });
    expect(second.plan.id).toBe(first.plan.id);
    expect(second.id).not.toBe(first.id);
    expect((await repairs.undo(first.id)).counts).toMatchObject({ removed: 1n, leftAlone: 0n });
    expect(await dst.rows("select id from t")).toEqual([["2"]]);
  });

  test("waits outside of its hours and says until when", async () => {
    await both("create table t (id bigint primary key, n int)");
    await src.run(insert(upTo(2)));
    let now = 1_780_315_200_000_000n; // 2026-06-01T12:00:00Z
    const opens = now + 36_000_000_000n;
    const woke: bigint[] = [];
    const clock = {
      now: () => now,
      seconds: () => 0,
      sleep: async (length: bigint) => {
        now += length;
        woke.push(now);
      },
    };
    const outcome = await repairs.repair(
      checkOf({ repair: { between: { from: micros(79_200_000_000n), to: micros(21_600_000_000n) } } }),
      {},
      { clock },
    );
    expect(outcome.result).toMatchObject({ inserted: 2n });
    expect(woke).toContain(opens);
    expect(repairs.said.join("\n")).toContain("waiting until Mon 2026-06-01 22:00 UTC");
  });
});

describeEngine("postgres", "a repair of PostgreSQL", () => {
  withDatabases("postgres");

  test("fills identity columns, leaves out generated ones, and puts a row aside that a trigger changes", async () => {
    await src.run("create table t (id bigint primary key, n int, twice int)");
    await dst.run(`create table t (id bigint generated always as identity primary key, n int, twice int generated always as (n * 2) stored);
      create function spoil() returns trigger language plpgsql as $$ begin if new.n = 2 then new.n := 22; end if; return new; end $$;
      create trigger spoiling before insert or update on t for each row execute function spoil()`);
    await src.run("insert into t values (1, 1, 2), (2, 2, 4), (3, 3, 6)");
    const outcome = await repairs.repair(checkOf());
    expect(outcome.plan.triggers).toEqual(["spoiling"]);
    expect(outcome.result).toMatchObject({ inserted: 2n, quarantined: 1n });
    expect(repairs.lines("quarantine")[0]).toMatchObject({
      key: { id: 2 },
      reason: expect.stringContaining("another value"),
    });
    expect(await dst.rows("select id, n, twice from t order by id")).toEqual([
      ["1", "1", "2"],
      ["3", "3", "6"],
    ]);
  });

  test("puts a row aside that a deferred constraint refuses at the commit", async () => {
    await src.run("create table t (id bigint primary key, n bigint)");
    await dst.run(
      "create table p (id bigint primary key); insert into p values (1); create table t (id bigint primary key, n bigint references p (id) deferrable initially deferred)",
    );
    await src.run("insert into t values (1, 1), (2, 2), (3, 1)");
    const outcome = await repairs.repair(checkOf());
    expect(outcome.result).toMatchObject({ inserted: 2n, quarantined: 1n });
    expect((await repairs.undo(outcome.id)).counts).toMatchObject({ removed: 2n, leftAlone: 0n });
  });

  test("refuses a user who may not write there, with the GRANT that would cure it", async () => {
    await both("create table t (id bigint primary key, n int)");
    await src.run(insert(upTo(2)));
    const role = `tm_role_${process.pid}`;
    await dst.run(`create role ${role} login password 'p'; grant select, update on t to ${role}`);
    try {
      const url = new URL(dst.url);
      url.username = role;
      url.password = "p";
      await using weak = await openRepairs({ src, dst: { url: url.href } });
      await expect(weak.repair(checkOf())).rejects.toThrow(/may not INSERT[^]*GRANT INSERT ON "public"."t" TO/);
    } finally {
      await dst.run(`drop owned by ${role}; drop role ${role}`);
    }
  });
});

describeEngine("mariadb", "a repair of MariaDB", () => {
  withDatabases("mariadb");

  test("keeps a key of 0, and columns that the server would touch by itself", async () => {
    await src.run("create table t (id bigint primary key, n int)");
    await dst.run(
      "create table t (id bigint auto_increment primary key, n int, stamped timestamp(6) not null default current_timestamp(6) on update current_timestamp(6))",
    );
    await src.run("insert into t values (0, 1), (5, 2)");
    await dst.run("insert into t values (5, 1, '2020-01-01 00:00:00')");
    const before = await dst.rows("select stamped from t where id = 5");
    const outcome = await repairs.repair(checkOf());
    expect(outcome.result).toMatchObject({ inserted: 1n, updated: 1n, quarantined: 0n });
    expect(await dst.rows("select id, n from t order by id")).toEqual([
      ["0", "1"],
      ["5", "2"],
    ]);
    expect(await dst.rows("select stamped from t where id = 5")).toEqual(before);
  });

  test("refuses a table without transactions", async () => {
    await src.run("create table t (id bigint primary key, n int)");
    await dst.run("create table t (id bigint primary key, n int) engine = MyISAM");
    await src.run(insert(upTo(2)));
    await expect(repairs.repair(checkOf())).rejects.toThrow(/MyISAM has no transactions/);
  });

  test("refuses a user who may not write there, with the GRANT that would cure it", async () => {
    await both("create table t (id bigint primary key, n int)");
    await src.run(insert(upTo(2)));
    const user = `tm_user_${process.pid}`;
    const url = new URL(dst.url);
    await dst.run(
      `create user '${user}'@'%' identified by 'p'; grant select, insert, create temporary tables on ${url.pathname.slice(1)}.* to '${user}'@'%'`,
    );
    try {
      url.username = user;
      url.password = "p";
      await using weak = await openRepairs({ src, dst: { url: url.href } });
      await expect(weak.repair(checkOf())).rejects.toThrow(/may not UPDATE[^]*GRANT UPDATE ON/);
    } finally {
      await dst.run(`drop user '${user}'@'%'`);
    }
  });
});

describe("keys that the target's collation merges", () => {
  describeEngine("mariadb", "from a source that tells them apart", () => {
    withDatabases("mariadb");

    test("are refused where it ignores case, and where it ignores blanks and a key ends in one", async () => {
      await src.run("create table t (id varchar(20) collate utf8mb4_nopad_bin primary key, n int)");
      await dst.run("create table t (id varchar(20) collate utf8mb4_general_ci primary key, n int)");
      await src.run("insert into t values ('a', 1)");
      await expect(repairs.repair(checkOf())).rejects.toThrow(
        /would merge keys that utf8mb4_general_ci takes for equal/,
      );
      await dst.run("drop table t; create table t (id varchar(20) collate utf8mb4_bin primary key, n int)");
      expect((await repairs.repair(checkOf())).result).toMatchObject({ inserted: 1n });
      await src.run("insert into t values ('a ', 2)");
      await expect(repairs.repair(checkOf())).rejects.toThrow(/differ in blanks/);
    });
  });
});
