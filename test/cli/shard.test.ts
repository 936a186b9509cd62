import fc from "fast-check";
import { expect, test } from "vitest";
import { parseShard, shardOf } from "../../src/cli/shard.ts";
import { UsageError } from "../../src/domain/errors.ts";

test("a shard is a part and how many there are", () => expect(parseShard("2/8")).toEqual({ index: 2, of: 8 }));

test.each(["", "2", "0/8", "9/8", "1/0", "a/b", "1/2/3", "-1/2", "1.5/2", "1/99999999"])("%j is none", (text) => {
  expect(() => parseShard(text)).toThrow(UsageError);
  expect(() => parseShard(text)).toThrow("--shard");
});

test("the parts together are the whole, each check in one of them, in sizes that differ by one at most", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string()), fc.integer({ min: 1, max: 9 }), (names, of) => {
      const items = names.map((name) => ({ name }));
      const parts = Array.from({ length: of }, (_, i) => shardOf(items, { index: i + 1, of }));
      expect(
        parts
          .flat()
          .map(({ name }) => name)
          .toSorted(),
      ).toEqual(names.toSorted());
      const sizes = parts.map((part) => part.length);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }),
  );
});

test("a part does not hang on the order in which checks were found", () => {
  const items = ["c", "a", "b"].map((name) => ({ name }));
  expect(shardOf(items, { index: 1, of: 2 })).toEqual(shardOf(items.toReversed(), { index: 1, of: 2 }));
});
