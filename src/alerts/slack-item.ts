import type { CauseFinding, Severity } from "../domain/finding.ts";
import type { NewsItem } from "../domain/news.ts";
import { moment, names, rows as countedRows } from "../domain/wording.ts";
import { TEXT_LIMIT } from "./slack-blocks.ts";
import { slackCode, slackFence, slackText } from "./slack-text.ts";

/** Of a sentence. Escaped, each character may become five; where that makes it longer than twice this, less is shown. */
const SENTENCE = 500;
const NAME = 200;
const CAUSES = 3;
/** A longer command is no use in a chat. */
const FENCE = 1200;
const TOO_LONG = "the command is in the report";

/**
 * One thing to tell in Slack's markup, within the limit of a text: what it is, the sentence, since when, why with the runs, and the
 * command, which is given only once a message (`shown` holds those that were). Where room is short the causes go first.
 */
export function slackItem(item: NewsItem, commandSuffix: string, shown: Set<string>): string {
  const command = commandOf(item, commandSuffix);
  const fence = command === null ? "" : slackFence(command);
  const first = command !== null && !shown.has(command);
  if (first) shown.add(command);
  const lines = [headOf(item), sentence(item.says), ...sinceOf(item)];
  const last = command === null ? adviceOf(item) : first ? [fence.length > FENCE ? TOO_LONG : fence] : [];
  const fixed = [...lines, ...last].join("\n").length;
  return [...lines, ...fitting(causesOf(item), TEXT_LIMIT - fixed), ...last].join("\n");
}

/** What is over, on one line. */
export function slackRecovered({ check, code, rows, before, says, severity }: NewsItem): string {
  const was = [WORDS[severity], ...(rows === null || rows === 0n ? [] : [countedRows(rows)])].join(", ");
  const untold = before?.toldAt === null ? "; it came and went while this alert could not be delivered" : "";
  const since = before === null ? "" : `, since ${moment(seconds(before.since))}`;
  return `✅ *recovered*  ${name(check)}  ${slackCode(code)}: ${sentence(says)} (was ${was}${since}${untold})`;
}

/** `new errors`, `new error`: what a tally calls these. */
export const WORDS: Readonly<Record<Severity, string>> = { error: "error", warn: "warning", info: "info" };

const SYMBOLS: Readonly<Record<Severity, string>> = { error: "🔴", warn: "🟠", info: "🔵" };

function headOf({ kind, check, code, severity, rows, before }: NewsItem): string {
  const what = code === "incomplete" ? "could not finish" : WORDS[severity];
  const counted = rows === null || rows === 0n ? "" : `  ${countedRows(rows)}`;
  const told =
    kind === "worse" && before !== null && before.rows !== null && before.rows !== rows
      ? `, ${before.rows} before`
      : "";
  const rose =
    kind === "worse" && before !== null && before.severity !== severity ? ` (was ${WORDS[before.severity]})` : "";
  const lead = kind === "ongoing" ? "still" : kind;
  return `${code === "incomplete" ? "❔" : SYMBOLS[severity]} *${lead}: ${what}*${rose}  ${name(check)}  ${slackCode(code)}${counted}${told}`;
}

function sinceOf({ kind, before }: NewsItem): readonly string[] {
  if (before === null) return [];
  if (kind === "new") return [`first seen ${moment(seconds(before.since))}; it could not be told before`];
  return kind === "ongoing" ? [`since ${moment(seconds(before.since))}`] : [];
}

/** Up to three causes, each in a sentence with its runs. */
function causesOf({ finding, kind }: NewsItem): readonly string[] {
  if (finding === null || kind === "recovered") return [];
  const standing = finding.causes.filter(({ state }) => state !== "recovered");
  const lines = standing.slice(0, CAUSES).map(causeLine);
  const more = standing.length - lines.length;
  const run = finding.evidence.run;
  if (standing.length === 0 && typeof run === "string") lines.push(`run ${slackCode(run)}`);
  return more > 0 ? [...lines, `and ${more} more ${more === 1 ? "cause" : "causes"}`] : lines;
}

function causeLine({ code, confidence, runs, runs_total, says }: CauseFinding): string {
  const sure = confidence === code ? "" : ` (${confidence})`;
  const held =
    runs.length === 0
      ? ""
      : `, ${runs_total === 1 ? "run" : "runs"} ${names(
          runs.slice(0, CAUSES).map((run) => slackCode(run, 60)),
          runs_total,
        )}`;
  return `why: ${slackCode(code)}${sure}${held}: ${sentence(says)}`;
}

function commandOf({ fix, kind }: NewsItem, suffix: string): string | null {
  if (fix === null || kind === "recovered" || !COPIED.test(fix)) return null;
  return fix
    .split("\n")
    .map((line) => (line.startsWith("tidemark ") ? line + suffix : line))
    .join("\n");
}

function adviceOf({ fix }: NewsItem): readonly string[] {
  return fix === null ? [] : [`next: ${sentence(fix)}`];
}

const COPIED = /^(?:tidemark|alter|create|grant|drop|set|update|delete|insert|analyze)\s/i;

function fitting(lines: readonly string[], room: number): readonly string[] {
  let left = room;
  return lines.filter((line) => {
    left -= line.length + 1;
    return left >= 0;
  });
}

function sentence(text: string): string {
  return bounded((most) => slackText(text, most), SENTENCE);
}

function name(text: string): string {
  return bounded((most) => slackCode(text, most), NAME);
}

function bounded(make: (most: number) => string, most: number): string {
  const made = make(most);
  return made.length <= most * 2 ? made : make(Math.floor((most * 2) / 5));
}

/** Chats do not need microseconds. */
function seconds(micros: bigint): bigint {
  return micros - (micros % 1_000_000n);
}
