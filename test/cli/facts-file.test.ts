import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type FactsHeader, readFacts, writeFacts } from "../../src/cli/facts-file.ts";
import type { Difference } from "../../src/domain/difference.ts";
import { FileError, UsageError } from "../../src/domain/errors.ts";
import type { Facts } from "../../src/domain/facts.ts";
import { checkOf, failureOf } from "../reporters/reports.ts";
import { folderWith } from "./tidemark.ts";

const HEADER: FactsHeader = {
  tidemark_facts: 1,
  tool: "0.1.0",
  started: 1_780_000_000_000_001n,
  options: { range: null, only: ["rows"], exact: false },
};

/** Only its numbers matter here: the file keeps whatever plain data it is given. */
const FACTS = { now: 2n ** 63n, axis: "time", range: null } as unknown as Facts;

const missing = (key: string, cursor: bigint): Difference => ({
  type: "missing",
  key: [key, null],
  source: { cursor, version: "ž\n", arrival: null, loaded: null },
});

function saved(path: string, differences: readonly Difference[]): void {
  using file = writeFacts(path, HEADER);
  file.add({ check: "a", facts: FACTS, report: checkOf({ check: "a" }), known: [], differences });
  file.add({ check: "b", facts: null, report: failureOf("b", "gone"), known: [], differences: [] });
  file.finish(9n);
}

test("what was saved is read back: 64-bit numbers, any text, each check's own differences", () => {
  using folder = folderWith({});
  const path = join(folder.path, "facts.jsonl");
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string({ unit: "grapheme" }), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n }))),
      (rows) => {
        const differences = rows.map(([key, cursor]) => missing(key, cursor));
        saved(path, differences);
        const { header, finished, checks } = readFacts(path);
        expect({ header, finished }).toEqual({ header: HEADER, finished: 9n });
        expect(checks.map(({ check, facts }) => [check, facts])).toEqual([
          ["a", FACTS],
          ["b", null],
        ]);
        expect(checks[1]?.report).toEqual(failureOf("b", "gone"));
        // Twice: a judge may read them as often as it likes.
        expect([...checks[0]!.differences]).toEqual(differences);
        expect([...checks[0]!.differences]).toEqual(differences);
        expect([...checks[1]!.differences]).toEqual([]);
      },
    ),
    { numRuns: 30 },
  );
});

test("no fingerprint of values is kept, from which a short one could be guessed", () => {
  using folder = folderWith({});
  const path = join(folder.path, "facts.jsonl");
  const copy = { cursor: 1n, version: "1", arrival: null, loaded: null };
  const changed: Difference = {
    type: "changed",
    key: ["1"],
    source: copy,
    target: copy,
    order: "same",
    columns: ["grade"],
    seen: "fingerprint",
  };
  saved(path, [changed]);
  expect(readFileSync(path, "utf8")).not.toContain("fingerprint");
  const { seen: _, ...rest } = changed;
  expect([...readFacts(path).checks[0]!.differences]).toEqual([rest]);
});

test("many differences pass through, longer than any block that is read at once", () => {
  using folder = folderWith({});
  const path = join(folder.path, "facts.jsonl");
  const differences = Array.from({ length: 20_000 }, (_, i) => missing(`ключ-${i}`.repeat(1 + (i % 7)), BigInt(i)));
  saved(path, differences);
  expect([...readFacts(path).checks[0]!.differences]).toEqual(differences);
});

test("a file that is not finished does not appear, and leaves nothing", () => {
  using folder = folderWith({});
  const path = join(folder.path, "facts.jsonl");
  {
    using file = writeFacts(path, HEADER);
    file.add({ check: "a", facts: FACTS, report: checkOf(), known: [], differences: [missing("1", 1n)] });
  }
  expect(existsSync(path)).toBe(false);
  expect(existsSync(`${path}.part`)).toBe(false);
});

test("a file that cannot be written is known at once", () => {
  expect(() => writeFacts("/nowhere/facts.jsonl", HEADER)).toThrow(FileError);
});

test("a file cut off anywhere is refused, never half believed", () => {
  using folder = folderWith({});
  const path = join(folder.path, "facts.jsonl");
  saved(path, [missing("1", 1n), missing("2", 2n)]);
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
  for (let keep = 0; keep < lines.length; keep++) {
    writeFileSync(path, lines.slice(0, keep).join("\n"));
    expect(() => readFacts(path)).toThrow(UsageError);
  }
});

test.each([
  ["{", "it is no JSON Lines"],
  ['{"version":1,"tool":{"name":"tidemark"}}', "it holds no facts"],
  ['{"tidemark_facts":2}', "it is version 2"],
  ["", "it is empty"],
])("%j is refused", (text, why) => {
  using folder = folderWith({ "facts.jsonl": text });
  expect(() => readFacts(join(folder.path, "facts.jsonl"))).toThrow(why);
});
