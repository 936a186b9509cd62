import { expect, test } from "vitest";
import type { Check } from "../../src/domain/check.ts";
import { weighReplica } from "../../src/flows/read-facts/read-replica.ts";
import { describeEngine, freshDatabase } from "../support/databases.ts";
import { checkFor } from "./two-tables.ts";
import { compared, openWorld } from "./world.ts";

describeEngine("postgres", "a source that is a replica", () => {
  test("is not taken at its word beyond its own clock: what its primary already has may have reached the target", async () => {
    const table =
      "create table t (id int primary key, v int, changed timestamptz not null); insert into t select g, g, timestamptz '2026-06-01 00:00:00Z' + g * interval '1 minute' from generate_series(1, ";
    await using primary = await freshDatabase("postgres", { load: `${table}10) g` });
    await using replica = await freshDatabase("postgres", { load: `${table}8) g` });
    await using target = await freshDatabase("postgres", { load: `${table}10) g; delete from t where id = 3` });
    const check: Check = {
      ...checkFor({}),
      key: ["id"],
      strategy: "cursor",
      cursor: { column: "changed", unit: null, page: 10_000 },
    };
    const connections = { src: replica, dst: target, primary };
    const types = async (replicas: Readonly<Record<string, string>>) => {
      await using world = await openWorld(connections, replicas);
      const { differences, facts } = await compared(check, world);
      return { types: differences.map((d) => `${d.type} ${d.key.join()}`).toSorted(), notes: facts.comparison?.notes };
    };
    expect((await types({})).types).toEqual(["extra 10", "extra 9", "missing 3"]);
    const known = await types({ src: "primary" });
    expect(known.types).toEqual(["missing 3"]);
    expect(known.notes).toEqual([
      "the source is a replica of primary and 2 min behind it: rows beyond 2026-06-01T00:08:00.000000Z are not judged",
    ]);
  });
});

test("a replica that is level with its primary is judged whole", () => {
  expect(weighReplica(true, { connection: "p", clock: 5n }, 5n, "sequence")).toEqual({ until: null, note: null });
  expect(weighReplica(true, { connection: "p", clock: 9n }, 5n, "sequence").until).toBe(5n);
  expect(weighReplica(false, null, 5n, "time")).toEqual({ until: null, note: null });
  expect(weighReplica(true, null, 5n, "time").note).toContain("replica_of");
});
