import fc from "fast-check";
import { expect, test } from "vitest";
import { nextSize, paceOf } from "../../../src/flows/compare/pace.ts";
import { checkOf } from "../../compare/build.ts";

test("sizes come to what takes half a second, whatever the server's speed, and stay there", () => {
  fc.assert(
    fc.property(fc.integer({ min: 2_000, max: 2_000_000 }), (perSecond) => {
      let size = 10_000;
      for (let i = 0; i < 12; i++) size = nextSize(size, size, size / perSecond);
      expect(Math.abs(size - Math.min(1_000_000, Math.max(1_000, perSecond / 2)))).toBeLessThanOrEqual(1);
    }),
  );
});

test("no statement makes the next one more than twice as large, nor less than a quarter", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1_000, max: 1_000_000 }),
      fc.nat(2_000_000),
      fc.double({ min: 0, max: 1_000, noNaN: true }),
      (size, rows, seconds) => {
        const next = nextSize(size, rows, seconds);
        expect(next).toBeGreaterThanOrEqual(Math.max(1_000, Math.floor(size / 4)));
        expect(next).toBeLessThanOrEqual(Math.min(1_000_000, size * 2));
      },
    ),
  );
});

test("a short last chunk says nothing of what fits", () => expect(nextSize(50_000, 3, 0.001)).toBe(50_000));

test("rests as long as a statement took, and goes by the slower side", async () => {
  let now = 0;
  const slept: bigint[] = [];
  const clock = {
    now: () => 0n,
    seconds: () => now,
    async sleep(microseconds: bigint) {
      slept.push(microseconds);
    },
  };
  const base = checkOf();
  const { signal } = new AbortController();
  expect(paceOf(base, { clock, signal })).toBeNull();
  const pace = paceOf({ ...base, compare: { ...base.compare, gentle: true } }, { clock, signal })!;
  const takes = (seconds: number) => async (): Promise<bigint> => {
    now += seconds;
    return 10_000n;
  };
  expect(await pace.through("source", takes(0.1), (rows) => rows)).toBe(10_000n);
  expect(pace.rows()).toBe(10_000);
  await pace.through("target", takes(1), (rows) => rows);
  expect(pace.rows()).toBe(5_000);
  await pace.through("target", takes(60), null);
  expect(pace.rows()).toBe(5_000);
  expect(slept).toEqual([100_000n, 1_000_000n, 5_000_000n]);
});
