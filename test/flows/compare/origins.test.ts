import fc from "fast-check";
import { expect, test } from "vitest";
import type { Difference } from "../../../src/domain/difference.ts";
import { Origins } from "../../../src/flows/compare/origins.ts";

const difference = (n: number): Difference => ({
  type: "missing",
  key: [String(n)],
  source: { cursor: null, version: null, arrival: null, loaded: null },
});

test("each difference is told with the chunk it was found in, however the chunks took turns", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ chunk: fc.nat(5), size: fc.nat(4) })), (turns) => {
      const origins = new Origins();
      for (let n = 0; n <= 5; n++) origins.begin({ keys: { from: [String(n)], to: null }, buckets: null });
      const log: Difference[] = [];
      const expected: number[] = [];
      for (const { chunk, size } of turns) {
        for (let i = 0; i < size; i++) {
          log.push(difference(log.length));
          expected.push(chunk);
        }
        origins.found(chunk, size);
      }
      const told = [...origins.of(log)];
      expect(told.map(([d]) => d)).toEqual(log);
      expect(told.map(([, chunk]) => chunk)).toEqual(expected);
      const left = origins.chunksBut(new Set([0, 1])).map(({ keys }) => Number(keys.from?.[0]));
      expect(new Set(left)).toEqual(new Set(expected.filter((n) => n > 1)));
    }),
  );
});
