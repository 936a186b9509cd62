import { XMLValidator } from "fast-xml-parser";
import { expect, test } from "vitest";
import type { CheckDetail } from "../../../src/domain/detail.ts";
import { badge, badgeText } from "../../../src/reporters/html/badge.ts";
import { HOUR } from "../../support/timeline.ts";
import { checkOf, failureOf, passOf } from "../reports.ts";

const detail = (
  source: bigint | null,
  target: bigint | null,
  warn: bigint | null = null,
  error: bigint | null = null,
): CheckDetail => ({
  now: 0n,
  axis: "time",
  cursor: "at",
  clocks: null,
  keys: null,
  lag: null,
  freshness: { source, target, warn, error },
  history: [],
});

test("a badge says the verdict and how old the target's newest row is", () => {
  expect(badgeText(passOf("a"), detail(HOUR, 2n * HOUR))).toMatchObject({
    says: "pass · 2 h old",
    age: { says: "newest row 2 h old", tone: "unjudged" },
    tone: "pass",
  });
  expect(badgeText(passOf("a"), detail(HOUR, null))).toMatchObject({ says: "pass · 1 h old" });
  expect(badgeText(passOf("a"), detail(null, null))).toMatchObject({ says: "no rows", tone: "warn" });
});

test("its tone is the worse of the verdict and the age, which is judged as the check allows", () => {
  const tone = (age: bigint, check = passOf("a")): string =>
    badgeText(check, detail(age, age, 6n * HOUR, 24n * HOUR)).tone;
  expect([tone(6n * HOUR), tone(7n * HOUR), tone(24n * HOUR), tone(25n * HOUR), tone(HOUR, checkOf())]).toEqual([
    "pass",
    "warn",
    "warn",
    "fail",
    "fail",
  ]);
});

test("a check without times, or that could not finish, has its verdict alone", () => {
  expect(badgeText(checkOf(), { ...detail(null, null), freshness: null }).says).toBe("fail");
  expect(badgeText(passOf("a"), undefined).says).toBe("pass");
  expect(badgeText(failureOf("a", "gone"), detail(HOUR, HOUR)).says).toBe("incomplete");
});

test("it is an image whatever the check is called", () => {
  const svg = badge(passOf(`a<b"&'\u0000`), undefined).text;
  expect(XMLValidator.validate(svg)).toBe(true);
  expect(svg).toContain("a&lt;b&quot;&amp;&#39;\\u0000");
});
