import fc from "fast-check";
import { expect, test } from "vitest";
import { attribution } from "../../src/causes/attribution.ts";
import { must } from "../../src/domain/errors.ts";
import type { Attribution } from "../../src/domain/tally.ts";
import type { Trace } from "../../src/domain/trace.ts";
import { SECOND } from "../../src/domain/position.ts";
import { adviseCheck } from "../../src/flows/advise.ts";
import { auditCheck } from "../../src/flows/audit.ts";
import { traceRow } from "../../src/flows/trace.ts";
import { lostWithOverlap } from "../support/simulator.ts";
import { MINUTE } from "../support/timeline.ts";
import { describeEngines, type TestEngine } from "../support/databases.ts";
import { type Life, type Lot, live } from "../support/history.ts";
import { plant, type Pipeline } from "../support/pipeline.ts";
import {
  type DrawnRun,
  END,
  livesArbitrary,
  onceWrittenArbitrary,
  steadyArbitrary,
  pipelineOf,
  runsArbitrary,
  type Setting,
  settingArbitrary,
} from "../support/random-history.ts";

async function found(on: Pipeline["on"], lives: readonly Life[], runs: readonly DrawnRun[], setting: Setting) {
  const axis = setting.cursor === "sequence" ? "sequence" : "time";
  const outcome = live(lives, runs, { ends: setting.ends, axis, end: END });
  const planted = await plant(pipelineOf(on, lives, runs, outcome, setting));
  const { report, facts, differences } = await planted.ask((check, world) =>
    auditCheck(check, { range: null, only: null, exact: false }, world),
  );
  const attribute = attribution(must(facts, `the audit is whole (${report.error?.message})`));
  const told = new Map([...differences].map((difference) => [Number(difference.key[0]), attribute(difference)]));
  return { planted, report, told, lots: outcome.lots, [Symbol.asyncDispose]: () => planted[Symbol.asyncDispose]() };
}

/** Whether a cause is the row's own; where it cannot be told, whether its own is among those that it can be. */
function fits({ cause, between }: Attribution, lot: Lot, { witness, skew, stamps }: Setting): boolean {
  if (witness === "arrivals") return skew !== 0 || lot.causes.includes(cause);
  const own = [...lot.causes, lot.unbiased];
  // When a row was loaded does not tell which run wrote it, where the ledger goes by another clock.
  if (stamps && skew !== 0 && cause === "undetermined" && own.includes("out-of-order-write")) return true;
  // Rows that were imported came behind the clock like others that are late.
  return own.includes(cause) || own.some((each) => between.includes(each === "old-dated" ? "late-commit" : each));
}

/**
 * What a trace must say of a row that an audit attributed so: the same. How far later than usual a late row is takes the whole comparison
 * to tell: a trace is then less sure, and may take a late one for imported or an imported one for late.
 */
function tracedAs({ finding, cause, confidence }: Attribution, traced: Trace["verdict"]): Partial<Trace["verdict"]> {
  const late = [cause, traced.cause].every((each) => each === "old-dated" || each === "late-commit");
  return late && traced.confidence === "inferred" ? { finding } : { finding, cause, confidence };
}

describeEngines(["sqlite", "postgres", "mariadb"], "whatever became of a pipeline's rows", (engine) => {
  const pairs: Readonly<Record<string, TestEngine>> = { sqlite: "sqlite", postgres: "mariadb", mariadb: "postgres" };
  test("each row is told by what happened to it, and no other row is told of", async () => {
    await fc.assert(
      fc.asyncProperty(livesArbitrary, runsArbitrary, settingArbitrary, async (lives, runs, setting) => {
        await using history = await found([engine, pairs[engine] ?? engine], lives, runs, setting);
        const { report, told, lots } = history;
        const named = new Map(
          [...told].map(([id, attributed]): [number, object] => {
            const lot = lots.get(id);
            if (lot !== undefined && attributed.finding === lot.finding && fits(attributed, lot, setting))
              return [id, lot];
            return [id, attributed];
          }),
        );
        expect(named).toEqual(lots);
        const lost = [...lots.values()].some(({ finding }) => finding === "missing-rows" || finding === "stale-rows");
        const serious = report.findings.filter(({ group, severity }) => group === "runs" && severity === "error");
        if (!lost) expect(serious).toEqual([]);
        const [one] = told;
        if (one !== undefined) {
          const { verdict } = await history.planted.ask((check, world) => traceRow(check, [`${one[0]}`], world));
          expect(verdict).toMatchObject(tracedAs(one[1], verdict));
        }
      }),
      { numRuns: engine === "sqlite" ? 60 : 8 },
    );
  });

  test("a pipeline that looks back by the overlap that advise names loses nothing, and with one unit less it loses something", async () => {
    await fc.assert(
      fc.asyncProperty(onceWrittenArbitrary, steadyArbitrary, settingArbitrary, async (lives, runs, drawn) => {
        const ends = drawn.ends === "[)" || drawn.ends === "[]" ? "[)" : "(]";
        const setting: Setting = { ...drawn, ends, witness: "arrivals", skew: 0 };
        await using history = await found([engine, pairs[engine] ?? engine], lives, runs, setting);
        const { advice } = await history.planted.ask(adviseCheck);
        const rows = lives.map(({ id, versions: [{ x, a }] }) => ({ id, x, a, dropped: false }));
        // A number of a sequence stands for a minute here.
        const unit = setting.cursor === "sequence" ? MINUTE : 1n;
        expect(lostWithOverlap(rows, runs, advice.needed * unit, ends)).toEqual([]);
        const less = advice.needed * unit - (unit === 1n ? SECOND : MINUTE);
        if (advice.needed > 0n) expect(lostWithOverlap(rows, runs, less, ends)).not.toEqual([]);
        expect(advice.advised).toBeGreaterThanOrEqual(advice.needed);
      }),
      { numRuns: engine === "sqlite" ? 30 : 6 },
    );
  });
});
