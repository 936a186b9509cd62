import type { Check } from "../../domain/check.ts";
import { rangeText } from "../../domain/command.ts";
import type { Facts } from "../../domain/facts.ts";
import type { RepairBounds, RepairPlan, RepairRange } from "../../domain/repair.ts";
import { formatTableName } from "../../domain/table.ts";
import { span } from "../../domain/window.ts";
import { rows } from "../../domain/wording.ts";
import { fingerprintsOf, guardOf, hoursOf, planId, writesOf } from "../../repair/plan.ts";
import type { WriteFacts } from "../../sql/write-dialect.ts";
import type { Counted } from "./count-differences.ts";
import { type Layout, versionName } from "./layout.ts";
import type { Looked } from "./look.ts";
import type { RepairRequest } from "./repair.ts";

/** What a plan is made of. */
export type Planning = {
  readonly check: Check;
  readonly layout: Layout;
  readonly facts: WriteFacts;
  readonly looked: Looked;
  readonly counted: Counted;
  /** Rows that the target cannot take, in words; null: none that are known. */
  readonly unfit: string | null;
  /** Whether the config names a replica of the target. */
  readonly replicaNamed: boolean;
  readonly range: RepairRange;
  readonly bounds: RepairBounds;
  readonly rowsPerSecond: number;
  readonly now: bigint;
};

/** The plan of a repair, before anything is written. */
export function makePlan({
  check,
  layout,
  facts,
  looked,
  counted,
  unfit,
  replicaNamed,
  range,
  bounds,
  rowsPerSecond,
  now,
}: Planning): RepairPlan {
  const { source, target } = layout.open.tables;
  const { counts, notDue } = counted;
  const columns = layout.written.map((c) => c.source.name);
  const writes = writesOf(counts);
  const notes: string[] = [];
  if (notDue > 0n)
    notes.push(`${rows(notDue)} of these lie beyond the last successful window: the pipeline has not come to them yet`);
  if (unfit !== null) notes.push(unfit);
  if (looked.facts.ledger === null && check.runs !== null) notes.push("the ledger could not be read");
  if (facts.alwaysGenerated.some((name) => layout.written.some((c) => c.target.name === name)))
    notes.push(`identity columns get the source's values: ${facts.alwaysGenerated.join(", ")}`);
  if (facts.replicas > 0 && !replicaNamed)
    notes.push(
      `the target's server has replicas (${facts.replicas}) and does not know how far they are behind: they are waited for where a connection is \`replica_of: ${check.target.connection}\``,
    );
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

/** The range as it will mean the same rows tomorrow. */
export function nameRange(check: Check, { range, report }: RepairRequest, { axis, range: window }: Facts): RepairRange {
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
export function rangeOf(range: RepairRange): string | null {
  return range.by === "range" ? range.text : null;
}
