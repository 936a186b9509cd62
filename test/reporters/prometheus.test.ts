import { expect, test } from "vitest";
import { prometheus } from "../../src/reporters/prometheus.ts";
import { checkOf, failureOf, findingOf, passOf, PIPE, reportOf } from "./reports.ts";

/** What a scraper reads: metric names with their labels, and the values. Throws where a line is not of the text format. */
function parse(text: string): ReadonlyMap<string, number> {
  const samples = new Map<string, number>();
  const typed = new Set<string>();
  expect(text.endsWith("\n")).toBe(true);
  for (const line of text.trimEnd().split("\n")) {
    const comment = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/.exec(line);
    if (comment !== null) {
      if (comment[1] === "TYPE") {
        expect(typed).not.toContain(comment[2]);
        typed.add(comment[2] ?? "");
        expect(comment[3]).toBe("gauge");
      }
      continue;
    }
    const sample =
      /^([a-zA-Z_:][a-zA-Z0-9_:]*)((?:\{(?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*",?)*\})?) (-?\d+(?:\.\d+)?)$/.exec(
        line,
      );
    if (sample === null) throw new Error(`not of the text format: ${line}`);
    expect(typed).toContain(sample[1]);
    const name = `${sample[1] ?? ""}${sample[2] ?? ""}`;
    expect(samples.has(name)).toBe(false);
    samples.set(name, Number(sample[3]));
  }
  return samples;
}

test("rows, differences, clocks, streak, time and verdict are gauges", () => {
  const runs = { read: 3, successful: 3, empty: 3, without_window: 0, unreadable: [], first: null, last: null };
  const streak = findingOf({
    code: "zero-row-streak",
    group: "runs",
    rows: 5,
    evidence: { streaks: [{ length: 3 }, { length: 2 }] },
  });
  const samples = parse(prometheus(reportOf(checkOf({ runs, findings: [findingOf(), streak] })), PIPE));
  expect(Object.fromEntries(samples)).toMatchObject({
    'tidemark_rows{check="grades",side="source"}': 120000,
    'tidemark_rows{check="grades",side="target"}': 119997,
    'tidemark_differing_rows{check="grades",code="missing-rows"}': 3,
    'tidemark_differing_rows{check="grades",code="stale-rows"}': 0,
    'tidemark_findings{check="grades",severity="error"}': 2,
    'tidemark_data_clock_timestamp_seconds{check="grades",side="source"}': 1780364400,
    // From 01:40 to 01:00 of the same day: the clock is ahead.
    'tidemark_data_clock_lag_seconds{check="grades",side="target"}': -2400,
    'tidemark_zero_row_streak_runs{check="grades"}': 3,
    'tidemark_check_seconds{check="grades"}': 1.21,
    'tidemark_check_verdict{check="grades",verdict="fail"}': 1,
    'tidemark_check_verdict{check="grades",verdict="pass"}': 0,
    tidemark_audit_timestamp_seconds: 1780362007.412,
  });
  expect([...samples.keys()].some((name) => name.startsWith("tidemark_last_success"))).toBe(false);
});

test("the last success is this audit, or an earlier one that the history knows", () => {
  const own = parse(prometheus(reportOf(passOf("a")), PIPE));
  expect(own.get('tidemark_last_success_timestamp_seconds{check="a"}')).toBe(1780362000);
  const point = { rows: {}, findings: { error: 0, warn: 0, info: 0, recovered: 0 }, streak: null };
  const history = [
    { ...point, startedAt: "2026-05-30T01:00:00.000Z", verdict: "pass" as const },
    { ...point, startedAt: "2026-05-31T01:00:00.000Z", verdict: "warn" as const },
    { ...point, startedAt: "2026-06-01T01:00:00.000Z", verdict: "fail" as const },
  ];
  const none = { now: 0n, axis: null, cursor: null, clocks: null, keys: null, lag: null, freshness: null };
  const earlier = prometheus(reportOf(checkOf()), { ...PIPE, details: new Map([["grades", { ...none, history }]]) });
  expect(parse(earlier).get('tidemark_last_success_timestamp_seconds{check="grades"}')).toBe(1780189200);
});

test("a check that could not finish says nothing that could be read as zero", () => {
  const names = [...parse(prometheus(reportOf(failureOf("a", "gone")), PIPE)).keys()];
  expect(names.filter((name) => /differing|findings|rows|streak|clock/.test(name))).toEqual([]);
  expect(names).toContain('tidemark_check_verdict{check="a",verdict="incomplete"}');
});

test("names keep to their label, whatever stands in them, and counts keep their digits", () => {
  const check = checkOf({
    check: 'a"b\\c\n# TYPE x gauge\nx 1',
    source: { ...checkOf().source, rows: "9007199254740993", clock: "123456" },
  });
  const text = prometheus(reportOf(check), PIPE);
  parse(text);
  expect(text).toContain('tidemark_rows{check="a\\"b\\\\c\\n# TYPE x gauge\\nx 1",side="source"} 9007199254740993\n');
  // The clock of a sequence is no time.
  expect(text).not.toMatch(/clock_timestamp_seconds\{[^}]*side="source"/);
});
