import { describe, expect, test } from "vitest";
import type { SlackBlock } from "../../src/alerts/slack-blocks.ts";
import { slackMessage } from "../../src/alerts/slack-message.ts";
import type { News } from "../../src/domain/news.ts";
import { causeOf, checkOf, failureOf, findingOf, passOf } from "../reporters/reports.ts";
import { checkWith, newsOf, recoveredItem } from "./news.ts";

const textOf = (block: SlackBlock): string => (block.type === "context" ? block.elements[0].text : block.text.text);
const textsOf = (news: News): readonly string[] => slackMessage(news).blocks.map(textOf);
const whole = (news: News): string => textsOf(news).join("\n");

/** What Slack refuses. */
function expectWithinLimits(news: News): void {
  const { text, blocks } = slackMessage(news);
  expect(text.length).toBeLessThan(3000);
  expect(blocks.length).toBeLessThanOrEqual(50);
  for (const block of blocks) {
    expect(textOf(block).length).toBeLessThanOrEqual(block.type === "header" ? 150 : 3000);
    expect(textOf(block)).not.toBe("");
  }
  expect(JSON.stringify(blocks).length).toBeLessThan(12_000);
}

describe("a message to Slack", () => {
  test("says the verdict, what is new, rows, the cause with its run, and the command", () => {
    const news = newsOf([checkOf(), passOf("orders")]);
    expect(slackMessage(news).text).toBe("Tidemark: fail: new missing-rows in grades");
    expect(textsOf(news)).toEqual([
      "✗ Tidemark: 1 new error",
      "*fail*: 2 checks: 1 failed, 1 passed; audit of Tue 2026-06-02 01:00 UTC",
      [
        "🔴 *new: error*  `grades`  `missing-rows`  3 rows",
        "3 rows of the source are missing from the target",
        "why: `closed-ahead-of-clock` (observed), run `812`: run 812 closed its window 10 h 20 min ahead of the data clock, and no later window looks back",
        "```\ntidemark repair grades --range 2026-06-01T08:00:00Z..2026-06-01T12:00:00.000001Z\n```",
      ].join("\n"),
    ]);
  });

  test("lets Slack make no links and no mentions out of words", () => {
    for (const block of slackMessage(newsOf([checkOf()], { link: "https://reports.example/x" })).blocks)
      if (block.type !== "header")
        expect(block.type === "context" ? block.elements[0] : block.text).toMatchObject({
          type: "mrkdwn",
          verbatim: true,
        });
  });

  test("says how much worse, and from what severity it rose", () => {
    const news = newsOf([checkOf()]);
    const items = news.items.map((item) => ({
      ...item,
      kind: "worse" as const,
      before: { ...item, severity: "warn" as const, rows: 2n, since: 0n, toldAt: 0n },
    }));
    expect(whole({ ...news, items })).toContain(
      "🔴 *worse: error* (was warning)  `grades`  `missing-rows`  3 rows, 2 before",
    );
  });

  test("says what goes on since when, and what could not be told before", () => {
    const news = newsOf([checkOf()]);
    const before = { ...recoveredItem().before!, since: 1_780_304_400_000_001n };
    const again = news.items.map((item) => ({ ...item, kind: "ongoing" as const, before }));
    expect(whole({ ...news, items: again })).toContain("*still: error*");
    expect(whole({ ...news, items: again })).toContain("\nsince Mon 2026-06-01 09:00 UTC\n");
    const late = news.items.map((item) => ({ ...item, before: { ...before, toldAt: null } }));
    expect(whole({ ...news, items: late })).toContain(
      "first seen Mon 2026-06-01 09:00 UTC; it could not be told before",
    );
  });

  test("says what is over on a line each, behind what stands", () => {
    const items = [recoveredItem(), ...newsOf([checkOf()]).items, recoveredItem({ check: "orders", says: "accepted" })];
    const texts = textsOf(newsOf([checkOf()], { items }));
    expect(texts[0]).toBe("✗ Tidemark: 1 new error, 2 recovered");
    expect(texts.at(-1)).toBe(
      [
        "✅ *recovered*  `grades`  `missing-rows`: gone (was error, 3 rows, since Tue 2026-06-02 01:00 UTC)",
        "✅ *recovered*  `orders`  `missing-rows`: accepted (was error, 3 rows, since Tue 2026-06-02 01:00 UTC)",
      ].join("\n"),
    );
  });

  test("tells of a check that could not finish first, with why and what helps", () => {
    const texts = textsOf(newsOf([checkOf(), failureOf("orders", "no table <orders>", "look at `orders`")]));
    expect(texts[2]).toBe(
      "❔ *new: could not finish*  `orders`  `incomplete`\nno table &lt;orders&gt;\nnext: look at ˋordersˋ",
    );
  });

  test("a table, a check and a run called <!channel> ping nobody, anywhere", () => {
    const evil = "<!channel>`*_&";
    const check = checkOf({
      check: evil,
      findings: [
        findingOf({
          says: `rows of ${evil} are missing`,
          fix: `tidemark repair '${evil}'`,
          causes: [causeOf({ runs: [evil], says: `lost by ${evil}` })],
        }),
      ],
    });
    const items = [...newsOf([check]).items, recoveredItem({ check: evil, says: evil })];
    const { text, blocks } = slackMessage(newsOf([check, failureOf(evil, evil, evil)], { items }));
    for (const each of [text, ...blocks.map(textOf)]) {
      expect(each).not.toContain("<!");
      expect(each.replaceAll(/&(?:amp|lt|gt);/g, "")).not.toMatch(/[<>&]/);
    }
    expect(JSON.stringify(blocks)).toContain("tidemark repair '&lt;!channel&gt;`*_&amp;'");
  });

  test("shows a command once, with the checks folder behind it", () => {
    const findings = [findingOf(), findingOf({ id: "grades/empty-run", code: "empty-run", causes: [] })];
    const text = whole(newsOf([checkOf({ findings })], { commandSuffix: " --checks demo/checks" }));
    expect(text.match(/\ntidemark repair .+000001Z --checks demo\/checks\n/g)).toHaveLength(1);
    expect(text).toContain("run `812`");
  });

  test("no key and no value of a row is in it", () => {
    const finding = findingOf({
      sample: [{ key: { id: "secret-key" }, values: { name: { source: "Anna", target: "Hana" } } }],
    });
    expect(JSON.stringify(slackMessage(newsOf([checkOf({ findings: [finding] })])))).not.toMatch(
      /secret-key|Anna|Hana/,
    );
  });

  test("500 findings are within Slack's limits, and those left out are counted", () => {
    const news = newsOf([checkWith(300), checkWith(200, () => ({ severity: "warn" }), "orders")], {
      link: "https://reports.example/r/report.html",
    });
    expectWithinLimits(news);
    const texts = textsOf(news);
    expect(texts[0]).toBe("✗ Tidemark: 300 new errors, 200 new warnings");
    const shown = texts.filter((text) => text.startsWith("🔴")).length;
    expect(shown).toBeGreaterThan(5);
    expect(texts.at(-2)).toBe(
      `*Left out here*, too long for one message: ${300 - shown} new errors, 200 new warnings (\`grades\`, \`orders\`); the report has them`,
    );
    expect(texts.at(-1)).toBe("<https://reports.example/r/report.html|Open the report>");
  });

  test("long sentences of many causes, all to be escaped, are within the limits too, and the command stays whole", () => {
    const long = "&<>`_".repeat(2000);
    const finding = (n: number) => ({
      says: long,
      causes: Array.from({ length: 9 }, () => causeOf({ says: long, runs: [long, long, long], runs_total: 900 })),
      fix: `tidemark repair ${"g".repeat(900)} --range run:${n}`,
    });
    const items = [
      ...newsOf([checkWith(500, finding)]).items,
      ...Array.from({ length: 500 }, () => recoveredItem({ says: long })),
    ];
    const news = newsOf([checkWith(500, finding, long)], { items });
    expectWithinLimits(news);
    expect(whole(news)).toMatch(/\n```\ntidemark repair g{900} --range run:0\n```/);
    expect(whole(news)).toMatch(/Left out here.+\d+ new errors, \d+ recovered/);
  });

  test("whatever has to be escaped, nothing is cut in half", () => {
    const evil = "&".repeat(900);
    const finding = { says: evil, causes: [], fix: `tidemark repair '${evil}'`, evidence: {} };
    const news = newsOf([checkWith(1, () => finding, evil)]);
    expectWithinLimits(news);
    for (const text of textsOf(news)) expect(text.replaceAll("&amp;", "")).not.toContain("&");
    expect(whole(news)).toMatch(/…\nthe command is in the report$/);
  });

  test("an audit of a part says that nothing is called recovered", () => {
    expect(whole(newsOf([checkOf()], { whole: false }))).toContain("Only a part was asked for");
  });
});
