import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { differenceLog } from "../../src/cli/difference-log.ts";
import type { Copy, Difference } from "../../src/domain/difference.ts";

const folder = mkdtempSync(join(tmpdir(), "tidemark-log-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Around those at which a length takes more room. */
const LENGTHS = [252, 253, 254, 255, 256, 65_535, 65_536];
const micros = fc.option(fc.bigInt(-(2n ** 70n), 2n ** 70n));
const copy: fc.Arbitrary<Copy> = fc.record({
  cursor: micros,
  version: fc.option(fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...LENGTHS.map((n) => "x".repeat(n))))),
  arrival: micros,
  loaded: micros,
});
const key = fc.array(fc.option(fc.string({ unit: "binary", maxLength: 20 })), { minLength: 1, maxLength: 3 });
const difference: fc.Arbitrary<Difference> = fc.oneof(
  fc.record({ type: fc.constant("missing" as const), key, source: copy }),
  fc.record({ type: fc.constant("extra" as const), key, target: copy }),
  fc.record({
    type: fc.constant("changed" as const),
    key,
    source: copy,
    target: copy,
    order: fc.constantFrom("source-newer" as const, "same" as const, "target-newer" as const, "none" as const),
    columns: fc.option(fc.array(fc.constantFrom("n", "finalgrade", "a\nb"))),
  }),
  fc.record({
    type: fc.constant("changed" as const),
    key,
    source: copy,
    target: copy,
    order: fc.constant("none" as const),
    columns: fc.constant(["n"]),
    seen: fc.string(),
    values: fc.constant([{ column: "n", source: "1", target: null }]),
  }),
);

test("what goes in comes out, in order, as often as it is asked, in memory and beyond", () => {
  fc.assert(
    fc.property(fc.array(difference, { maxLength: 60 }), fc.nat(2000), fc.nat(60), (differences, limit, pause) => {
      using log = differenceLog({ limit, folder });
      for (const [i, each] of differences.entries()) {
        log.add(each);
        if (i === pause) expect([...log.all()]).toEqual(differences.slice(0, i + 1));
      }
      expect(log.size).toBe(differences.length);
      expect([...log.all()]).toEqual(differences);
      expect([...log.all()]).toEqual(differences);
    }),
  );
});

const numbered = (n: number): Difference => ({
  type: "missing",
  key: [String(n), "ž".repeat(n % 50)],
  source: { cursor: BigInt(n), version: null, arrival: null, loaded: null },
});

test("many more than fit in memory or in one piece come out whole", () => {
  using log = differenceLog({ limit: 1000, folder });
  const many = 30_000;
  for (let n = 0; n < many; n++) log.add(numbered(n));
  let n = 0;
  for (const each of log.all())
    if (n % 997 === 0 || n < 20) expect(each).toEqual(numbered(n++));
    else n++;
  expect(n).toBe(many);
});

test("two readings do not disturb each other, and one may be left early", () => {
  using log = differenceLog({ limit: 0, folder });
  for (let n = 0; n < 100; n++) log.add(numbered(n));
  const pairs: number[] = [];
  const other = log.all()[Symbol.iterator]();
  for (const each of log.all()) {
    if (pairs.length === 50) break;
    const second = other.next();
    expect(second.value).toEqual(each);
    pairs.push(pairs.length);
  }
  expect([...log.all()]).toHaveLength(100);
});

test("nothing of it is left in the folder, not even while it is open", () => {
  const log = differenceLog({ limit: 0, folder });
  for (let n = 0; n < 10; n++) log.add(numbered(n));
  expect([...log.all()]).toHaveLength(10);
  expect(readdirSync(folder)).toEqual([]);
  log[Symbol.dispose]();
  expect(() => [...log.all()]).toThrow("not used once it is disposed of");
});

test("a folder that takes no file is a FileError", () => {
  using log = differenceLog({ limit: 0, folder: join(folder, "nowhere") });
  log.add(numbered(1));
  expect(() => [...log.all()]).toThrow(expect.objectContaining({ code: "file" }));
});
