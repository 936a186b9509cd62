import { createHash } from "node:crypto";
import type { AlertDefinition } from "../domain/check.ts";
import { DeliveryError } from "../domain/errors.ts";
import type { News } from "../domain/news.ts";
import { deliver, PACE, type Pace } from "./deliver.ts";
import { sendSlack } from "./send-slack.ts";
import { sendWebhook } from "./send-webhook.ts";

/** Sends news to where alerts go. */
export type AlertSender = {
  /** What an alert is known by in the state store: the same as long as its kind, URL and `at` are. Gives no secret away. */
  idOf(alert: AlertDefinition): string;
  /** Sends, with retries. A `DeliveryError` where it could not be delivered; an `InterruptedError` once `signal` is aborted. */
  send(alert: AlertDefinition, news: News, signal: AbortSignal): Promise<void>;
};

/** The sender that speaks HTTP. */
export function alertSender(pace: Pace = PACE): AlertSender {
  return {
    // Two alerts to one place at two severities tell two things: what one has told, the other has not.
    idOf: ({ kind, url, at }) =>
      `${kind} ${at} ${createHash("sha256").update(`${kind} ${url.reveal()}`).digest("hex").slice(0, 20)}`,
    async send(alert, news, signal) {
      const { kind, url, secret } = alert;
      const undelivered = await deliver(
        (within) =>
          kind === "slack"
            ? sendSlack(url.reveal(), news, pace.timeout, within)
            : sendWebhook({ url: url.reveal(), secret: secret?.reveal() ?? null }, news, pace.timeout, within),
        pace,
        signal,
      );
      if (undelivered === null) return;
      const { why, attempts, hint } = undelivered;
      const often = attempts === 1 ? "" : `, ${attempts} times`;
      throw new DeliveryError(`the ${kind === "slack" ? "Slack" : "webhook"} alert was not delivered: ${why}${often}`, {
        hint: `${hint === null ? "" : `${hint}; `}it is sent again with the next audit`,
      });
    },
  };
}
