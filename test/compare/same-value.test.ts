import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exactNumber, type SamenessRule, sameness } from "../../src/compare/same-value.ts";
import type { Treatment } from "../../src/domain/check.ts";

const RULE: SamenessRule = {
  as: { as: "text" },
  treat: [],
  tolerance: null,
  zones: { source: "UTC", target: "UTC" },
  single: false,
  precision: null,
  mayRound: false,
};
const rule = (over: Partial<SamenessRule>) => sameness({ ...RULE, ...over });
const treat = (...treatments: Treatment[]) => rule({ treat: treatments });

describe("without treatment", () => {
  test.each([
    [null, ""],
    ["", " "],
    ["NULL", null],
    ["<null>", null],
    ["\\N", null],
    ["x ", "x"],
    ["é", "e\u0301"],
    ["A", "a"],
    ["😀", "🚀"],
  ])("%j and %j are different texts", (a, b) => {
    expect(rule({})(a, b)).toBe(false);
    expect(rule({})(b, a)).toBe(false);
  });

  test("NULL is NULL", () => expect(rule({})(null, null)).toBe(true));
});

describe("a single against a double", () => {
  const single = rule({ as: { as: "float", bits: 64 }, single: true });
  test.each([
    // 0.1 written as digits, against the single that was widened.
    ["10000000149011612e-17", "1e-1", true],
    ["15e-1", "15e-1", true],
    // The next single.
    ["10000000149011612e-17", "10000000894069672e-17", false],
    ["12345671e-7", "12345679e-7", false],
    ["Infinity", "1e300", false],
    ["Infinity", "Infinity", true],
    ["NaN", "NaN", true],
  ])("%s and %s: %s", (a, b, same) => expect(single(a, b)).toBe(same));
});

describe("treatments", () => {
  test("trim takes blanks at both ends", () => {
    expect(treat("trim")(" x ", "x")).toBe(true);
    expect(treat("trim")("x y", "xy")).toBe(false);
  });

  test("case takes letters of all scripts, ß with its capital form", () => {
    expect(treat("case")("ŠTĚSTÍ", "štěstí")).toBe(true);
    expect(treat("case")("straße", "STRASSE")).toBe(true);
    expect(treat("case")("a", "b")).toBe(false);
  });

  test("nfc joins what is composed and what combines", () => {
    expect(treat("nfc")("é", "e\u0301")).toBe(true);
    expect(treat("nfc")("é", "e")).toBe(false);
  });

  test("empty-as-null makes '' and NULL one, after trim also blanks", () => {
    expect(treat("empty-as-null")("", null)).toBe(true);
    expect(treat("empty-as-null")(" ", null)).toBe(false);
    expect(treat("trim", "empty-as-null")(" ", null)).toBe(true);
    expect(treat("trim")("", null)).toBe(false);
  });
});

describe("tolerance", () => {
  const near = rule({ as: { as: "decimal", scale: 2 }, tolerance: "0.005" });

  test("is at most, not less than", () => {
    expect(near("1.000", "1.005")).toBe(true);
    expect(near("1.000", "1.0050001")).toBe(false);
    expect(near("-0.002", "0.003")).toBe(true);
  });

  test("is exact beyond what a double holds", () => {
    expect(near("9007199254740993.001", "9007199254740993.006")).toBe(true);
    expect(near("9007199254740993.001", "9007199254740993.007")).toBe(false);
  });

  test("reads floats, and lets NaN and infinities equal only themselves", () => {
    const float = rule({ as: { as: "float", bits: 64 }, tolerance: "0.5" });
    expect(float("1e0", "15e-1")).toBe(true);
    expect(float("1e26", "1e25")).toBe(false);
    expect(float("NaN", "NaN")).toBe(true);
    expect(float("NaN", "0")).toBe(false);
    expect(float("Infinity", "-Infinity")).toBe(false);
    expect(float(null, "0")).toBe(false);
  });
});

describe("precision", () => {
  const cut = rule({ as: { as: "local", precision: 3 }, precision: 3 });
  const rounds = rule({ as: { as: "local", precision: 3 }, precision: 3, mayRound: true });

  test("what was cut is the same, also before the epoch", () => {
    expect(cut("2026-06-01 00:00:00.9996", "2026-06-01 00:00:00.999")).toBe(true);
    expect(cut("1969-12-31 23:59:59.9996", "1969-12-31 23:59:59.999")).toBe(true);
    expect(cut("2026-06-01 00:00:00.9996", "2026-06-01 00:00:00.998")).toBe(false);
  });

  test("what was rounded is the same only where the sample shows rounding", () => {
    expect(cut("2026-06-01 00:00:00.9996", "2026-06-01 00:00:01")).toBe(false);
    expect(rounds("2026-06-01 00:00:00.9996", "2026-06-01 00:00:01")).toBe(true);
    expect(rounds("2026-06-01 00:00:01", "2026-06-01 00:00:00.9996")).toBe(true);
    expect(rounds("2026-06-01 00:00:00.9994", "2026-06-01 00:00:01")).toBe(false);
  });

  test("holds for times of day, and names of infinity equal themselves", () => {
    const clock = rule({ as: { as: "time", precision: 0, zoned: false }, precision: 0 });
    expect(clock("10:00:00.7", "10:00:00")).toBe(true);
    expect(clock("-01:00:00", "01:00:00")).toBe(false);
    expect(cut("infinity", "infinity")).toBe(true);
    expect(cut("infinity", "-infinity")).toBe(false);
  });
});

describe("the repeated hour of a night", () => {
  const prague = rule({ as: { as: "instant", precision: 6 }, zones: { source: "UTC", target: "Europe/Prague" } });

  test("lets either moment match, and no third", () => {
    // 02:30 in Prague on 25 October 2026 was at 00:30 and at 01:30 UTC.
    expect(prague("2026-10-25 00:30:00", "2026-10-25 01:30:00")).toBe(true);
    expect(prague("2026-10-25 01:30:00", "2026-10-25 01:30:00")).toBe(true);
    expect(prague("2026-10-25 02:30:00", "2026-10-25 01:30:00")).toBe(false);
    expect(prague("2026-10-24 23:30:00", "2026-10-25 00:30:00")).toBe(false);
  });

  test("is not there where both sides are UTC", () => {
    expect(rule({ as: { as: "instant", precision: 6 } })("2026-10-25 00:30:00", "2026-10-25 01:30:00")).toBe(false);
  });

  test("still holds where the naive side keeps fewer digits", () => {
    const cut = rule({
      as: { as: "instant", precision: 3 },
      precision: 3,
      zones: { source: "UTC", target: "Europe/Prague" },
    });
    expect(cut("2026-10-25 00:30:00.1239", "2026-10-25 01:30:00.123")).toBe(true);
  });
});

describe("JSON", () => {
  const json = rule({ as: { as: "json" } });

  test("is compared by value", () => {
    expect(json('{"a":1,"b":2}', '{"b": 2.0, "a": 1e0}')).toBe(true);
    expect(json('{"a":9007199254740993}', '{"a":9007199254740992}')).toBe(false);
    expect(json("[1,2]", "[2,1]")).toBe(false);
    expect(json("null", null)).toBe(false);
  });
});

test("a number's exact value is the same however it is spelt", () => {
  const value = (text: string): string => {
    const n = exactNumber(text);
    if (n === null) return "none";
    let { digits, scale } = n;
    while (scale > 0 && digits % 10n === 0n) [digits, scale] = [digits / 10n, scale - 1];
    return `${digits}/${scale}`;
  };
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
      fc.integer({ min: -15, max: 15 }),
      (digits, exponent) => {
        const plain = exponent >= 0 ? `${digits * 10n ** BigInt(exponent)}` : undefined;
        if (plain !== undefined) expect(value(`${digits}e${exponent}`)).toBe(value(plain));
        else expect(value(`${digits}e${exponent}`)).toBe(value(`${digits * 1000n}e${exponent - 3}`));
      },
    ),
  );
});

test("sameness is symmetric but for zones, and holds of a value with itself", () => {
  const text = fc.option(
    fc.oneof(fc.constantFrom("", " ", "a", "A", "a ", "é", "e\u0301", "1.5", "2026-06-01 10:00:00.5"), fc.string()),
  );
  const rules = fc.record({
    treat: fc.subarray<Treatment>(["trim", "case", "nfc", "empty-as-null"]),
    precision: fc.constantFrom(null, 0, 3),
    mayRound: fc.boolean(),
  });
  fc.assert(
    fc.property(text, text, rules, (a, b, over) => {
      const same = rule({ ...over, as: { as: "text" } });
      expect(same(a, b)).toBe(same(b, a));
      expect(same(a, a)).toBe(true);
    }),
  );
});
