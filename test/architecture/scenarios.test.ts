import { expect, test } from "vitest";
import { CAUSES } from "../../src/causes/index.ts";
import { RULES } from "../../src/rules/index.ts";
import { SCENARIOS } from "../scenarios/pipelines/index.ts";

const lines = SCENARIOS.flatMap(({ says }) => says);
const silent = new Set<string>(SCENARIOS.flatMap((scenario) => scenario.silent ?? []));
const codes = [...RULES, ...CAUSES].map(({ code }) => code);

test("each rule is seen to speak about a pipeline on real databases", () => {
  expect(RULES.map(({ code }) => code).filter((code) => !lines.some((line) => line.split(/[ /]/)[0] === code))).toEqual(
    [],
  );
});

test("each cause is seen to be named by an audit of real databases", () => {
  expect(CAUSES.map(({ code }) => code).filter((code) => !lines.some((line) => line.includes(`< ${code} `)))).toEqual(
    [],
  );
});

/** Where there is nothing left that it could be silent about: it is what is said of the rest. */
const ALWAYS: ReadonlySet<string> = new Set(["undetermined"]);

test("each rule and cause is seen to be silent near what it is about", () => {
  expect(codes.filter((code) => !silent.has(code) && !ALWAYS.has(code))).toEqual([]);
});

test("no scenario is silent of what it says", () => {
  const rules = new Set<string>(RULES.map(({ code }) => code));
  const said = (line: string, code: string): boolean =>
    new RegExp(rules.has(code) ? `^${code}[ /]` : `< ${code} `).test(line);
  const loud = SCENARIOS.filter(({ says, silent: quiet = [] }) =>
    quiet.some((code) => says.some((line) => said(line, code))),
  );
  expect(loud.map(({ title }) => title)).toEqual([]);
});
