import type { Json } from "../../domain/finding.ts";
import type { UndoReport } from "../../domain/repair.ts";
import { jsonCount } from "../../domain/report.ts";
import type { ReporterOptions } from "../reporter.ts";
import { counted } from "../text/amount.ts";
import { printable, wrap } from "../text/wrap.ts";

/** The JSON form of an undo or its plan. */
export function undoJson(report: UndoReport): { readonly [name: string]: Json } {
  const { counts } = report;
  return {
    version: 1,
    id: report.id,
    check: report.check,
    applied: report.applied,
    rows: {
      removed: jsonCount(counts.removed),
      restored: jsonCount(counts.restored),
      reinserted: jsonCount(counts.reinserted),
      untouched: jsonCount(counts.untouched),
      left_alone: jsonCount(counts.leftAlone),
    },
    stopped: report.stopped,
    left_alone: report.leftAlone,
  };
}

/** What would be put back, or was. */
export function undoText(report: UndoReport, { style, columns, commandSuffix }: ReporterOptions): string {
  const { counts, applied } = report;
  const rows = (n: bigint): string => counted(String(n), "row");
  const lines = [
    style("bold", printable(`undo of repair ${report.id} of ${report.check}`)),
    `  target      ${printable(`${report.table} on ${report.connection}`)}`,
  ];
  const say = (label: string, n: bigint, what: string): void => {
    if (n > 0n) lines.push(`  ${label.padEnd(12)}${printable(`${rows(n)} ${what}`)}`);
  };
  say(applied ? "removed" : "remove", counts.removed, "that it inserted");
  say(applied ? "restored" : "restore", counts.restored, "that it overwrote");
  say(applied ? "reinserted" : "reinsert", counts.reinserted, "that it deleted");
  say("as before", counts.untouched, "already as before the repair");
  say("left alone", counts.leftAlone, "changed since, or not to be put back");
  for (const { key, reason } of report.leftAlone) {
    const named = Object.entries(key).map(([column, value]) => `${column} ${JSON.stringify(value)}`);
    lines.push(...wrap(printable(`    ${named.join(", ")}: ${reason}`), columns));
  }
  const idle = counts.removed + counts.restored + counts.reinserted === 0n;
  if (report.stopped !== null) lines.push(`  stopped     ${printable(report.stopped)}; the same command goes on`);
  else if (idle) lines.push("nothing to undo: nothing was written");
  else if (!applied)
    lines.push(
      "Nothing was written. To do it:",
      `  ${style("cyan", `tidemark undo ${report.id} --apply${commandSuffix}`)}`,
    );
  return `${lines.map((line) => line.replaceAll("\u00a0", " ")).join("\n")}\n`;
}
