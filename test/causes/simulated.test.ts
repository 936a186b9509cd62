import fc from "fast-check";
import { expect, test } from "vitest";
import { advise } from "../../src/advise/advise.ts";
import { attribution } from "../../src/causes/attribution.ts";
import { tally } from "../../src/causes/tally.ts";
import { must } from "../../src/domain/errors.ts";
import { isBefore } from "../../src/domain/ledger-index.ts";
import { leftEdges } from "../../src/domain/left-edges.ts";
import { SECOND } from "../../src/domain/position.ts";
import { holds, windowOf } from "../../src/domain/window.ts";
import { lostWithOverlap, type PlannedRun, simulate, type SimulatedRow } from "../support/simulator.ts";
import { MINUTE, t, timeline } from "../support/timeline.ts";
import { diagnose } from "../support/findings.ts";

const START = t("1 00:00");
const at = (minute: number): bigint => START + BigInt(minute) * MINUTE;

const rowsArbitrary = fc
  .array(
    fc.record({
      x: fc.oneof(
        { weight: 12, arbitrary: fc.integer({ min: -5, max: 130 }) },
        { weight: 1, arbitrary: fc.constant(null) },
      ),
      lag: fc.oneof(
        { weight: 6, arbitrary: fc.integer({ min: 0, max: 3 }) },
        { weight: 3, arbitrary: fc.integer({ min: 0, max: 60 }) },
        { weight: 1, arbitrary: fc.integer({ min: -2, max: 400 }) },
        // Dated ahead of the wall clock.
        { weight: 1, arbitrary: fc.integer({ min: -5, max: -1 }) },
      ),
      dropped: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((rows) =>
    rows.map(
      ({ x, lag, dropped }, i): SimulatedRow => ({
        id: i + 1,
        x: x === null ? null : at(x),
        a: at((x ?? 0) + lag),
        dropped,
      }),
    ),
  );

/** Ledgers of all habits: edges at the wall clock or behind it, look-backs, holes, failures with and without a retry, repetitions. */
const planArbitrary = fc
  .record({
    first: fc.integer({ min: 0, max: 10 }),
    open: fc.boolean(),
    steps: fc.array(
      fc.record({
        wait: fc.integer({ min: 1, max: 25 }),
        edge: fc.integer({ min: -3, max: 12 }),
        back: fc.oneof(
          { weight: 5, arbitrary: fc.constant(0) },
          { weight: 2, arbitrary: fc.integer({ min: -6, max: 40 }) },
        ),
        fails: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
        passes: fc.boolean(),
      }),
      { minLength: 1, maxLength: 12 },
    ),
  })
  .map(({ first, open, steps }) => {
    let watermark = first;
    let now = first;
    return steps.map(({ wait, edge, back, fails, passes }, i): PlannedRun => {
      now += wait;
      const to = Math.max(now - edge, watermark);
      const from = open && i === 0 ? null : at(Math.min(watermark - back, to));
      if (!fails || passes) watermark = to;
      return { id: `r${i}`, from, to: at(to), started: at(now), fails };
    });
  });

const endsArbitrary = fc.constantFrom("(]" as const, "[)" as const, "[]" as const, "()" as const);

test("every row that a simulated pipeline lost is attributed to the cause and the runs by which it was lost, and no other row is", () => {
  fc.assert(
    fc.property(rowsArbitrary, planArbitrary, endsArbitrary, (rows, plan, ends) => {
      const simulated = simulate(rows, plan, ends);
      const { facts, differences } = timeline(simulated.timeline);
      const attribute = attribution(facts);
      const told = new Map(
        differences.map((difference) => {
          const { cause, runs } = attribute(difference);
          return [Number(difference.key[0]), { cause, runs: runs.map((run) => facts.ledger?.runs[run]?.id) }] as const;
        }),
      );
      expect(told).toEqual(simulated.lost);
    }),
    { numRuns: 800 },
  );
});

test("the counts of a diagnosis are those of the simulator, by finding, by cause and by run", () => {
  fc.assert(
    fc.property(rowsArbitrary, planArbitrary, endsArbitrary, (rows, plan, ends) => {
      const simulated = simulate(rows, plan, ends);
      const { facts, differences } = timeline(simulated.timeline);
      const findings = diagnose(facts, differences, ["rows"]);
      const lost = [...simulated.lost.values()];
      const pending = lost.filter(({ cause }) => cause === "not-due").length;
      expect(findings.find(({ code }) => code === "pending-rows")?.rows ?? 0).toBe(pending);
      expect(findings.find(({ code }) => code === "missing-rows")?.rows ?? 0).toBe(lost.length - pending);
      for (const finding of findings)
        for (const cause of finding.causes) {
          const planted = lost.filter((each) => each.cause === cause.code);
          expect(cause.rows).toBe(planted.length);
          const byRun = Object.fromEntries(
            [...new Set(planted.flatMap(({ runs }) => runs))].map((run) => [
              run,
              planted.filter(({ runs }) => runs.includes(run)).length,
            ]),
          );
          expect(cause.evidence["rows_by_run"] ?? {}).toEqual(byRun);
        }
    }),
    { numRuns: 300 },
  );
});

/** Ledgers whose right ends go up, as a look-back policy presumes. */
const steadyArbitrary = fc
  .array(fc.record({ wait: fc.integer({ min: 1, max: 25 }), edge: fc.integer({ min: 0, max: 12 }) }), {
    minLength: 2,
    maxLength: 12,
  })
  .map((steps) => {
    let watermark = 0;
    let now = 0;
    return steps.map(({ wait, edge }, i): PlannedRun => {
      now += wait;
      const from = watermark;
      watermark = Math.max(now - edge, watermark);
      return { id: `r${i}`, from: at(from), to: at(watermark), started: at(now), fails: false };
    });
  });

test("a pipeline that looks back by the needed overlap loses nothing, and with one second less it loses something", () => {
  fc.assert(
    fc.property(rowsArbitrary, steadyArbitrary, fc.constantFrom("(]" as const, "[)" as const), (all, plan, ends) => {
      // Rows from before the first window are outside of what an overlap promises.
      const rows = all
        .filter(({ x }) => x !== null && (ends === "(]" ? x > at(0) : x >= at(0)))
        .map((row) => ({ ...row, dropped: false }));
      fc.pre(rows.length > 0);
      const simulated = simulate(rows, plan, ends);
      const { facts, differences } = timeline(simulated.timeline);
      const advice = advise(facts, tally(facts, differences).bounds);
      expect(advice).not.toBeNull();
      const needed = advice?.needed ?? -1n;
      expect(lostWithOverlap(rows, plan, needed, ends)).toEqual([]);
      if (needed > 0n) expect(lostWithOverlap(rows, plan, needed - SECOND, ends)).not.toEqual([]);
      expect(advice?.advised ?? -1n).toBeGreaterThanOrEqual(needed);
    }),
    { numRuns: 800 },
  );
});

test("a replay counts exactly what pipelines lose that read up to the wall clock, or up to the data clock", () => {
  fc.assert(
    fc.property(rowsArbitrary, steadyArbitrary, fc.constantFrom("(]" as const, "[)" as const), (all, plan, ends) => {
      const rows = all.filter(({ x }) => x !== null && (ends === "(]" ? x > at(0) : x >= at(0)));
      fc.pre(rows.length > 0);
      const { facts, differences } = timeline(simulate(rows, plan, ends).timeline);
      const ledger = must(facts.ledger, "there is a ledger");
      const arrivals = must(ledger.arrivals, "arrivals are known");
      const edges = leftEdges(ledger, "time");
      const groups = arrivals.groups.map((group) => {
        const here = rows.filter(({ a }) => plan.findIndex((run) => run.started >= a) === (group.nextRun ?? -1));
        const behind = (policy: "ledger" | "wallClock" | "dataClock") =>
          BigInt(here.filter(({ x }) => isBefore(x ?? 0n, edges(group.nextRun ?? -1)[policy])).length);
        return {
          ...group,
          behind: { ledger: behind("ledger"), wallClock: behind("wallClock"), dataClock: behind("dataClock") },
        };
      });
      const counted = { ...facts, ledger: { ...ledger, arrivals: { ...arrivals, groups } } };
      const policies = advise(counted, tally(facts, differences).bounds)?.policies ?? [];
      const wall = plan.map((run) => run.started);
      const data = plan.map(({ started }) => {
        const seen = rows.flatMap(({ x, a }) => (x !== null && a <= started ? [x] : []));
        return seen.reduce<bigint | null>((most, x) => (most === null || x > most ? x : most), null);
      });
      const clamped = data.map((clock, i) => (clock !== null && clock > (wall[i] ?? 0n) ? (wall[i] ?? 0n) : clock));
      expect(policies[0]).toMatchObject({ exact: true, rowsLost: BigInt(lostUpTo(rows, plan, wall, ends)) });
      if (data.some((clock) => clock !== null))
        expect(policies[1]).toMatchObject({ exact: true, rowsLost: BigInt(lostUpTo(rows, plan, clamped, ends)) });
    }),
    { numRuns: 800 },
  );
});

/** How many rows a pipeline loses that reads from its last right edge to the next; a null edge, or one further back, reads nothing. */
function lostUpTo(
  rows: readonly SimulatedRow[],
  plan: readonly PlannedRun[],
  edges: readonly (bigint | null)[],
  ends: "(]" | "[)",
): number {
  const read = new Set<number>();
  let left = plan[0]?.from ?? 0n;
  for (const [i, { started }] of plan.entries()) {
    const right = edges[i] ?? null;
    if (right === null || right <= left) continue;
    for (const { id, x, a } of rows)
      if (x !== null && a <= started && holds(windowOf(left, right, ends), x)) read.add(id);
    left = right;
  }
  const reached = windowOf(null, left, ends);
  return rows.filter(
    ({ id, x, a }) => x !== null && !read.has(id) && holds(reached, x) && a <= (plan.at(-1)?.started ?? 0n),
  ).length;
}

test("lost rows without a known arrival bound the overlap from below", () => {
  fc.assert(
    fc.property(rowsArbitrary, steadyArbitrary, (all, plan) => {
      const rows = all.filter(({ x }) => x !== null && x > at(0)).map((row) => ({ ...row, dropped: false }));
      fc.pre(rows.length > 0);
      const { timeline: told } = simulate(rows, plan, "(]");
      const known = timeline(told);
      const blind = timeline({ ...told, arrivals: false });
      const real = advise(known.facts, tally(known.facts, known.differences).bounds)?.needed ?? 0n;
      const arrivedInTime = rows.every((row) => row.a <= (plan.at(-1)?.started ?? 0n));
      fc.pre(arrivedInTime);
      expect(advise(blind.facts, tally(blind.facts, blind.differences).bounds)?.needed ?? 0n).toBeLessThanOrEqual(real);
    }),
    { numRuns: 300 },
  );
});
