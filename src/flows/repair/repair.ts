import type { Check } from "../../domain/check.ts";
import type { Difference } from "../../domain/difference.ts";
import type { TidemarkError } from "../../domain/errors.ts";
import { compareKeys } from "../../domain/key.ts";
import {
  NO_COUNTS,
  type RepairBounds,
  type RepairCounts,
  type RepairPlan,
  type RepairRange,
  type RepairReport,
} from "../../domain/repair.ts";
import { holdToBounds } from "../../repair/bounds.ts";
import { writesOf } from "../../repair/plan.ts";
import { isReported, type ReportQuestion } from "../../repair/report-question.ts";
import { refuseStale, type SavedPlan } from "../../repair/saved-plan.ts";
import { countStatement } from "../../sql/side.ts";
import type { Writer } from "../../sql/writer.ts";
import { openCheck } from "../open-check.ts";
import { applyPlan } from "./apply-plan.ts";
import { checkPreflight } from "./check-preflight.ts";
import { countUnfit } from "./count-unfit.ts";
import { counting } from "./count-differences.ts";
import { type Layout, layoutOf } from "./layout.ts";
import { look, remainingIn, scopeOf } from "./look.ts";
import { makePlan, nameRange, rangeOf } from "./make-plan.ts";
import type { RepairWorld } from "./ports.ts";
import { refuseOther, unfinished } from "./resume.ts";
import { sortedWork } from "./work.ts";

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
    // Of rows that a report or a range of keys singles out, one would have to be asked for each.
    const all = report === null && looked.facts.someKeys !== true && writesOf(counted.counts) > 0n;
    const plan = makePlan({
      check,
      layout,
      facts,
      looked,
      counted,
      unfit: all ? await countUnfit(layout) : null,
      replicaNamed: world.replicasOf(check.target.connection).length > 0,
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
    return await applyPlan({ check, layout, facts, items, inQuestion, bounds, plan, begun, range }, writer, world);
  } finally {
    if (!handed) await writer[Symbol.asyncDispose]();
  }
}

const written = (counts: RepairCounts): bigint => counts.inserted + counts.updated + counts.deleted;

async function countTarget({ target }: Layout, writer: Writer): Promise<bigint> {
  const [row] = await writer.rows({ what: "a count", sql: countStatement({ ...target, scope: null, keyScope: null }) });
  return BigInt(row?.[0] ?? "0");
}
