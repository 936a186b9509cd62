import fc from "fast-check";
import { expect, test } from "vitest";
import { ascending } from "../../src/domain/cuts.ts";

test("positions are put in order, each once, whatever their size", () => {
  const position = fc.oneof(fc.bigInt({ min: -5n, max: 5n }), fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }));
  fc.assert(
    fc.property(fc.array(position), (positions) => {
      expect([...ascending(positions)]).toEqual([...new Set(positions)].toSorted((a, b) => (a < b ? -1 : 1)));
    }),
  );
});
