import type { Difference } from "../../src/domain/difference.ts";
import type { Digest } from "../../src/domain/digest.ts";
import { compareKeys, type Key, keyIdentity } from "../../src/domain/key.ts";
import { canonicalOfPrinted } from "../../src/compare/reference.ts";
import { type ComparisonPlan, inScope } from "../../src/compare/plan.ts";
import type { Answer, Chunk, Dialogue, FullRow, Question, Sketch } from "../../src/compare/question.ts";

/** Both sides as rows of full values, each ascending by key; answers what a comparison asks as servers would. */
export type MemoryTables = { readonly source: readonly FullRow[]; readonly target: readonly FullRow[] };

/** What a dialogue came to, what it found, and how often it asked what. */
export type Outcome<T> = {
  readonly result: T;
  readonly found: Difference[];
  readonly explained: Map<string, number>;
  readonly asked: Record<Question["ask"], number>;
  readonly fetched: number;
};

/** How servers may fall short: rows that cannot be hashed unless `wide`. */
export type Shortcomings = { readonly unhashable: (row: FullRow) => boolean };

/** Leads a dialogue over tables in memory. */
export function converseInMemory<T>(
  dialogue: Dialogue<T>,
  tables: MemoryTables,
  plan: ComparisonPlan,
  short: Shortcomings = { unhashable: () => false },
): Outcome<T> {
  const found: Difference[] = [];
  const explained = new Map<string, number>();
  const asked = { digest: 0, split: 0, rows: 0, values: 0, keys: 0, cuts: 0, gather: 0, group: 0, take: 0 };
  let gathered: { rows: { source: FullRow[]; target: FullRow[] }; groups: number; wide: boolean | null } | null = null;
  let fetched = 0;
  const kinds = plan.key.map((c) => c.digestAs);
  const streamed = plan.columns.flatMap((c, i) => (c.streamed || plan.digest === "values" ? [i] : []));
  const hashOf = (row: FullRow): bigint =>
    hash(
      plan.columns
        .map((c, i) =>
          streamed.includes(i) ? "" : row.values[i] === null ? "N" : `:${digestText(row.values[i] ?? "", c)}`,
        )
        .join("|"),
    );
  const bucketOf = (row: FullRow, modulus: number): number =>
    Number(hash(`key ${keyIdentity(row.key)}`) % BigInt(modulus));
  const lies = (row: FullRow, chunk: Chunk): boolean => inScope(row.copy.cursor, plan.scope) && stands(row, chunk);
  const stands = (row: FullRow, { keys, buckets }: Chunk): boolean =>
    (keys.from === null || compareKeys(row.key, keys.from, kinds) >= 0) &&
    (keys.to === null || compareKeys(row.key, keys.to, kinds) < 0) &&
    (buckets === null || buckets.of.includes(bucketOf(row, buckets.modulus)));
  const both = <R>(work: (rows: readonly FullRow[]) => R): { source: R; target: R } => ({
    source: work(tables.source),
    target: work(tables.target),
  });
  const digest = (rows: readonly FullRow[], wide: boolean): Digest => {
    const hashed = rows.filter((r) => wide || !short.unhashable(r));
    return {
      rows: BigInt(rows.length),
      hashed: BigInt(hashed.length),
      sum: BigInt.asUintN(
        64,
        hashed.reduce((n, r) => n + hashOf(r), 0n),
      ),
    };
  };
  const sketch = (row: FullRow, wide: boolean | null): Sketch => ({
    key: row.key,
    hash: plan.digest === "values" || wide === null || (!wide && short.unhashable(row)) ? null : `${hashOf(row)}`,
    copy: row.copy,
    values: streamed.map((i) => row.values[i] ?? null),
  });
  const answer = (q: Question): Answer => {
    asked[q.ask]++;
    switch (q.ask) {
      case "digest":
        return {
          to: "digest",
          digests: both((rows) =>
            digest(
              rows.filter((r) => lies(r, q.chunk)),
              q.wide,
            ),
          ),
        };
      case "split": {
        const split = (rows: readonly FullRow[]): Map<number, Digest> => {
          const parts = Map.groupBy(
            rows.filter((r) => lies(r, q.chunk)),
            (r) => bucketOf(r, q.modulus),
          );
          return new Map([...parts].map(([bucket, part]) => [bucket, digest(part, q.wide)]));
        };
        return { to: "split", digests: both(split) };
      }
      case "rows": {
        const all = both((side) => side.filter((r) => lies(r, q.chunk)).map((r) => sketch(r, q.wide)));
        const unhashed = (sketches: readonly Sketch[]): Sketch[] => sketches.map((s) => ({ ...s, hash: null }));
        const rows = q.only === undefined ? all : { source: [], target: [], [q.only]: unhashed(all[q.only]) };
        fetched += rows.source.length + rows.target.length;
        return { to: "rows", rows };
      }
      case "values": {
        const wanted = new Set(q.keys.map(keyIdentity));
        return { to: "values", rows: both((all) => all.filter((r) => wanted.has(keyIdentity(r.key)))) };
      }
      case "keys":
        return {
          to: "keys",
          digests: both((all) => {
            const inside = all.filter((r) => stands(r, q.chunk));
            const sum = inside.reduce((n, r) => n + hash(`key ${keyIdentity(r.key)}`), 0n);
            return { rows: BigInt(inside.length), hashed: BigInt(inside.length), sum: BigInt.asUintN(64, sum) };
          }),
        };
      case "cuts": {
        const inside = tables[q.by].filter((r) => lies(r, q.chunk));
        const keys: Key[] = [];
        for (let i = q.rows; i < inside.length; i += q.rows) {
          const key = inside[i]?.key ?? [];
          if (keys.length === 0 || compareKeys(key, keys.at(-1) ?? [], kinds) > 0) keys.push(key);
        }
        return { to: "cuts", keys };
      }
      case "gather": {
        const rows = both((all) => all.filter((r) => (q.unscoped ? stands : lies)(r, q.chunk)));
        gathered = { rows, groups: q.groups, wide: q.wide };
        const read = [...rows.source, ...rows.target];
        fetched += read.length;
        return {
          to: "gather",
          rows: { source: BigInt(rows.source.length), target: BigInt(rows.target.length) },
          unhashed: BigInt(read.filter((r) => sketch(r, q.wide).hash === null).length),
        };
      }
      case "group": {
        if (gathered === null) throw new Error("nothing was gathered");
        const { rows, groups, wide } = gathered;
        const of = (side: readonly FullRow[]): Sketch[] =>
          side.filter((r) => bucketOf(r, groups) === q.group).map((r) => sketch(r, wide));
        return { to: "group", rows: { source: of(rows.source), target: of(rows.target) } };
      }
      default:
        found.push(...q.differences);
        for (const [column, rows] of q.explained) explained.set(column, (explained.get(column) ?? 0) + rows);
        return { to: "take" };
    }
  };
  let turn = dialogue.next();
  while (!turn.done) turn = dialogue.next(answer(turn.value));
  return { result: turn.value, found, explained, asked, fetched };
}

/** The text that a digest takes of a value: at the agreed precision, and never in another spelling. */
function digestText(value: string, column: ComparisonPlan["columns"][number]): string {
  const { digestAs, rounding, source } = column;
  if (digestAs.as === "local" || digestAs.as === "instant" || digestAs.as === "time")
    return canonicalOfPrinted(value, digestAs, { kind: source.kind, zone: "UTC", rounding });
  return value;
}

/** FNV-1a of 64 bits. Source: Fowler, Noll, Vo (RFC 9923). */
function hash(text: string): bigint {
  let low = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) low = BigInt.asUintN(64, (low ^ BigInt(byte)) * 0x100000001b3n);
  return low;
}

/** Rows in key order. */
export function inKeyOrder(rows: readonly FullRow[], plan: ComparisonPlan): readonly FullRow[] {
  const kinds = plan.key.map((c) => c.digestAs);
  return rows.toSorted((a, b) => compareKeys(a.key, b.key, kinds));
}
