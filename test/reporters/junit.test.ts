import { XMLParser, XMLValidator } from "fast-xml-parser";
import { expect, test } from "vitest";
import { FINDING_CODES } from "../../src/domain/codes.ts";
import type { CheckReport } from "../../src/domain/report.ts";
import { junit } from "../../src/reporters/junit.ts";
import type { ReporterOptions } from "../../src/reporters/reporter.ts";
import { checkOf, failureOf, findingOf, passOf, PIPE, reportOf } from "./reports.ts";

type Node = Readonly<Record<string, unknown>>;
type Suite = { readonly testcase: readonly Node[] } & Node;

/** The suites, as a strict parser reads them. */
function suitesOf(checks: readonly CheckReport[], options: Partial<ReporterOptions> = {}): readonly Suite[] {
  const xml = junit(reportOf(...checks), { ...PIPE, ...options });
  expect(XMLValidator.validate(xml)).toBe(true);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: "",
    trimValues: false,
    isArray: (name) => name === "testsuite" || name === "testcase",
  });
  const parsed = parser.parse(xml) as { readonly testsuites: { readonly testsuite: readonly Suite[] } };
  return parsed.testsuites.testsuite;
}

const caseOf = (suite: Suite | undefined, name: string): Node | undefined =>
  suite?.testcase.find((each) => each.name === name);

test("a suite a check, a case a rule", () => {
  const [suite, other] = suitesOf([checkOf(), passOf("cities")]);
  expect(suite).toMatchObject({
    name: "grades",
    tests: String(FINDING_CODES.length + 1),
    failures: "1",
    errors: "0",
    time: "1.210",
    timestamp: "2026-06-02T01:00:00",
  });
  expect(suite?.testcase.map(({ name }) => name)).toEqual(["audit", ...FINDING_CODES]);
  expect(caseOf(suite, "missing-rows")).toMatchObject({
    classname: "grades",
    failure: { message: "3 rows of the source are missing from the target", type: "error" },
  });
  expect(caseOf(suite, "stale-rows")).toEqual({ classname: "grades", name: "stale-rows", time: "0.000" });
  expect(other).toMatchObject({ name: "cities", failures: "0" });
});

test("counts are those of its cases", () => {
  for (const suite of suitesOf([checkOf(), passOf("b"), failureOf("c", "gone")])) {
    const having = (kind: string): string => String(suite.testcase.filter((each) => kind in each).length);
    expect(suite).toMatchObject({
      tests: String(suite.testcase.length),
      failures: having("failure"),
      errors: having("error"),
      skipped: having("skipped"),
    });
  }
});

test("what fails is what fails the command", () => {
  const warning = checkOf({ findings: [findingOf({ severity: "warn" })] });
  const failures = (failOn: "error" | "warn" | "never", check = warning): unknown =>
    suitesOf([check], { failOn })[0]?.failures;
  expect([failures("error"), failures("warn"), failures("never"), failures("never", checkOf())]).toEqual([
    "0",
    "1",
    "0",
    "0",
  ]);
  expect(caseOf(suitesOf([warning])[0], "missing-rows")?.["system-out"]).toContain("3 rows of the source");
  for (const over of [{ state: "recovered" }, { accepted: true }] as const)
    expect(failures("warn", checkOf({ findings: [findingOf(over)] }))).toBe("0");
});

test("rules that had nothing to look at are skipped, and say why", () => {
  const [suite] = suitesOf([checkOf()], { only: ["rows"] });
  expect(caseOf(suite, "missing-rows")).toHaveProperty("failure");
  expect(caseOf(suite, "no-index")).toMatchObject({ skipped: { message: "not asked for" } });
  const [all] = suitesOf([checkOf()]);
  expect(caseOf(all, "empty-run")).toMatchObject({ skipped: { message: "the check has no ledger" } });
  expect(caseOf(all, "slot-lost")).toHaveProperty("skipped");
});

test("a check that could not finish is in error and claims nothing", () => {
  const [suite] = suitesOf([failureOf("a", "no table", "is it there?")]);
  expect(caseOf(suite, "audit")).toMatchObject({ error: { message: "no table", type: "schema" } });
  expect(suite?.testcase.filter((each) => Object.keys(each).length === 3)).toEqual([]);
});

test("several findings of one code are one failure", () => {
  const [suite] = suitesOf([checkOf({ findings: [findingOf(), findingOf({ says: "and others" })] })]);
  expect(suite?.failures).toBe("1");
  expect(caseOf(suite, "missing-rows")).toMatchObject({
    failure: { "#text": expect.stringContaining("and others") as string },
  });
});

test("characters that XML forbids, and those that it gives a meaning, do no harm", () => {
  const says = `a\u0000b\u0008c\ud800d\uffff <script>"&'\u202e ]]> שלום\nnext`;
  const [suite] = suitesOf([checkOf({ check: `x<"&\u0001`, findings: [findingOf({ says, causes: [], fix: null })] })]);
  expect(suite?.name).toBe('x<"&\\u0001');
  const message = expect.stringContaining("a\\u0000b\\u0008c\ufffdd\\uffff <script>\"&'\\u202e ]]> שלום") as string;
  expect(caseOf(suite, "missing-rows")).toMatchObject({ failure: { message } });
});
