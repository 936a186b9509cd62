import { nextBatchSize } from "../../repair/batch-size.ts";
import { type BatchContext, readBatch, type Sources } from "./apply-batch.ts";
import { type Bulk, type BulkRows, sizeOfBulk } from "./bulk.ts";
import type { RepairWorld } from "./ports.ts";
import { inBatches, type WorkItem } from "./work.ts";

/** How old rows may be that were read ahead, in microseconds, and how much text a batch of them may hold. */
const AGE = 2_000_000n;
const BATCH_TEXT = 1 << 20;

/** Rows of the first batch: nobody knows yet how long they are. */
const FIRST_BATCH = 250;

/** What was read of the source for a batch: all at once where the target lacks them, or to look at each. */
export type Read = { readonly bulk: BulkRows } | { readonly sources: Sources };

/** A batch, and what is being read for it. */
export type Ahead = {
  readonly items: readonly WorkItem[];
  readonly read: Promise<Read>;
  /** Whether that still holds: what was read a while ago, or says that a row is gone for good, is read again. */
  isFresh(): boolean;
};

/**
 * The batches of a repair, each with its rows of the source, which are read while the one before is written. What fails there fails when
 * the batch has its turn, and is asked again then.
 */
export class ReadAhead {
  readonly #context: Pick<BatchContext, "layout">;
  readonly #bulk: Bulk | null;
  readonly #clock: RepairWorld["clock"];
  readonly #pace: { readonly batchRows: number; readonly rowsPerSecond: number };
  #size: number;

  /** `batchRows`: as the check sets them; a batch grows beyond it, but not beyond a second's worth. `bulk` null: every row is looked at. */
  constructor(
    context: Pick<BatchContext, "layout">,
    bulk: Bulk | null,
    pace: { readonly batchRows: number; readonly rowsPerSecond: number },
    clock: RepairWorld["clock"],
  ) {
    this.#context = context;
    this.#bulk = bulk;
    this.#clock = clock;
    this.#pace = pace;
    this.#size = Math.min(FIRST_BATCH, pace.batchRows);
  }

  *batches(items: Iterable<WorkItem>): Generator<Ahead> {
    const batches = inBatches(items, () => this.#size);
    const read = (): Ahead | null => {
      const { done, value } = batches.next();
      if (done === true) return null;
      const at = this.#clock.now();
      const reading = this.#read(value);
      reading.catch(() => {});
      return {
        items: value,
        read: reading,
        isFresh: () => this.#clock.now() - at < AGE && !value.some((item) => item.extra),
      };
    };
    for (let next = read(); next !== null; ) {
      const now = next;
      next = read();
      yield now;
    }
  }

  /** Takes note of how long a batch took, in seconds, for the size of those to come. */
  async took({ items, read }: Ahead, seconds: number): Promise<void> {
    const { batchRows, rowsPerSecond } = this.#pace;
    const size = nextBatchSize(this.#size, items.length, seconds, batchRows);
    this.#size = Math.min(
      size,
      Math.max(batchRows, Math.floor(rowsPerSecond)),
      await read.then(
        (rows) => rowsWithin(BATCH_TEXT, rows, items.length),
        () => size,
      ),
    );
  }

  async #read(items: readonly WorkItem[]): Promise<Read> {
    const bulk = (await this.#bulk?.read(items)) ?? null;
    return bulk === null ? { sources: await readBatch(this.#context, items) } : { bulk };
  }
}

/** How many rows of that length come to so much text, judged by some of them. */
function rowsWithin(text: number, read: Read, items: number): number {
  let [seen, length] = [0, 1];
  if ("bulk" in read) ({ rows: seen, text: length } = sizeOfBulk(read.bulk, items));
  else
    for (const { written } of read.sources.values()) {
      for (const value of written) length += value?.length ?? 0;
      if (++seen === 100) break;
    }
  return Math.max(1, Math.floor((text * Math.max(1, seen)) / Math.max(1, length)));
}
