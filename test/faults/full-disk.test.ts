import { expect, test } from "vitest";
import { describePairs } from "../support/databases.ts";
import { alone, logged, orders, printed, REPAIR, same } from "./orders.ts";

/** No file may grow beyond this (in the 512 bytes that a shell counts in): the undo log comes to more, the state does not. */
const LIMIT = "trap '' XFSZ; ulimit -f 400";

describePairs(
  [
    ["postgres", "postgres"],
    ["postgres", "mariadb"],
  ],
  "a repair whose undo log finds no room",
  (source, target) => {
    test("does not commit what it could not undo, says so with a 3, and is gone on with where there is room again", async () => {
      await using it = await orders([source, target], { rows: 3_000, extra: 3, batchRows: 100 });
      const were = await it.all();
      const ran = await it.run(REPAIR, { shell: LIMIT });
      expect(ran, ran.stderr).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/cannot write .*undo\.jsonl: EFBIG\n.*--resume/) as string,
      });
      expect(printed(ran)).toMatchObject({ status: "stopped" });
      await alone(it.target);
      // Every row that is not as it was stands in the log, which holds no half of a batch.
      const before = new Map(were.map((row) => [JSON.parse(row)[0], row]));
      const touched = (await it.all()).filter((row) => before.get(JSON.parse(row)[0]) !== row).length;
      const rows = logged(it.log("undo")).filter((line) => "op" in line);
      expect(touched).toBeGreaterThan(0);
      expect(rows.filter((row) => row["op"] !== "d")).toHaveLength(touched);
      const { inserted, updated } = printed(ran).result as Record<"inserted" | "updated", number>;
      expect(inserted + updated).toBe(touched);
      const resumed = await it.run([...REPAIR, "--resume"]);
      expect(resumed, resumed.stderr).toMatchObject({ code: 0 });
      same(await it.seen("target"), await it.seen("source"));
      const undone = await it.run(["undo", printed(resumed).id, "--apply"]);
      expect(undone, undone.stderr).toMatchObject({ code: 0 });
      same(await it.all(), were);
    });
  },
);
