import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  canonicalDecimal,
  canonicalFloat,
  canonicalJson,
  canonicalOfPrinted,
  momentText,
  type PrintedColumn,
  readingsOf,
  type ReferencePiece,
  referenceRowText,
} from "../../src/compare/reference.ts";
import { parseInstant } from "../../src/domain/position.ts";

const piece: fc.Arbitrary<ReferencePiece> = fc.oneof(
  fc.constant({ text: null, plain: false }),
  fc
    .string({ unit: fc.constantFrom("N", ",", ":", "1", "0", "a", "é", "😀", "\n") })
    .map((text) => ({ text, plain: false })),
);

describe("the reference of row texts", () => {
  test("is the contract's own words", () => {
    const row = [
      { text: "12", plain: true },
      { text: null, plain: true },
      { text: "é,", plain: false },
      { text: null, plain: false },
      { text: "", plain: false },
    ];
    expect(referenceRowText(row)).toBe("12,N3:é,N0:");
  });

  test("counts the bytes of UTF-8", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        // A lone surrogate has no UTF-8 of its own; no server holds one.
        fc.pre(text.isWellFormed());
        expect(referenceRowText([{ text, plain: false }])).toBe(`${Buffer.byteLength(text, "utf8")}:${text}`);
      }),
    );
  });

  test("different rows of texts have different texts", () => {
    const row = fc.array(piece, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(row, row, (a, b) => {
        fc.pre(a.length === b.length);
        const same = a.every((each, i) => each.text === b[i]?.text);
        expect(referenceRowText(a) === referenceRowText(b)).toBe(same);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("canonical JSON", () => {
  test.each([
    ['{"a":1,"b":2}', ' { "b" : 2, "a":1.0 } '],
    ["[1]", "[1.0]"],
    ["[100]", "[1e2]"],
    ["[0.1]", "[1E-1]"],
    ["[0]", "[-0.00]"],
    ['{"a":2}', '{"a":1,"a":2}'],
    ['"é/"', '"\\u00e9\\/"'],
    ['"😀"', '"\\ud83d\\ude00"'],
    ["[-12.50]", "[-125e-1]"],
  ])("%s equals %s", (a, b) => {
    expect(canonicalJson(a)).not.toBeNull();
    expect(canonicalJson(a)).toBe(canonicalJson(b));
  });

  test.each([
    ["[9007199254740992]", "[9007199254740993]"],
    ["[1e400]", "[1e401]"],
    ["[0.1000000000000000055]", "[0.1]"],
    ["[1]", "[[[1]]]"],
    ['["1"]', "[1]"],
    ["[null]", "[]"],
    ['{"a":null}', "{}"],
    ['"\\u00e9"', '"e\\u0301"'],
  ])("%s differs from %s", (a, b) => {
    expect(canonicalJson(a)).not.toBeNull();
    expect(canonicalJson(a)).not.toBe(canonicalJson(b));
  });

  test("sorts keys by the bytes of UTF-8", () => {
    expect(canonicalJson('{"😀":1,"\uffee":2,"a":3}')).toBe('{"a":3,"\uffee":2,"😀":1}');
  });

  test.each(["", "{", "[1,]", "[01]", "nul", "[1] 2", '{"a"}', '"\\x"', '"', "[.5]", "[1.]", "NaN", "'a'"])(
    "%s is no JSON",
    (text) => {
      expect(canonicalJson(text)).toBeNull();
    },
  );

  test("is a form of the same value, and its own form", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (json) => {
        const canonical = canonicalJson(JSON.stringify(json, null, 2));
        expect(JSON.parse(canonical ?? "")).toEqual(JSON.parse(JSON.stringify(json)));
        expect(canonicalJson(canonical ?? "")).toBe(canonical);
      }),
    );
  });
});

describe("canonical numbers", () => {
  test.each([
    ["1.10", null, "1.1"],
    ["1.10", 2, "1.10"],
    ["1.1", 2, "1.10"],
    ["-0.00", 2, "0.00"],
    ["-0.0", null, "0"],
    ["0012", null, "12"],
    [".5", 1, "0.5"],
    ["1.123", 2, "1.123"],
    ["15e-1", null, "1.5"],
    ["1.5E+3", 0, "1500"],
    ["5e-4", 2, "0.0005"],
    ["123e-2", null, "1.23"],
    ["inf", null, "Infinity"],
    ["NaN", 2, "NaN"],
    ["", null, null],
    ["abc", null, null],
  ] as const)("the decimal %s at scale %s is %s", (text, scale, canonical) => {
    expect(canonicalDecimal(text, scale)).toBe(canonical);
  });

  test("a float's form reads back to the same double", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (n) => {
        const canonical = canonicalFloat(String(n), 64) ?? "";
        expect(Number(canonical)).toBe(n === 0 ? 0 : n);
        if (Number.isFinite(n) && n !== 0) expect(canonical).toMatch(/^-?[1-9](\d*[1-9])?e-?\d+$/);
      }),
    );
  });

  test("a single is widened to a double first", () => {
    expect(canonicalFloat("0.1", 32)).toBe("10000000149011612e-17");
    expect(canonicalFloat("0.1", 64)).toBe("1e-1");
  });
});

const column = (more: Partial<PrintedColumn> = {}): PrintedColumn => ({
  kind: { kind: "text", length: null, bytes: null, padded: false, binary: true, characters: "all" },
  zone: "UTC",
  rounding: "cut",
  ...more,
});

describe("printed values", () => {
  test.each([
    ["+007", { as: "integer" }, "7"],
    ["t", { as: "boolean" }, "1"],
    ["2", { as: "boolean" }, "2"],
    ["\\xDEAD", { as: "bytes" }, "dead"],
    ["0A1B2C3D-4E5F-6071-8293-A4B5C6D7E8F9", { as: "uuid" }, "0a1b2c3d4e5f60718293a4b5c6d7e8f9"],
    ["10:00:00.500000", { as: "time", precision: 6, zoned: false }, "10:00:00.5"],
    ["-838:59:59", { as: "time", precision: 6, zoned: false }, "-838:59:59"],
    ["10:00:00.9996+05:30", { as: "time", precision: 3, zoned: true }, "10:00:00.999+05:30"],
    ["2026-06-01 10:00:00.999600", { as: "local", precision: 3 }, "2026-06-01 10:00:00.999"],
    ["2026-06-01T10:00:00+02:00", { as: "instant", precision: 6 }, "2026-06-01 08:00:00"],
    ["0044-03-15 00:00:00 BC", { as: "local", precision: 6 }, "0044-03-15 00:00:00 BC"],
    ["infinity", { as: "instant", precision: 3 }, "infinity"],
    ["0000-00-00 00:00:00", { as: "local", precision: 6 }, "0000-00-00 00:00:00"],
    ['{"b":1,"a":2}', { as: "json" }, '{"a":2,"b":1}'],
    [" x ", { as: "text" }, " x "],
  ] as const)("%s becomes what the kind says", (printed, as, canonical) => {
    expect(canonicalOfPrinted(printed, as, column())).toBe(canonical);
  });

  test("a fraction is rounded where the pair rounds, before the epoch too", () => {
    const rounded = column({ rounding: "round" });
    expect(canonicalOfPrinted("2026-06-01 00:00:59.9996", { as: "local", precision: 3 }, rounded)).toBe(
      "2026-06-01 00:01:00",
    );
    expect(canonicalOfPrinted("1969-12-31 23:59:59.9994", { as: "local", precision: 3 }, rounded)).toBe(
      "1969-12-31 23:59:59.999",
    );
  });

  test("a naive reading is a moment of its zone", () => {
    const prague = column({ zone: "Europe/Prague", kind: { kind: "local", precision: 6 } });
    const instant = { as: "instant", precision: 6 } as const;
    expect(canonicalOfPrinted("2026-06-01 10:00:00", instant, prague)).toBe("2026-06-01 08:00:00");
    expect(canonicalOfPrinted("2026-10-25 02:30:00", instant, prague)).toBe("2026-10-25 01:30:00");
  });
});

describe("moments", () => {
  test("are texts that read back, in any year", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 57n), max: 2n ** 57n }), (micros) => {
        expect(parseInstant(momentText(micros))).toBe(micros);
      }),
    );
  });

  test("have two readings in the repeated hour of a night, one otherwise", () => {
    expect(readingsOf("2026-10-25 02:30:00", "Europe/Prague")).toEqual(["2026-10-25 00:30:00", "2026-10-25 01:30:00"]);
    expect(readingsOf("2026-10-25 03:30:00", "Europe/Prague")).toEqual(["2026-10-25 02:30:00"]);
    expect(readingsOf("infinity", "Europe/Prague")).toEqual(["infinity"]);
  });
});
