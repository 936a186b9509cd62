import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ClockReading } from "../../src/domain/clock.ts";
import { packClocks } from "../../src/domain/packed-clocks.ts";
import { PackedColumn } from "../../src/domain/packed-column.ts";

const number = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
);

describe("a packed column", () => {
  test("keeps the last, the greatest and the least number of a place, however large", () => {
    const step = fc.record({
      place: fc.nat(4),
      how: fc.constantFrom("set" as const, "raise" as const, "lower" as const),
      number,
    });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const packed = new PackedColumn(5);
        const plain: (bigint | null)[] = [null, null, null, null, null];
        for (const { place, how, number: n } of steps) {
          packed[how](place, n);
          const known = plain[place] ?? null;
          if (known === null || how === "set" || (how === "raise" ? n > known : n < known)) plain[place] = n;
        }
        expect([...packed]).toEqual(plain);
        expect(packed.at(5)).toBeNull();
        expect(packed.at(-1)).toBeNull();
      }),
    );
  });
});

describe("packed clocks", () => {
  test("say what the readings said", () => {
    const reading = fc.record<ClockReading>(
      {
        position: fc.option(number),
        at: number,
        witness: fc.constantFrom("ledger", "arrivals", "commit-timestamps", "observations", "source-now"),
        certainty: fc.constantFrom("exact", "at-least", "at-most"),
        atLeast: number,
      },
      { requiredKeys: ["position", "at", "witness", "certainty"] },
    );
    fc.assert(
      fc.property(fc.array(fc.option(reading)), (readings) => {
        const packed = packClocks(readings, readings.length);
        const plain = packed.map((each) =>
          each === null
            ? null
            : {
                position: each.position,
                at: each.at,
                witness: each.witness,
                certainty: each.certainty,
                ...(each.atLeast === undefined ? {} : { atLeast: each.atLeast }),
              },
        );
        expect(plain).toEqual(readings);
        const text = (all: unknown): string =>
          JSON.stringify(all, (_, v: unknown) => (typeof v === "bigint" ? `${v}n` : v));
        expect(text(packed)).toBe(text(readings));
      }),
    );
  });
});
