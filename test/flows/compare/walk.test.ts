import { describe, expect, test } from "vitest";
import type { Chunk } from "../../../src/compare/question.ts";
import type { Key } from "../../../src/domain/key.ts";
import { chunkRowsFor, growing, walk } from "../../../src/flows/compare/walk.ts";

/** A side whose keys are 0 … n − 1; answers only where chunks end. */
function side(n: number) {
  const asked: number[] = [];
  const cut = async ({ keys }: Chunk, rows: number): Promise<Key | null> => {
    asked.push(rows);
    const at = Number(keys.from?.[0] ?? "0") + rows;
    return at < n ? [String(at)] : null;
  };
  return { asked, reader: { cut } as Parameters<typeof walk>[0] };
}

const ends = (chunks: readonly Chunk[]): string[] =>
  chunks.map(({ keys }) => `${keys.from?.[0] ?? ""}..${keys.to?.[0] ?? ""}`);

describe("a walk along the keys", () => {
  test("cuts by row count, the first open below and the last above", async () => {
    expect(ends(await Array.fromAsync(walk(side(25).reader, [], () => 10)))).toEqual(["..10", "10..20", "20.."]);
    expect(ends(await Array.fromAsync(walk(side(20).reader, [], () => 10)))).toEqual(["..10", "10.."]);
    expect(ends(await Array.fromAsync(walk(side(0).reader, [], () => 10)))).toEqual([".."]);
  });

  test("takes known cuts without asking, and walks on behind them", async () => {
    const { reader, asked } = side(45);
    expect(ends(await Array.fromAsync(walk(reader, [["15"], ["30"]], () => 10)))).toEqual([
      "..15",
      "15..30",
      "30..40",
      "40..",
    ]);
    expect(asked).toHaveLength(2);
  });

  test("grows its steps where nobody knew how many rows there are", async () => {
    const { reader, asked } = side(2_000_000);
    const chunks = await Array.fromAsync(walk(reader, [], growing(10_000)));
    expect(asked.slice(0, 65)).toEqual([...Array(64).fill(10_000), 20_000]);
    expect(chunks.length).toBeLessThan(140);
  });

  test("begins with a chunk before the next is asked for", async () => {
    const { reader, asked } = side(1_000_000);
    const chunks = walk(reader, [], () => 10);
    await chunks.next();
    expect(asked).toHaveLength(1);
    await chunks.return(undefined);
  });
});

test("a first chunk is a 64th of the rows, between 25,000 and 1,000,000", () => {
  expect([0n, 640_000n, 1_000_000n, 6_400_000n, 10n ** 12n].map(chunkRowsFor)).toEqual([
    25_000, 25_000, 25_000, 100_000, 1_000_000,
  ]);
  expect(chunkRowsFor(null)).toBe(10_000);
});
