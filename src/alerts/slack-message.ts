import type { News, NewsItem } from "../domain/news.ts";
import { parseInstant } from "../domain/position.ts";
import type { Verdict } from "../domain/report.ts";
import { count, moment } from "../domain/wording.ts";
import { context, header, section, sizeOf, type SlackBlock, type SlackMessage } from "./slack-blocks.ts";
import { slackItem, slackRecovered, WORDS } from "./slack-item.ts";
import { slackCode, slackLink, slackText } from "./slack-text.ts";

/** Slack refuses a message whose blocks hold more than about 13,000 characters together, and more than 50 of them. */
const WHOLE = 11_000;
const BLOCKS = 45;
/** Of these the recovered may take so many, so that bad news does not push out good news. */
const RECOVERED = 2000;

/**
 * One message with all that one alert has to tell of one report, the worst first, within Slack's limits; what it leaves out it counts.
 * Everything that somebody else wrote is escaped: nothing in it can mention anybody.
 */
export function slackMessage(news: News): SlackMessage {
  const items = news.items.toSorted((a, b) => rank(a) - rank(b));
  const over = items.filter(({ kind }) => kind === "recovered");
  const standing = items.filter(({ kind }) => kind !== "recovered");
  const head = [
    header(`${SYMBOLS[news.report.verdict]} Tidemark: ${tally(items).join(", ")}`),
    context(verdictLine(news)),
  ];
  const recovered = recoveredBlocks(over);
  const tail = news.link === null ? [] : [section(slackLink(news.link, "Open the report"))];
  const told = standingBlocks(standing, news.commandSuffix, WHOLE - sizeOf([...head, ...recovered.blocks, ...tail]));
  const missing = [...standing.slice(told.blocks.length), ...recovered.left];
  const left = missing.length === 0 ? [] : [context(leftOut(missing, news.link !== null))];
  return { text: fallback(news, items), blocks: [...head, ...told.blocks, ...recovered.blocks, ...left, ...tail] };
}

const SYMBOLS: Readonly<Record<Verdict, string>> = { pass: "✓", warn: "!", fail: "✗", incomplete: "?" };

/** A check that could not finish first: what it hides is not known. */
function rank({ kind, code, severity }: NewsItem): number {
  if (kind === "recovered") return 9;
  return (code === "incomplete" ? 0 : { error: 1, warn: 2, info: 3 }[severity]) + (kind === "ongoing" ? 4 : 0);
}

function verdictLine({ report, whole }: News): string {
  const having = (verdict: Verdict): number => report.checks.filter((check) => check.verdict === verdict).length;
  const parts = [
    [having("incomplete"), "could not finish"],
    [having("fail"), "failed"],
    [having("warn"), "with warnings"],
    [having("pass"), "passed"],
  ] as const;
  const checks = parts.flatMap(([many, word]) => (many === 0 ? [] : [`${many} ${word}`])).join(", ");
  const started = parseInstant(report.started_at);
  const when = started === null ? report.started_at : moment(started - (started % 1_000_000n));
  const part = whole ? "" : ". Only a part was asked for: nothing is said to have recovered";
  return `*${report.verdict}*: ${count(report.checks.length, "check")}: ${checks}; audit of ${slackText(when)}${part}`;
}

function standingBlocks(
  items: readonly NewsItem[],
  commandSuffix: string,
  room: number,
): { readonly blocks: readonly SlackBlock[] } {
  const blocks: SlackBlock[] = [];
  const shown = new Set<string>();
  let left = room - LEFT_OUT;
  for (const item of items) {
    const block = section(slackItem(item, commandSuffix, shown));
    left -= sizeOf([block]);
    if (left < 0 || blocks.length === BLOCKS - 10) break;
    blocks.push(block);
  }
  return { blocks };
}

/** What the line that counts the rest may take. */
const LEFT_OUT = 600;

/** A line each, as many lines a block as go in. */
function recoveredBlocks(items: readonly NewsItem[]): {
  readonly blocks: readonly SlackBlock[];
  readonly left: readonly NewsItem[];
} {
  const lines: string[] = [];
  let size = 0;
  for (const item of items) {
    const line = slackRecovered(item);
    size += line.length + 1;
    if (size > RECOVERED) break;
    lines.push(line);
  }
  return { blocks: lines.length === 0 ? [] : [section(lines.join("\n"))], left: items.slice(lines.length) };
}

function leftOut(items: readonly NewsItem[], linked: boolean): string {
  const checks = [...new Set(items.map(({ check }) => check))];
  const named = checks.slice(0, 3).map((check) => slackCode(check, 60));
  const more = checks.length - named.length;
  const of = `${named.join(", ")}${more > 0 ? ` and ${count(more, "more check")}` : ""}`;
  return `*Left out here*, too long for one message: ${tally(items).join(", ")} (${of})${linked ? "; the report has them" : ""}`;
}

/** `2 new errors, 1 worse error, 1 recovered`. */
function tally(items: readonly NewsItem[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { kind, severity, code } of items) {
    const what = code === "incomplete" ? "could not finish" : WORDS[severity];
    const word =
      kind === "recovered" ? kind : code === "incomplete" ? what : `${kind === "ongoing" ? "ongoing" : kind} ${what}`;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, many]) => (/error|warning/.test(word) ? count(many, word) : `${many} ${word}`));
}

function fallback({ report }: News, items: readonly NewsItem[]): string {
  const named = items.slice(0, 3).map(({ kind, check, code }) => `${kind} ${code} in ${slackText(check, 60)}`);
  const more = items.length - named.length;
  return `Tidemark: ${report.verdict}: ${named.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}
