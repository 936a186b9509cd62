import { describe, expect, test } from "vitest";
import type { Finding, Severity } from "../../src/domain/finding.ts";
import { knownAfter, type ToldIncident, tidingsFor } from "../../src/domain/news.ts";
import type { CheckReport } from "../../src/domain/report.ts";
import { checkOf, failureOf, findingOf, passOf, reportOf } from "../reporters/reports.ts";

const HOUR = 3_600_000_000n;
const GRADES = "grades/missing-rows";

/** An alert over several audits, with what it knows in between. */
function alertOf(over: { readonly at?: Severity; readonly repeatAfter?: bigint } = {}) {
  const alert = { at: over.at ?? "warn", repeatAfter: over.repeatAfter ?? null } as const;
  let told: readonly ToldIncident[] = [];
  let now = 0n;
  return {
    known: () => told,
    /** What it tells of these checks, an hour after the last time. */
    hears(checks: readonly CheckReport[], { whole = true, delivered = true } = {}): readonly string[] {
      now += HOUR;
      const { items, eased } = tidingsFor(reportOf(...checks), alert, told, { now, whole });
      const next = new Map([...told, ...eased].map((each) => [`${each.check} ${each.id}`, each]));
      for (const item of items) {
        const known = knownAfter(item, { now, whole, delivered });
        if (known === null) next.delete(`${item.check} ${item.id}`);
        else next.set(`${item.check} ${item.id}`, known);
      }
      told = [...next.values()];
      return items.map(({ kind, id, says }) => `${kind} ${id}${kind === "recovered" ? `: ${says}` : ""}`);
    },
  };
}

const missing = (rows: number, over: Partial<Finding> = {}): CheckReport =>
  checkOf({ findings: [findingOf({ rows, ...over })] });

describe("what an alert tells", () => {
  test("is what is new, then nothing, then what is worse, then what is over, then nothing", () => {
    const alert = alertOf();
    expect(alert.hears([missing(3)])).toEqual([`new ${GRADES}`]);
    expect(alert.hears([missing(3)])).toEqual([]);
    expect(alert.hears([missing(5)])).toEqual([`worse ${GRADES}`]);
    expect(alert.hears([passOf("grades")])).toEqual([`recovered ${GRADES}: gone`]);
    expect(alert.hears([passOf("grades")])).toEqual([]);
    expect(alert.known()).toEqual([]);
  });

  test("what grows a little every night is worse once it has grown by a tenth since it was told", () => {
    const alert = alertOf();
    alert.hears([missing(100)]);
    expect([104, 108, 112, 116].map((rows) => alert.hears([missing(rows)]).length)).toEqual([0, 0, 1, 0]);
  });

  test("what shrank in silence is worse again from there", () => {
    const alert = alertOf();
    alert.hears([missing(100)]);
    expect(alert.hears([missing(50)])).toEqual([]);
    expect(alert.hears([missing(90)])).toEqual([`worse ${GRADES}`]);
    const risen = alertOf({ at: "warn" });
    risen.hears([missing(3)]);
    expect(risen.hears([missing(3, { severity: "warn" })])).toEqual([]);
    expect(risen.hears([missing(3)])).toEqual([`worse ${GRADES}`]);
  });

  test("begins at its severity, and ends below it or where one has agreed to live with it", () => {
    const alert = alertOf({ at: "error" });
    expect(alert.hears([missing(3, { severity: "warn" })])).toEqual([]);
    expect(alert.hears([missing(3)])).toEqual([`new ${GRADES}`]);
    expect(alert.hears([missing(3, { severity: "warn", says: "3 rows" })])).toEqual([
      `recovered ${GRADES}: now a warning: 3 rows`,
    ]);
    expect(alert.hears([missing(3, { severity: "info" })])).toEqual([]);
    alert.hears([missing(3)]);
    expect(alert.hears([missing(3, { severity: "info", accepted: true })])).toEqual([`recovered ${GRADES}: accepted`]);
    expect(alertOf({ at: "info" }).hears([missing(3, { severity: "info", accepted: true })])).toEqual([]);
    expect(alertOf({ at: "info" }).hears([missing(3, { severity: "info" })])).toEqual([`new ${GRADES}`]);
  });

  test("is told again after as long as it was asked to", () => {
    const alert = alertOf({ repeatAfter: 2n * HOUR });
    const heard = Array.from({ length: 6 }, () => alert.hears([missing(3)]));
    expect(heard.map(([one = ""]) => one.split(" ")[0])).toEqual(["new", "", "ongoing", "", "ongoing", ""]);
    expect(alert.known()).toMatchObject([{ since: HOUR, toldAt: 5n * HOUR }]);
  });

  test("is told again by the next nightly audit also where that begins a little earlier", () => {
    const alert = alertOf({ repeatAfter: HOUR + HOUR / 30n });
    expect([0, 1, 2].flatMap(() => alert.hears([missing(3)]))).toHaveLength(3);
    const slower = alertOf({ repeatAfter: HOUR + HOUR / 10n });
    expect([0, 1, 2].flatMap(() => slower.hears([missing(3)]))).toHaveLength(2);
  });

  test("a check that could not finish is told once, recovers alone, and nothing else recovers meanwhile", () => {
    const alert = alertOf();
    alert.hears([missing(3)]);
    const failed = failureOf("grades", "no such table");
    expect(alert.hears([failed])).toEqual(["new grades/incomplete"]);
    expect(alert.hears([failed])).toEqual([]);
    expect(alert.hears([missing(3)])).toEqual(["recovered grades/incomplete: the check finishes again"]);
    expect(alert.hears([missing(3)])).toEqual([]);
  });

  test("what half a check has found is told, and what it has not seen is not over", () => {
    const alert = alertOf();
    alert.hears([missing(3)]);
    const half = checkOf({
      verdict: "incomplete",
      findings: [findingOf({ id: "grades/stale-source", code: "stale-source" })],
    });
    expect(alert.hears([half])).toEqual(["new grades/incomplete", "new grades/stale-source"]);
    const stopped = checkOf({ findings: [], compared: { ...checkOf().compared!, stopped: "after 2 h" } });
    expect(alert.hears([stopped])).toEqual([]);
  });

  test("what was asked wrongly is nobody's incident", () => {
    for (const code of ["usage", "definition", "refused"])
      expect(alertOf().hears([failureOf("grades", "no number", null, code)])).toEqual([]);
    expect(alertOf().hears([failureOf("grades", "a bug", null, "bug")])).toEqual(["new grades/incomplete"]);
  });

  test("where a part was asked for, nothing is over, and what was told of the whole stays", () => {
    const alert = alertOf();
    alert.hears([missing(100)]);
    expect(alert.hears([passOf("grades")], { whole: false })).toEqual([]);
    expect(alert.hears([missing(2)], { whole: false })).toEqual([]);
    expect(alert.known()).toMatchObject([{ rows: 100n }]);
    expect(alert.hears([passOf("orders")])).toEqual([]);
    const repeated = alertOf({ repeatAfter: HOUR });
    repeated.hears([missing(100)]);
    expect(repeated.hears([missing(2, { severity: "warn" })], { whole: false })).toEqual([`ongoing ${GRADES}`]);
    expect(repeated.known()).toMatchObject([{ rows: 100n, severity: "error", toldAt: 2n * HOUR }]);
    expect(alert.hears([passOf("grades")])).toEqual([`recovered ${GRADES}: gone`]);
  });
});

describe("what could not be delivered", () => {
  const undelivered = { delivered: false };

  test("is new next time, with when it was first seen", () => {
    const alert = alertOf();
    expect(alert.hears([missing(3)], undelivered)).toEqual([`new ${GRADES}`]);
    expect(alert.known()).toMatchObject([{ since: HOUR, toldAt: null }]);
    expect(alert.hears([missing(3, { state: "ongoing" })])).toEqual([`new ${GRADES}`]);
    expect(alert.known()).toMatchObject([{ since: HOUR, toldAt: 2n * HOUR }]);
    expect(alert.hears([missing(3)])).toEqual([]);
  });

  test("is worse, or over, next time, if it was that", () => {
    const alert = alertOf();
    alert.hears([missing(3)]);
    expect(alert.hears([missing(9)], undelivered)).toEqual([`worse ${GRADES}`]);
    expect(alert.hears([missing(9)])).toEqual([`worse ${GRADES}`]);
    expect(alert.hears([passOf("grades")], undelivered)).toEqual([`recovered ${GRADES}: gone`]);
    expect(alert.hears([passOf("grades")])).toEqual([`recovered ${GRADES}: gone`]);
    expect(alert.hears([passOf("grades")])).toEqual([]);
  });

  test("is told although it came and went meanwhile", () => {
    const alert = alertOf();
    alert.hears([missing(3)], undelivered);
    expect(alert.hears([passOf("grades")], undelivered)).toEqual([`recovered ${GRADES}: gone`]);
    expect(alert.hears([passOf("grades")])).toEqual([`recovered ${GRADES}: gone`]);
  });
});
