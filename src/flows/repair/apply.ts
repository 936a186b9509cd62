import { InterruptedError, StatementError, TidemarkError } from "../../domain/errors.ts";
import { addCounts, NO_COUNTS, type RepairCounts, type RepairStatus } from "../../domain/repair.ts";
import { type Key, keyIdentity } from "../../domain/key.ts";
import type { Writer } from "../../sql/writer.ts";
import { applyBatch, applyBulk, type BatchDone, readBatch } from "./apply-batch.ts";
import type { Applied, Applying } from "./applying.ts";
import { NotAsWritten, type Refused, UnsureCommit } from "./batch-failures.ts";
import type { Bulk, BulkRows } from "./bulk.ts";
import { Pacing } from "./pacing.ts";
import type { RepairWorld } from "./ports.ts";
import { Quarantine } from "./quarantine.ts";
import { type Beforehand, NOTHING, ReadAhead } from "./read-ahead.ts";
import type { WorkItem } from "./work.ts";

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

/** So many batches that could not be brought over at once, and it is no longer tried. */
const FALLBACKS = 3;

class BreakerOpen extends Error {}

/** The state of one repair while it goes on. */
class Repair {
  readonly #a: Applying;
  readonly #world: RepairWorld;
  readonly #pacing: Pacing;
  readonly #quarantine: Quarantine;
  #counts: RepairCounts;
  #lastKey: Key | null;
  #fallbacks = 0;

  constructor(applying: Applying, world: RepairWorld) {
    const { check, settings, link, record, context } = applying;
    this.#a = applying;
    this.#world = world;
    this.#pacing = new Pacing(check, context.layout.open.check.target.connection, settings, link, world);
    this.#quarantine = new Quarantine(world.files, record.id, context.layout.plan.key, record.lastKey);
    this.#counts = record.counts;
    this.#lastKey = record.lastKey;
  }

  async run(items: Iterable<WorkItem>): Promise<void> {
    const { clock } = this.#world;
    const { context, bulk, settings } = this.#a;
    const reading: Bulk | null =
      bulk === null
        ? null
        : { ...bulk, read: async (some) => (this.#fallbacks < FALLBACKS ? await bulk.read(some) : null) };
    let done = 0n;
    const ahead = new ReadAhead(items, context, reading, settings, clock);
    for (let batch = ahead.next(); batch !== null; batch = ahead.next()) {
      await this.#pacing.mayGoOn(batch.items.length);
      const began = clock.seconds();
      await this.#apply(batch.items, batch.beforehand());
      await ahead.took(batch, clock.seconds() - began);
      done += BigInt(batch.items.length);
      this.#world.progress.rows(this.#a.check, done, this.#a.expected);
    }
    await this.#secondChance();
  }

  async end(status: RepairStatus, stopped: string | null, failure: TidemarkError | null): Promise<Applied> {
    this.#quarantine[Symbol.dispose]();
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

  /** A batch, or the halves of one that the target refuses for its data, down to the rows that stand alone. */
  async #apply(batch: readonly WorkItem[], ahead: Beforehand = NOTHING): Promise<void> {
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
  async #attempt(batch: readonly WorkItem[], ahead: Beforehand = NOTHING): Promise<BatchDone> {
    const { context, link, undo } = this.#a;
    let unsure: RepairCounts | null = null;
    const done = await link.retrying(async (writer) => {
      const { read: early, readOn } = ahead;
      ahead = NOTHING;
      const read = await early;
      this.#holdToBound();
      try {
        const whole = read !== null && "bulk" in read ? await this.#atOnce(writer, batch, read.bulk, readOn) : null;
        if (whole !== null) return whole;
        readOn();
        const sources = read !== null && "sources" in read ? read.sources : await readBatch(context, batch);
        return await applyBatch(context, undo, writer, batch, sources);
      } catch (error) {
        if (error instanceof UnsureCommit) unsure = error.counts;
        throw error;
      }
    });
    // Nothing was left to do: so it had been committed, and what it did is what this batch did.
    return unsure !== null && !done.wrote ? { ...done, counts: unsure, wrote: true } : done;
  }

  /** A batch of which the target holds nothing; null: it is not like that. */
  async #atOnce(
    writer: Writer,
    batch: readonly WorkItem[],
    rows: BulkRows,
    meanwhile: () => void,
  ): Promise<BatchDone | null> {
    const { bulk, undo } = this.#a;
    const done = bulk === null ? null : await applyBulk(bulk, undo, writer, batch, rows, meanwhile);
    this.#fallbacks = done === null ? this.#fallbacks + 1 : 0;
    return done;
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
    this.#quarantine.refuse(refused);
    this.#counts = addCounts(this.#counts, { ...NO_COUNTS, quarantined: 1n });
  }

  /** Rows that were refused for want of another row (a parent, a value that was still taken) may be taken now that all others are there. */
  async #secondChance(): Promise<void> {
    for (let progress = true; progress && this.#quarantine.waits; ) {
      progress = false;
      for (const refused of this.#quarantine.takeAll()) {
        if (this.#world.signal.aborted) throw new InterruptedError();
        const item: WorkItem = { key: refused.key, extra: false, missing: false };
        try {
          const done = await this.#attempt([item]);
          if (done.refused.length > 0) {
            this.#quarantine.wait(refused);
            continue;
          }
          progress = true;
          this.#counts = addCounts(this.#counts, { ...done.counts, quarantined: -1n });
          if (done.wrote) this.#a.undo.committed();
          this.#quarantine.release(refused.key);
          await this.#checkpoint("running");
        } catch (error) {
          if ((await this.#refusal(error)) === null) throw error;
          this.#quarantine.wait(refused);
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
