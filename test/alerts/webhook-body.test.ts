import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { webhookBody, webhookHeaders } from "../../src/alerts/webhook-body.ts";
import { json } from "../../src/reporters/json.ts";
import { checkOf, findingOf, PIPE } from "../reporters/reports.ts";
import { newsOf, recoveredItem } from "./news.ts";

describe("what a webhook is sent", () => {
  test("is the JSON report, word for word", () => {
    const news = newsOf([checkOf()]);
    expect(webhookBody(news)).toBe(json(news.report, PIPE));
  });

  test("calls new what this receiver has not heard, and brings what recovered meanwhile", () => {
    const check = checkOf({ findings: [findingOf({ state: "ongoing" })] });
    const items = [...newsOf([check]).items, recoveredItem({ id: "grades/stale-rows", code: "stale-rows" })];
    const { checks } = JSON.parse(webhookBody(newsOf([check], { items })));
    expect(checks[0].findings).toMatchObject([
      { id: "grades/missing-rows", state: "new" },
      {
        id: "grades/stale-rows",
        group: "rows",
        state: "recovered",
        severity: "info",
        rows: 0,
        evidence: { was: { rows: 3 } },
      },
    ]);
  });

  test("is signed over its bytes where there is a secret, and is known by a name of its own", () => {
    const body = '{"ž":1}\n';
    const signed = webhookHeaders(body, "s3cret", "0.1.0");
    const expected = createHmac("sha256", "s3cret").update(Buffer.from(body, "utf8")).digest("hex");
    expect(signed["tidemark-signature"]).toBe(`sha256=${expected}`);
    expect(webhookHeaders(body, null, "0.1.0")["tidemark-signature"]).toBeUndefined();
    expect(webhookHeaders(body, null, "0.1.0")["tidemark-delivery"]).toBe(signed["tidemark-delivery"]);
    expect(webhookHeaders(`${body} `, null, "0.1.0")["tidemark-delivery"]).not.toBe(signed["tidemark-delivery"]);
  });
});
