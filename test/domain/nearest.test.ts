import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { distance, nearest, suggestion } from "../../src/domain/nearest.ts";

describe("the distance of two words", () => {
  it.each([
    ["cursor", "cursor", 0],
    ["cursr", "cursor", 1],
    ["cusror", "cursor", 1],
    ["cursors", "cursor", 1],
    ["cyrsor", "cursor", 1],
    ["", "cursor", 6],
    ["kitten", "sitting", 3],
  ])("%s and %s is %d", (a, b, edits) => {
    expect(distance(a, b)).toBe(edits);
  });

  it("is the same both ways, nothing for one word, and no more than the longer one's length", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
        expect(distance(a, b)).toBe(distance(b, a));
        expect(distance(a, a)).toBe(0);
        expect(distance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
        expect(distance(a, b) === 0).toBe(a === b);
      }),
    );
  });
});

describe("the nearest name", () => {
  it("is the one with the fewest edits, in any letter case", () => {
    expect(nearest("SETLE", ["sync", "settle", "set"])).toEqual(["settle"]);
  });

  it("is none where none can be meant", () => {
    expect(nearest("xyz", ["source", "target"])).toEqual([]);
    expect(suggestion("xyz", ["source", "target"])).toBe(", expected one of source, target");
    expect(suggestion("xyz", [])).toBe("");
  });

  it("may be several", () => {
    expect(nearest("ordes", ["orders", "order", "cities"], 3)).toEqual(["orders", "order"]);
  });
});
