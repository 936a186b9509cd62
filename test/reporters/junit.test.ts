import { readFileSync } from "node:fs";
import { XMLParser } from "fast-xml-parser";
import { expect, test } from "vitest";
import { validateXML } from "xmllint-wasm";
import { FINDING_CODES } from "../../src/domain/codes.ts";
import type { CheckReport } from "../../src/domain/report.ts";
import { junit } from "../../src/reporters/junit.ts";
import type { ReporterOptions } from "../../src/reporters/reporter.ts";
import { checkOf, failureOf, findingOf, passOf, PIPE, reportOf } from "./reports.ts";

type Node = Readonly<Record<string, unknown>>;
type Suite = { readonly testcase: readonly Node[] } & Node;

const SCHEMA = readFileSync(new URL("junit.xsd", import.meta.url), "utf8");

/** What libxml2 has against a document: it is not well-formed, or not of the common schema. */
async function faultsOf(xml: string): Promise<readonly string[]> {
  const { errors } = await validateXML({ xml: { fileName: "report.xml", contents: xml }, schema: [SCHEMA] });
  return errors.map(({ message }) => message);
}

/** The suites of a report that is held to the schema. */
async function suitesOf(
  checks: readonly CheckReport[],
  options: Partial<ReporterOptions> = {},
): Promise<readonly Suite[]> {
  const xml = junit(reportOf(...checks), { ...PIPE, ...options });
  expect(await faultsOf(xml)).toEqual([]);
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

test("a suite a check, a case a rule", async () => {
  const [suite, other] = await suitesOf([checkOf(), passOf("cities")]);
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

test("counts are those of its cases", async () => {
  for (const suite of await suitesOf([checkOf(), passOf("b"), failureOf("c", "gone")])) {
    const having = (kind: string): string => String(suite.testcase.filter((each) => kind in each).length);
    expect(suite).toMatchObject({
      tests: String(suite.testcase.length),
      failures: having("failure"),
      errors: having("error"),
      skipped: having("skipped"),
    });
  }
});

test("what fails is what fails the command", async () => {
  const warning = checkOf({ findings: [findingOf({ severity: "warn" })] });
  const failures = async (failOn: "error" | "warn" | "never", check = warning): Promise<unknown> =>
    (await suitesOf([check], { failOn }))[0]?.failures;
  expect(await failures("error")).toBe("0");
  expect(await failures("warn")).toBe("1");
  expect(await failures("never")).toBe("0");
  expect(await failures("never", checkOf())).toBe("0");
  for (const over of [{ state: "recovered" }, { accepted: true }] as const)
    expect(await failures("warn", checkOf({ findings: [findingOf(over)] }))).toBe("0");
});

test("a finding that does not fail the command is told in the output of its suite", async () => {
  const [suite] = await suitesOf([checkOf({ findings: [findingOf({ severity: "warn" })] })]);
  expect(caseOf(suite, "missing-rows")).toEqual({ classname: "grades", name: "missing-rows", time: "0.000" });
  expect(suite?.["system-out"]).toContain("warn missing-rows (new): 3 rows of the source");
});

test("rules that had nothing to look at are skipped, and say why", async () => {
  const [suite] = await suitesOf([checkOf()], { only: ["rows"] });
  expect(caseOf(suite, "missing-rows")).toHaveProperty("failure");
  expect(caseOf(suite, "no-index")).toMatchObject({ skipped: { message: "not asked for" } });
  const [all] = await suitesOf([checkOf()]);
  expect(caseOf(all, "empty-run")).toMatchObject({ skipped: { message: "the check has no ledger" } });
  expect(caseOf(all, "slot-lost")).toHaveProperty("skipped");
});

test("a check that could not finish is in error and claims nothing", async () => {
  const [suite] = await suitesOf([failureOf("a", "no table", "is it there?")]);
  expect(caseOf(suite, "audit")).toMatchObject({ error: { message: "no table", type: "schema" } });
  expect(suite?.testcase.filter((each) => Object.keys(each).length === 3)).toEqual([]);
});

test("several findings of one code are one failure", async () => {
  const [suite] = await suitesOf([checkOf({ findings: [findingOf(), findingOf({ says: "and others" })] })]);
  expect(suite?.failures).toBe("1");
  expect(caseOf(suite, "missing-rows")).toMatchObject({
    failure: { "#text": expect.stringContaining("and others") as string },
  });
});

test("characters that XML forbids, and those that it gives a meaning, do no harm", async () => {
  const says = `a\u0000b\u0008c\ud800d\uffff <script>"&'\u202e ]]> שלום\nnext`;
  const [suite] = await suitesOf([
    checkOf({ check: `x<"&\u0001`, findings: [findingOf({ says, causes: [], fix: null })] }),
  ]);
  expect(suite?.name).toBe('x<"&\\u0001');
  const message = expect.stringContaining("a\\u0000b\\u0008c\ufffdd\\uffff <script>\"&'\\u202e ]]> שלום") as string;
  expect(caseOf(suite, "missing-rows")).toMatchObject({ failure: { message } });
});

test("the schema sees what is not of it", async () => {
  const xml = junit(reportOf(checkOf()), PIPE);
  expect(await faultsOf(xml.replace(' hostname="localhost"', ""))).toHaveLength(1);
  expect(await faultsOf(xml.replace("<system-err/>", ""))).toHaveLength(1);
  expect(await faultsOf(xml.replace("</testcase>", "<system-out/></testcase>"))).toHaveLength(1);
  expect(await faultsOf(xml.replace("grades", "\u0001"))).not.toEqual([]);
});
