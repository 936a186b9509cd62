import { afterAll, beforeAll, expect, test } from "vitest";
import type { Check } from "../../../src/domain/check.ts";
import { parseInstant } from "../../../src/domain/position.ts";
import type { ArrivalFacts } from "../../../src/domain/facts.ts";
import { arrivalSide } from "../../../src/flows/read-facts/arrival-side.ts";
import { type ArrivalQuestion, readArrivals } from "../../../src/flows/read-facts/read-arrivals.ts";
import type { Database } from "../../../src/sql/session.ts";
import { checkOf } from "../../compare/build.ts";
import { describeEngine, freshDatabase, type TestDatabase } from "../../support/databases.ts";
import { open } from "../../support/open.ts";
import { sideOf } from "./facts-of-a-table.ts";

const SECOND = 1_000_000n;
const ROWS = 700_000;
/** What the catalogue would say of a table that is too large to be read whole. */
const LARGE = 5_000_000n;
const START = parseInstant("2026-06-01") ?? 0n;

describeEngine("postgres", "lags of very many rows", () => {
  let server: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    server = await freshDatabase("postgres");
    // A row a second; lags of 1 to 1,000 seconds, each as often, but for one row in ten thousand, which takes a day, and the last, which takes a week.
    const lag = `case when i = ${ROWS} then 604800 when i % 10000 = 7 then 86400 else 1 + i::bigint * 7919 % 1000 end`;
    await server.run(`create table t (id int primary key, x timestamp, a timestamp);
      insert into t select i, timestamp '2026-06-01' + i * interval '1 s', timestamp '2026-06-01' + (i + ${lag}) * interval '1 s' from generate_series(1, ${ROWS}) i`);
    database = await open(server.url);
  }, 120_000);
  afterAll(async () => {
    await database?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  async function arrivals(asked: Partial<ArrivalQuestion> = {}): Promise<ArrivalFacts> {
    await using snapshot = await database.snapshot(2);
    const side = await sideOf(database, snapshot, "t");
    const large = { ...side, table: { ...side.table, estimatedRows: LARGE } };
    const check: Check = { ...checkOf(), arrival: { by: "column", column: "a" } };
    const arrival = await arrivalSide(check, large);
    if (arrival === null) throw new Error("no arrival");
    const question = {
      starts: [START],
      successful: [START],
      stretch: null,
      now: START + 60n * 86_400n * SECOND,
      future: 0n,
    };
    return (await readArrivals(large, arrival, { ...question, ...asked })).facts;
  }
  const total = ({ histogram = [] }: ArrivalFacts): bigint => histogram.reduce((sum, { rows }) => sum + rows, 0n);

  test("are told from a sample, the largest from all rows", async () => {
    const told = await arrivals();
    expect(Number(told.sampled)).toBeGreaterThan(ROWS / 10);
    expect(Number(told.sampled)).toBeLessThan(ROWS / 3);
    expect(told.rows).toBe(BigInt(ROWS));
    expect(total(told)).toBe(BigInt(ROWS));
    expect(told.lag?.max).toBe(604_800n * SECOND);
    // A part of the histogram is a sixteenth wide, and so many rows chosen by pages are off by less.
    expect(Number((told.lag?.p50 ?? 0n) / SECOND)).toBeGreaterThan(500 * 0.95);
    expect(Number((told.lag?.p50 ?? 0n) / SECOND)).toBeLessThan(500 * 1.1);
    expect(Number((told.lag?.p99 ?? 0n) / SECOND)).toBeGreaterThan(990 * 0.95);
    expect(Number((told.lag?.p99 ?? 0n) / SECOND)).toBeLessThan(990 * 1.1);
  }, 60_000);

  test("are told from the same sample the next time", async () => {
    const [first, second] = [await arrivals(), await arrivals()];
    expect(second).toEqual({ ...first, groups: second.groups });
  }, 60_000);

  test("are told from all rows where they are asked for", async () => {
    const told = await arrivals({ wholeLags: true });
    expect(told.sampled).toBeUndefined();
    expect(total(told)).toBe(BigInt(ROWS));
  }, 60_000);

  test("are told from all rows where a sample would hold too few of them", async () => {
    const first = START + BigInt(ROWS - 50_000) * SECOND;
    const told = await arrivals({ stretch: { at: first, closed: false } });
    expect(told.sampled).toBeUndefined();
    expect(told.rows).toBe(50_000n);
    // So few are told exactly.
    expect(told.lag).toEqual({ p50: 501n * SECOND, p99: 991n * SECOND, max: 604_800n * SECOND });
  }, 60_000);
});
