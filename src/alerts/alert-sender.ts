import { createHash } from "node:crypto";
import type { AlertDefinition } from "../domain/definitions.ts";
import { DeliveryError } from "../domain/errors.ts";
import type { News } from "../domain/news.ts";
import type { RepairReport } from "../domain/repair.ts";
import { deliver, PACE, type Pace, type Refusal } from "./deliver.ts";
import { sendSlack } from "./send-slack.ts";
import type { SlackMessage } from "./slack-blocks.ts";
import { slackMessage } from "./slack-message.ts";
import { slackRepair } from "./slack-repair.ts";
import { sendWebhook } from "./send-webhook.ts";

/** Sends news to where alerts go. */
export type AlertSender = {
  /** What an alert is known by in the state store: the same as long as its kind, URL and `at` are. Gives no secret away. */
  idOf(alert: AlertDefinition): string;
  /** Sends, with retries. A `DeliveryError` where it could not be delivered; an `InterruptedError` once `signal` is aborted. */
  send(alert: AlertDefinition, news: News, signal: AbortSignal): Promise<void>;
  /** Sends a note of what a repair did; only Slack takes such. Fails as `send` does; nobody sends it again. */
  sendRepair(alert: AlertDefinition, repair: RepairReport, commandSuffix: string, signal: AbortSignal): Promise<void>;
};

/** The sender that speaks HTTP. */
export function alertSender(pace: Pace = PACE): AlertSender {
  /** `afterwards`: what becomes of a message that was not delivered. */
  const patiently = async (
    attempt: (signal: AbortSignal) => Promise<Refusal | null>,
    signal: AbortSignal,
    { what, afterwards }: { readonly what: string; readonly afterwards: string },
  ): Promise<void> => {
    const undelivered = await deliver(attempt, pace, signal);
    if (undelivered === null) return;
    const { why, attempts, hint } = undelivered;
    const often = attempts === 1 ? "" : `, ${attempts} times`;
    throw new DeliveryError(`${what} was not delivered: ${why}${often}`, {
      hint: `${hint === null ? "" : `${hint}; `}${afterwards}`,
    });
  };
  const slack =
    ({ url }: AlertDefinition, message: SlackMessage) =>
    (within: AbortSignal) =>
      sendSlack(url.reveal(), message, pace.timeout, within);
  return {
    // Two alerts to one place at two severities tell two things: what one has told, the other has not.
    idOf: ({ kind, url, at }) =>
      `${kind} ${at} ${createHash("sha256").update(`${kind} ${url.reveal()}`).digest("hex").slice(0, 20)}`,
    async send(alert, news, signal) {
      const { kind, url, secret } = alert;
      await patiently(
        kind === "slack"
          ? slack(alert, slackMessage(news))
          : (within) =>
              sendWebhook({ url: url.reveal(), secret: secret?.reveal() ?? null }, news, pace.timeout, within),
        signal,
        {
          what: `the ${kind === "slack" ? "Slack" : "webhook"} alert`,
          afterwards: "it is sent again with the next audit",
        },
      );
    },
    async sendRepair(alert, repair, commandSuffix, signal) {
      await patiently(slack(alert, slackRepair(repair, commandSuffix)), signal, {
        what: "Slack's note of the repair",
        afterwards: "the repair itself is not touched by that",
      });
    },
  };
}
