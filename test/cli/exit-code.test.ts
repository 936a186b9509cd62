import { describe, expect, test } from "vitest";
import { type ExitCode, exitOf, type FailOn, meaningOf, worstExit } from "../../src/cli/exit-code.ts";
import { checkOf, failureOf, findingOf, passOf, reportOf } from "../reporters/reports.ts";

test("the worst wins: 70 over 3 over 1 over 0", () => {
  const order: readonly ExitCode[] = [0, 1, 3, 70];
  for (const [i, worse] of order.entries())
    for (const better of order.slice(0, i)) {
      expect(worstExit([better, worse])).toBe(worse);
      expect(worstExit([worse, better])).toBe(worse);
    }
  expect(worstExit([])).toBe(0);
});

describe("a report", () => {
  const found = (severity: "error" | "warn" | "info", more: object = {}) =>
    reportOf(passOf("a"), checkOf({ check: "b", findings: [findingOf({ severity, ...more })] }));

  test.each<[string, FailOn, ExitCode]>([
    ["error", "error", 1],
    ["warn", "error", 0],
    ["info", "error", 0],
    ["error", "warn", 1],
    ["warn", "warn", 1],
    ["info", "warn", 0],
    ["error", "never", 0],
    ["warn", "never", 0],
  ])("with a finding of severity %s is, failing on %s, a %i", (severity, failOn, code) => {
    expect(exitOf(found(severity as "error"), failOn)).toBe(code);
  });

  test("does not fail for what recovered or was accepted", () => {
    expect(exitOf(found("error", { state: "recovered" }), "error")).toBe(0);
    expect(exitOf(found("error", { accepted: true }), "error")).toBe(0);
  });

  test("with a check that could not finish is a 3, whatever else was found", () => {
    expect(exitOf(reportOf(checkOf(), failureOf("c", "gone")), "error")).toBe(3);
    expect(exitOf(reportOf(failureOf("c", "gone")), "never")).toBe(3);
  });

  test("with a bug in it is a 70", () => {
    expect(exitOf(reportOf(failureOf("a", "gone"), failureOf("b", "a bug", null, "bug")), "error")).toBe(70);
  });

  test("of a check that was asked wrongly is a 2", () => {
    expect(exitOf(reportOf(failureOf("a", "no such range", null, "usage"), passOf("b")), "error")).toBe(2);
  });

  test("of no checks is a 0", () => expect(exitOf(reportOf(), "error")).toBe(0));
});

test("every code has its words", () => {
  for (const code of [0, 1, 2, 3, 70, 130] as const) expect(meaningOf(code, "error")).toMatch(/\w/);
  expect(meaningOf(0, "warn")).toContain("warn");
  expect(meaningOf(0, "never")).toContain("never");
});
