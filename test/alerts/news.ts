import type { Finding } from "../../src/domain/finding.ts";
import { incidentsOf } from "../../src/domain/incident.ts";
import type { News, NewsItem } from "../../src/domain/news.ts";
import type { CheckReport } from "../../src/domain/report.ts";
import { checkOf, findingOf, reportOf } from "../reporters/reports.ts";

/** News of these checks: everything that stands is new, but for what is said otherwise. */
export function newsOf(checks: readonly CheckReport[], over: Partial<News> = {}): News {
  const items = checks.flatMap(incidentsOf).map((incident): NewsItem => ({ ...incident, kind: "new", before: null }));
  return { report: reportOf(...checks), items, whole: true, link: null, commandSuffix: "", ...over };
}

/** A check with as many findings as one likes, each of its own id. */
export function checkWith(
  many: number,
  finding: (n: number) => Partial<Finding> = () => ({}),
  check = "grades",
): CheckReport {
  return checkOf({
    check,
    findings: Array.from({ length: many }, (_, n) =>
      findingOf({ id: `${check}/column-missing/c${n}`, code: "column-missing", group: "schema", ...finding(n) }),
    ),
  });
}

/** Something that is over. */
export function recoveredItem(over: Partial<NewsItem> = {}): NewsItem {
  return {
    kind: "recovered",
    check: "grades",
    id: "grades/missing-rows",
    code: "missing-rows",
    severity: "error",
    rows: 3n,
    finding: null,
    says: "gone",
    fix: null,
    before: {
      check: "grades",
      id: "grades/missing-rows",
      code: "missing-rows",
      severity: "error",
      rows: 3n,
      since: 1_780_362_000_000_000n,
      toldAt: 1_780_362_000_000_000n,
    },
    ...over,
  };
}
