import { mayPass, noAnswer, type Refusal } from "./deliver.ts";
import type { SlackMessage } from "./slack-blocks.ts";

/** One attempt to send a message to a Slack webhook. Null: Slack has taken it. */
export async function sendSlack(
  url: string,
  { text, blocks }: SlackMessage,
  timeout: number,
  signal: AbortSignal,
): Promise<Refusal | null> {
  // Takes a moment to load, and most audits have nothing to tell.
  const { IncomingWebhook, IncomingWebhookHTTPError } = await import("@slack/webhook");
  const { host } = new URL(url);
  let retryAfter: string | null = null;
  const webhook = new IncomingWebhook(url, {
    timeout,
    // Its own retries know neither 429 nor Retry-After nor an interruption, so they stay off and `deliver` does it.
    retryConfig: { retries: 0 },
    fetch: async (address, init) => {
      const signals = init?.signal === undefined ? [signal] : [signal, init.signal];
      const response = await fetch(address, { ...init, signal: AbortSignal.any(signals) });
      retryAfter = response.headers.get("retry-after");
      return response;
    },
  });
  try {
    await webhook.send({ text, blocks: [...blocks], unfurl_links: false, unfurl_media: false });
    return null;
  } catch (error) {
    if (!(error instanceof IncomingWebhookHTTPError)) return noAnswer(error, host, timeout);
    const { statusCode, body } = error;
    // Slack says why in one word, such as `no_service`; anything longer is not Slack.
    const word = /^[a-z_]{1,60}$/.test(body.trim()) ? ` ${body.trim()}` : "";
    const gone = [403, 404, 410].includes(statusCode);
    return {
      why: `${host} answered ${statusCode}${word}`,
      again: mayPass(statusCode),
      retryAfter,
      hint: gone ? "the webhook is gone or not allowed: make a new one in Slack, and set its URL" : null,
    };
  }
}
