import type { Check } from "../../domain/check.ts";
import type { Difference } from "../../domain/difference.ts";
import { InterruptedError, TidemarkError } from "../../domain/errors.ts";
import { formatInstant } from "../../domain/position.ts";
import { NO_COUNTS, type RepairBounds, type RepairPlan, type RepairRecord } from "../../domain/repair.ts";
import { writesOf } from "../../repair/plan.ts";
import { readUndoLine, type UndoHeader } from "../../repair/undo-log.ts";
import type { StageShape, WriteFacts } from "../../sql/write-dialect.ts";
import type { Writer } from "../../sql/writer.ts";
import { applyRepair } from "./apply.ts";
import { bulkOf } from "./bulk.ts";
import type { Layout } from "./layout.ts";
import { lookAgain, remainingIn } from "./look.ts";
import type { RepairWorld } from "./ports.ts";
import type { RepairOutcome } from "./repair.ts";
import { linkTarget, lockName } from "./target-link.ts";
import { undoWriter } from "./undo-writer.ts";
import type { WorkItem } from "./work.ts";

/** What a repair that is applied has been told and has found out. */
export type Begun = {
  readonly check: Check;
  readonly layout: Layout;
  readonly facts: WriteFacts;
  readonly items: Iterable<WorkItem>;
  readonly inQuestion: (difference: Difference) => boolean;
  readonly bounds: RepairBounds;
  readonly plan: RepairPlan;
  readonly begun: RepairRecord | null;
  readonly range: string | null;
};

/** Applies a plan with the writer, which is this function's to close, and looks again afterwards. */
export async function applyPlan(given: Begun, writer: Writer, world: RepairWorld): Promise<RepairOutcome> {
  const { check, layout, facts, items, inQuestion, bounds, plan, begun, range } = given;
  const began = world.clock.seconds();
  const now = world.clock.now();
  const shape: StageShape = {
    table: layout.open.tables.target,
    key: layout.key,
    columns: layout.written.map((c) => c.target),
    form: "text",
  };
  await using link = await linkTarget(
    check.target.connection,
    lockName(layout.open.tables.target),
    writer,
    (fresh) => fresh.stage(shape),
    world,
  );
  const record: RepairRecord = begun ?? {
    id: await freshId(plan.id, now, check.name, world),
    plan: plan.id,
    check: check.name,
    range: plan.range,
    bounds,
    status: "running",
    startedAt: now,
    updatedAt: now,
    lastKey: null,
    counts: NO_COUNTS,
  };
  await world.state.keepRepair({ ...record, status: "running", updatedAt: now });
  using undo = undoWriter(undoHeader(record.id, layout), nextBatch(world, record.id), world.files);
  world.progress.step(check.name, "repairing");
  const applied = await applyRepair(
    {
      check: check.name,
      context: { layout, facts, shape, deletes: bounds.deleteExtra },
      bulk: bulkOf(layout, writer),
      link,
      undo,
      record,
      settings: {
        batchRows: check.repair.batchRows,
        rowsPerSecond: plan.rowsPerSecond,
        maxRows: bounds.maxRows,
        maxPoison: check.repair.maxPoison,
        between: check.repair.between,
        timezone: check.repair.timezone,
      },
      expected: writesOf(plan.counts) + plan.counts.keptNewer,
    },
    items,
    world,
  );
  const seconds = world.clock.seconds() - began;
  // Rows that nobody had to look at are the same, too.
  const result = {
    ...applied.counts,
    unchanged: applied.counts.unchanged + (begun === null ? plan.counts.unchanged : 0n),
    seconds,
  };
  const outcome = {
    plan,
    id: record.id,
    applied: true,
    result,
    status: applied.status,
    stopped: applied.stopped,
    undoable: undo.used,
    quarantine: applied.counts.quarantined > 0n ? world.files.path("quarantine", record.id) : null,
  };
  if (applied.failure !== null || world.signal.aborted) return { ...outcome, failure: applied.failure, remaining: [] };
  try {
    world.progress.step(check.name, "looking again");
    return {
      ...outcome,
      failure: null,
      remaining: remainingIn(await lookAgain(check, range, world), range, inQuestion),
    };
  } catch (error) {
    if (error instanceof InterruptedError || world.signal.aborted)
      return { ...outcome, status: "finished", failure: null, remaining: [] };
    if (!(error instanceof TidemarkError)) throw error;
    return { ...outcome, failure: error, remaining: [] };
  }
}

/** An id that no repair has had: two of one plan may begin within a second. */
async function freshId(plan: string, now: bigint, check: string, world: RepairWorld): Promise<string> {
  const known = new Set((await world.state.repairs(check)).map((record) => record.id));
  const id = `${plan}-${formatInstant(now).replaceAll(/[-:]|\.\d+Z$/g, "")}`;
  const taken = (one: string): boolean => known.has(one) || world.files.read("undo", one) !== null;
  for (let n = 1; ; n++) {
    const one = n === 1 ? id : `${id}-${n}`;
    if (!taken(one)) return one;
  }
}

function undoHeader(id: string, layout: Layout): UndoHeader {
  const { check, tables } = layout.open;
  return {
    tidemark_undo: 1,
    id,
    check: check.name,
    connection: check.target.connection,
    table: tables.target.name,
    key: layout.target.key.map((c) => ({ column: c.info.name, as: c.as, zone: c.zone })),
    columns: layout.images.map((c) => ({ name: c.name, type: c.type })),
    written: layout.written.map((c) => c.target.name),
  };
}

/** The number behind the last batch that the log knows. */
function nextBatch(world: RepairWorld, id: string): number {
  let last = 0;
  for (const { text } of world.files.read("undo", id) ?? []) {
    const line = readUndoLine(text);
    if (line !== null && "batch" in line && line.batch > last) last = line.batch;
  }
  return last + 1;
}
