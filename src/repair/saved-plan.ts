import { RefusedError, UsageError } from "../domain/errors.ts";
import type { Fingerprints, RepairBounds, RepairPlan, RepairRange } from "../domain/repair.ts";
import { formatInstant, parseInstant } from "../domain/position.ts";
import { duration } from "../domain/wording.ts";

/** How long an approved plan holds, in microseconds. */
export const PLAN_AGE = 24n * 3_600_000_000n;

/** A plan as a file for somebody's approval: what binds (`approved`), and the counts that they saw. */
export type SavedPlan = {
  readonly tidemark_plan: 1;
  readonly id: string;
  readonly check: string;
  readonly range: RepairRange;
  readonly bounds: RepairBounds;
  readonly columns: readonly string[];
  readonly fingerprints: Fingerprints;
  readonly created_at: string;
  readonly target: { readonly connection: string; readonly table: string };
  readonly counts: {
    readonly insert: string;
    readonly update: string;
    readonly delete: string;
    readonly unchanged: string;
    readonly kept_newer: string;
  };
  readonly guard: string;
  readonly hours: string | null;
  readonly triggers: readonly string[];
  readonly foreign_keys: readonly string[];
  readonly notes: readonly string[];
};

/** The plan as the text of its file. */
export function planText(plan: RepairPlan): string {
  const { counts } = plan;
  const saved: SavedPlan = {
    tidemark_plan: 1,
    id: plan.id,
    check: plan.check,
    range: plan.range,
    bounds: plan.bounds,
    columns: plan.columns,
    fingerprints: plan.fingerprints,
    created_at: formatInstant(plan.createdAt),
    target: { connection: plan.connection, table: plan.table },
    counts: {
      insert: counts.insert.toString(),
      update: counts.update.toString(),
      delete: counts.delete.toString(),
      unchanged: counts.unchanged.toString(),
      kept_newer: counts.keptNewer.toString(),
    },
    guard: plan.guard,
    hours: plan.hours,
    triggers: plan.triggers,
    foreign_keys: plan.foreignKeys,
    notes: plan.notes,
  };
  return `${JSON.stringify(saved, null, 2)}\n`;
}

/** Reads a plan's file. A `UsageError` where it is none. */
export function readPlan(text: string, file: string): SavedPlan {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  const plan = value as Partial<SavedPlan> | null;
  const whole =
    plan?.tidemark_plan === 1 &&
    typeof plan.id === "string" &&
    typeof plan.check === "string" &&
    plan.range !== undefined &&
    typeof plan.bounds?.maxRows === "number" &&
    typeof plan.bounds.deleteExtra === "boolean" &&
    typeof plan.fingerprints?.check === "string" &&
    typeof plan.fingerprints.schema === "string" &&
    typeof plan.created_at === "string" &&
    parseInstant(plan.created_at) !== null;
  if (!whole)
    throw new UsageError(`${file} is no plan of a repair`, { hint: "`tidemark repair CHECK --plan FILE` writes one" });
  return plan as SavedPlan;
}

/** Refuses an approved plan that does not fit any more, with a `RefusedError` that says why. */
export function refuseStale(
  saved: SavedPlan,
  now: { readonly check: string; readonly fingerprints: Fingerprints; readonly at: bigint; readonly id: string },
): void {
  const stale = (why: string): RefusedError =>
    new RefusedError(`the plan ${saved.id} is stale: ${why}`, {
      hint: "make it anew with --plan, and have it approved",
    });
  if (saved.check !== now.check) throw stale(`it is for the check ${saved.check}, not for ${now.check}`);
  const age = now.at - (parseInstant(saved.created_at) ?? 0n);
  if (age > PLAN_AGE || age < -PLAN_AGE)
    throw stale(`it was made ${duration(age)} ago, and a plan holds for ${duration(PLAN_AGE)}`);
  if (saved.fingerprints.check !== now.fingerprints.check) throw stale("the check has changed since");
  if (saved.fingerprints.schema !== now.fingerprints.schema)
    throw stale("a table's columns, unique indexes, triggers or foreign keys have changed since");
  if (saved.id !== now.id) throw stale("its range, columns or bounds are not those of its id");
}
