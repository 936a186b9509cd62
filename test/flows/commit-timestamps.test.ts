import { expect, test } from "vitest";
import type { Check } from "../../src/domain/check.ts";
import { must } from "../../src/domain/errors.ts";
import { parseInstant } from "../../src/domain/position.ts";
import { traceRow } from "../../src/flows/trace.ts";
import { compared, openWorld } from "../scenarios/world.ts";
import { describeEngine, freshDatabase, type TestDatabase } from "../support/databases.ts";
import { checkOf } from "../support/timeline.ts";
import { diagnose } from "../support/findings.ts";

const SOURCE = "create table grades (id bigint primary key, at timestamptz not null)";
const LEDGER = `create table runs (id int primary key, "from" timestamptz, "to" timestamptz, started timestamptz, finished timestamptz, status text, rows bigint)`;

/** Loses row 9 to a transaction that commits behind the clock; everything else reaches the target. */
async function loseOne(source: TestDatabase, target: TestDatabase): Promise<bigint> {
  await source.run(SOURCE);
  await source.run(
    "insert into grades select n, now() - interval '1 minute' * (120 - 10 * n) from generate_series(1, 8) n",
  );
  await target.run(`${SOURCE}; ${LEDGER}`);
  await source.run("select pg_sleep(0.05)");
  const run = async (id: number, from: string, to: string): Promise<void> => {
    await target.run(
      `insert into runs values (${id}, now() - interval '${from}', now() - interval '${to}', clock_timestamp(), clock_timestamp(), 'success', 8)`,
    );
  };
  await run(1, "1 day", "20 minutes");
  await source.run("select pg_sleep(0.05)");
  await source.run("insert into grades values (9, now() - interval '75 minutes')");
  const [committed] = await source.rows("select pg_xact_commit_timestamp(xmin)::text from grades where id = 9");
  await source.run("select pg_sleep(0.05)");
  await run(2, "20 minutes", "15 minutes");
  const rows = await source.rows("select id, at from grades where id < 9");
  await target.run(`insert into grades values ${rows.map(([id, at]) => `(${id}, '${at}')`).join(", ")}`);
  return must(parseInstant(committed?.[0] ?? ""), "the server knows when row 9 was committed");
}

const check = (changes: Partial<Check> = {}): Check => {
  const base = checkOf({ arrival: { by: "commit-timestamp" }, ...changes });
  return { ...base, compare: { ...base.compare, recheck: { ...base.compare.recheck, rounds: 0 } } };
};

describeEngine("postgres", "commit timestamps", () => {
  test("a row committed behind the clock is observed to be, and its copy says when it arrived", async () => {
    await using source = await freshDatabase("postgres");
    await using target = await freshDatabase("postgres");
    const committed = await loseOne(source, target);
    await using world = await openWorld({ src: source, dst: target });
    const { facts, differences } = await compared(check(), world);
    expect(differences).toMatchObject([{ type: "missing", key: ["9"], source: { arrival: committed } }]);
    expect(facts.ledger?.clocks[1]).toMatchObject({ witness: "commit-timestamps", certainty: "exact" });
    expect(facts.ledger?.arrivals).toMatchObject({ rows: 9n });
    const missing = diagnose(facts, differences).find(({ code }) => code === "missing-rows");
    expect(missing?.causes).toMatchObject([{ code: "late-commit", rows: 1, confidence: "observed", runs: ["1"] }]);
    const trace = await traceRow(check(), ["9"], world.world);
    expect(trace).toMatchObject({ source: { arrival: committed }, windows: [{ run: { id: "1" }, saw: false }] });
    // One row was compared: whether such a lag is usual takes them all.
    expect(trace.verdict).toMatchObject({ cause: "late-commit", confidence: "inferred" });
  });

  test("a view keeps none: the tables are compared all the same, and the check says what it cannot know", async () => {
    await using source = await freshDatabase("postgres");
    await using target = await freshDatabase("postgres");
    await loseOne(source, target);
    await source.run("create view shown as select * from grades");
    await using world = await openWorld({ src: source, dst: target });
    const base = check({ key: ["id"] });
    const asked = { ...base, source: { ...base.source, table: { schema: null, name: "shown" } } };
    await expect(compared(asked, world)).rejects.toThrow(/is no table/);
  });
});
