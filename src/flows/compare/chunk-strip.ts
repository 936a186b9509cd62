import type { ChunkSpan } from "../../domain/facts.ts";
import { compareKeys, type Key, type KeyRange } from "../../domain/key.ts";
import type { AgreedKind } from "../../domain/kind.ts";

/** Chunks as they are compared, in any order, kept in little memory for a picture of the key space. */
export type ChunkStrip = {
  add(
    chunk: { readonly keys: KeyRange; readonly rows: bigint; readonly different: boolean },
    kinds: readonly AgreedKind[],
  ): void;
  readonly size: number;
  /** At most `most` spans, in key order. */
  spans(): readonly ChunkSpan[];
};

/** Keeps at most twice `most` spans at a time: then neighbours are put together. */
export function chunkStrip(most = 256): ChunkStrip {
  let kept: ChunkSpan[] = [];
  let order: readonly AgreedKind[] = [];
  const shrink = (): void => {
    kept = kept.toSorted((a, b) => compareStarts(a.keys.from, b.keys.from, order));
    while (kept.length > most) kept = inPairs(kept);
  };
  return {
    add({ keys, rows, different }, kinds) {
      order = kinds;
      kept.push({ keys, rows, chunks: 1, different: different ? 1 : 0 });
      if (kept.length > 2 * most) shrink();
    },
    get size() {
      return kept.length;
    },
    spans() {
      shrink();
      return kept;
    },
  };
}

function inPairs(spans: readonly ChunkSpan[]): ChunkSpan[] {
  const joined: ChunkSpan[] = [];
  for (let i = 0; i < spans.length; i += 2) {
    const [a, b] = [spans[i] as ChunkSpan, spans[i + 1]];
    joined.push(
      b === undefined
        ? a
        : {
            keys: { from: a.keys.from, to: b.keys.to },
            rows: a.rows + b.rows,
            chunks: a.chunks + b.chunks,
            different: a.different + b.different,
          },
    );
  }
  return joined;
}

/** A chunk that is open below comes first. */
function compareStarts(a: Key | null, b: Key | null, kinds: readonly AgreedKind[]): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  return compareKeys(a, b, kinds);
}
