import fc from "fast-check";
import { expect, test } from "vitest";
import { PackedBigints, packed } from "../../src/domain/packed-bigints.ts";
import { PackedRuns } from "../../src/domain/packed-runs.ts";
import type { Run } from "../../src/domain/run.ts";

/** Mostly 64 bits, now and then more. */
const number = fc.oneof(
  { weight: 8, arbitrary: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }) },
  { weight: 1, arbitrary: fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }) },
  { weight: 1, arbitrary: fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n, 2n ** 63n, 0n) },
);
const maybe = fc.option(number, { nil: null });
const run: fc.Arbitrary<Run> = fc.record({
  id: fc.string({ unit: "binary" }),
  window: fc.option(fc.record({ from: maybe, fromClosed: fc.boolean(), to: maybe, toClosed: fc.boolean() }), {
    nil: null,
  }),
  started: number,
  finished: maybe,
  outcome: fc.constantFrom("success", "failed", "running"),
  status: fc.constantFrom("success", "", "Läuft", "\ud800", "success "),
  rows: maybe,
  backfill: fc.boolean(),
  dataClock: maybe,
});

test("packed runs are the runs that were packed, in any order", () => {
  fc.assert(
    fc.property(fc.array(run, { maxLength: 200 }), (runs) => {
      const pack = new PackedRuns();
      for (const each of runs) pack.add(each);
      expect(pack.length).toBe(runs.length);
      expect(runs.map((_, i) => [pack.idOf(i), pack.startOf(i)])).toEqual(runs.map((each) => [each.id, each.started]));
      const order = runs.map((_, i) => runs.length - 1 - i);
      const views = pack.inOrder(order);
      expect(views.map(plain)).toEqual(runs.toReversed());
      const written = (of: readonly Run[]): string =>
        JSON.stringify(of, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value));
      expect(written(views)).toBe(written(runs.toReversed()));
    }),
  );
});

/** Field by field, as a rule asks. */
function plain(view: Run): Run {
  const { id, window, started, finished, outcome, status, rows, backfill, dataClock } = view;
  return { id, window, started, finished, outcome, status, rows, backfill, dataClock };
}

test("numbers stay what they are whether they fit into 64 bits or not, and are written as an array", () => {
  fc.assert(
    fc.property(fc.array(number, { maxLength: 300 }), (numbers) => {
      const kept = packed(numbers.values());
      expect([...kept]).toEqual(numbers);
      expect(kept instanceof PackedBigints).toBe(numbers.every((n) => BigInt.asIntN(64, n) === n));
      const written = (value: unknown): string =>
        JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? `${each}n` : each));
      expect(written(kept)).toBe(written(numbers));
    }),
  );
});
