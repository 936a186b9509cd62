/**
 * A text that somebody else wrote (a name, a sentence with names in it) as a part of Slack's markup: nothing in it mentions, links,
 * or changes how the rest looks. Cut at `most` characters before it is escaped, so that no escape is cut in half.
 */
export function slackText(text: string, most = Number.POSITIVE_INFINITY): string {
  // A marker counts only where it meets something else than a letter; a joiner that nobody sees takes that from it.
  return escaped(cut(oneLine(text), most))
    .replaceAll("`", GRAVE)
    .replaceAll(/(?<![\p{L}\p{N}])[*_~]|[*_~](?![\p{L}\p{N}])/gu, (marker) => `${JOINER}${marker}${JOINER}`)
    .replaceAll(/:(?=(?:[a-z_+-][a-z0-9_+'-]*|\d{3,}):)/gi, `:${JOINER}`);
}

/** A name, as it is written, set off from the sentence around it. */
export function slackCode(text: string, most = 200): string {
  const inside = escaped(cut(oneLine(text), most)).replaceAll("`", GRAVE);
  return inside === "" ? "" : `\`${inside}\``;
}

/** A command or a statement on lines of its own, to be copied as it stands. */
export function slackFence(text: string): string {
  // Single backticks are SQL's and stay; three would end the fence.
  const inside = text.split("\n").map(oneLine).join("\n");
  return `\`\`\`\n${escaped(inside).replaceAll("```", `\`\`${GRAVE}`)}\n\`\`\``;
}

/** A link whose words are ours. */
export function slackLink(url: string, words: string): string {
  return `<${escaped(url).replaceAll("|", "%7C").replaceAll(/\s/g, "%20")}|${slackText(words)}>`;
}

/** The text without what lies beyond `most` characters; where something does, an ellipsis is the last of them. Never half a character. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, Math.max(0, most - 1)).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** Looks like a backtick and ends nothing. */
const GRAVE = "\u02CB";
/** Takes no room and joins what it stands between: WORD JOINER. */
const JOINER = "\u2060";

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** On one line, without control characters, and without those that turn the direction of what follows. */
function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .replaceAll(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, "\uFFFD");
}
