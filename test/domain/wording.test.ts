import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { repairCommand, shellQuote } from "../../src/domain/command.ts";
import { behind, keyBehind, keyJson } from "../../src/domain/key-bounds.ts";
import { comparePart } from "../../src/domain/key.ts";
import type { AgreedKind } from "../../src/domain/kind.ts";
import { parseRange } from "../../src/domain/range.ts";
import { count, duration, justOver, moment, names, rows, runs } from "../../src/domain/wording.ts";
import { HOUR, MINUTE, t } from "../support/timeline.ts";

test.each([
  [10n * HOUR + 20n * MINUTE, "10 h 20 min"],
  [24n * HOUR, "1 d"],
  [26n * HOUR + 59n * MINUTE, "1 d 2 h"],
  [24n * HOUR + 59n * MINUTE, "1 d"],
  [HOUR + 1_000_000n, "1 h"],
  [61_000_000n, "1 min 1 s"],
  [59_999_999n, "59 s"],
  [250_000n, "0.25 s"],
  [1n, "0.000001 s"],
  [0n, "0 s"],
  [-HOUR, "1 h"],
])("says %s µs as %s", (micros, said) => expect(duration(micros)).toBe(said));

test("a length whose rest is cut off is just over what is said", () => {
  expect(justOver(5n * HOUR, "time")).toBe("5 h");
  expect(justOver(5n * HOUR + 1_000_000n, "time")).toBe("just over 5 h");
  expect(justOver(250_000n, "time")).toBe("0.25 s");
  expect(justOver(17n, "sequence")).toBe("17");
});

test.each([
  [t("1 12:00"), "Mon 2026-06-01 12:00 UTC"],
  [t("1 12:00:05"), "Mon 2026-06-01 12:00:05 UTC"],
  [t("1 12:00") + 1n, "Mon 2026-06-01 12:00:00.000001 UTC"],
  [0n, "Thu 1970-01-01 00:00 UTC"],
  [-1n, "Wed 1969-12-31 23:59:59.999999 UTC"],
  [t("2000-02-29T00:00:00Z"), "Tue 2000-02-29 00:00 UTC"],
  [t("1900-01-01T00:00:00Z"), "Mon 1900-01-01 00:00 UTC"],
])("says the moment %s as %s", (micros, said) => expect(moment(micros)).toBe(said));

test("counts and lists read as English", () => {
  expect([rows(0n), rows(1n), rows(1_234_567n)]).toEqual(["0 rows", "1 row", "1,234,567 rows"]);
  expect(count(2, "entry", "entries")).toBe("2 entries");
  expect([names([]), names(["a"]), names(["a", "b"]), names(["a", "b", "c"])]).toEqual([
    "",
    "a",
    "a and b",
    "a, b and c",
  ]);
  expect([runs(["1"]), runs(["1", "2"]), runs(["1", "2", "3", "4"]), runs(["1", "2"], 1000)]).toEqual([
    "run 1",
    "runs 1 and 2",
    "runs 1, 2, 3 and 1 more",
    "runs 1, 2 and 998 more",
  ]);
});

describe("commands", () => {
  test("say times without a fraction that says nothing, and read back as the same range", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -62_135_596_800_000_000n, max: 253_402_300_799_999_999n }),
        fc.bigInt({ min: 0n, max: HOUR }),
        (from, length) => {
          const to = from + length > 253_402_300_799_999_999n ? from : from + length;
          const command = repairCommand("grades", { by: "cursor", from, to }, { axis: "time", unit: null });
          const range = parseRange(command.split(" ").at(-1) ?? "", { unit: "time", timezone: null, now: 0n });
          expect(range).toEqual({ by: "cursor", from, to });
        },
      ),
    );
    expect(
      repairCommand(
        "g",
        { by: "cursor", from: t("1 08:00"), to: t("1 12:00") + 1n },
        { axis: "time", unit: "epoch-s" },
      ),
    ).toBe("tidemark repair g --range 2026-06-01T08:00:00Z..2026-06-01T12:00:00.000001Z");
  });
  test("sequences, keys, open ends and whole checks", () => {
    const axis = { axis: "sequence", unit: "sequence" } as const;
    expect(repairCommand("g", { by: "cursor", from: 5n, to: null }, axis)).toBe("tidemark repair g --range 5..");
    expect(repairCommand("g", { by: "cursor", from: -5n, to: 7n }, axis)).toBe("tidemark repair g --range=-5..7");
    expect(repairCommand("g", { by: "key", from: "17", to: "20" }, axis)).toBe("tidemark repair g --range key:17..20");
    expect(repairCommand("a/b", null, axis)).toBe("tidemark repair a/b");
  });
  test("a shell reads each word back unchanged", () => {
    const words = ["plain", "it's", 'two "words"', "$HOME `x` \\ !", "a\nb", "", "ü", "*"];
    const read = execFileSync("sh", ["-c", `printf '%s\\0' ${words.map(shellQuote).join(" ")}`], { encoding: "utf8" });
    expect(read.split("\0").slice(0, -1)).toEqual(words);
  });
});

describe("keys", () => {
  const kinds = { integer: { as: "integer" }, decimal: { as: "decimal", scale: null } } as const satisfies Record<
    string,
    AgreedKind
  >;

  test.each<readonly [AgreedKind, string, string | null]>([
    [kinds.integer, "17", "18"],
    [kinds.integer, "-1", "0"],
    [kinds.integer, "9007199254740993", "9007199254740994"],
    [{ as: "uuid" }, "0".repeat(31) + "f", "0".repeat(30) + "10"],
    [{ as: "text" }, "abc", "abc\u0000"],
    [{ as: "bytes" }, "ff", "ff00"],
    [kinds.decimal, "1.5", "1.51"],
    [kinds.decimal, "-1.5", "-1.49"],
    [{ as: "decimal", scale: 2 }, "1.99", "2.00"],
    [{ as: "date" }, "2026-02-28", "2026-03-01"],
    [{ as: "instant", precision: 6 }, "2026-06-01 10:00:00", "2026-06-01 10:00:00.000001"],
    [{ as: "float", bits: 64 }, "15e-1", null],
    [{ as: "other" }, "x", null],
  ])("just behind a %o %s stands %s", (kind, part, next) => {
    expect(behind(part, kind)).toBe(next);
    if (next !== null) expect(comparePart(part, next, kind)).toBeLessThan(0);
  });
  test("only the last part of a composite key moves", () =>
    expect(keyBehind(["a", "7"], [{ as: "text" }, kinds.integer])).toEqual(["a", "8"]));
  test("integers are numbers in JSON while those are exact", () =>
    expect(
      keyJson(["17", "9007199254740993", null, "x"], [kinds.integer, kinds.integer, kinds.integer, { as: "text" }]),
    ).toEqual([17, "9007199254740993", null, "x"]));
});
