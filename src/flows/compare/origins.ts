import type { Chunk } from "../../compare/question.ts";
import type { Witness } from "../../compare/witness.ts";
import type { Difference } from "../../domain/difference.ts";

/** Which chunk each difference of a log was found in, and what the chunks were then. Memory grows with the chunks, not the differences. */
export class Origins {
  readonly #chunks: Chunk[] = [];
  readonly #witnesses: (Witness | null)[] = [];
  /** Differences that were handed over together, in the order of the log. */
  readonly #runs: { readonly chunk: number; size: number }[] = [];

  /** A chunk that is compared now; gives its number. */
  begin(chunk: Chunk): number {
    this.#witnesses.push(null);
    return this.#chunks.push(chunk) - 1;
  }

  /** The next `size` differences of the log are this chunk's. */
  found(chunk: number, size: number): void {
    const last = this.#runs.at(-1);
    if (last?.chunk === chunk) last.size += size;
    else if (size > 0) this.#runs.push({ chunk, size });
  }

  /** What a chunk was, where that is known. */
  testify(chunk: number, witness: Witness | null): void {
    this.#witnesses[chunk] = witness;
  }

  /** Chunks with a witness. */
  get witnesses(): readonly (readonly [chunk: number, Witness])[] {
    return this.#witnesses.flatMap((witness, chunk) => (witness === null ? [] : [[chunk, witness] as const]));
  }

  /** Chunks that differences were found in, but for those that are named. */
  chunksBut(named: ReadonlySet<number>): readonly Chunk[] {
    const numbers = new Set(this.#runs.map(({ chunk }) => chunk));
    return [...numbers].flatMap((n) => (named.has(n) ? [] : (this.#chunks[n] ?? [])));
  }

  /** The log's differences, each with the number of its chunk. */
  *of(differences: Iterable<Difference>): Iterable<readonly [Difference, number]> {
    const runs = this.#runs.values();
    let run = runs.next();
    let left = run.value?.size ?? 0;
    for (const difference of differences) {
      while (left === 0 && !run.done) {
        run = runs.next();
        left = run.value?.size ?? 0;
      }
      left--;
      yield [difference, run.value?.chunk ?? -1];
    }
  }
}
