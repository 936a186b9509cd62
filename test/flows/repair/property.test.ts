import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkFor } from "../../scenarios/two-tables.ts";
import { describePairs, freshDatabase, type TestDatabase } from "../../support/databases.ts";
import { isInRun, kept, type ModelLedger, modelLedgers } from "./model-ledger.ts";
import { openRepairs, type TestRepairs } from "./repair-world.ts";

/** A row of the model. `own` is a column of the target that the check does not know. */
type ModelRow = {
  readonly id: number;
  readonly at: number | null;
  readonly text: string | null;
  readonly n: number | null;
};

const rows = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 1, max: 30 }),
    at: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 0, max: 12 }) },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
    text: fc.option(fc.constantFrom("", " ", "a", "A", "a ", "é", "😀", "NULL", "\\N", "x\ty\nz", "'", '"')),
    n: fc.option(fc.integer({ min: -3, max: 3 })),
  }),
  { selector: (row) => row.id, maxLength: 25 },
);

type Range = { readonly text: string | null; holds(row: ModelRow): boolean };

const WHOLE: Range = { text: null, holds: () => true };
const ranges: fc.Arbitrary<Range> = fc.oneof(
  fc.constant(WHOLE),
  fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 6 })).map(
    ([from, length]): Range => ({
      text: `${from}..${from + length}`,
      holds: ({ at }) => at !== null && at >= from && at < from + length,
    }),
  ),
  fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 20 })).map(
    ([from, length]): Range => ({
      text: `key:${from}..${from + length}`,
      holds: ({ id }) => id >= from && id < from + length,
    }),
  ),
);

/** A ledger in some state, or none; and a range, which may be the window of one of its runs, whatever became of that run. */
type Asked = { readonly ledger: ModelLedger | null; readonly range: Range };

const asked: fc.Arbitrary<Asked> = fc.oneof(
  ranges.map((range): Asked => ({ ledger: null, range })),
  fc.tuple(modelLedgers, ranges, fc.nat()).map(([ledger, range, n]): Asked => {
    const windowed = ledger.runs.filter((run) => run.to !== null);
    const run = windowed[n % (2 * windowed.length)];
    return run === undefined
      ? { ledger, range }
      : { ledger, range: { text: `run:${run.id}`, holds: ({ at }) => isInRun(ledger, run, at) } };
  }),
);

/** What the target holds after a repair of the range: the source's copy of every row in it, but where the target's is newer. */
function repaired(
  source: readonly ModelRow[],
  target: readonly ModelRow[],
  range: Range,
): ReadonlyMap<number, ModelRow> {
  const result = new Map(target.map((row) => [row.id, row]));
  for (const row of source) {
    const there = result.get(row.id);
    const newer = there !== undefined && there.at !== null && (row.at === null || there.at > row.at);
    if (range.holds(row) && !newer) result.set(row.id, row);
  }
  return result;
}

const literal = (value: string | number | null): string =>
  value === null ? "null" : typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`;

async function fill(database: TestDatabase, content: readonly ModelRow[], own: boolean): Promise<void> {
  await database.run("delete from t");
  if (content.length === 0) return;
  const escape = (text: string): string =>
    database.engine === "mariadb" || database.engine === "mysql" ? text.replaceAll("\\", "\\\\") : text;
  const tuples = content.map(
    ({ id, at, text, n }) =>
      `(${id}, ${at ?? "null"}, ${escape(literal(text))}, ${n ?? "null"}${own ? `, 'own ${id}'` : ""})`,
  );
  await database.run(`insert into t (id, at, text, n${own ? ", own" : ""}) values ${tuples.join(", ")}`);
}

describePairs(
  (["postgres", "mariadb", "sqlite"] as const).flatMap((source) =>
    (["postgres", "mariadb", "sqlite"] as const).map((target) => [source, target] as const),
  ),
  "a repair of a random range of random tables",
  (source, target) => {
    let src: TestDatabase;
    let dst: TestDatabase;
    let repairs: TestRepairs;
    beforeAll(async () => {
      src = await freshDatabase(source);
      dst = await freshDatabase(target);
      const columns = (engine: string): string =>
        `id bigint primary key, at bigint, text ${engine === "mariadb" ? "varchar(20) collate utf8mb4_nopad_bin" : "varchar(20)"}, n int`;
      await src.run(`create table t (${columns(source)})`);
      await dst.run(`create table t (${columns(target)}, own varchar(20) default 'fresh')`);
      repairs = await openRepairs({ src, dst });
    });
    afterAll(async () => {
      await repairs[Symbol.asyncDispose]();
      await src[Symbol.asyncDispose]();
      await dst[Symbol.asyncDispose]();
    });

    test("makes the target equal the source inside of it but for newer rows, whatever the ledger says, touches nothing else, and is undone exactly", async () => {
      await fc.assert(
        fc.asyncProperty(
          rows,
          rows,
          asked,
          fc.integer({ min: 1, max: 7 }),
          async (sourceRows, targetRows, { ledger, range }, batchRows) => {
            await fill(src, sourceRows, false);
            await fill(dst, targetRows, true);
            const all = "select id, at, text, n, own from t order by id";
            const before = await dst.rows(all);
            const base = checkFor({ key: ["id"], cursor: { column: "at", unit: null, page: 100 } });
            const runs = ledger === null ? null : kept(ledger);
            const check = {
              ...base,
              runs: runs?.runs ?? null,
              repair: { ...base.repair, batchRows },
              compare: { ...base.compare, recheck: { rounds: 0, wait: base.compare.recheck.wait } },
            };
            const world = runs === null ? {} : { ledgers: runs.ledgers };
            const outcome = await repairs.repair(check, { range: range.text }, world);
            expect(outcome.failure).toBeNull();
            expect(outcome.result?.quarantined).toBe(0n);

            const wanted = repaired(sourceRows, targetRows, range);
            const old = new Set(targetRows.map((row) => row.id));
            const text = (value: string | number | null): string | null => (value === null ? null : String(value));
            const rowsNow = await dst.rows(all);
            expect(rowsNow).toEqual(
              [...wanted.values()]
                .toSorted((a, b) => a.id - b.id)
                .map((row) => [
                  String(row.id),
                  text(row.at),
                  row.text,
                  text(row.n),
                  old.has(row.id) ? `own ${row.id}` : "fresh",
                ]),
            );

            // Again: there is nothing to do, and nothing is done.
            const again = await repairs.repair(check, { range: range.text }, world);
            expect(again.result).toMatchObject({ inserted: 0n, updated: 0n, deleted: 0n });
            expect(again.id).toBe(again.plan.id);

            if (!outcome.undoable) return;
            const undone = await repairs.undo(outcome.id);
            expect(undone.leftAlone).toEqual([]);
            expect(await dst.rows(all)).toEqual(before);
            expect((await repairs.undo(outcome.id)).counts).toMatchObject({
              removed: 0n,
              restored: 0n,
              reinserted: 0n,
              leftAlone: 0n,
            });
          },
        ),
        { numRuns: 16 },
      );
    });
  },
);
