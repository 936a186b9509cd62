import { expect, test } from "vitest";
import type { CheckReport } from "../../src/domain/report.ts";
import { github } from "../../src/reporters/github.ts";
import { causeOf, checkOf, failureOf, findingOf, passOf, PIPE, reportOf } from "./reports.ts";

const linesOf = (...checks: readonly CheckReport[]): readonly string[] =>
  github(reportOf(...checks), PIPE)
    .trimEnd()
    .split("\n");

test("errors and warnings become annotations; notes and what is over do not", () => {
  const lines = linesOf(
    checkOf({
      findings: [
        findingOf({ causes: [], fix: null }),
        findingOf({ code: "cursor-ties", severity: "warn", state: "ongoing", says: "too many", causes: [], fix: null }),
        findingOf({ severity: "info" }),
        findingOf({ severity: "error", state: "recovered" }),
        findingOf({ severity: "error", accepted: true }),
      ],
    }),
    passOf("cities"),
  );
  expect(lines).toEqual([
    "::error title=grades%3A missing-rows (new)::3 rows of the source are missing from the target",
    "::warning title=grades%3A cursor-ties (ongoing)::too many",
    "tidemark: fail; 1 of 2 checks passed",
  ]);
});

test("a check that could not finish is an error with its hint", () => {
  expect(linesOf(failureOf("a", "no table", "is it there?"))[0]).toBe(
    "::error title=a%3A could not finish::no table%0Ais it there?",
  );
});

test("nothing that was read can begin a command, or end one", () => {
  const says = "100%\n::set-output name=x::y\r\n::stop-commands::z";
  const lines = linesOf(
    checkOf({
      check: "a,b:c\n::error::",
      findings: [findingOf({ says, causes: [causeOf({ says: "\r::debug::" })], fix: null })],
    }),
  );
  expect(lines).toHaveLength(2);
  expect(lines[0]).toBe(
    "::error title=a%2Cb%3Ac%0A%3A%3Aerror%3A%3A%3A missing-rows (new)::100%25%0A::set-output name=x::y%0A::stop-commands::z%0A\\u000d::debug::",
  );
});

test("of each level ten are written, the last of which says how many more there are", () => {
  const findings = Array.from({ length: 25 }, (_, n) => findingOf({ says: `finding ${n}` }));
  const lines = linesOf(checkOf({ findings }));
  expect(lines.filter((line) => line.startsWith("::error"))).toHaveLength(10);
  expect(lines[9]).toBe("::error title=tidemark::16 more errors in the report");
});
