import type { Finding } from "../domain/finding.ts";
import type { RepairCounts, RepairReport } from "../domain/repair.ts";
import { count, duration, rows } from "../domain/wording.ts";
import { context, header, section, type SlackBlock, type SlackMessage } from "./slack-blocks.ts";
import { slackCode, slackFence, slackText } from "./slack-text.ts";

/** Findings that remain, of which a note tells. */
const REMAINING = 5;
/** Characters of a text that somebody else wrote. */
const SENTENCE = 400;

/** What an applied repair did, in one message: rows by what became of them, what still differs, and how to undo it. */
export function slackRepair(repair: RepairReport, commandSuffix: string): SlackMessage {
  const { plan, id, result, status, stopped, remaining, undoable, quarantine } = repair;
  const finished = status === "finished" && stopped === null;
  const ended = finished ? "done" : status === "interrupted" ? "interrupted" : "stopped before its end";
  const title = `repair of ${plan.check}: ${ended}`;
  const clean = finished && remaining.length === 0 && (result?.quarantined ?? 0n) === 0n;
  const blocks: SlackBlock[] = [
    header(`${clean ? "✓" : "!"} Tidemark: ${title}`),
    context(
      `repair ${slackCode(id)}; ${slackText(`${plan.table} on ${plan.connection}`, SENTENCE)}; ${rangeOf(repair)}`,
    ),
  ];
  if (result !== null) blocks.push(section(counts(result)));
  if (stopped !== null) blocks.push(section(`*why it stopped*: ${slackText(stopped, SENTENCE)}`));
  if (quarantine !== null)
    blocks.push(section(`the rows that the target refused, each with its reason: ${slackCode(quarantine, SENTENCE)}`));
  if (finished) blocks.push(section(afterwards(remaining)));
  if (undoable) blocks.push(section(`to undo it\n${slackFence(`tidemark undo ${id}${commandSuffix}`)}`));
  const short = result === null ? "" : `: ${rows(result.inserted + result.updated + result.deleted)} written`;
  return { text: `Tidemark: ${slackText(title, SENTENCE)}${short}`, blocks };
}

function rangeOf({ plan: { range } }: RepairReport): string {
  switch (range.by) {
    case "whole":
      return "the whole check";
    case "range":
      return `range ${slackCode(range.text)}`;
    case "report":
      return `the rows of the report ${slackCode(range.text)}`;
  }
}

function counts(result: RepairCounts & { readonly seconds: number }): string {
  const { inserted, updated, deleted, unchanged, keptNewer, quarantined, batches, seconds } = result;
  const written = inserted + updated + deleted;
  const became = [
    `${rows(inserted)} inserted`,
    `${updated} updated`,
    `${deleted} deleted`,
    `${unchanged} unchanged`,
    `${keptNewer} kept because newer`,
    `${quarantined} quarantined`,
  ];
  const took = duration(BigInt(Math.round(seconds * 100)) * 10_000n);
  const rate = seconds > 0 ? `, ${count(Math.round(Number(written) / seconds), "row")}/s` : "";
  return `*${became.slice(0, 3).join(", ")}*, ${became.slice(3).join(", ")}; ${count(batches, "batch", "batches")} in ${took}${rate}`;
}

/** What the fresh comparison has found. */
function afterwards(remaining: readonly Finding[]): string {
  if (remaining.length === 0) return "Compared again: nothing differs there any more.";
  const lines = remaining
    .slice(0, REMAINING)
    .map(({ code, says }) => `• ${slackCode(code)}: ${slackText(says, SENTENCE)}`);
  const more = remaining.length - lines.length;
  return [
    "*Compared again, this still differs there:*",
    ...lines,
    ...(more > 0 ? [`and ${count(more, "more finding")}`] : []),
  ].join("\n");
}
