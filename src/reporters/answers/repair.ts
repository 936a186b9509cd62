import { shellQuote } from "../../domain/command.ts";
import type { Json } from "../../domain/finding.ts";
import type { RepairPlan, RepairRange, RepairReport } from "../../domain/repair.ts";
import { jsonCount } from "../../domain/report.ts";
import { findingLines } from "../terminal-finding.ts";
import type { ReporterOptions } from "../reporter.ts";
import { amount, counted, span } from "../text/amount.ts";
import { printable, wrap } from "../text/wrap.ts";

/** The JSON form of a repair or its plan (interface.md §6). */
export function repairJson(report: RepairReport): { readonly [name: string]: Json } {
  const { plan, result } = report;
  const { counts } = plan;
  return {
    version: 1,
    id: report.id,
    check: plan.check,
    range: rangeText(plan.range),
    plan: {
      id: plan.id,
      insert: jsonCount(counts.insert),
      update: jsonCount(counts.update),
      delete: jsonCount(counts.delete),
      unchanged: jsonCount(counts.unchanged),
      kept_newer: jsonCount(counts.keptNewer),
      extra: jsonCount(counts.extra),
      batches: jsonCount(plan.batches),
      reread: jsonCount(plan.reread),
      estimated_seconds: plan.estimatedSeconds,
      columns: plan.columns,
      max_rows: plan.bounds.maxRows,
      delete_extra: plan.bounds.deleteExtra,
      guard: plan.guard,
      hours: plan.hours,
      triggers: plan.triggers,
      foreign_keys: plan.foreignKeys,
      cascades: plan.cascades,
      notes: plan.notes,
    },
    applied: report.applied,
    result:
      result === null
        ? null
        : {
            inserted: jsonCount(result.inserted),
            updated: jsonCount(result.updated),
            deleted: jsonCount(result.deleted),
            unchanged: jsonCount(result.unchanged),
            kept_newer: jsonCount(result.keptNewer),
            quarantined: jsonCount(result.quarantined),
            batches: jsonCount(result.batches),
            seconds: result.seconds,
          },
    status: report.status,
    stopped: report.stopped,
    quarantine: report.quarantine,
    remaining: report.remaining,
    undo: report.undoable ? `tidemark undo ${report.id}` : null,
  };
}

/** A plan to read, or what came of it. */
export function repairText(report: RepairReport, options: ReporterOptions): string {
  const { plan } = report;
  const lines = [...planLines(plan, options)];
  if (report.applied) lines.push("", ...resultLines(report, options));
  else lines.push("", ...nothingWritten(report, options));
  for (const finding of report.remaining) lines.push("", ...findingLines(finding, options));
  return `${lines.join("\n")}\n`;
}

function planLines(plan: RepairPlan, { style, columns }: ReporterOptions): readonly string[] {
  const { counts } = plan;
  const lines = [style("bold", printable(`repair of ${plan.check}: plan ${plan.id}`))];
  const say = (label: string, text: string): void => {
    const [first = "", ...rest] = wrap(printable(text), Math.max(20, columns - 14));
    lines.push(`  ${label.padEnd(12)}${first}`, ...rest.map((line) => `${" ".repeat(14)}${line}`));
  };
  say("target", `${plan.table} on ${plan.connection}`);
  say("range", rangeText(plan.range) ?? "the whole check");
  say("insert", counted(String(counts.insert), "row"));
  say("update", counted(String(counts.update), "row"));
  if (plan.bounds.deleteExtra) say("delete", counted(String(counts.delete), "row"));
  if (counts.extra > 0n)
    say("left alone", `${counted(String(counts.extra), "row")} that only the target has (--delete-extra)`);
  if (counts.keptNewer > 0n)
    say("left alone", `${counted(String(counts.keptNewer), "row")} whose copy in the target is newer`);
  say("the same", counted(String(counts.unchanged), "row"));
  if (counts.insert + counts.update + counts.delete > 0n) {
    say(
      "work",
      `about ${counted(String(plan.batches), "batch", "batches")}, ${counted(String(plan.reread), "row")} read again, about ${span(plan.estimatedSeconds)} at ${amount(plan.rowsPerSecond)} rows/s`,
    );
    say("columns", plan.columns.join(", "));
  }
  say("guard", plan.guard);
  if (plan.hours !== null) say("hours", plan.hours);
  say(
    "bounds",
    `${amount(plan.bounds.maxRows)} rows (max_rows)${plan.bounds.deleteExtra ? "; deletions up to 1 % of the target's rows" : "; no deletions"}`,
  );
  if (plan.triggers.length > 0) say("triggers", `${plan.triggers.join(", ")} will fire`);
  if (plan.foreignKeys.length > 0) say("foreign keys", plan.foreignKeys.join(", "));
  if (plan.cascades.length > 0) say("follows", `rows that hang on deleted ones, by ${plan.cascades.join(", ")}`);
  for (const note of plan.notes) say("note", note);
  return lines;
}

function nothingWritten({ plan }: RepairReport, { style, columns, commandSuffix }: ReporterOptions): readonly string[] {
  const { counts } = plan;
  if (counts.insert + counts.update + counts.delete === 0n) return [noDifferences(plan)];
  const flags = plan.bounds.deleteExtra ? " --delete-extra" : "";
  return [
    ...wrap("Nothing was written. To do it:", columns),
    `  ${style("cyan", `tidemark repair ${shellQuote(plan.check)}${rowsOption(plan.range)}${flags} --apply${commandSuffix}`)}`,
  ];
}

function noDifferences({ counts }: RepairPlan): string {
  const kept =
    counts.keptNewer > 0n ? `; ${counted(String(counts.keptNewer), "row")} kept, because the target's are newer` : "";
  const extra = counts.extra > 0n ? `; ${counted(String(counts.extra), "row")} of the target left alone` : "";
  return printable(`no differences to repair: nothing was written${kept}${extra}`).replaceAll("\u00a0", " ");
}

function resultLines(
  { plan, result, stopped, status, id, undoable, quarantine }: RepairReport,
  options: ReporterOptions,
): readonly string[] {
  const { style, columns, commandSuffix } = options;
  if (result === null) return [];
  const wrote = result.inserted + result.updated + result.deleted;
  if (wrote === 0n && result.quarantined === 0n && stopped === null) return [noDifferences(plan)];
  const parts = [
    `${amount(String(result.inserted))} inserted`,
    `${amount(String(result.updated))} updated`,
    `${amount(String(result.deleted))} deleted`,
    `${amount(String(result.unchanged))} unchanged`,
    `${amount(String(result.keptNewer))} kept because newer`,
    `${amount(String(result.quarantined))} quarantined`,
  ];
  const rate = result.seconds > 0 ? `, ${amount(Math.round(Number(wrote) / result.seconds))} rows/s` : "";
  const ended = status === "finished" ? "done" : status === "interrupted" ? "interrupted" : "stopped";
  const lines = [style("bold", printable(`repair ${id}: ${ended}`))];
  const say = (text: string): void => {
    for (const line of wrap(printable(text), Math.max(20, columns - 2))) lines.push(`  ${line}`);
  };
  say(`${parts.join(", ")}; ${counted(String(result.batches), "batch", "batches")} in ${span(result.seconds)}${rate}`);
  if (stopped !== null && status !== "interrupted") say(stopped);
  if (quarantine !== null) lines.push(`  quarantined rows and reasons: ${printable(quarantine)}`);
  if (status !== "finished")
    lines.push(
      `  to go on: ${style("cyan", `tidemark repair ${shellQuote(plan.check)}${rowsOption(plan.range)} --apply --resume${commandSuffix}`)}`,
    );
  if (undoable) lines.push(`  to undo:  ${style("cyan", `tidemark undo ${id} --apply${commandSuffix}`)}`);
  return lines;
}

/** The option that says which rows, as it is typed; nothing for the whole check. */
function rowsOption(range: RepairRange): string {
  if (range.by === "whole") return "";
  if (range.by === "report") return ` --report ${shellQuote(range.text)}`;
  // A text that starts with a minus would be read as another option.
  return range.text.startsWith("-") ? ` ${shellQuote(`--range=${range.text}`)}` : ` --range ${shellQuote(range.text)}`;
}

function rangeText(range: RepairRange): string | null {
  return range.by === "whole" ? null : range.text;
}
