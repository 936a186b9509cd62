import type { Key } from "../../domain/key.ts";
import type { Chunk } from "../../compare/question.ts";
import type { SideReader } from "./side-reader.ts";

const SMALLEST = 10_000;
const LARGEST = 1_000_000;
const PARTS = 64;

/** Rows of a first chunk: the table's rows ÷ 64, between 10,000 and 1,000,000; 10,000 where nobody knows how many there are. */
export function chunkRowsFor(estimatedRows: bigint | null): number {
  if (estimatedRows === null) return SMALLEST;
  const part = Number(estimatedRows / BigInt(PARTS));
  return Math.min(LARGEST, Math.max(SMALLEST, part));
}

/**
 * Walks the key's index of one side and yields chunk after chunk as soon as its end is known, the first open below and the last
 * open above. With `grow`, chunks double after every 64: for a table whose size nobody knew.
 */
export async function* walk(reader: SideReader, rows: number, grow: boolean): AsyncGenerator<Chunk> {
  let from: Key | null = null;
  let size = rows;
  for (let n = 1; ; n++) {
    const to: Key | null = await reader.cut({ keys: { from, to: null }, buckets: null }, size);
    yield { keys: { from, to }, buckets: null };
    if (to === null) return;
    from = to;
    if (grow && n % PARTS === 0) size = Math.min(LARGEST, size * 2);
  }
}
