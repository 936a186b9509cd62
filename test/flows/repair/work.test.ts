import fc from "fast-check";
import { expect, test } from "vitest";
import { spillFile } from "../../../src/cli/repair-files.ts";
import type { Difference } from "../../../src/domain/difference.ts";
import { sortedWork } from "../../../src/flows/repair/work.ts";

const missing = (n: number): Difference =>
  ({
    type: n % 7 === 0 ? "extra" : "missing",
    key: [String(n)],
    ...(n % 7 === 0
      ? { target: { cursor: null, version: null, arrival: null, loaded: null } }
      : { source: { cursor: null, version: null, arrival: null, loaded: null } }),
  }) as Difference;

test("rows come in key order, each once, in whatever order they were found and however many there are", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60_000 }), fc.constantFrom(1, 7919, 59_999, 31), (size, step) => {
      const found = Array.from({ length: size }, (_, i) => missing(((i * step) % 60_013) - 30_000));
      using items = sortedWork(found, (d) => d.key[0] !== "5", [{ as: "integer" }], spillFile);
      const got = [...items].map(({ key, extra, missing }) => `${key[0]} ${extra} ${missing}`);
      const wanted = found
        .filter((d) => d.key[0] !== "5")
        .toSorted((a, b) => Number(a.key[0]) - Number(b.key[0]))
        .map((d) => `${d.key[0]} ${d.type === "extra"} ${d.type === "missing"}`);
      expect(got).toEqual(wanted);
    }),
    { numRuns: 15 },
  );
});
