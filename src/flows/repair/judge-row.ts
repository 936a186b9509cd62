import { inScope, isSettled } from "../../compare/plan.ts";
import { versionOrder } from "../../compare/version.ts";
import { type Decision, decide } from "../../repair/decide.ts";
import type { Layout } from "./layout.ts";
import type { SourceRow, TargetRow } from "./read-rows.ts";
import type { WorkItem } from "./work.ts";

/** A row of a batch, what both sides hold of it, and what becomes of it. */
export type Judged = {
  readonly item: WorkItem;
  readonly decision: Decision;
  readonly source: SourceRow | undefined;
  readonly target: TargetRow | undefined;
};

/** Decides over one row by what a batch has found under its key. `deletes`: whether rows that only the target has are to go. */
export function judge(
  { layout, deletes }: { readonly layout: Layout; readonly deletes: boolean },
  item: WorkItem,
  source: SourceRow | undefined,
  target: TargetRow | undefined,
): Judged {
  const { plan } = layout;
  const deciding = source?.copy ?? target?.copy ?? null;
  const inQuestion =
    deciding !== null &&
    inScope(deciding.cursor, plan.scope) &&
    (target === undefined || isSettled(target.copy.cursor, plan.scope));
  const same =
    source !== undefined &&
    target !== undefined &&
    plan.columns.every((c, i) => c.same(source.compared[i] ?? null, target.compared[i] ?? null));
  const order = source === undefined || target === undefined ? "none" : versionOrder(source.copy, target.copy, plan);
  const inTarget = target === undefined ? "no" : target.inside ? "yes" : "outside";
  return {
    item,
    source,
    target,
    decision: decide({ inSource: source !== undefined, inQuestion, inTarget, same, order, deletes }),
  };
}
