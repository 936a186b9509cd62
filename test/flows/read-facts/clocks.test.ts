import { describe, expect, test } from "vitest";
import type { Run } from "../../../src/domain/run.ts";
import { clocksOf as readings, type Witnesses } from "../../../src/flows/read-facts/clocks.ts";
import { expectedStarts } from "../../../src/flows/read-facts/expected-starts.ts";
import { parseInstant } from "../../../src/domain/position.ts";

const clocksOf = (...asked: Parameters<typeof readings>) => [...readings(...asked)];

const run = (started: bigint, more: Partial<Run> = {}): Run => ({
  id: String(started),
  window: { from: 0n, fromClosed: false, to: started, toClosed: true },
  started,
  finished: started + 10n,
  outcome: "success",
  status: "success",
  rows: 0n,
  backfill: false,
  dataClock: null,
  ...more,
});
const NOBODY: Witnesses = { axis: "time", now: 1000n, arrivals: null, observations: [], sourceClock: null };
const arrivals = (at: (start: bigint) => bigint | null, more: object = {}) =>
  ({ witness: "arrivals", at, sureFrom: null, unknown: null, ...more }) as const;

describe("the clock at a run's start", () => {
  test("is nobody's to say without a witness", () => {
    expect(clocksOf([run(100n)], NOBODY)).toEqual([null]);
  });

  test("is the ledger's own word first", () => {
    const witnesses = { ...NOBODY, arrivals: arrivals(() => 70n), sourceClock: 90n };
    expect(clocksOf([run(100n, { dataClock: 60n })], witnesses)).toEqual([
      { position: 60n, at: 100n, witness: "ledger", certainty: "exact" },
    ]);
  });

  test("is not the ledger's word where that lies beyond the run's finish", () => {
    const late = run(100n, { dataClock: 111n });
    expect(clocksOf([late], { ...NOBODY, arrivals: arrivals(() => 70n) })[0]?.witness).toBe("arrivals");
    // At the finish it still counts, and on a sequence axis nothing can be told.
    expect(clocksOf([run(100n, { dataClock: 110n })], NOBODY)[0]?.position).toBe(110n);
    expect(clocksOf([late], { ...NOBODY, axis: "sequence" })[0]?.position).toBe(111n);
  });

  test("is read back from arrivals, at least that where some arrivals are unknown", () => {
    const at = (start: bigint): bigint | null => (start < 100n ? null : start - 50n);
    expect(clocksOf([run(50n), run(100n)], { ...NOBODY, arrivals: arrivals(at, { unknown: 40n }) })).toEqual([
      { position: null, at: 50n, witness: "arrivals", certainty: "at-least" },
      { position: 50n, at: 100n, witness: "arrivals", certainty: "exact" },
    ]);
  });

  test("is at most what forgotten commits say", () => {
    const witnesses = {
      ...NOBODY,
      arrivals: { ...arrivals(() => 40n, { sureFrom: 100n }), witness: "commit-timestamps" as const },
    };
    expect(clocksOf([run(50n), run(100n)], witnesses).map((clock) => clock?.certainty)).toEqual(["at-most", "exact"]);
  });

  test("lies between what was observed before and after; the bound that shows a run ahead counts", () => {
    const observations = [
      { at: 50n, position: 20n },
      { at: 150n, position: 90n },
      { at: 250n, position: 300n },
      { at: 350n, position: 300n },
    ];
    expect(
      clocksOf([run(10n), run(100n), run(200n), run(250n), run(300n), run(400n)], { ...NOBODY, observations }),
    ).toEqual([
      { position: 20n, at: 10n, witness: "observations", certainty: "at-most" },
      { position: 90n, at: 100n, witness: "observations", certainty: "at-most", atLeast: 20n },
      { position: 90n, at: 200n, witness: "observations", certainty: "at-least" },
      { position: 300n, at: 250n, witness: "observations", certainty: "exact" },
      { position: 300n, at: 300n, witness: "observations", certainty: "exact" },
      { position: 300n, at: 400n, witness: "observations", certainty: "at-least" },
    ]);
  });

  test("is at most the source's now for the newest success alone", () => {
    const runs = [run(100n), run(200n), run(300n, { outcome: "running" })];
    expect(clocksOf(runs, { ...NOBODY, sourceClock: 90n })).toEqual([
      null,
      { position: 90n, at: 200n, witness: "source-now", certainty: "at-most" },
      null,
    ]);
  });
});

describe("a schedule's moments", () => {
  const at = (text: string): bigint => parseInstant(text) ?? 0n;
  test("are the next four in its zone", () => {
    const every = { by: "schedule", schedule: "0 2 * * *", timezone: "Europe/Prague" } as const;
    expect(expectedStarts(every, at("2026-06-01 00:00:00.5"))).toEqual(
      ["2026-06-02", "2026-06-03", "2026-06-04", "2026-06-05"].map((day) => at(`${day} 00:00`)),
    );
  });
  test("are none without a schedule", () => {
    expect(expectedStarts(null, 0n)).toBeNull();
  });
});
