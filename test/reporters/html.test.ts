import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Difference } from "../../src/domain/difference.ts";
import type { CheckReport } from "../../src/domain/report.ts";
import type { Run } from "../../src/domain/run.ts";
import { DARK, LIGHT } from "../../src/reporters/html/style.ts";
import { html } from "../../src/reporters/html.ts";
import { detailOf, hourly, type Scene, sceneOf } from "../support/scenes.ts";
import { story } from "../support/story.ts";
import { HOUR, MINUTE, t, timeline } from "../support/timeline.ts";
import { checkOf, failureOf, findingOf, passOf, PIPE, reportOf } from "./reports.ts";

const print = (...checks: readonly CheckReport[]): string => html(reportOf(...checks), PIPE);
const draw = (...scenes: readonly Scene[]): string =>
  html(reportOf(...scenes.map(({ report }) => report)), {
    ...PIPE,
    details: new Map(scenes.map(({ report, detail }) => [report.check, detail])),
  });

/** Of these words, those that a page lacks: a page itself is too long to be shown by a failure. */
const without = (page: string, ...words: readonly string[]): readonly string[] =>
  words.filter((each) => !page.includes(each));

test("one glance tells why the row fell through", () => {
  const page = draw(sceneOf("grades", story()));
  const words = [
    "1 row of the source is missing from the target.",
    "Run 812 asked for data that the source did not show yet: it closed its window 10 h 20 min ahead of the data clock.",
    ">10 h 20 min</text>",
    ">closed: no later window looks back here</text>",
    "run 812, started Mon 2026-06-01 12:00:05 UTC: succeeded with 0 rows",
    "run 812 should have carried it; arrived Mon 2026-06-01 22:52 UTC, 12 h 52 min after the change",
    "the data clock stood at Mon 2026-06-01 01:40 UTC\nobserved; witness: the arrivals of rows",
    "tidemark repair grades --range",
  ];
  expect(without(page, ...words)).toEqual([]);
});

test("the page asks nobody for anything and runs nothing; its policy allows its own style alone", () => {
  const page = draw(sceneOf("grades", story()));
  expect(
    /<script|<link(?! rel="icon" href="data:)|\ssrc=|@import|\son\w+=|\sstyle=|javascript:/i.exec(page)?.[0],
  ).toBeUndefined();
  const outside = page
    .replaceAll("http://www.w3.org/2000/svg", "")
    .replaceAll(/http%3A%2F%2Fwww\.w3\.org%2F2000%2Fsvg/g, "");
  expect(/url\((?!#)|https?:/.exec(outside)?.[0]).toBeUndefined();
  const [, style = ""] = /<style>([^]*?)<\/style>/.exec(page) ?? [];
  const hash = createHash("sha256").update(style).digest("base64");
  expect(
    without(
      page,
      `content="default-src &#39;none&#39;; style-src &#39;sha256-${hash}&#39;; img-src data:; base-uri &#39;none&#39;; form-action &#39;none&#39;"`,
    ),
  ).toEqual([]);
});

test("whatever was read stays text", () => {
  const evil = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&amp;\u202e\u0000`;
  const runs = (story().runs ?? []).map((run) => ({ ...run, id: `${run.id}${evil}` }));
  const { report, detail } = sceneOf(evil, { ...story(), runs }, evil);
  const finding = findingOf({
    says: evil,
    columns: [evil],
    sample: [{ key: { [evil]: evil } }],
    fix: `tidemark repair ${evil}`,
  });
  const page = draw({ report: { ...report, findings: [...report.findings, finding] }, detail });
  expect(/<script|<img/.exec(page)?.[0]).toBeUndefined();
  expect(without(page, "\u202e")).toEqual(["\u202e"]);
  expect(without(page, "\u0000")).toEqual(["\u0000"]);
  expect(
    without(
      page,
      "&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=&#39;alert(2)&#39;&gt;&amp;amp;\\u202e\\u0000",
    ),
  ).toEqual([]);
});

test("ids are unique, and every reference leads to one", () => {
  const page = draw(
    sceneOf("a", story()),
    sceneOf("b", story()),
    sceneOf(
      "c",
      hourly(48, (id) => id === 31, 10),
    ),
  );
  const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id ?? "");
  expect(new Set(ids).size).toBe(ids.length);
  const asked = [
    ...[...page.matchAll(/aria-labelledby="([^"]+)"/g)].flatMap(([, list]) => (list ?? "").split(" ")),
    ...[...page.matchAll(/url\(#([^)]+)\)|href="#([^"]+)"/g)].map(([, a, b]) => a ?? b ?? ""),
  ];
  expect(asked.filter((id) => !ids.includes(id))).toEqual([]);
});

test("a check that could not finish says why, and one that passed says so", () => {
  const page = print(failureOf("gone", "no table", "is it there?"), passOf("cities"));
  expect(without(page, "<strong>Could not finish: no table</strong>")).toEqual([]);
  expect(without(page, "is it there?")).toEqual([]);
  expect(without(page, "Nothing is wrong here that an audit can see.")).toEqual([]);
});

test("a command is whole, and carries the folder of checks", () => {
  const page = html(reportOf(checkOf()), { ...PIPE, commandSuffix: " --checks c" });
  expect(
    without(page, "tidemark repair grades --range 2026-06-01T08:00:00Z..2026-06-01T12:00:00.000001Z --checks c</pre>"),
  ).toEqual([]);
});

test("without what pictures are drawn from, the page says that it has none", () => {
  expect(without(print(checkOf()), "There are no pictures: this report was made from JSON forms")).toEqual([]);
  expect(without(print(checkOf()), "<svg")).toEqual(["<svg"]);
  expect(without(print(), "No check was asked for.")).toEqual([]);
});

test("a page that has the pictures of some checks names the others", () => {
  const { report, detail } = sceneOf("grades", story());
  const page = html(reportOf(report, passOf("cities"), failureOf("gone", "no table")), {
    ...PIPE,
    details: new Map([["grades", detail]]),
  });
  expect(without(page, "<svg", "There are no pictures of <bdi>cities</bdi>: this")).toEqual([]);
  const whole = draw(sceneOf("grades", story()));
  expect(without(whole, "There are no pictures")).toEqual(["There are no pictures"]);
});

test("neither a hundred thousand runs nor as many lost rows make a large page", () => {
  const few = draw(
    sceneOf(
      "grades",
      hourly(240, (id) => id % 3 === 0),
    ),
  );
  const many = draw(endless(100_000));
  expect(many.length).toBeLessThan(1_500_000);
  expect(without(many, "a box stands for up to 678 runs")).toEqual([]);
  expect(many.length).toBeLessThan(few.length * 2);
});

/** Runs each of which lost one row of its two, made without looking anything up. */
function endless(many: number): Scene {
  const { facts } = timeline(hourly(2, () => false));
  const start = t("1 00:00");
  const at = (n: number): bigint => start + BigInt(n) * HOUR;
  const runs = Array.from(
    { length: many },
    (_, n): Run => ({
      id: `r${n}`,
      window: { from: at(n), fromClosed: false, to: at(n + 1), toClosed: true },
      started: at(n + 1),
      finished: at(n + 1) + MINUTE,
      outcome: "success",
      status: "success",
      rows: 1n,
      backfill: false,
      dataClock: null,
    }),
  );
  const ends = [...new Set(runs.flatMap((_, n) => [at(n), at(n) + HOUR / 2n, at(n + 1)]))];
  const profile = { ends, at: ends.map(() => 0n), between: Array.from({ length: ends.length + 1 }, () => 1n) };
  const clocks = runs.map(
    (_, n) => ({ position: at(n) + HOUR / 2n, at: at(n + 1), witness: "arrivals", certainty: "exact" }) as const,
  );
  const ledger = facts.ledger && { ...facts.ledger, runs, clocks, source: profile, lacking: profile, arrivals: null };
  const differences = runs.map((_, n): Difference => {
    const source = { cursor: at(n) + HOUR - MINUTE, version: null, arrival: at(n + 1) + MINUTE, loaded: null };
    return { type: "missing", key: [`${n}`], source };
  });
  const now = at(many + 2);
  const endlessFacts = {
    ...facts,
    now,
    ledger,
    source: { ...facts.source, keys: { first: ["0"], last: [`${many}`] } },
  };
  return { report: passOf("grades"), detail: detailOf(endlessFacts, differences) };
}

describe("colours", () => {
  const luminance = (hex: string): number => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
      const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  /** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
  const contrast = (a: string, b: string): number => {
    const [x, y] = [luminance(a), luminance(b)];
    return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
  };
  const TEXT = ["ink", "dim", "link", "pass", "warn", "fail", "info", "clock", "lost"] as const;
  const MARKS = [
    "clock",
    "wall",
    "run-edge",
    "dead",
    "lost",
    "key-missing",
    "key-stale",
    "key-changed",
    "key-ahead",
    "key-extra",
  ] as const;

  test.each([
    ["light", LIGHT],
    ["dark", DARK],
  ])("of the %s page stand out from their ground: text at 4.5 to 1, marks at 3 to 1", (_, colours) => {
    for (const name of TEXT)
      for (const ground of ["ground", "panel", "unseen"] as const)
        expect(contrast(colours[name], colours[ground]), `${name} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    for (const name of MARKS)
      for (const ground of ["ground", "unseen", "band"] as const)
        expect(contrast(colours[name], colours[ground]), `${name} on ${ground}`).toBeGreaterThanOrEqual(3);
  });
});
