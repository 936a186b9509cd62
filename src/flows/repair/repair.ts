import type { Check } from "../../domain/check.ts";
import { rangeText } from "../../domain/command.ts";
import type { Difference } from "../../domain/difference.ts";
import { InterruptedError, LedgerError, TidemarkError, UsageError } from "../../domain/errors.ts";
import type { Facts } from "../../domain/facts.ts";
import type { Finding } from "../../domain/finding.ts";
import { indexLedger, isBeyond } from "../../domain/ledger-index.ts";
import { formatInstant } from "../../domain/position.ts";
import {
  NO_COUNTS,
  type PlanCounts,
  type RepairBounds,
  type RepairCounts,
  type RepairPlan,
  type RepairRange,
  type RepairRecord,
  type RepairReport,
} from "../../domain/repair.ts";
import { formatTableName } from "../../domain/table.ts";
import { span } from "../../domain/window.ts";
import { rows } from "../../domain/wording.ts";
import { compareKeys } from "../../domain/key.ts";
import { holdToBounds } from "../../repair/bounds.ts";
import { fingerprintsOf, guardOf, hoursOf, planId, writesOf } from "../../repair/plan.ts";
import { isReported, type ReportQuestion } from "../../repair/report-question.ts";
import { refuseStale, type SavedPlan } from "../../repair/saved-plan.ts";
import { readUndoLine, type UndoHeader } from "../../repair/undo-log.ts";
import type { StageShape, WriteFacts } from "../../sql/write-dialect.ts";
import type { Writer } from "../../sql/writer.ts";
import { countStatement } from "../../sql/side.ts";
import { judge } from "../judge.ts";
import { openCheck } from "../open-check.ts";
import { readFacts } from "../read-facts/read-facts.ts";
import { applyRepair } from "./apply.ts";
import { bulkOf } from "./bulk.ts";
import { type Layout, layoutOf, versionName } from "./layout.ts";
import type { RepairWorld } from "./ports.ts";
import { checkPreflight } from "./check-preflight.ts";
import { linkTarget, lockName } from "./target-link.ts";
import { undoWriter } from "./undo-writer.ts";
import { sortedWork, type WorkItem } from "./work.ts";

/** What `tidemark repair` was asked for, beside the check. */
export type RepairRequest = {
  /** The text of `--range`, or `run:ID` of `--run`; null: the whole check. */
  readonly range: string | null;
  readonly report: ReportQuestion | null;
  /** An approved plan; it brings its range and bounds. */
  readonly approved: SavedPlan | null;
  readonly apply: boolean;
  /** Goes on with the check's unfinished repair, if there is one. */
  readonly resume: boolean;
  /** Null: the check's. */
  readonly maxRows: number | null;
  readonly rowsPerSecond: number | null;
  readonly deleteExtra: boolean;
  /** Asked before anything is written; false: leave it. */
  readonly confirm: (plan: RepairPlan) => Promise<boolean>;
};

/** What a repair came to, and what of the world ended it. */
export type RepairOutcome = RepairReport & { readonly failure: TidemarkError | null };

/** Plans the repair of one check and, where that is asked for, applies it and looks again. Throws what refuses or prevents it. */
export async function repairCheck(check: Check, request: RepairRequest, world: RepairWorld): Promise<RepairOutcome> {
  world.progress.step(check.name, "connecting");
  const begun = request.resume ? await unfinished(check, request, world) : null;
  const given = begun?.range ?? request.approved?.range ?? null;
  const range = request.range ?? (given === null ? null : rangeOf(given));
  const limits = begun?.bounds ?? request.approved?.bounds ?? null;
  const bounds: RepairBounds = {
    maxRows: request.maxRows ?? limits?.maxRows ?? check.repair.maxRows,
    deleteExtra: request.deleteExtra || (limits?.deleteExtra ?? check.repair.deleteExtra),
  };
  // The writer first: where a repair was killed, it may be what mends the target's file, which a reader must leave as it is.
  const writer = await world.writers.open(check.target.connection);
  let handed = false;
  try {
    const open = await openCheck(check, world.databases);
    const wide = layoutOf(open, { range: null, settledUntil: null, futureAfter: null });
    const facts = await writer.facts(
      open.tables.target,
      wide.written.map((c) => c.target),
      bounds.deleteExtra,
    );
    await checkPreflight(wide, facts, null);
    const looked = await look(check, range, world);
    await checkPreflight(wide, facts, looked.facts);
    const layout = layoutOf(open, scopeOf(check, looked.facts));
    const report = request.report;
    const kinds = layout.plan.key.map((c) => c.pair.as);
    const inQuestion = (difference: Difference): boolean =>
      report === null || isReported(report, difference, open.axis, kinds);
    const lastKey = begun?.lastKey ?? null;
    const counter = counting(looked.facts, bounds.deleteExtra);
    // Both in one pass: the rows to look at, and how many there are of what.
    using items = sortedWork(
      looked.differences,
      (difference) => {
        if (!inQuestion(difference)) {
          counter.pass(difference);
          return false;
        }
        counter.take(difference);
        const done = lastKey !== null && compareKeys(difference.key, lastKey, kinds) <= 0;
        return request.apply && !done && (difference.type !== "extra" || bounds.deleteExtra);
      },
      kinds,
      world.spill,
    );
    const counted = counter.counted();
    const asked = nameRange(check, request, looked.facts);
    if (begun !== null) refuseOther(begun, request, asked);
    const named: RepairRange = given ?? asked;
    const plan = makePlan({
      check,
      layout,
      facts,
      looked,
      counted,
      range: named,
      bounds,
      rowsPerSecond: request.rowsPerSecond ?? check.repair.rowsPerSecond,
      now: world.clock.now(),
    });
    if (request.approved !== null)
      refuseStale(request.approved, {
        check: check.name,
        fingerprints: plan.fingerprints,
        at: plan.createdAt,
        id: plan.id,
      });
    holdToBounds(plan.counts, bounds, plan.counts.delete === 0n ? null : await countTarget(layout, writer));
    const nothing = {
      plan,
      id: plan.id,
      result: null,
      status: null,
      stopped: null,
      failure: null,
      undoable: false,
      quarantine: null,
    };
    if (!request.apply) return { ...nothing, applied: false, remaining: [] };
    if (writesOf(plan.counts) === 0n) {
      if (begun !== null) await world.state.keepRepair({ ...begun, status: "finished", updatedAt: world.clock.now() });
      const counts = {
        ...(begun?.counts ?? { ...NO_COUNTS, unchanged: plan.counts.unchanged, keptNewer: plan.counts.keptNewer }),
        seconds: 0,
      };
      const remaining = remainingIn(looked, range, inQuestion);
      return {
        ...nothing,
        id: begun?.id ?? plan.id,
        applied: true,
        result: counts,
        status: "finished",
        remaining,
        undoable: begun !== null && written(begun.counts) > 0n,
      };
    }
    if (!(await request.confirm(plan))) return { ...nothing, applied: false, remaining: [] };
    handed = true;
    return await apply({ check, layout, facts, items, inQuestion, bounds, plan, begun, range }, writer, world);
  } finally {
    if (!handed) await writer[Symbol.asyncDispose]();
  }
}

const written = (counts: RepairCounts): bigint => counts.inserted + counts.updated + counts.deleted;

/** A first look: what differs now. What moves meanwhile is seen by the batch that comes to it, so nothing is asked twice here. */
type Looked = { readonly facts: Facts; readonly differences: Iterable<Difference> };

async function look(check: Check, range: string | null, world: RepairWorld): Promise<Looked> {
  const whole: Check = {
    ...check,
    compare: {
      ...check.compare,
      recheck: { ...check.compare.recheck, rounds: 0 },
      stopAfter: { differences: null, time: null },
    },
  };
  return await ask(whole, range, world);
}

async function ask(check: Check, range: string | null, world: RepairWorld): Promise<Looked> {
  const read = await readFacts(check, { range, only: null, exact: false }, world);
  // Without its ledger a check cannot say why, and can be repaired all the same.
  if (read.failure !== null && !(read.failure instanceof LedgerError)) throw read.failure;
  return read;
}

/** Which rows are in question by their cursor; the comparison has used the same. */
function scopeOf(check: Check, { axis, range, now }: Facts): Layout["plan"]["scope"] {
  return axis === "time"
    ? { range, settledUntil: now - check.settle, futureAfter: now + check.expect.future }
    : { range, settledUntil: null, futureAfter: null };
}

type Counted = { readonly counts: PlanCounts; readonly notDue: bigint };

/** Counts differences as they pass by. */
function counting(
  { ledger, source }: Facts,
  deleteExtra: boolean,
): {
  /** A difference in question. */
  take(difference: Difference): void;
  /** A difference of the check that is not in question: its row is not one that is the same. */
  pass(difference: Difference): void;
  counted(): Counted;
} {
  let [insert, update, extra, keptNewer, outside, notDue] = [0, 0, 0, 0, 0, 0];
  const index = ledger === null ? null : indexLedger(ledger, true);
  return {
    pass(difference) {
      if (difference.type !== "extra") outside++;
    },
    take(difference) {
      if (difference.type === "extra") extra++;
      else if (difference.type === "changed" && difference.order === "target-newer") keptNewer++;
      else {
        if (difference.type === "missing") insert++;
        else update++;
        if (index !== null && difference.source.cursor !== null && isBeyond(index, difference.source.cursor)) notDue++;
      }
    },
    counted() {
      const unchanged = (source.rows ?? 0n) - BigInt(insert + update + keptNewer + outside);
      const counts = {
        insert: BigInt(insert),
        update: BigInt(update),
        delete: BigInt(deleteExtra ? extra : 0),
        unchanged: unchanged < 0n ? 0n : unchanged,
        keptNewer: BigInt(keptNewer),
        extra: BigInt(deleteExtra ? 0 : extra),
      };
      return { counts, notDue: BigInt(notDue) };
    },
  };
}

type Planning = {
  readonly check: Check;
  readonly layout: Layout;
  readonly facts: WriteFacts;
  readonly looked: Looked;
  readonly counted: Counted;
  readonly range: RepairRange;
  readonly bounds: RepairBounds;
  readonly rowsPerSecond: number;
  readonly now: bigint;
};

function makePlan({ check, layout, facts, looked, counted, range, bounds, rowsPerSecond, now }: Planning): RepairPlan {
  const { source, target } = layout.open.tables;
  const { counts, notDue } = counted;
  const columns = layout.written.map((c) => c.source.name);
  const writes = writesOf(counts);
  const notes: string[] = [];
  if (notDue > 0n)
    notes.push(`${rows(notDue)} of these lie beyond the last successful window: the pipeline has not come to them yet`);
  if (looked.facts.ledger === null && check.runs !== null) notes.push("the ledger could not be read");
  if (facts.alwaysGenerated.some((name) => layout.written.some((c) => c.target.name === name)))
    notes.push(`identity columns get the source's values: ${facts.alwaysGenerated.join(", ")}`);
  for (const each of looked.facts.comparison?.systematic ?? [])
    notes.push(
      `${each.column} differs everywhere in one way (${each.transformation}); rows that differ in nothing else are left alone`,
    );
  return {
    id: planId(check.name, range, columns, bounds),
    check: check.name,
    connection: check.target.connection,
    table: formatTableName(target.name),
    range,
    bounds,
    columns,
    counts,
    batches: (writes + BigInt(check.repair.batchRows) - 1n) / BigInt(check.repair.batchRows),
    reread: writes + counts.keptNewer,
    estimatedSeconds: Number(writes) / rowsPerSecond,
    rowsPerSecond,
    guard: guardOf(versionName(layout)),
    hours: hoursOf(check.repair),
    triggers: target.triggers,
    foreignKeys: target.foreignKeys,
    cascades: bounds.deleteExtra ? facts.cascades : [],
    notes,
    fingerprints: fingerprintsOf(check, source, target),
    createdAt: now,
  };
}

async function countTarget({ target }: Layout, writer: Writer): Promise<bigint> {
  const [row] = await writer.rows({ what: "a count", sql: countStatement({ ...target, scope: null, keyScope: null }) });
  return BigInt(row?.[0] ?? "0");
}

/** The range as it will mean the same rows tomorrow. */
function nameRange(check: Check, { range, report }: RepairRequest, { axis, range: window }: Facts): RepairRange {
  if (report !== null) return { by: "report", text: report.file };
  if (range === null) return { by: "whole" };
  if (window === null || axis === null || range.startsWith("run:")) return { by: "range", text: range };
  const { first, last } = span(window);
  return {
    by: "range",
    text: rangeText(
      { by: "cursor", from: first, to: last === null ? null : last + 1n },
      { axis, unit: check.cursor?.unit ?? null },
    ),
  };
}

/** The text of `--range`; a report's rows are sought in the whole check. */
function rangeOf(range: RepairRange): string | null {
  return range.by === "range" ? range.text : null;
}

/** The check's repair that has not come to its end; null: there is none. */
async function unfinished(check: Check, request: RepairRequest, world: RepairWorld): Promise<RepairRecord | null> {
  const [last] = await world.state.repairs(check.name);
  if (last === undefined || last.status === "finished" || last.status === "undone") {
    world.say(`${check.name}: no repair is unfinished; this one begins at its start`);
    return null;
  }
  if (last.range.by === "report" && request.report === null)
    throw new UsageError(`the unfinished repair ${last.id} is one of a report's rows`, {
      hint: `name it again: --report ${last.range.text} --resume`,
    });
  return last;
}

/** Rows that are asked for by name must be those that were begun with: a checkpoint says nothing of any others. */
function refuseOther(begun: RepairRecord, { range, report }: RepairRequest, asked: RepairRange): void {
  if ((range === null && report === null) || JSON.stringify(asked) === JSON.stringify(begun.range)) return;
  const words = (r: RepairRange): string => (r.by === "whole" ? "the whole check" : r.text);
  throw new UsageError(
    `the unfinished repair ${begun.id} is about ${words(begun.range)}, and this asks for ${words(asked)}`,
    {
      hint: "go on with it by --resume alone, or begin another without --resume",
    },
  );
}

function remainingIn(
  { facts, differences }: Looked,
  range: string | null,
  inQuestion: (difference: Difference) => boolean,
): readonly Finding[] {
  const asked = { [Symbol.iterator]: () => filtered(differences, inQuestion) };
  const { findings } = judge(facts, asked, { range, only: ["rows"], exact: false }, []);
  return findings.filter((f) => f.group === "rows" && f.state !== "recovered");
}

function* filtered(
  differences: Iterable<Difference>,
  wanted: (difference: Difference) => boolean,
): Generator<Difference> {
  for (const difference of differences) if (wanted(difference)) yield difference;
}

type Begun = {
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

async function apply(given: Begun, writer: Writer, world: RepairWorld): Promise<RepairOutcome> {
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
    return { ...outcome, failure: null, remaining: remainingIn(await ask(check, range, world), range, inQuestion) };
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
