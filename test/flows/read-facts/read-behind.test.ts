import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isBefore, successfulRuns } from "../../../src/domain/ledger-index.ts";
import { leftEdges } from "../../../src/domain/left-edges.ts";
import { must } from "../../../src/domain/errors.ts";
import { arrivalSide } from "../../../src/flows/read-facts/arrival-side.ts";
import { readBehind } from "../../../src/flows/read-facts/read-behind.ts";
import type { Database } from "../../../src/sql/session.ts";
import { describeEngines, freshDatabase, type TestDatabase } from "../../support/databases.ts";
import { open } from "../../support/open.ts";
import { checkOf, MINUTE, type RunLine, t, timeline } from "../../support/timeline.ts";
import { sideOf } from "./facts-of-a-table.ts";

const at = (minute: number): bigint => t("10 00:00") + BigInt(minute) * MINUTE;
const text = (minute: number): string =>
  `2026-06-10 ${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}:00`;

const rowsArbitrary = fc.array(
  fc.record({
    x: fc.integer({ min: 0, max: 200 }),
    lag: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 120 })),
  }),
  { minLength: 1, maxLength: 25 },
);
const runsArbitrary = fc
  .array(
    fc.record({ wait: fc.integer({ min: 1, max: 40 }), back: fc.integer({ min: 0, max: 20 }), backfill: fc.boolean() }),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((steps) => {
    let now = 20;
    return steps.map(({ wait, back, backfill }, i): RunLine => {
      const from = at(now - back);
      now += wait;
      return { id: `${i}`, from, to: at(now), started: at(now), backfill: backfill && i > 0 };
    });
  });

describeEngines(["postgres", "mariadb", "sqlite"], "rows behind the edges of policies", (engine) => {
  let server: TestDatabase;
  let database: Database;
  const type = engine === "mariadb" ? "datetime(6)" : engine === "sqlite" ? "datetime" : "timestamp";

  beforeAll(async () => {
    server = await freshDatabase(engine);
    await server.run(`create table t (id int primary key, x ${type} null, a ${type} null)`);
    database = await open(server.url);
  });
  afterAll(async () => {
    await database?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  test("are those that a look at every row finds", async () => {
    await fc.assert(
      fc.asyncProperty(
        rowsArbitrary,
        runsArbitrary,
        fc.constantFrom("(]" as const, "[)" as const),
        async (rows, runs, ends) => {
          await server.run("delete from t");
          await server.run(
            `insert into t values (0, null, null), ${rows.map(({ x, lag }, i) => `(${i + 1}, '${text(x)}', '${text(x + lag)}')`).join(", ")}`,
          );
          const told = timeline({
            rows: rows.map(({ x, lag }, i) => ({ id: i + 1, x: at(x), a: at(x + lag) })),
            runs,
            ends,
          });
          const ledger = must(told.facts.ledger, "there is a ledger");
          await using snapshot = await database.snapshot(1);
          const side = await sideOf(database, snapshot, "t", { timezone: "UTC" });
          const arrivals = must(
            await arrivalSide(checkOf({ arrival: { by: "column", column: "a" } }), side),
            "the source says when rows arrived",
          );
          const found = await readBehind(side, arrivals, ledger, told.facts.now);

          const successes = successfulRuns(ledger.runs);
          const edges = leftEdges(ledger, "time");
          const left = successes.reduce<bigint | null>(
            (least, { window }) => (least === null || (window.from ?? 0n) < least ? window.from : least),
            null,
          );
          for (const group of found) {
            const nextRun = group.nextRun;
            if (nextRun === null) continue;
            const here = rows.filter(({ x, lag }) => {
              const next = successes.findIndex((run) => run.started >= at(x + lag));
              return next === nextRun && (left === null || (ends === "(]" ? at(x) > left : at(x) >= left));
            });
            const behind = (policy: "ledger" | "wallClock" | "dataClock") =>
              BigInt(here.filter(({ x }) => isBefore(at(x), edges(nextRun)[policy])).length);
            expect(group.behind).toEqual({
              ledger: behind("ledger"),
              wallClock: behind("wallClock"),
              dataClock: behind("dataClock"),
            });
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});
