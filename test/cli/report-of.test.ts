import { expect, test } from "vitest";
import { cleaned, milliseconds, reportOf } from "../../src/cli/report-of.ts";
import { redact, Secret } from "../../src/domain/secret.ts";
import { checkOf, failureOf, passOf } from "../reporters/reports.ts";

const clean = (text: string): string => redact(text, [new Secret("postgres://reader:opensesame@host/db")]);

test("no text of a server or a driver carries a secret into the report", () => {
  const said = "the server said opensesame";
  const whole = checkOf();
  const check = {
    ...failureOf("a", said, said),
    compared: { ...whole.compared!, notes: [said], stopped: said, not_compared: [{ column: "geom", why: said }] },
    runs: {
      read: 1,
      successful: 1,
      empty: 0,
      without_window: 0,
      unreadable: [{ place: "line 7", why: said }],
      first: null,
      last: null,
    },
  };
  const text = JSON.stringify(cleaned(check, clean));
  expect(text).not.toContain("opensesame");
  expect(text.split("***")).toHaveLength(7);
});

test("names and keys stay what they are, also where a password is spelled the same", () => {
  const check = checkOf({ check: "opensesame" });
  expect(cleaned(check, clean)).toEqual(check);
});

test("checks stand in the order of their names, under the worst of their verdicts", () => {
  const report = reportOf([failureOf("b", "gone"), passOf("c"), passOf("a")], { started: 0n, finished: 1_500n });
  expect(report.checks.map(({ check }) => check)).toEqual(["a", "b", "c"]);
  expect(report).toMatchObject({
    verdict: "incomplete",
    started_at: "1970-01-01T00:00:00.000Z",
    finished_at: "1970-01-01T00:00:00.001Z",
  });
});

test("times of a report keep milliseconds", () => {
  expect(milliseconds(1_780_362_000_123_999n)).toBe("2026-06-02T01:00:00.123Z");
});
