import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cut, slackCode, slackFence, slackLink, slackText } from "../../src/alerts/slack-text.ts";

/** Takes Slack's escapes back, and the joiners that nobody sees. */
const shown = (text: string): string =>
  text.replaceAll("\u2060", "").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

describe("a text that somebody else wrote", () => {
  test("mentions nobody, links nowhere and is read as it was written", () => {
    expect(slackText("<!channel> & <https://evil.example|click> <@U1>")).toBe(
      "&lt;!channel&gt; &amp; &lt;https://evil.example|click&gt; &lt;@U1&gt;",
    );
    expect(slackCode("<!channel>")).toBe("`&lt;!channel&gt;`");
    expect(slackFence("tidemark repair '<!here>' --x a&b")).toBe(
      "```\ntidemark repair '&lt;!here&gt;' --x a&amp;b\n```",
    );
  });

  test("does not set what stands around it in bold, in code, or behind a strike", () => {
    expect(slackText("_loaded_at_ and *all* of ~it~ in `t`")).toBe(
      "\u2060_\u2060loaded_at\u2060_\u2060 and \u2060*\u2060all\u2060*\u2060 of \u2060~\u2060it\u2060~\u2060 in ˋtˋ",
    );
    expect(slackText("loaded_at of 08:10:20 :fire:")).toBe("loaded_at of 08:10:20 :\u2060fire:");
    expect(slackCode("a`b")).toBe("`aˋb`");
  });

  test("is one line, and turns nobody's direction", () => {
    expect(slackText("a\r\n\u2028\u0000b\u202Ec")).toBe("a b\uFFFDc");
    expect(slackFence("a\u0007b\nc")).toBe("```\na b\nc\n```");
  });

  test("single backticks of a statement stay; three do not end a fence", () => {
    expect(slackFence("ALTER TABLE `t` ADD UNIQUE (`id`)")).toContain("ALTER TABLE `t` ADD UNIQUE (`id`)");
    expect(slackFence("a```b").match(/```/g)).toHaveLength(2);
  });

  test("whatever it holds, no control of Slack's is in it, and what it says stays", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        for (const made of [slackText(text), slackCode(text).replace(/^`|`$/g, "")]) {
          expect(made).not.toMatch(/[<>`\n\r]/);
          expect(made.replaceAll(/&(?:amp|lt|gt);/g, "")).not.toContain("&");
        }
        if (/^[\x20-\x7e]*$/.test(text)) expect(shown(slackText(text))).toBe(text.replaceAll("`", "ˋ"));
      }),
    );
  });

  test("is cut before it is escaped, and never in the middle of a character", () => {
    expect(slackText("<<<<", 3)).toBe("&lt;&lt;…");
    expect(cut("a😀b", 3)).toBe("a…");
    expect(cut("abc", 3)).toBe("abc");
  });

  test("a link keeps to its address", () => {
    expect(slackLink("https://h.example/a|b?x=1&y=<z>", "Open")).toBe(
      "<https://h.example/a%7Cb?x=1&amp;y=&lt;z&gt;|Open>",
    );
  });
});
