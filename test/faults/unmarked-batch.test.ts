import { expect, test } from "vitest";
import { FileError } from "../../src/domain/errors.ts";
import { openRepairs } from "../flows/repair/repair-world.ts";
import { checkFor } from "../scenarios/two-tables.ts";
import { describeEngines, freshDatabase } from "../support/databases.ts";

describeEngines(
  ["postgres", "mariadb", "sqlite"],
  "a batch that is committed, and whose mark in the undo log is lost",
  (engine) => {
    test("is undone exactly, though the source changes and --resume writes its rows anew", async () => {
      await using src = await freshDatabase(engine);
      await using dst = await freshDatabase(engine);
      await using repairs = await openRepairs({ src, dst });
      for (const database of [src, dst]) await database.run("create table t (id int primary key, n int)");
      await src.run("insert into t values (1, 10), (2, 20), (3, 30)");
      await dst.run("insert into t values (1, 1), (3, 30)");
      const before = await dst.rows("select * from t order by id");
      const check = checkFor({ key: ["id"] });
      const files: typeof repairs.world.files = {
        ...repairs.world.files,
        append(file, id) {
          const lines = repairs.world.files.append(file, id);
          const write = (some: readonly string[]): void => {
            if (some.some((line) => line.startsWith('{"committed"'))) throw new FileError("no room");
            lines.write(some);
          };
          return { ...lines, write, sync: () => lines.sync(), [Symbol.dispose]: () => lines[Symbol.dispose]() };
        },
      };
      const stopped = await repairs.repair(check, {}, { files });
      // It is done, and so it is counted.
      expect(stopped).toMatchObject({
        status: "stopped",
        failure: { message: "no room" },
        result: { inserted: 1n, updated: 1n },
      });
      await src.run("update t set n = n + 1 where id < 3");
      const resumed = await repairs.repair(check, { resume: true });
      expect(resumed).toMatchObject({ id: stopped.id, status: "finished", result: { inserted: 1n, updated: 3n } });
      expect(await dst.rows("select * from t order by id")).toEqual([
        ["1", "11"],
        ["2", "21"],
        ["3", "30"],
      ]);
      const undone = await repairs.undo(resumed.id);
      expect(undone.leftAlone).toEqual([]);
      expect(await dst.rows("select * from t order by id")).toEqual(before);
    });
  },
);
