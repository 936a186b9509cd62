import { cut } from "./slack-text.ts";

/** Slack's limit for a text. */
export const TEXT_LIMIT = 3000;

/** The blocks of Slack's Block Kit that we use. `verbatim`: Slack makes no links and no mentions out of plain words. */
export type SlackBlock =
  | {
      readonly type: "header";
      readonly text: { readonly type: "plain_text"; readonly text: string; readonly emoji: true };
    }
  | { readonly type: "section"; readonly text: Markup }
  | { readonly type: "context"; readonly elements: readonly [Markup] };
type Markup = { readonly type: "mrkdwn"; readonly text: string; readonly verbatim: true };

/** What is sent to Slack. `text` is what notifications show, and readers that know no blocks. */
export type SlackMessage = { readonly text: string; readonly blocks: readonly SlackBlock[] };

/** The headline: plain text, cut at Slack's 150 characters. */
export function header(text: string): SlackBlock {
  return { type: "header", text: { type: "plain_text", text: cut(text, 150), emoji: true } };
}

/** A paragraph of Slack's markup. */
export function section(text: string): SlackBlock {
  return { type: "section", text: markup(text) };
}

/** Small print of Slack's markup. */
export function context(text: string): SlackBlock {
  return { type: "context", elements: [markup(text)] };
}

function markup(text: string): Markup {
  // Nothing here is longer by its making; a message that is cut is still better than one that Slack refuses.
  return { type: "mrkdwn", text: cut(text, TEXT_LIMIT), verbatim: true };
}

/** Characters that blocks take as JSON. */
export function sizeOf(blocks: readonly SlackBlock[]): number {
  return blocks.reduce((sum, block) => sum + JSON.stringify(block).length + 1, 0);
}
