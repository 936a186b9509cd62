import { describe, expect, test } from "vitest";
import type { CheckReport } from "../../src/domain/report.ts";
import { markdown } from "../../src/reporters/markdown.ts";
import { causeOf, checkOf, failureOf, findingOf, passOf, PIPE, reportOf } from "./reports.ts";

const print = (...checks: readonly CheckReport[]): string => markdown(reportOf(...checks), PIPE);
const bytes = (text: string): number => new TextEncoder().encode(text).length;

test("the verdicts as a table, then what was found, why, and what to type", () => {
  const text = print(checkOf(), passOf("cities"), failureOf("gone", "no table", "is it there?"));
  for (const part of [
    "## ❓ incomplete: tidemark audit of 2026-06-02 01:00 UTC",
    "| ❌ fail | `grades` | 120,000 | 119,997 | 1.2 s |",
    "| ✅ pass | `cities` |",
    "### `grades`",
    "**✗ error** `missing-rows` (new): 3 rows of the source are missing from the target",
    "```sh\ntidemark repair grades --range 2026-06-01T08:00:00Z..2026-06-01T12:00:00.000001Z\n```",
    "**Could not finish** (`schema`): no table",
  ])
    expect(text).toContain(part);
  expect(text).not.toContain("### `cities`");
  expect(text).not.toContain("For want of room");
});

test("a command carries the folder of checks", () => {
  expect(markdown(reportOf(checkOf()), { ...PIPE, commandSuffix: " --checks c" })).toContain(
    ".000001Z --checks c\n```",
  );
});

describe("what does not fit", () => {
  const long = (severity: "error" | "warn" | "info", n: number) =>
    findingOf({
      severity,
      says: `${severity} ${n}: ${"ש".repeat(400)}`,
      causes: [causeOf({ says: "because ".repeat(60) })],
    });

  test("is left out, the gravest last, and it is said", () => {
    const findings = [
      ...Array.from({ length: 30 }, (_, n) => long("info", n)),
      ...Array.from({ length: 200 }, (_, n) => long("warn", n)),
      ...Array.from({ length: 20 }, (_, n) => long("error", n)),
    ];
    const text = print(checkOf({ findings }));
    expect(bytes(text)).toBeLessThanOrEqual(65_536);
    expect(bytes(text)).toBeGreaterThan(60_000);
    for (let n = 0; n < 20; n++) expect(text).toContain(`error ${n}:`);
    expect(text).not.toContain("info 0:");
    expect(text).toMatch(
      /_For want of room: \d+ findings? (?:told in one line, \d+ findings? )?left out\. The HTML and JSON reports have everything\._\n$/,
    );
  });

  test("is checks as well, where there are thousands", () => {
    const text = print(...Array.from({ length: 3000 }, (_, n) => passOf(`check-${n}`)));
    expect(bytes(text)).toBeLessThanOrEqual(65_536);
    expect(text).toContain("2,800 checks left out");
  });
});

test("nothing that was read is a tag, a link, a mention or a row of the table", () => {
  const text = print(
    checkOf({
      check: "a|b`c",
      findings: [
        findingOf({
          says: "<script>alert(1)</script> [x](http://evil) @everyone #12 **bold** `tick` | bar\n# heading",
          sample: [{ key: { id: "<img src=x>" }, columns: ["a`b"] }],
          fix: "DROP TABLE x; ```\n# not a heading",
        }),
      ],
    }),
  );
  expect(text).toContain("\\<script\\>");
  expect(text).toContain(
    "\\[x\\](http://evil) @<!-- -->everyone #<!-- -->12 \\*\\*bold\\*\\* \\`tick\\` \\| bar # heading",
  );
  expect(text).not.toMatch(/^# heading/m);
  expect(text).toContain("``a\\|b`c``");
  expect(text).toContain("````sh\nDROP TABLE x; ```\n# not a heading\n````");
  expect(text).toContain("\\<img src=x\\>");
});
