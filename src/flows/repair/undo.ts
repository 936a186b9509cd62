import { InterruptedError, TidemarkError } from "../../domain/errors.ts";
import type { UndoReport } from "../../domain/repair.ts";
import type { UndoHeader } from "../../repair/undo-log.ts";
import type { RepairWorld } from "./ports.ts";
import { linkTarget, lockName } from "./target-link.ts";
import { openLog } from "./undo-reading.ts";
import { settingOf } from "./undo-setting.ts";
import { Undoing } from "./undoing.ts";

/** What `tidemark undo` was asked for. */
export type UndoRequest = {
  readonly id: string;
  readonly apply: boolean;
  /** Asked before anything is written; false: leave it. */
  readonly confirm: (plan: UndoReport) => Promise<boolean>;
};

/** What an undo came to, and what of the world ended it. */
export type UndoOutcome = UndoReport & { readonly failure: TidemarkError | null };

/**
 * Puts back what a repair did, newest batch first: removes what it inserted, restores what it overwrote, inserts what it deleted. A row that
 * has changed since is left alone and said. Needs the target and the undo log only. Doing it twice does nothing the second time.
 */
export async function undoRepair(request: UndoRequest, world: RepairWorld): Promise<UndoOutcome> {
  const log = openLog(request.id, world);
  const { header } = log;
  // The writer first: where a repair was killed, it may be what mends the target's file, which a reader must leave as it is.
  const writer = await world.writers.open(header.connection);
  let handed = false;
  try {
    const database = await world.databases.open(header.connection);
    const table = await database.describe(header.table);
    const setting = await settingOf(header, table, writer);
    const planned = new Undoing(setting, log, world, null);
    await planned.run(writer);
    const plan = planned.report(false, null);
    const { removed, restored, reinserted } = plan.counts;
    const idle = removed + restored + reinserted === 0n;
    if (!request.apply || idle) return { ...plan, applied: request.apply, failure: null };
    if (!(await request.confirm(plan))) return { ...plan, failure: null };
    handed = true;
    await using link = await linkTarget(
      header.connection,
      lockName(table),
      writer,
      (fresh) => fresh.stage(setting.shape),
      world,
    );
    const undoing = new Undoing(setting, log, world, link);
    try {
      await undoing.run(writer);
      await forget(header, world);
      return { ...undoing.report(true, null), failure: null };
    } catch (error) {
      if (error instanceof InterruptedError || world.signal.aborted)
        return { ...undoing.report(true, "interrupted"), failure: null };
      if (!(error instanceof TidemarkError)) throw error;
      return { ...undoing.report(true, error.message), failure: error };
    }
  } finally {
    if (!handed) await writer[Symbol.asyncDispose]();
  }
}

/** A repair that was undone is not gone on with. */
async function forget({ check, id }: UndoHeader, world: RepairWorld): Promise<void> {
  const record = (await world.state.repairs(check)).find((r) => r.id === id);
  if (record !== undefined) await world.state.keepRepair({ ...record, status: "undone", updatedAt: world.clock.now() });
}
