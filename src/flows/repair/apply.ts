import { InterruptedError, StatementError, TidemarkError } from "../../domain/errors.ts";
import { keyJson } from "../../domain/key-bounds.ts";
import type { Json } from "../../domain/finding.ts";
import { addCounts, NO_COUNTS, type RepairCounts, type RepairRecord, type RepairStatus } from "../../domain/repair.ts";
import { type Key, keyIdentity } from "../../domain/key.ts";
import { moment } from "../../domain/wording.ts";
import { nextBatchSize } from "../../repair/batch-size.ts";
import { nextOpening } from "../../repair/hours.ts";
import { fullBucket, take } from "../../repair/throttle.ts";
import {
  applyBatch,
  type BatchContext,
  type BatchDone,
  NotAsWritten,
  readBatch,
  type Sources,
  type Refused,
  UnsureCommit,
} from "./apply-batch.ts";
import type { DurableLines, RepairWorld } from "./ports.ts";
import type { TargetLink } from "./target-link.ts";
import type { UndoWriter } from "./undo-writer.ts";
import { inBatches, type WorkItem } from "./work.ts";

/** What applying needs beside its rows. */
export type Applying = {
  readonly check: string;
  readonly context: Omit<BatchContext, "log">;
  readonly link: TargetLink;
  readonly undo: UndoWriter;
  readonly quarantine: () => DurableLines;
  readonly record: RepairRecord;
  readonly settings: {
    readonly batchRows: number;
    readonly rowsPerSecond: number;
    readonly maxRows: number;
    readonly maxPoison: number;
    readonly between: Parameters<typeof nextOpening>[1];
    readonly timezone: string;
  };
  /** Rows to be looked at, for the progress. */
  readonly expected: bigint;
};

/** How applying ended. `stopped`: why before its end (the breaker, a failure, an interruption); null: it came to its end. */
export type Applied = {
  readonly counts: RepairCounts;
  readonly status: RepairStatus;
  readonly stopped: string | null;
  readonly failure: TidemarkError | null;
};

/** Replicas may lag this far before a repair waits for them, in microseconds; asked once in so many. */
const REPLICA_LAG = 10_000_000n;
const REPLICA_QUESTION = 5_000_000n;

/** Applies a repair to rows in key order, batch by batch. Nothing that the world does escapes: it becomes part of how it ended. */
export async function applyRepair(applying: Applying, items: Iterable<WorkItem>, world: RepairWorld): Promise<Applied> {
  const repair = new Repair(applying, world);
  try {
    await repair.run(items);
    return await repair.end("finished", null, null);
  } catch (error) {
    if (error instanceof InterruptedError || world.signal.aborted)
      return await repair.end("interrupted", "interrupted", null);
    if (error instanceof BreakerOpen) return await repair.end("stopped", error.message, null);
    if (!(error instanceof TidemarkError)) throw error;
    return await repair.end("stopped", error.message, error);
  }
}

/** How old rows may be that were read ahead, in microseconds, and how much text a batch of them may hold. */
const READ_AHEAD = 2_000_000n;
const BATCH_TEXT = 4 << 20;

/** Rows of the first batch: nobody knows yet how long they are. */
const FIRST_BATCH = 250;

type ReadAhead = { readonly batch: readonly WorkItem[]; readonly sources: Promise<Sources>; readonly read: bigint };

/** How many rows of that length come to so much text, judged by some of them. */
function rowsWithin(text: number, sources: Sources | null): number {
  let [seen, length] = [0, 1];
  for (const { written } of sources?.values() ?? []) {
    for (const value of written) length += value?.length ?? 0;
    if (++seen === 100) break;
  }
  return Math.max(1, Math.floor((text * Math.max(1, seen)) / length));
}

class BreakerOpen extends Error {}

/** The state of one repair while it goes on. */
class Repair {
  readonly #a: Applying;
  readonly #world: RepairWorld;
  #counts: RepairCounts;
  #lastKey: Key | null;
  #size: number;
  #bucket;
  #asked = 0n;
  #quarantine: DurableLines | null = null;
  readonly #refused: Refused[] = [];

  constructor(applying: Applying, world: RepairWorld) {
    this.#a = applying;
    this.#world = world;
    this.#counts = applying.record.counts;
    this.#lastKey = applying.record.lastKey;
    this.#size = Math.min(FIRST_BATCH, applying.settings.batchRows);
    this.#bucket = fullBucket(applying.settings.rowsPerSecond, world.clock.now());
  }

  async run(items: Iterable<WorkItem>): Promise<void> {
    const { clock } = this.#world;
    let done = 0n;
    for (const { batch, sources, read } of this.#readAhead(inBatches(items, () => this.#size))) {
      await this.#mayGoOn(batch.length);
      const began = clock.seconds();
      // What was read a while ago, or says that a row is gone for good, is read again.
      const fresh = clock.now() - read < READ_AHEAD && !batch.some((item) => item.extra);
      await this.#apply(batch, fresh ? sources : null);
      const size = nextBatchSize(this.#size, batch.length, clock.seconds() - began, this.#a.settings.batchRows);
      this.#size = Math.min(size, rowsWithin(BATCH_TEXT, await sources.catch(() => null)));
      done += BigInt(batch.length);
      this.#world.progress.rows(this.#a.check, done, this.#a.expected);
    }
    await this.#secondChance();
  }

  /**
   * While a batch is written, the next one's rows are read from the source. What fails there fails when the batch has its turn, and is
   * asked again then.
   */
  *#readAhead(batches: Iterator<readonly WorkItem[]>): Generator<ReadAhead> {
    const read = (): ReadAhead | null => {
      const { done, value } = batches.next();
      if (done === true) return null;
      const sources = readBatch(this.#a.context, value);
      sources.catch(() => {});
      return { batch: value, sources, read: this.#world.clock.now() };
    };
    for (let next = read(); next !== null; ) {
      const now = next;
      next = read();
      yield now;
    }
  }

  async end(status: RepairStatus, stopped: string | null, failure: TidemarkError | null): Promise<Applied> {
    this.#quarantine?.[Symbol.dispose]();
    try {
      await this.#checkpoint(status);
    } catch (error) {
      if (!(error instanceof TidemarkError)) throw error;
      return {
        counts: this.#counts,
        status: status === "finished" ? "stopped" : status,
        stopped: stopped ?? error.message,
        failure: failure ?? error,
      };
    }
    return { counts: this.#counts, status, stopped, failure };
  }

  /** Waits for the hours, for replicas, and for the throttle. Ctrl-C ends the waiting. */
  async #mayGoOn(rows: number): Promise<void> {
    const { clock, signal, say } = this.#world;
    const { between, timezone } = this.#a.settings;
    if (signal.aborted) throw new InterruptedError();
    for (
      let opens = nextOpening(clock.now(), between, timezone);
      opens > clock.now();
      opens = nextOpening(clock.now(), between, timezone)
    ) {
      say(`${this.#a.check}: outside of its hours; waiting until ${moment(opens)}`);
      await clock.sleep(opens - clock.now(), signal);
    }
    while (await this.#replicasLag()) await clock.sleep(REPLICA_QUESTION, signal);
    const { bucket, wait } = take(this.#bucket, rows, clock.now());
    this.#bucket = bucket;
    if (wait > 0n) await clock.sleep(wait, signal);
  }

  async #replicasLag(): Promise<boolean> {
    const now = this.#world.clock.now();
    if (now < this.#asked + REPLICA_QUESTION) return false;
    this.#asked = now;
    const lag = await this.#a.link.retrying((writer) => writer.replicaLag());
    if (lag === null || lag <= REPLICA_LAG) return false;
    this.#world.say(`${this.#a.check}: a replica is ${lag / 1_000_000n} s behind; waiting for it`);
    return true;
  }

  /** A batch, or the halves of one that the target refuses for its data, down to the rows that stand alone. */
  async #apply(batch: readonly WorkItem[], ahead: Promise<Sources> | null = null): Promise<void> {
    try {
      const done = await this.#attempt(batch, ahead);
      this.#counts = addCounts(this.#counts, done.counts);
      // Only now: if the mark finds no room, the batch is done all the same.
      if (done.wrote) this.#a.undo.committed();
      await this.#advance(batch, done.refused);
    } catch (error) {
      const reason = await this.#refusal(error);
      if (reason === null) throw error;
      if (error instanceof NotAsWritten) {
        // Who it was is known: the others need not be halved.
        const bad = new Set(error.rows.map((r) => keyIdentity(r.key)));
        const others = batch.filter((i) => !bad.has(keyIdentity(i.key)));
        // First, so that no checkpoint passes one by.
        for (const refused of error.rows) this.#refuse(refused);
        if (others.length > 0) await this.#apply(others);
        await this.#advance(batch, []);
      } else if (batch.length === 1) {
        await this.#advance(
          batch,
          batch.map((item) => ({ key: item.key, reason })),
        );
      } else {
        const middle = Math.ceil(batch.length / 2);
        await this.#apply(batch.slice(0, middle));
        if (this.#world.signal.aborted) throw new InterruptedError();
        await this.#apply(batch.slice(middle));
      }
    }
  }

  /** One batch whole; tried again where its failure may pass. A commit without an answer is found out by looking again. */
  async #attempt(batch: readonly WorkItem[], ahead: Promise<Sources> | null = null): Promise<BatchDone> {
    const { context, link, undo } = this.#a;
    let unsure: RepairCounts | null = null;
    const done = await link.retrying(async (writer) => {
      const early = ahead;
      ahead = null;
      const sources = await (early ?? readBatch(context, batch));
      this.#holdToBound();
      try {
        return await applyBatch({ ...context, log: (rows) => undo.log(rows) }, writer, batch, sources);
      } catch (error) {
        if (error instanceof UnsureCommit) unsure = error.counts;
        throw error;
      }
    });
    // Nothing was left to do: so it had been committed, and what it did is what this batch did.
    return unsure !== null && !done.wrote ? { ...done, counts: unsure, wrote: true } : done;
  }

  /** The plan holds to the bound already; this is for rows that have become due since. */
  #holdToBound(): void {
    const { inserted, updated, deleted } = this.#counts;
    if (inserted + updated + deleted >= BigInt(this.#a.settings.maxRows))
      throw new BreakerOpen(`the bound of ${this.#a.settings.maxRows} rows (max_rows) is reached`);
  }

  /** Why the target refuses the data, in words without values; null: that is not what happened. */
  async #refusal(error: unknown): Promise<string | null> {
    if (error instanceof NotAsWritten) return error.rows[0]?.reason ?? "it was not kept as it was written";
    if (!(error instanceof StatementError) || error.statement === "rows of the source") return null;
    const writer = await this.#a.link.writer();
    return writer.write.classify(error) === "data" ? error.message : null;
  }

  #refuse(refused: Refused): void {
    this.#write({ key: this.#named(refused.key), reason: refused.reason });
    this.#refused.push(refused);
    this.#counts = addCounts(this.#counts, { ...NO_COUNTS, quarantined: 1n });
  }

  /** A key by the source's names. */
  #named(key: Key): { readonly [column: string]: Json } {
    const columns = this.#a.context.layout.plan.key;
    const parts = keyJson(
      key,
      columns.map((c) => c.pair.as),
    );
    return Object.fromEntries(columns.map((c, i) => [c.pair.source, parts[i] ?? null]));
  }

  #write(line: object): void {
    this.#quarantine ??= this.#a.quarantine();
    this.#quarantine.write([JSON.stringify(line)]);
    this.#quarantine.sync();
  }

  /** Rows that were refused for want of another row (a parent, a value that was still taken) may be taken now that all others are there. */
  async #secondChance(): Promise<void> {
    for (let progress = true; progress && this.#refused.length > 0; ) {
      progress = false;
      for (const refused of this.#refused.splice(0)) {
        if (this.#world.signal.aborted) throw new InterruptedError();
        const item: WorkItem = { key: refused.key, extra: false };
        try {
          const done = await this.#attempt([item]);
          if (done.refused.length > 0) {
            this.#refused.push(refused);
            continue;
          }
          progress = true;
          this.#counts = addCounts(this.#counts, { ...done.counts, quarantined: -1n });
          if (done.wrote) this.#a.undo.committed();
          this.#write({ key: this.#named(refused.key), released: true });
          await this.#checkpoint("running");
        } catch (error) {
          if ((await this.#refusal(error)) === null) throw error;
          this.#refused.push(refused);
        }
      }
    }
  }

  /** The batch is done with, but for rows that were refused: these are put aside first, so that no checkpoint passes one by. */
  async #advance(batch: readonly WorkItem[], refused: readonly Refused[]): Promise<void> {
    for (const each of refused) this.#refuse(each);
    const last = batch.at(-1);
    if (last !== undefined) this.#lastKey = last.key;
    await this.#checkpoint("running");
    const { maxPoison } = this.#a.settings;
    if (this.#counts.quarantined > BigInt(maxPoison))
      throw new BreakerOpen(`more than ${maxPoison} rows were refused (max_poison)`);
  }

  async #checkpoint(status: RepairStatus): Promise<void> {
    const { record } = this.#a;
    await this.#world.state.keepRepair({
      ...record,
      status,
      updatedAt: this.#world.clock.now(),
      lastKey: this.#lastKey,
      counts: this.#counts,
    });
  }
}
