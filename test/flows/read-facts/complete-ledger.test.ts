import { expect, test } from "vitest";
import { successfulRuns } from "../../../src/domain/ledger-index.ts";
import { must } from "../../../src/domain/errors.ts";
import { openCheck, bothSides, openSnapshots, connectionsOf, reopen } from "../../../src/flows/open-check.ts";
import type { World } from "../../../src/flows/ports.ts";
import { traceRow } from "../../../src/flows/trace.ts";
import { type ReadLedger, readLedger } from "../../../src/flows/read-facts/read-ledger-facts.ts";
import { compared, openWorld } from "../../scenarios/world.ts";
import { describePairs, freshDatabase, type TestDatabase, type TestEngine } from "../../support/databases.ts";
import { checkOf, MINUTE } from "../../support/timeline.ts";
import { diagnose } from "../../support/findings.ts";

const TIME: Readonly<Record<TestEngine, string>> = {
  postgres: "timestamp(6)",
  mariadb: "datetime(6)",
  mysql: "datetime(6)",
  sqlite: "datetime",
};

/** Wall-clock microseconds, to the second, a day ago. */
const NOW = (BigInt(Date.now()) / 1_000_000n) * 1_000_000_000n - 86_400_000_000n;
const at = (minutes: number): string =>
  new Date(Number((NOW + BigInt(minutes) * MINUTE) / 1000n)).toISOString().slice(0, 19).replace("T", " ");

type Planted = "nothing" | "the import" | "a recent import";

/**
 * Rows 1–20 arrive two minutes after they are stamped, each into its own run; 120 old ones (101–220) are imported in one go at the end.
 * Recent ones are no more than ten times as late as the others.
 */
async function plant(source: TestDatabase, target: TestDatabase, lost: Planted): Promise<void> {
  const [lag, first] = lost === "a recent import" ? [4, 16] : [2, 0];
  const usual = Array.from({ length: 20 }, (_, n) => [n + 1, at(10 * n), at(10 * n + lag)]);
  const old = Array.from({ length: 120 }, (_, n) => [
    101 + n,
    at(10 * (first + (n % (first === 0 ? 6 : 3))) + 1 + (n % 9)),
    at(201),
  ]);
  const values = (rows: readonly (readonly (string | number)[])[]): string =>
    rows.map((row) => `(${row.map((v) => `'${v}'`).join(", ")})`).join(", ");
  await source.run(
    `create table grades (id int primary key, at ${TIME[source.engine]} not null, came ${TIME[source.engine]} not null)`,
  );
  await source.run("create index grades_at on grades (at)");
  await source.run(`insert into grades values ${values([...usual, ...old])}`);
  await target.run(`create table grades (id int primary key, at ${TIME[target.engine]} not null)`);
  const held = lost === "nothing" ? [...usual, ...old] : usual;
  await target.run(`insert into grades values ${values(held.map(([id, x]) => [id ?? 0, x ?? ""]))}`);
  const t = TIME[target.engine];
  await target.run(
    `create table runs (id int primary key, lo ${t}, hi ${t}, started ${t}, finished ${t}, status varchar(10), n int)`,
  );
  const runs = Array.from({ length: 21 }, (_, n) => [
    n + 1,
    at(10 * n - 10),
    at(10 * n),
    at(10 * n + 5),
    at(10 * n + 5),
    "success",
    1,
  ]);
  await target.run(`insert into runs values ${values(runs)}`);
}

const check = () => {
  const base = checkOf({
    arrival: { by: "column", column: "came" },
    columns: { only: ["id", "at"], exclude: [], rename: {}, tolerance: {}, treat: {} },
  });
  const columns = {
    id: "id",
    from: "lo",
    to: "hi",
    started: "started",
    finished: "finished",
    status: "status",
    rows: "n",
    kind: null,
    data_clock: null,
  };
  return {
    ...base,
    runs: base.runs && { ...base.runs, columns },
    compare: { ...base.compare, recheck: { ...base.compare.recheck, rounds: 0 } },
  };
};

describePairs(
  [
    ["postgres", "postgres"],
    ["mariadb", "mariadb"],
    ["sqlite", "sqlite"],
  ],
  "a ledger completed by what the comparison found",
  (source, target) => {
    const completed = async (lost: Planted) => {
      await using src = await freshDatabase(source);
      await using dst = await freshDatabase(target);
      await plant(src, dst, lost);
      await using world = await openWorld({ src, dst });
      return await compared(check(), world);
    };

    test("where nothing is lacking: all lags count, and nobody looks for imports", async () => {
      const { facts, differences } = await completed("nothing");
      expect(differences).toEqual([]);
      const ledger = must(facts.ledger, "there is a ledger");
      expect([...ledger.lacking.at].every((n) => n === 0n)).toBe(true);
      expect(ledger.arrivals?.rows).toBe(140n);
      expect(ledger.arrivals?.lagOfArrived?.p99).toBeGreaterThan(100n * MINUTE);
      expect(ledger.arrivals?.imports).toEqual([]);
    });

    test("where an import is lacking: it is counted along the axis, and left out of the usual lag, which tells it without its crowd", async () => {
      const { facts, differences } = await completed("the import");
      expect(differences).toHaveLength(120);
      const ledger = must(facts.ledger, "there is a ledger");
      const lacking = [...ledger.lacking.at, ...ledger.lacking.between].reduce((sum, n) => sum + n, 0n);
      expect(lacking).toBe(120n);
      expect(ledger.arrivals?.lagOfArrived).toEqual({ p99: 2n * MINUTE });
      expect(ledger.arrivals?.imports).toEqual([]);
      expect(successfulRuns(ledger.runs)).toHaveLength(21);
      const [missing] = diagnose(facts, differences).filter(({ code }) => code === "missing-rows");
      expect(missing?.causes).toMatchObject([{ code: "old-dated", rows: 120, confidence: "observed" }]);
    });

    test("where lacking rows are late, but not far later than the others: they are found to have one arrival", async () => {
      const { facts, differences } = await completed("a recent import");
      expect(differences).toHaveLength(120);
      const ledger = must(facts.ledger, "there is a ledger");
      expect(ledger.arrivals?.lagOfArrived).toEqual({ p99: 4n * MINUTE });
      expect(ledger.arrivals?.imports).toEqual([{ arrival: NOW + 201n * MINUTE, rows: 120n }]);
      const [missing] = diagnose(facts, differences).filter(({ code }) => code === "missing-rows");
      expect(missing?.causes).toMatchObject([{ code: "old-dated", rows: 120, confidence: "observed" }]);
    });

    test("a look at some rows only is never sure whether they were imported or came late", async () => {
      await using src = await freshDatabase(source);
      await using dst = await freshDatabase(target);
      await plant(src, dst, "a recent import");
      await using world = await openWorld({ src, dst });
      const { verdict } = await traceRow(check(), ["101"], world.world);
      expect(verdict).toMatchObject({ finding: "missing-rows", confidence: "inferred" });
      expect(["old-dated", "late-commit"]).toContain(verdict.cause);
      expect(verdict.says).toContain("some rows were compared");
    });

    test("its first snapshots may be closed by then: it asks through a side of its own", async () => {
      await using src = await freshDatabase(source);
      await using dst = await freshDatabase(target);
      await plant(src, dst, "the import");
      await using world = await openWorld({ src, dst });
      const { differences } = await compared(check(), world);
      const open = await openCheck(check(), world.world.databases);
      const read = await readOnce(open, world.world);
      await using sides = await reopen(open);
      const ledger = await read.complete(() => differences, sides.source);
      expect(ledger.arrivals).toMatchObject({ lagOfArrived: { p99: 2n * MINUTE }, imports: [] });
    });
  },
);

/** Reads the ledger in snapshots that are closed when it comes back. */
async function readOnce(open: Awaited<ReturnType<typeof openCheck>>, world: World): Promise<ReadLedger> {
  await using snapshots = await openSnapshots(open, connectionsOf(open.check));
  const { source } = bothSides(open, snapshots);
  const { ledgers } = world;
  return await readLedger(open.check, {
    source,
    sourceClock: Promise.resolve(null),
    now: world.clock.now(),
    observations: [],
    ledgers,
    snapshotOf: (connection) => snapshots.of(connection),
  });
}
