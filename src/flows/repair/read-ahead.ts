import { nextBatchSize } from "../../repair/batch-size.ts";
import { type BatchContext, readBatch, type Sources } from "./apply-batch.ts";
import { type Bulk, type BulkRows, sizeOfBulk } from "./bulk.ts";
import type { RepairWorld } from "./ports.ts";
import { inBatches, type WorkItem } from "./work.ts";

/** How old rows may be that were read ahead, in microseconds. */
const AGE = 2_000_000n;

/** How much text a batch of them may hold: as lines, as values, and as rows that are looked at one by one, which take the most room. */
const TEXT_OF_LINES = 5 << 19;
const TEXT_OF_VALUES = 1 << 21;
const TEXT_OF_ROWS = 1 << 20;

/** Rows of the first batch: nobody knows yet how long they are. */
const FIRST_BATCH = 250;

/** What was read of the source for a batch: all at once where the target lacks them, or to look at each. */
export type Read = { readonly bulk: BulkRows } | { readonly sources: Sources };

/** What a batch begins with. */
export type Beforehand = {
  /** What was read for it; null: that does not hold any more. */
  readonly read: Promise<Read> | null;
  /** Begins to read for the next one, unless that has been done. Best while the target is busy. */
  readonly readOn: () => void;
};

export const NOTHING: Beforehand = { read: null, readOn: () => {} };

/** A batch, and what is being read for it. */
export type Ahead = {
  readonly items: readonly WorkItem[];
  readonly read: Promise<Read>;
  /** When its turn has come: what was read a while ago, or says that a row is gone for good, is read again. */
  beforehand(): Beforehand;
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
  readonly #batches: Iterator<readonly WorkItem[], unknown>;
  #size: number;
  /** The batch that comes next, where it has been begun; null: there is none. */
  #following: Ahead | null | undefined;
  /** What the rows to look at could not be read for. */
  #failure: { readonly cause: unknown } | null = null;

  /** `batchRows`: as the check sets them; a batch grows beyond it, but not beyond a second's worth. `bulk` null: every row is looked at. */
  constructor(
    items: Iterable<WorkItem>,
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
    this.#batches = inBatches(items, () => this.#size);
  }

  /** The next batch; null: there is none. */
  next(): Ahead | null {
    this.#readOn();
    if (this.#failure !== null) throw this.#failure.cause;
    const next = this.#following ?? null;
    this.#following = next === null ? null : undefined;
    return next;
  }

  /** Never fails: whoever asks for the next batch is told, not the statement that is on its way. */
  #readOn(): void {
    if (this.#following !== undefined) return;
    try {
      const { done, value } = this.#batches.next();
      this.#following = done === true ? null : this.#begin(value);
    } catch (cause) {
      this.#failure = { cause };
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
        (rows) => rowsWithin(rows, items.length),
        () => size,
      ),
    );
  }

  #begin(items: readonly WorkItem[]): Ahead {
    const at = this.#clock.now();
    const read = this.#read(items);
    read.catch(() => {});
    const isFresh = (): boolean => this.#clock.now() - at < AGE && !items.some((item) => item.extra);
    return {
      items,
      read,
      beforehand: () => ({ read: isFresh() ? read : null, readOn: () => this.#readOn() }),
    };
  }

  async #read(items: readonly WorkItem[]): Promise<Read> {
    const bulk = (await this.#bulk?.read(items)) ?? null;
    return bulk === null ? { sources: await readBatch(this.#context, items) } : { bulk };
  }
}

/** How many rows of that length a batch may hold, judged by some of them. */
function rowsWithin(read: Read, items: number): number {
  let [seen, length] = [0, 1];
  if ("bulk" in read) ({ rows: seen, text: length } = sizeOfBulk(read.bulk, items));
  else
    for (const { written } of read.sources.values()) {
      for (const value of written) length += value?.length ?? 0;
      if (++seen === 100) break;
    }
  const text = "sources" in read ? TEXT_OF_ROWS : "lines" in read.bulk ? TEXT_OF_LINES : TEXT_OF_VALUES;
  return Math.max(1, Math.floor((text * Math.max(1, seen)) / Math.max(1, length)));
}
