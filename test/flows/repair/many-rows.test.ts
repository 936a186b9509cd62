import { afterEach, beforeEach, expect, test } from "vitest";
import { describePairs, freshDatabase, type TestDatabase } from "../../support/databases.ts";
import { checkOf, openRepairs, type TestRepairs } from "./repair-world.ts";

describePairs(
  [
    ["postgres", "postgres"],
    ["postgres", "mariadb"],
    ["mariadb", "postgres"],
    ["mariadb", "mariadb"],
    ["sqlite", "sqlite"],
  ],
  "a repair of rows that the target lacks",
  (source, target) => {
    let src: TestDatabase;
    let dst: TestDatabase;
    let repairs: TestRepairs;
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
    const fill = async (database: TestDatabase, ids: readonly number[]): Promise<void> => {
      const note = (id: number): string =>
        id % 3 === 0 ? "null" : `'tab\t of ${id} é😀${id % 5 === 0 ? " it''s" : ""}'`;
      for (let i = 0; i < ids.length; i += 500)
        await database.run(
          `insert into t (id, n, note) values ${ids
            .slice(i, i + 500)
            .map((id) => `(${id}, ${id * 2}, ${note(id)})`)
            .join(", ")}`,
        );
    };
    const seen = async (database: TestDatabase): Promise<string[]> =>
      (await database.rows("select id, n, note from t order by id")).map((row) => JSON.stringify(row));
    const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);

    test.for([
      ["all of them", (): boolean => false],
      ["all but a stretch", (id: number): boolean => id > 700 && id < 1500],
      ["every third", (id: number): boolean => id % 3 !== 0],
    ] as const)(
      "brings over %s exactly, and undoes it exactly, but for what has changed since",
      async ([, isThere]) => {
        await src.run("create table t (id bigint primary key, n int not null, note text)");
        await dst.run(
          "create table t (id bigint primary key, n int not null, note text, own varchar(9) default 'ours')",
        );
        const ids = upTo(3_000);
        await fill(src, ids);
        await fill(dst, ids.filter(isThere));
        const before = await seen(dst);
        const outcome = await repairs.repair(checkOf());
        const missing = ids.length - before.length;
        expect(outcome.result).toMatchObject({ inserted: BigInt(missing), updated: 0n, quarantined: 0n });
        expect(await seen(dst)).toEqual(await seen(src));
        expect(await dst.rows("select count(*) from t where own = 'ours'")).toEqual([["3000"]]);
        const [one, other] = ids.filter((id) => !isThere(id)).slice(5);
        await dst.run(`update t set n = -1 where id = ${one}; update t set own = 'mine' where id = ${other}`);
        expect((await repairs.undo(outcome.id)).counts).toMatchObject({ removed: BigInt(missing - 2), leftAlone: 2n });
        await dst.run(`delete from t where id in (${one}, ${other})`);
        expect(await seen(dst)).toEqual(before);
      },
    );

    test("looks at rows one by one where another one holds a value that has to be unique", async () => {
      await src.run("create table t (id bigint primary key, n int not null, note text)");
      await dst.run("create table t (id bigint primary key, n int not null unique, note text)");
      await fill(src, upTo(600));
      await dst.run("insert into t (id, n, note) values (9000, 84, 'ours')");
      const outcome = await repairs.repair(checkOf());
      expect(outcome.result).toMatchObject({ inserted: 599n, quarantined: 1n });
      expect(await dst.rows("select n, note from t where id = 9000")).toEqual([["84", "ours"]]);
      expect(await dst.rows("select count(*) from t where id = 42")).toEqual([["0"]]);
    });

    test("gives rows that were refused before it was stopped their second chance when it goes on", async () => {
      await src.run("create table t (id bigint primary key, n int not null, note text)");
      await dst.run("create table t (id bigint primary key, n int not null unique, note text)");
      await fill(src, upTo(60));
      await dst.run("insert into t (id, n) values (9000, 4), (9001, 8), (9002, 100)");
      const check = checkOf({ repair: { batchRows: 10, maxPoison: 1 } });
      const stopped = await repairs.repair(check);
      expect(stopped).toMatchObject({ status: "stopped", result: { quarantined: 2n } });
      await dst.run("delete from t where id in (9000, 9002)");
      const resumed = await repairs.repair({ ...check, repair: { ...check.repair, maxPoison: 10 } }, { resume: true });
      expect(resumed).toMatchObject({ id: stopped.id, status: "finished", result: { inserted: 59n, quarantined: 1n } });
      const released = repairs.lines("quarantine").filter((line) => line["released"] === true);
      expect(released.map((line) => line["key"])).toEqual([{ id: 2 }]);
      expect(await dst.rows("select n from t where id = 2")).toEqual([["4"]]);
    });
  },
);

describePairs(
  [
    ["postgres", "mariadb"],
    ["mariadb", "postgres"],
  ],
  "the plan of a repair",
  (source, target) => {
    test("counts the rows that the target's types cannot take, and says why", async () => {
      await using src = await freshDatabase(source);
      await using dst = await freshDatabase(target);
      await using repairs = await openRepairs({ src, dst });
      await src.run(
        "create table t (id bigint primary key, n bigint, amount decimal(12,2), name varchar(40), code varchar(5))",
      );
      await dst.run(
        "create table t (id bigint primary key, n int, amount decimal(6,2), name varchar(8), code varchar(5) not null)",
      );
      await src.run(
        "insert into t values (1, 1, 1, 'short', 'a'), (2, 3000000000, 1, 'much longer', 'a'), (3, -3000000000, 9999.99, 'žluťoučk', 'a'), (4, 1, 10000, 'x', null), (5, null, null, null, 'b')",
      );
      const { plan } = await repairs.repair(checkOf(), { apply: false });
      expect(plan.counts).toMatchObject({ insert: 5n });
      const note = plan.notes.find((each) => each.includes("cannot be taken")) ?? "";
      expect(note).toMatch(/^3 rows of the source cannot be taken by the target and would be put aside: /);
      expect(note).toContain("1 where code is NULL, which code must not be");
      expect(note).toContain("1 where name is longer than the 8 characters of name");
      expect(note).toMatch(/1 where amount is out of the range of amount/);
      expect(note).toMatch(/1 where n is out of the range of n/);
      const outcome = await repairs.repair(checkOf());
      expect(outcome.result).toMatchObject({ inserted: 2n, quarantined: 3n });
    });
  },
);
