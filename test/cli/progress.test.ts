import { describe, expect, test } from "vitest";
import { barLine, type DisplayOptions, endLine, openDisplay } from "../../src/cli/progress.ts";
import type { Screen } from "../../src/cli/screen.ts";
import { PLAIN } from "../../src/reporters/reporter.ts";
import { widthOf } from "../../src/reporters/text/wrap.ts";
import { checkOf, failureOf, findingOf, passOf } from "../reporters/reports.ts";

/** A screen that is no terminal, and what was said on it. */
function pipe(): { readonly screen: Screen; readonly said: string[] } {
  const said: string[] = [];
  const screen: Screen = {
    result: async () => {},
    say: (line) => void said.push(line),
    hide: () => {},
    clean: (text) => text,
    columns: 80,
    styleOfResult: PLAIN,
    styleOfTalk: PLAIN,
    canDraw: false,
  };
  return { screen, said };
}

const lines = (options: Partial<DisplayOptions>): readonly string[] => {
  const { screen, said } = pipe();
  using display = openDisplay(screen, { quiet: false, verbose: false, reported: true, ...options });
  display.note("a note");
  display.detail("a detail");
  display.begin("cities");
  display.step("cities", "reads the tables");
  display.rows("cities", 5n, 10n);
  display.end(passOf("cities"));
  display.end(failureOf("no-table", "there is no such table"));
  return said;
};

const CITIES = "cities: pass, 120,000 source rows, 119,997 target rows, 1.2 s";
const NO_TABLE = "no-table: could not finish: there is no such table";

describe("without a terminal", () => {
  test("each check is a line when it is done", () => {
    expect(lines({})).toEqual(["a note", CITIES, NO_TABLE]);
  });

  test("--verbose tells the steps and details too", () => {
    expect(lines({ verbose: true })).toEqual([
      "a note",
      "a detail",
      "cities: begins",
      "cities: reads the tables",
      CITIES,
      NO_TABLE,
    ]);
  });

  test("--quiet tells what could not finish, and only where no report does", () => {
    expect(lines({ quiet: true })).toEqual([]);
    expect(lines({ quiet: true, reported: false })).toEqual([NO_TABLE]);
  });
});

test("a check's line counts what stands, on one line whatever a server said", () => {
  const findings = [findingOf(), findingOf({ severity: "warn" }), findingOf({ state: "recovered" })];
  expect(endLine(checkOf({ findings }))).toBe(
    "grades: fail, 120,000 source rows, 119,997 target rows, 1 error, 1 warning, 1.2 s",
  );
  expect(endLine(failureOf("a", "one\ntwo\u001b[2J", "mend it"))).toBe(
    "a: could not finish: one two\\u001b[2J (mend it)",
  );
});

describe("a bar", () => {
  const bar = { since: 10, what: "", done: 30_000n, of: 120_000n };

  test("says how much, how fast and how long", () => {
    expect(barLine("grades", bar, 20, 120)).toBe(
      "grades  ███░░░░░░░░░  25 %  30,000 of 120,000 rows  3,000/s  30 s left",
    );
  });

  test("never says more than all of it", () => {
    expect(barLine("grades", { ...bar, done: 130_000n }, 20, 120)).toContain(
      "100 %  130,000 of 120,000 rows  13,000/s  0 s left",
    );
  });

  test("says rows and rate where nobody knows how many there are, and the step before there are any", () => {
    expect(barLine("grades", { ...bar, of: null }, 20, 120)).toBe("grades  30,000 rows  3,000/s");
    expect(barLine("grades", { ...bar, done: 0n, of: null, what: "reads the ledger" }, 20, 120)).toBe(
      "grades  reads the ledger",
    );
  });

  test("keeps to the terminal's width", () => {
    for (const columns of [10, 20, 40, 79])
      expect(widthOf(barLine("日本語のチェック", bar, 20, columns))).toBeLessThanOrEqual(columns);
  });
});
