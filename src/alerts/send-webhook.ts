import type { News } from "../domain/news.ts";
import { mayPass, noAnswer, type Refusal } from "./deliver.ts";
import { webhookBody, webhookHeaders } from "./webhook-body.ts";

/** One attempt to post the JSON report, signed where there is a secret. Null: taken (any 2xx). Redirects are refused: a POST does not survive them. */
export async function sendWebhook(
  { url, secret }: { readonly url: string; readonly secret: string | null },
  news: News,
  timeout: number,
  signal: AbortSignal,
): Promise<Refusal | null> {
  const { host } = new URL(url);
  const body = webhookBody(news);
  try {
    const headers = webhookHeaders(body, secret, news.report.tool.version);
    const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
    await response.body?.cancel();
    if (response.ok) return null;
    return {
      why: `${host} answered ${response.status}`,
      again: mayPass(response.status),
      retryAfter: response.headers.get("retry-after"),
      hint: null,
    };
  } catch (error) {
    return noAnswer(error, host, timeout);
  }
}
