import fc from "fast-check";
import { expect, test } from "vitest";
import { coverageOf } from "../../src/domain/coverage.ts";
import { cutsAt } from "../../src/domain/cuts.ts";
import type { Difference } from "../../src/domain/difference.ts";
import { common, holes, joined, without } from "../../src/domain/joined.ts";
import { lackingProfile, rowCounter, rowsAt } from "../../src/domain/profile.ts";
import { difference, holds, union, type Window } from "../../src/domain/window.ts";
import { profileOf } from "../support/timeline.ts";

const end = fc.option(fc.integer({ min: 0, max: 12 }).map(BigInt), { nil: null, freq: 8 });
const windowArbitrary: fc.Arbitrary<Window> = fc
  .record({ from: end, to: end, fromClosed: fc.boolean(), toClosed: fc.boolean() })
  .filter(({ from, to }) => from === null || to === null || from <= to);
const windowsArbitrary = fc.array(windowArbitrary, { maxLength: 8 });
const positions = Array.from({ length: 17 }, (_, i) => BigInt(i) - 2n);
const ends = (windows: readonly Window[]) => windows.flatMap(({ from, to }) => [from, to]).filter((e) => e !== null);
const held = (windows: readonly Window[]) => positions.filter((x) => windows.some((w) => holds(w, x)));

test("a profile counts the rows of any window between its cuts exactly", () => {
  fc.assert(
    fc.property(windowsArbitrary, fc.array(fc.integer({ min: -2, max: 14 }).map(BigInt)), (windows, cursors) => {
      const profile = profileOf(
        [...cutsAt(ends(windows)).ends],
        cursors.map((x, id) => ({ id, x })),
      );
      const count = rowCounter(profile);
      for (const window of windows) expect(count(window)).toBe(BigInt(cursors.filter((x) => holds(window, x)).length));
    }),
  );
});

test("a window that the profile is not cut for is a bug, not a guess", () => {
  const count = rowCounter(profileOf([5n], []));
  expect(() => count({ from: 4n, fromClosed: true, to: null, toClosed: false })).toThrow("cut at 4");
});

test("only rows that the target lacks are in the lacking profile: missing ones, and older versions", () => {
  const copy = (cursor: bigint | null) => ({ cursor, version: null, arrival: null, loaded: null });
  const changed = (order: "source-newer" | "same" | "target-newer" | "none"): Difference => ({
    type: "changed",
    key: ["1"],
    source: copy(5n),
    target: copy(1n),
    order,
    columns: null,
  });
  const profile = lackingProfile(
    [5n, 7n],
    [
      { type: "missing", key: ["1"], source: copy(5n) },
      { type: "missing", key: ["2"], source: copy(6n) },
      { type: "missing", key: ["3"], source: copy(null) },
      { type: "extra", key: ["4"], target: copy(5n) },
      ...(["source-newer", "same", "target-newer", "none"] as const).map(changed),
    ],
  );
  expect([profile.ends, [...profile.at], [...profile.between]]).toEqual([
    [5n, 7n],
    [2n, 0n],
    [0n, 1n, 0n],
  ]);
  expect(rowsAt(profile, 5n)).toBe(2n);
  expect(rowsAt(profile, 6n)).toBe(0n);
});

test("coverage names exactly the windows that hold a position, and folds over them", () => {
  fc.assert(
    fc.property(windowsArbitrary, (windows) => {
      const coverage = coverageOf(cutsAt(ends(windows)), windows);
      const counts = coverage.fold<number>(
        () => 1,
        (a, b) => a + b,
      );
      const largest = coverage.fold(
        (i) => i,
        (a, b) => Math.max(a, b),
      );
      for (const x of positions) {
        const holders = windows.flatMap((window, i) => (holds(window, x) ? [i] : []));
        const leaf = coverage.leafOf(x);
        // On the integers between two neighbouring ends nothing lies, so that only real positions are asked.
        expect(coverage.at(leaf)).toEqual(holders);
        expect(counts[leaf] ?? 0).toBe(holders.length);
        expect(largest[leaf]).toBe(holders.at(-1));
      }
    }),
  );
});

test("joined windows hold what the windows hold, do not touch, and keep their ends", () => {
  fc.assert(
    fc.property(windowsArbitrary, (windows) => {
      const all = joined(windows);
      expect(held(all)).toEqual(held(windows));
      const known = new Set(ends(windows));
      for (const each of ends(all)) expect(known).toContain(each);
      for (const x of positions) expect(all.filter((w) => holds(w, x)).length).toBeLessThan(2);
    }),
  );
});

test("holes are what lies between the first and the last window and in none", () => {
  fc.assert(
    fc.property(windowsArbitrary, (windows) => {
      const whole = union(windows);
      const [first] = whole;
      const last = whole.at(-1);
      const hull =
        first === undefined || last === undefined ? null : { ...last, from: first.from, fromClosed: first.fromClosed };
      expect(held(holes(windows))).toEqual(hull === null ? [] : held(difference(hull, windows)));
    }),
  );
});

test("what two windows have in common, and what one has beyond others, is right at every end", () => {
  fc.assert(
    fc.property(windowArbitrary, windowsArbitrary, (window, others) => {
      expect(held(without(window, others))).toEqual(held([window]).filter((x) => !others.some((w) => holds(w, x))));
      for (const other of others) {
        const both = common(window, other);
        expect(both === null ? [] : held([both])).toEqual(held([window]).filter((x) => holds(other, x)));
      }
    }),
  );
});
