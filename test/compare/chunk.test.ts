import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareBuckets } from "../../src/compare/buckets.ts";
import { compareChunk } from "../../src/compare/chunk.ts";
import { judgeKeys } from "../../src/compare/fetch-rows.ts";
import { stillStands } from "../../src/compare/witness.ts";
import type { ComparisonPlan, Scope } from "../../src/compare/plan.ts";
import type { Chunk, FullRow } from "../../src/compare/question.ts";
import { ALL_KEYS, compareKeys, type Key } from "../../src/domain/key.ts";
import type { Kind } from "../../src/domain/kind.ts";
import { windowOf } from "../../src/domain/window.ts";
import { checkOf, EVERYTHING, KINDS, planOf, tableOf } from "./build.ts";
import { converseInMemory, inKeyOrder, type MemoryTables } from "./memory.ts";
import { lineOf, naiveDiff } from "./naive.ts";

const WHOLE: Chunk = { keys: ALL_KEYS, buckets: null };

/** Values of a kind: few, so that sides meet; among them such as are the same in other words. */
const VALUES = {
  integer: ["-2", "0", "7", "9007199254740992", "9007199254740993", "1234567890123456789"],
  decimal: ["0.00", "-1.10", "12.50", "12.51"],
  text: ["", " ", "a", "a ", "A", "é", "e\u0301", "N", "1,N", "😀", "🚀"],
  bytes: ["", "00", "00ff", "ff"],
  uuid: ["00000000000000000000000000000001", "ffffffffffffffffffffffffffffffff"],
  date: ["2026-01-01", "2026-01-02", "infinity", "-infinity"],
  json: ['{"a":1,"b":2}', '{"b":2,"a":1.0}', '{"a":2}', "[1]", "null"],
  local: ["2026-01-01 00:00:00", "2026-01-01 00:00:00.0004", "2026-01-01 00:00:00.0007", "2026-01-01 00:00:00.001"],
} as const;
type ValueKind = keyof typeof VALUES;
const TARGET_KINDS: Partial<Record<ValueKind, Kind>> = { local: KINDS.local3 };
const KEY_KINDS: readonly ValueKind[] = ["integer", "decimal", "text", "bytes", "uuid", "date"];

type Case = {
  readonly tables: MemoryTables;
  readonly plan: ComparisonPlan;
  readonly chunks: readonly Chunk[];
  readonly [fc.toStringMethod]: () => string;
};

const rowsOf = (rows: readonly FullRow[]) =>
  rows.map((r) => [r.key, r.values, r.copy.cursor === null ? null : Number(r.copy.cursor)]);

/** Two tables with a plan, and cuts of their keys: most rows alike, some changed, missing, extra, or there twice. */
const cases: fc.Arbitrary<Case> = fc
  .record({
    keys: fc.array(fc.constantFrom(...KEY_KINDS), { minLength: 1, maxLength: 3 }),
    values: fc.array(fc.constantFrom(...(Object.keys(VALUES) as ValueKind[])), { minLength: 1, maxLength: 4 }),
    cut: fc.constantFrom<"ranges" | "buckets">("ranges", "buckets"),
    digest: fc.constantFrom<"sha256" | "values">("sha256", "sha256", "values"),
    fetchRows: fc.integer({ min: 1, max: 40 }),
    explainRows: fc.constantFrom(0, 3, 10_000),
    witnessRows: fc.constantFrom(1, 5),
    streamed: fc.boolean(),
    duplicates: fc.boolean(),
    narrow: fc.constantFrom("no", "range", "settle", "both"),
  })
  .chain((shape) => {
    const text = (kind: ValueKind, allowNull: boolean): fc.Arbitrary<string | null> =>
      allowNull ? fc.option(fc.constantFrom(...VALUES[kind]), { freq: 6 }) : fc.constantFrom(...VALUES[kind]);
    const nullKeys = shape.cut === "buckets";
    const scoped = shape.narrow !== "no" && !shape.duplicates;
    const cursor = fc.option(fc.integer({ min: 0, max: 40 }), { freq: 8 });
    const row = fc.record({
      key: fc.tuple(...shape.keys.map((k) => text(k, nullKeys))),
      values: fc.tuple(...shape.values.map((k) => text(k, true))),
      cursor,
    });
    const rows = fc.array(
      fc.record({
        row,
        on: fc.constantFrom("both", "both", "both", "both", "source", "target", "changed"),
        other: row,
      }),
      { maxLength: 60 },
    );
    return fc
      .record({ rows, cuts: fc.array(fc.integer({ min: 0, max: 59 }), { maxLength: 5 }) })
      .map(({ rows, cuts }): Case => {
        const seen = new Set<string>();
        const source: FullRow[] = [];
        const target: FullRow[] = [];
        const full = (key: Key, values: readonly (string | null)[], cursor: number | null): FullRow => ({
          key,
          copy: {
            cursor: cursor === null ? null : BigInt(cursor),
            version: cursor === null ? null : `${cursor}`,
            arrival: null,
            loaded: null,
          },
          values: [...key, ...values, cursor === null ? null : `${cursor}`],
        });
        for (const { row, on, other } of rows) {
          const id = JSON.stringify(row.key);
          if (seen.has(id) && !shape.duplicates) continue;
          seen.add(id);
          if (on !== "target") source.push(full(row.key, row.values, row.cursor));
          if (on !== "source")
            target.push(
              on === "changed" ? full(row.key, other.values, other.cursor) : full(row.key, row.values, row.cursor),
            );
        }
        const kindsOf = (side: "source" | "target"): Record<string, Kind> => ({
          ...Object.fromEntries(shape.keys.map((k, i) => [`k${i}`, KINDS[k]])),
          ...Object.fromEntries(
            shape.values.map((k, i) => [`v${i}`, (side === "target" ? TARGET_KINDS[k] : undefined) ?? KINDS[k]]),
          ),
          seq: KINDS.integer,
        });
        const keyNames = shape.keys.map((_, i) => `k${i}`);
        const scope: Scope = scoped
          ? {
              range: shape.narrow === "settle" ? null : windowOf(8n, 30n, "[)"),
              settledUntil: shape.narrow === "range" ? null : 25n,
              futureAfter: shape.narrow === "range" ? null : 35n,
            }
          : EVERYTHING;
        const check = checkOf({ key: keyNames, cursor: { column: "seq", unit: "sequence", page: 10 }, version: "seq" });
        const made = planOf(check, tableOf(kindsOf("source"), keyNames), tableOf(kindsOf("target"), keyNames), {
          digest: shape.digest,
          scope,
        });
        const plan: ComparisonPlan = {
          ...made,
          cut: shape.cut,
          fetchRows: shape.fetchRows,
          explainRows: shape.explainRows,
          witnessRows: shape.witnessRows,
          columns: made.columns.map((c) => (shape.streamed && c.pair.source === "v0" ? { ...c, streamed: true } : c)),
        };
        const tables = { source: inKeyOrder(source, plan), target: inKeyOrder(target, plan) };
        const ends = cuts.flatMap((i) => (tables.source[i] ? [tables.source[i].key] : []));
        const kinds = plan.key.map((c) => c.digestAs);
        const sorted = ends
          .toSorted((a, b) => compareKeys(a, b, kinds))
          .filter((k, i, all) => i === 0 || compareKeys(k, all[i - 1]!, kinds) > 0);
        const chunks = [null, ...sorted].map(
          (from, i): Chunk => ({ keys: { from, to: sorted[i] ?? null }, buckets: null }),
        );
        const shown = () => JSON.stringify({ shape, cuts: sorted, source: rowsOf(source), target: rowsOf(target) });
        return { tables, plan, chunks, [fc.toStringMethod]: shown };
      });
  });

/** All differences by chunks, as lines; changed rows whose columns were not asked, or that stand more than once, end in a mark. */
function byChunks(
  { tables, plan, chunks }: Case,
  unhashable: (row: FullRow) => boolean = () => false,
): { lines: string[]; rows: { source: bigint; target: bigint } } {
  const explained = { rows: 0 };
  const rows = { source: 0n, target: 0n };
  const lines: string[] = [];
  const dialogues =
    plan.cut === "ranges"
      ? chunks.map((chunk) => () => compareChunk(chunk, plan, explained))
      : [() => compareBuckets(WHOLE, plan, explained, BigInt(tables.source.length), 4)];
  for (const dialogue of dialogues) {
    const { found, result } = converseInMemory(dialogue(), tables, plan, { unhashable });
    lines.push(...found.map(lineOf));
    rows.source += result.rows.source;
    rows.target += result.rows.target;
  }
  return { lines: lines.toSorted(), rows };
}

/** Lines with the columns taken off where the other list does not know them. */
function comparable(lines: readonly string[], by: readonly string[]): string[] {
  const vague = new Set(by.filter((l) => /[?*]$/.test(l)).map((l) => l.replace(/ \S*$/, "")));
  return lines
    .map((l) => (l.startsWith("changed") && vague.has(l.replace(/ \S*$/, "")) ? l.replace(/ \S*$/, "") : l))
    .toSorted();
}

describe("compared by chunks, two tables differ in exactly what they differ in row by row", () => {
  test("over random tables, keys, cuts, digests, scopes and limits", () => {
    fc.assert(
      fc.property(cases, (c) => {
        const naive = naiveDiff(c.tables.source, c.tables.target, c.plan);
        const { lines } = byChunks(c);
        expect(comparable(lines, [...lines, ...naive])).toEqual(comparable(naive, [...lines, ...naive]));
      }),
      { numRuns: 600 },
    );
  });

  test("also where a server cannot hash some rows without shortening them", () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 1, max: 3 }), (c, every) => {
        const naive = naiveDiff(c.tables.source, c.tables.target, c.plan);
        const { lines } = byChunks(c, (row) => JSON.stringify(row.values).length % 3 < every);
        expect(comparable(lines, [...lines, ...naive])).toEqual(comparable(naive, [...lines, ...naive]));
      }),
      { numRuns: 200 },
    );
  });

  test("and as long as a chunk's witness says that it stands, so does all that differed in it", () => {
    const change = fc.record({
      side: fc.constantFrom<"source" | "target">("source", "target"),
      at: fc.nat(),
      what: fc.constantFrom("nothing", "gone", "another value", "another cursor"),
    });
    let stood = 0;
    let moved = 0;
    fc.assert(
      fc.property(cases, change, (c, { side, at, what }) => {
        if (c.plan.cut !== "ranges") return;
        for (const chunk of c.chunks) {
          const { result } = converseInMemory(compareChunk(chunk, c.plan, { rows: 0 }), c.tables, c.plan);
          if (result.witness === null) continue;
          const rows = [...c.tables[side]];
          const i = at % Math.max(1, rows.length);
          const row = rows[i];
          if (row === undefined || what === "nothing") rows.length = rows.length | 0;
          else if (what === "gone") rows.splice(i, 1);
          else if (what === "another value")
            rows[i] = { ...row, values: row.values.map((v) => (v === null ? "1" : null)) };
          else rows[i] = { ...row, copy: { ...row.copy, cursor: (row.copy.cursor ?? 0n) + 17n } };
          const later = { ...c.tables, [side]: rows };
          const { result: stands } = converseInMemory(stillStands(result.witness), later, c.plan);
          if (what === "nothing") expect(stands).toBe(true);
          stood += stands ? 1 : 0;
          moved += stands ? 0 : 1;
          if (!stands) continue;
          const lines = (tables: MemoryTables): string[] =>
            byChunks({ ...c, tables, chunks: [chunk] }).lines.map((l) => l.replace(/ \S*$/, ""));
          expect(lines(later)).toEqual(lines(c.tables));
        }
      }),
      { numRuns: 600 },
    );
    expect(stood).toBeGreaterThan(5);
    expect(moved).toBeGreaterThan(5);
  });

  test("and every row in scope is counted once", () => {
    fc.assert(
      fc.property(cases, (c) => {
        const { rows } = byChunks({ ...c, plan: { ...c.plan, scope: EVERYTHING } });
        expect(rows).toEqual({ source: BigInt(c.tables.source.length), target: BigInt(c.tables.target.length) });
      }),
      { numRuns: 200 },
    );
  });
});

describe("what it costs", () => {
  const numbers = tableOf({ id: KINDS.integer, v: KINDS.text }, ["id"]);
  const plan = planOf(checkOf(), numbers, numbers);
  const rows = (n: number, differs: (i: number) => boolean = () => false): FullRow[] =>
    Array.from({ length: n }, (_, i) => ({
      key: [`${i}`],
      copy: { cursor: null, version: null, arrival: null, loaded: null },
      values: [`${i}`, differs(i) ? "other" : "same"],
    }));
  const cost = (n: number, differs: (i: number) => boolean) =>
    converseInMemory(compareChunk(WHOLE, plan, { rows: 0 }), { source: rows(n), target: rows(n, differs) }, plan);

  test("equal rows take one question, however many they are", () => {
    for (const n of [0, 1, 1000, 40_000]) {
      const { asked, fetched } = cost(n, () => false);
      expect(asked).toEqual({
        digest: 1,
        split: 0,
        rows: 0,
        values: 0,
        keys: 0,
        cuts: 0,
        gather: 0,
        group: 0,
        take: 0,
      });
      expect(fetched).toBe(0);
    }
  });

  test("rows too long for a server take one question more, and none is fetched", () => {
    const tables = { source: rows(1000), target: rows(1000) };
    const { asked, fetched } = converseInMemory(compareChunk(WHOLE, plan, { rows: 0 }), tables, plan, {
      unhashable: (row) => row.key[0] === "7",
    });
    expect(asked).toMatchObject({ digest: 2, rows: 0 });
    expect(fetched).toBe(0);
  });

  test("a side without rows is not asked for what it lacks bit by bit", () => {
    for (const tables of [
      { source: rows(30_000), target: [] },
      { source: [], target: rows(30_000) },
    ]) {
      const limited = { ...plan, explainRows: 0 };
      const { asked, found } = converseInMemory(compareChunk(WHOLE, limited, { rows: 0 }), tables, limited);
      expect(found).toHaveLength(30_000);
      expect(asked).toMatchObject({
        digest: 1,
        split: 0,
        cuts: 1,
        rows: Math.ceil(30_000 / plan.fetchRows),
        values: 0,
      });
    }
  });

  test("a stretch of missing rows is found in its stretch of keys", () => {
    const source = rows(60_000);
    const target = source.toSpliced(20_000, 3000);
    const { found, fetched } = converseInMemory(compareChunk(WHOLE, plan, { rows: 0 }), { source, target }, plan);
    expect(found).toHaveLength(3000);
    expect(fetched).toBeLessThan(4 * plan.fetchRows);
  });

  test("one differing row takes a handful of questions, and few rows are fetched, however many there are", () => {
    for (const n of [100, 20_000, 80_000]) {
      const { asked, found, fetched } = cost(n, (i) => i === n >> 1);
      expect(found).toHaveLength(1);
      const { take: _, ...questions } = asked;
      expect(
        Object.values(questions).reduce((a, b) => a + b),
        `${n} rows`,
      ).toBeLessThanOrEqual(4);
      expect(fetched).toBeLessThanOrEqual(n > plan.fetchRows ? 3000 : 2 * n);
    }
  });

  test("many differing rows take questions by the rows to fetch, not one each", () => {
    const { asked, found } = cost(60_000, (i) => i % 100 === 0);
    expect(found).toHaveLength(600);
    expect(asked.values).toBeLessThanOrEqual(Math.ceil(600 / 500) + asked.rows);
    expect(asked.rows).toBeLessThanOrEqual(1 + Math.ceil(60_000 / plan.fetchRows));
  });

  test("where nearly everything differs, the next chunk is not asked where it does, until a part of it is equal", () => {
    const soFar = { rows: 0 };
    const through = (differs: (i: number) => boolean) =>
      converseInMemory(compareChunk(WHOLE, plan, soFar), { source: rows(60_000), target: rows(60_000, differs) }, plan);
    const most = Math.ceil(60_000 / plan.fetchRows);
    const first = through(() => true);
    expect(first.asked).toMatchObject({ digest: 1 + 3, split: 2, rows: most });
    const second = through(() => true);
    expect(second.found).toHaveLength(60_000);
    expect(second.asked).toMatchObject({ digest: 1, split: 0, rows: most });
    const third = through((i) => i >= 30_000 && i < 30_010);
    expect(third.found).toHaveLength(10);
    expect(third.asked.rows).toBeLessThanOrEqual(2);
    expect(through((i) => i === 5).asked.split).toBe(1);
  });

  test("rows that differ one in a hundred are told by small groups of keys, the next time at once", () => {
    const soFar = { rows: 0 };
    const tables = { source: rows(60_000), target: rows(60_000, (i) => i % 100 === 0) };
    const first = converseInMemory(compareChunk(WHOLE, plan, soFar), tables, plan);
    const second = converseInMemory(compareChunk(WHOLE, plan, soFar), tables, plan);
    for (const { found, fetched } of [first, second]) {
      expect(found).toHaveLength(600);
      expect(fetched).toBeLessThan(2 * 60_000 * 0.2);
    }
    expect([first.asked.split, second.asked.split]).toEqual([2, 1]);
  });

  test("where the sides order keys differently, all is read in a few passes, however many rows differ", () => {
    const small = { ...plan, cut: "buckets", fetchRows: 50 } as const;
    for (const [every, passes] of [
      [1, { split: 1, gather: 1 }],
      [100, { split: 2, gather: 1 }],
    ] as const) {
      const { asked, found } = converseInMemory(
        compareBuckets(WHOLE, small, { rows: 0 }, 2000n, 100),
        { source: rows(2000), target: rows(2000, (i) => i % every === 0) },
        small,
      );
      expect(found).toHaveLength(2000 / every);
      expect(asked).toMatchObject({ ...passes, rows: 0, digest: 1 });
    }
    const exact = { ...small, digest: "values" } as const;
    const { asked, found } = converseInMemory(
      compareBuckets(WHOLE, exact, { rows: 0 }, 2000n, 100),
      { source: rows(2000), target: rows(1000, () => true) },
      exact,
    );
    expect(found).toHaveLength(2000);
    expect(asked).toMatchObject({ split: 0, gather: 1, rows: 0, values: 0 });
  });

  test("past the limit, differing rows are accused without their columns being looked up", () => {
    const limited = { ...plan, explainRows: 10 };
    const { found, asked } = converseInMemory(
      compareChunk(WHOLE, limited, { rows: 0 }),
      { source: rows(200), target: rows(200, () => true) },
      limited,
    );
    expect(found).toHaveLength(200);
    expect(found.filter((d) => d.type === "changed" && d.columns === null)).toHaveLength(190);
    expect(asked.values).toBe(1);
  });
});

test("a key that was not asked for is not judged by what a server says beside it", () => {
  const texts = tableOf({ id: KINDS.text }, ["id"]);
  const plan = planOf(checkOf(), texts, texts);
  const row = (id: string): FullRow => ({
    key: [id],
    copy: { cursor: null, version: null, arrival: null, loaded: null },
    values: [id],
  });
  const dialogue = judgeKeys([["A"]], plan);
  expect(dialogue.next().value).toMatchObject({ ask: "values" });
  const taken = dialogue.next({ to: "values", rows: { source: [row("A")], target: [row("a")] } });
  expect(taken.value).toMatchObject({ ask: "take", differences: [{ type: "missing", key: ["A"] }] });
});
