import { describe, expect, test } from "vitest";
import { type AlertWorld, tellAlerts, type Telling } from "../../src/flows/tell-alerts.ts";
import type { AlertDefinition } from "../../src/domain/definitions.ts";
import { DeliveryError, InterruptedError } from "../../src/domain/errors.ts";
import type { News } from "../../src/domain/news.ts";
import { Secret } from "../../src/domain/secret.ts";
import { openState } from "../../src/state/index.ts";
import { checkOf, passOf, reportOf } from "../reporters/reports.ts";

const alertTo = (url: string, at: AlertDefinition["at"] = "warn"): AlertDefinition => ({
  kind: "webhook",
  url: new Secret(url),
  secret: null,
  at,
  repeatAfter: null,
});

const telling = (...alerts: readonly AlertDefinition[]): Telling => ({
  alerts,
  whole: true,
  link: "https://reports.example/",
  commandSuffix: " --checks c",
});

/** A world whose sender writes down what it is given, and fails for those addresses that are down. */
async function worldOf(down: Set<string> = new Set(), failure: () => Error = () => new DeliveryError("down")) {
  const state = await openState({ url: "sqlite::memory:" });
  const sent: { readonly to: string; readonly news: News }[] = [];
  const world: AlertWorld = {
    state,
    clock: { now: () => 1n },
    signal: new AbortController().signal,
    sender: {
      idOf: ({ url, at }) => `${url.reveal()} ${at}`,
      async send({ url }, news) {
        if (down.has(url.reveal())) throw failure();
        sent.push({ to: url.reveal(), news });
      },
    },
  };
  return {
    world,
    state,
    take: () =>
      sent.splice(0).map(({ to, news }) => `${to}: ${news.items.map(({ kind, id }) => `${kind} ${id}`).join(", ")}`),
    [Symbol.asyncDispose]: () => state[Symbol.asyncDispose](),
  };
}

describe("telling alerts", () => {
  test("each gets one message, and none where there is nothing to tell it", async () => {
    await using around = await worldOf();
    const both = telling(alertTo("a"), alertTo("b", "error"));
    const stale = checkOf({
      check: "s",
      verdict: "warn",
      findings: [{ ...checkOf().findings[0]!, id: "s/stale", severity: "warn" }],
    });
    expect(await tellAlerts(reportOf(checkOf(), stale), both, around.world)).toEqual([]);
    expect(around.take().toSorted()).toEqual(["a: new grades/missing-rows, new s/stale", "b: new grades/missing-rows"]);
    await tellAlerts(reportOf(checkOf(), stale), both, around.world);
    expect(around.take()).toEqual([]);
    await tellAlerts(reportOf(checkOf(), passOf("s")), both, around.world);
    expect(around.take()).toEqual(["a: recovered s/stale"]);
  });

  test("an alert that fails stops no other, and is told of the same next time", async () => {
    const down = new Set(["a"]);
    await using around = await worldOf(down);
    const both = telling(alertTo("a"), alertTo("b"));
    expect(await tellAlerts(reportOf(checkOf()), both, around.world)).toMatchObject([{ code: "delivery" }]);
    expect(around.take()).toEqual(["b: new grades/missing-rows"]);
    expect(await around.state.told("a warn")).toMatchObject([{ id: "grades/missing-rows", toldAt: null }]);
    down.clear();
    expect(await tellAlerts(reportOf(checkOf()), both, around.world)).toEqual([]);
    expect(around.take()).toEqual(["a: new grades/missing-rows"]);
    await tellAlerts(reportOf(passOf("grades")), both, around.world);
    expect(around.take()).toHaveLength(2);
    expect(await around.state.told("a warn")).toEqual([]);
  });

  test("an alert that is added later hears of what stands, and not of what was over before", async () => {
    await using around = await worldOf();
    await tellAlerts(reportOf(checkOf()), telling(alertTo("a")), around.world);
    await tellAlerts(
      reportOf(passOf("grades"), checkOf({ check: "o", findings: [] })),
      telling(alertTo("b")),
      around.world,
    );
    expect(around.take()).toEqual(["a: new grades/missing-rows"]);
  });

  test("an interruption is passed on, and what was not sent is not taken for told", async () => {
    await using around = await worldOf(new Set(["a"]), () => new InterruptedError());
    await expect(tellAlerts(reportOf(checkOf()), telling(alertTo("a")), around.world)).rejects.toBeInstanceOf(
      InterruptedError,
    );
    expect(await around.state.told("a warn")).toMatchObject([{ toldAt: null }]);
  });

  test("a bug is no failure of the world", async () => {
    await using around = await worldOf(new Set(["a"]), () => new RangeError("a bug"));
    await expect(tellAlerts(reportOf(checkOf()), telling(alertTo("a")), around.world)).rejects.toBeInstanceOf(
      RangeError,
    );
  });
});
