import type { PlannedColumn } from "../../compare/plan.ts";
import type { Key } from "../../domain/key.ts";
import type { TableInfo } from "../../domain/table.ts";
import type { Chunk } from "../../compare/question.ts";
import type { SideReader } from "./side-reader.ts";

/** Below this a range begins to cost its server more than its rows do; a larger one is more to read again where it differs. */
const SMALLEST = 25_000;
/** Where nobody knows how many rows there are, chunks begin small and grow. */
const UNKNOWN = 10_000;
const LARGEST = 1_000_000;
const PARTS = 64;

/** Rows of a first chunk: the table's rows ÷ 64, between 25,000 and 1,000,000; 10,000 where nobody knows how many there are. */
export function chunkRowsFor(estimatedRows: bigint | null): number {
  if (estimatedRows === null) return UNKNOWN;
  const part = Number(estimatedRows / BigInt(PARTS));
  return Math.min(LARGEST, Math.max(SMALLEST, part));
}

/** Rows of chunks of which each 64 are twice as large as those before: for a table whose size nobody knew. */
export function growing(rows: number): () => number {
  let given = 0;
  return () => Math.min(LARGEST, rows * 2 ** Math.floor(given++ / PARTS));
}

/**
 * Yields chunk after chunk as soon as its end is known, the first open below and the last open above: first along `known` cuts
 * (statistics cost nothing), then by walking the key's index of one side, in steps of as many rows as `rows` says each time.
 */
export async function* walk(reader: SideReader, known: readonly Key[], rows: () => number): AsyncGenerator<Chunk> {
  let from: Key | null = null;
  for (const to of known) {
    yield { keys: { from, to }, buckets: null };
    from = to;
  }
  for (;;) {
    const to: Key | null = await reader.cut({ keys: { from, to: null }, buckets: null }, rows());
    yield { keys: { from, to }, buckets: null };
    if (to === null) return;
    from = to;
  }
}

/**
 * Cuts from a server's quantiles of the key's one column: as many as make chunks of about `rows` rows. None for keys of several
 * columns (the first may be the same in most rows), kinds whose printed form is not the canonical text, or too few quantiles.
 */
export function cutsFrom(
  table: TableInfo,
  key: readonly PlannedColumn[],
  side: "source" | "target",
  rows: number,
): readonly Key[] {
  const [column] = key;
  const quantiles = table.keyQuantiles;
  if (
    !column ||
    key.length > 1 ||
    column.digestAs.as !== "integer" ||
    table.primaryKey.length !== 1 ||
    table.primaryKey[0] !== column[side].name
  )
    return [];
  const share = Number(table.estimatedRows ?? 0n) / Math.max(1, quantiles.length - 1);
  const step = share > 0 ? Math.max(1, Math.round(rows / share)) : quantiles.length;
  const cuts: Key[] = [];
  // The last quantile is the largest key of all.
  for (let i = step; i < quantiles.length - 1; i += step) {
    const cut = quantiles[i];
    if (cut !== undefined && /^-?\d+$/.test(cut)) cuts.push([cut]);
  }
  return cuts;
}
