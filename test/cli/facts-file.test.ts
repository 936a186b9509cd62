import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type FactsHeader, readFacts, writeFacts } from "../../src/cli/facts-file.ts";
import { bigintToJson } from "../../src/cli/bigint-json.ts";
import type { Difference } from "../../src/domain/difference.ts";
import { FileError, UsageError } from "../../src/domain/errors.ts";
import type { Facts } from "../../src/domain/facts.ts";
import type { Run } from "../../src/domain/run.ts";
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
        expect({ header, finished }).toEqual({ header: { ...HEADER, tidemark_facts: 2 }, finished: 9n });
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

/** A ledger of so many runs, one an hour. */
function ledgerOf(many: number): Facts {
  const numbers = (length: number): readonly bigint[] => Array.from({ length }, (_, i) => BigInt(i) * 3_600_000_000n);
  const starts = numbers(many);
  const runs = starts.map(
    (started, i): Run => ({
      id: `run ${i}`,
      window: i % 7 === 0 ? null : { from: started, fromClosed: true, to: started + 1n, toClosed: false },
      started,
      finished: i % 5 === 0 ? null : started + 1n,
      outcome: "success",
      status: "ok",
      rows: 1n,
      backfill: false,
      dataClock: null,
    }),
  );
  const profile = { ends: numbers(many), at: numbers(many), between: numbers(many + 1) };
  return {
    ...FACTS,
    ledger: {
      runs,
      unreadable: [],
      since: 0n,
      clocks: starts.map((at, i) =>
        i % 3 === 0 ? null : { position: at, at, witness: "arrivals" as const, certainty: "exact" as const },
      ),
      source: profile,
      lacking: profile,
      observations: [{ at: 1n, position: null }],
      arrivals: {
        rows: 1n,
        lag: null,
        lagOfArrived: null,
        groups: starts.map((at, nextRun) => ({
          nextRun,
          rows: 1n,
          oldestCursor: at,
          newestCursor: at,
          largestLag: 0n,
        })),
      },
    },
  };
}

const asText = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? `${each}n` : each));

test("a long ledger is kept line by line, and read back as it was, before the differences and apart from other checks", () => {
  using folder = folderWith({});
  const path = join(folder.path, "facts.jsonl");
  const [long, short] = [ledgerOf(1234), ledgerOf(1)];
  const differences = [missing("1", 1n), missing("2", 2n)];
  {
    using file = writeFacts(path, HEADER);
    file.add({ check: "a", facts: long, report: checkOf(), known: [], differences });
    file.add({ check: "b", facts: short, report: checkOf(), known: [], differences: [] });
    file.finish(9n);
  }
  expect(
    Math.max(
      ...readFileSync(path, "utf8")
        .split("\n")
        .map((line) => line.length),
    ),
  ).toBeLessThan(200_000);
  const { checks } = readFacts(path);
  expect(checks.map(({ facts }) => asText(facts))).toEqual([asText(long), asText(short)]);
  expect([...checks[0]!.differences]).toEqual(differences);
});

test("files of version 1, whose lists stand among the facts, are still read", () => {
  const facts = ledgerOf(3);
  const lines = [
    HEADER,
    { check: "a", facts, report: checkOf(), known: [] },
    missing("1", 1n),
    { end: "a", differences: 1 },
  ];
  const text = [...lines, { finished: 9n }].map((line) => `${JSON.stringify(line, bigintToJson)}\n`).join("");
  using folder = folderWith({ "facts.jsonl": text });
  const [check] = readFacts(join(folder.path, "facts.jsonl")).checks;
  expect(asText(check?.facts)).toBe(asText(facts));
  expect([...check!.differences]).toEqual([missing("1", 1n)]);
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
  ['{"tidemark_facts":3}', "it is version 3"],
  ["", "it is empty"],
])("%j is refused", (text, why) => {
  using folder = folderWith({ "facts.jsonl": text });
  expect(() => readFacts(join(folder.path, "facts.jsonl"))).toThrow(why);
});
