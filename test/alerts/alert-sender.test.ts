import { createHmac } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { alertSender } from "../../src/alerts/alert-sender.ts";
import type { Pace } from "../../src/alerts/deliver.ts";
import type { AlertDefinition } from "../../src/domain/definitions.ts";
import { DeliveryError, InterruptedError } from "../../src/domain/errors.ts";
import { Secret } from "../../src/domain/secret.ts";
import { checkOf } from "../reporters/reports.ts";
import { type Heard, type Listener, listen } from "./listener.ts";
import { newsOf } from "./news.ts";

const PATIENCE: Pace = { attempts: 3, timeout: 2000, wait: 1, longest: 3000 };
const news = newsOf([checkOf()]);
const never = new AbortController().signal;

let listener: Listener;
beforeAll(async () => {
  listener = await listen();
});
afterAll(() => listener[Symbol.asyncDispose]());
beforeEach(() => {
  listener.take();
  listener.answerWith();
});

const alertTo = (kind: AlertDefinition["kind"], over: Partial<AlertDefinition> = {}): AlertDefinition => ({
  kind,
  url: new Secret(listener.url(`/services/T0/B0/opensesame42opensesame`)),
  secret: null,
  at: "warn",
  repeatAfter: null,
  ...over,
});

const send = (alert: AlertDefinition, pace = PATIENCE): Promise<void> => alertSender(pace).send(alert, news, never);

/** The one request that was heard. */
function onlyHeard(): Heard {
  const [heard, ...more] = listener.take();
  expect(more).toEqual([]);
  if (heard === undefined) throw new Error("nothing was heard");
  return heard;
}

/** What was not delivered says so; anything else fails the test. */
async function refused(alert: AlertDefinition, pace = PATIENCE): Promise<DeliveryError> {
  const error: unknown = await send(alert, pace).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(DeliveryError);
  const delivery = error as DeliveryError;
  expect(`${delivery.message} ${delivery.hint}`).not.toContain("opensesame");
  expect(delivery.hint).toContain("sent again with the next audit");
  return delivery;
}

describe.each(["slack", "webhook"] as const)("an alert by %s", (kind) => {
  test("is one request where it is taken", async () => {
    await send(alertTo(kind));
    expect(listener.take()).toHaveLength(1);
  });

  test.each([429, 500, 503, 408])("is sent again after a %i, and then it is there", async (status) => {
    listener.answerWith({ status }, { status, headers: { "retry-after": "0" } });
    await send(alertTo(kind));
    const bodies = listener.take().map(({ body }) => body);
    expect(bodies).toHaveLength(3);
    expect(new Set(bodies).size).toBe(1);
  });

  test("is sent again after a connection that broke", async () => {
    listener.answerWith(null);
    await send(alertTo(kind));
    expect(listener.take()).toHaveLength(2);
  });

  test("waits as long as it is asked to", async () => {
    listener.answerWith({ status: 429, headers: { "retry-after": "1" } });
    const began = performance.now();
    await send(alertTo(kind));
    // Only a lower bound: the wait must have happened.
    expect(performance.now() - began).toBeGreaterThan(990);
  });

  test("does not wait an hour: the next audit will do", async () => {
    listener.answerWith({ status: 429, headers: { "retry-after": "3600" } });
    expect((await refused(alertTo(kind))).message).toMatch(/answered 429 and asks to wait 3600 s$/);
    listener.answerWith({ status: 503, headers: { "retry-after": "Wed, 21 Oct 2099 07:28:00 GMT" } });
    expect((await refused(alertTo(kind))).message).toMatch(/answered 503 and asks to wait \d+ s$/);
    expect(listener.take()).toHaveLength(2);
  });

  test("is given up after as many attempts as there is patience", async () => {
    listener.answerWith({ status: 500 }, { status: 502 }, { status: 503 });
    expect((await refused(alertTo(kind))).message).toMatch(/not delivered: 127\.0\.0\.1:\d+ answered 503, 3 times$/);
  });

  test.each([400, 403, 404, 410])("that is refused with %i is not tried again", async (status) => {
    listener.answerWith({ status, text: "no_service" });
    expect((await refused(alertTo(kind))).message).toContain(`answered ${status}`);
    expect(listener.take()).toHaveLength(1);
  });

  test("does not follow a redirect", async () => {
    listener.answerWith(...Array.from({ length: 3 }, () => ({ status: 302, headers: { location: "/elsewhere" } })));
    await refused(alertTo(kind));
    expect(listener.take().some(({ path }) => path === "/elsewhere")).toBe(false);
  });

  test("to a server that is not there, or does not answer, names the reason", async () => {
    await using closed = await listen();
    await closed.stop();
    const gone = alertTo(kind, { url: new Secret(closed.url("/opensesame42opensesame")) });
    expect((await refused(gone)).message).toMatch(/no answer from 127\.0\.0\.1:\d+ \(ECONNREFUSED\), 3 times$/);
    // A port that no browser, and so no `fetch`, speaks to.
    const barred = alertTo(kind, { url: new Secret("http://127.0.0.1:9/opensesame42opensesame") });
    expect((await refused(barred)).message).toMatch(/no answer from 127\.0\.0\.1:9 \(bad port\), 3 times$/);
    await using silent = await listen();
    const url = new Secret(silent.url("/opensesame"));
    silent.answerWith(...Array.from({ length: 2 }, () => "never" as const));
    const slow = await refused(alertTo(kind, { url }), { ...PATIENCE, attempts: 2, timeout: 50 });
    expect(slow.message).toMatch(/no answer from 127\.0\.0\.1:\d+ within 0\.05 s, 2 times$/);
  });

  test("stops at once when the command is interrupted", async () => {
    listener.answerWith({ status: 503 });
    const stop = new AbortController();
    const sent = alertSender({ ...PATIENCE, wait: 60_000 }).send(alertTo(kind), news, stop.signal);
    await expect.poll(() => listener.heard.length).toBeGreaterThan(0);
    stop.abort();
    await expect(sent).rejects.toBeInstanceOf(InterruptedError);
  });
});

describe("an alert", () => {
  test("to Slack is blocks and a text, without previews of links", async () => {
    await send(alertTo("slack"));
    const { body, headers } = onlyHeard();
    expect(headers["content-type"]).toMatch(/^application\/json/);
    expect(JSON.parse(body)).toMatchObject({
      text: "Tidemark: fail: new missing-rows in grades",
      blocks: [{ type: "header" }, { type: "context" }, { type: "section" }],
      unfurl_links: false,
    });
  });

  test("to Slack says what Slack says, and that its URL is of no use any more", async () => {
    listener.answerWith({ status: 404, text: "no_service" });
    const error = await refused(alertTo("slack"));
    expect(error.message).toContain("answered 404 no_service");
    expect(error.hint).toContain("make a new one in Slack");
  });

  test("to a webhook is signed so that the receiver can tell", async () => {
    await send(alertTo("webhook", { secret: new Secret("ops-s3cret") }));
    const { body, headers } = onlyHeard();
    expect(headers["tidemark-signature"]).toBe(
      `sha256=${createHmac("sha256", "ops-s3cret").update(body, "utf8").digest("hex")}`,
    );
    expect(JSON.parse(body)).toMatchObject({ version: 1, checks: [{ check: "grades" }] });
  });

  test("is known by its kind, its place and its severity, and its name gives the place not away", () => {
    const sender = alertSender();
    const idOf = (alert: AlertDefinition): string => sender.idOf(alert);
    const one = alertTo("webhook");
    const ids = [one, alertTo("slack"), { ...one, at: "error" as const }, { ...one, url: new Secret("http://h/") }].map(
      idOf,
    );
    expect(new Set(ids).size).toBe(4);
    expect(idOf({ ...one, repeatAfter: null, secret: new Secret("x") })).toBe(ids[0]);
    // With its dots: a hash may hold the digits.
    expect(ids.join(" ")).not.toMatch(/opensesame|127\.0/);
  });
});
