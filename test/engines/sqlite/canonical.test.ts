import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AgreedKind } from "../../../src/domain/kind.ts";
import { canonicalText, plainDecimal, type Stored } from "../../../src/engines/sqlite/canonical.ts";
import { atPrecision, instantOf, momentText, readMoment, usualMomentText } from "../../../src/engines/sqlite/times.ts";

const form = (as: AgreedKind, zone = "UTC", rounding: "cut" | "round" = "cut") => ({ as, zone, rounding });

const cases: readonly (readonly [what: string, x: Stored, as: AgreedKind, text: string])[] = [
  ["an integer beyond 2^53", 9007199254740993n, { as: "integer" }, "9007199254740993"],
  ["a fraction in an integer column", 1.5, { as: "integer" }, "1.5"],
  ["a text in an integer column", "abc", { as: "integer" }, "!text:616263"],
  ["a decimal to its scale", 71.5, { as: "decimal", scale: 5 }, "71.50000"],
  ["a decimal with more digits than its scale", 1.234, { as: "decimal", scale: 2 }, "1.234"],
  ["an integer in a decimal column", 90n, { as: "decimal", scale: 2 }, "90.00"],
  ["a decimal without a scale", 1.1, { as: "decimal", scale: null }, "1.1"],
  ["a large decimal", 1e26, { as: "decimal", scale: null }, "100000000000000000000000000"],
  ["a decimal kept as text", "-0.00", { as: "decimal", scale: null }, "0"],
  ["a decimal's infinity", -Infinity, { as: "decimal", scale: 2 }, "-Infinity"],
  ["a float", 1.5, { as: "float", bits: 64 }, "15e-1"],
  ["a hundred", 100, { as: "float", bits: 64 }, "1e2"],
  ["a minus zero", -0, { as: "float", bits: 64 }, "0"],
  ["a small float", 4e-14, { as: "float", bits: 64 }, "4e-14"],
  ["a single, widened", 1.2345671, { as: "float", bits: 32 }, "12345670461654663e-16"],
  ["a boolean", 1n, { as: "boolean" }, "1"],
  ["a two in a boolean", 2n, { as: "boolean" }, "2"],
  ["a text", " a ", { as: "text" }, " a "],
  ["a number where text is wanted", 12n, { as: "text" }, "12"],
  ["a blob where text is wanted", new Uint8Array([1]), { as: "text" }, "!blob:01"],
  ["a blob", new Uint8Array([0, 255]), { as: "bytes" }, "00ff"],
  ["a text among blobs", "\0", { as: "bytes" }, "!text:00"],
  ["a uuid in capitals", "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11", { as: "uuid" }, "a0eebc999c0b4ef8bb6d6bb9bd380a11"],
  ["a uuid of 16 bytes", new Uint8Array(16).fill(7), { as: "uuid" }, "07".repeat(16)],
  ["a date", "2026-06-01", { as: "date" }, "2026-06-01"],
  ["a date at midnight", "2026-06-01 00:00:00", { as: "date" }, "2026-06-01"],
  ["a date that holds a time", "2026-06-01T10:00:00", { as: "date" }, "2026-06-01 10:00:00"],
  ["a zero date", "0000-00-00", { as: "date" }, "0000-00-00"],
  ["a date before our era", "0044-03-15 BC", { as: "date" }, "0044-03-15 BC"],
  ["a time of day", "09:05:00.500", { as: "time", precision: 6, zoned: false }, "09:05:00.5"],
  ["a time of day with its offset", "09:05:00+05:30", { as: "time", precision: 6, zoned: true }, "09:05:00+05:30"],
  ["a moment as people write it", "2026-06-01T10:00:00.250Z", { as: "local", precision: 6 }, "2026-06-01 10:00:00.25"],
  ["a moment with an offset", "2026-06-01 10:00:00+02", { as: "instant", precision: 6 }, "2026-06-01 08:00:00"],
  ["a moment in seconds", 1780308000n, { as: "instant", precision: 6 }, "2026-06-01 10:00:00"],
  ["a moment in milliseconds", 1780308000250n, { as: "instant", precision: 6 }, "2026-06-01 10:00:00.25"],
  ["a Julian day", 2440587.5, { as: "local", precision: 6 }, "1970-01-01 00:00:00"],
  ["infinity", "infinity", { as: "instant", precision: 6 }, "infinity"],
  ["no moment", "yesterday, or so", { as: "local", precision: 6 }, "!text:7965737465726461792c206f7220736f"],
  ["a json", '{"b":1}', { as: "json" }, '{"b":1}'],
];

test.for(cases)("%s", ([, x, as, text]) => {
  expect(canonicalText(x, form(as))).toBe(text);
});

describe("moments", () => {
  test("a naive reading is taken in its zone, the second time in a repeated hour", () => {
    const as = { as: "instant", precision: 6 } as const;
    expect(canonicalText("2026-07-01 12:00:00", form(as, "Europe/Prague"))).toBe("2026-07-01 10:00:00");
    expect(canonicalText("2026-10-25 02:30:00", form(as, "Europe/Prague"))).toBe("2026-10-25 01:30:00");
  });
  test("a finer value is cut or rounded", () => {
    const as = { as: "local", precision: 3 } as const;
    expect(canonicalText("2026-01-01 00:00:00.9996", form(as))).toBe("2026-01-01 00:00:00.999");
    expect(canonicalText("2026-01-01 00:00:00.9996", form(as, "UTC", "round"))).toBe("2026-01-01 00:00:01");
    expect(canonicalText("1969-12-31 23:59:59.9996", form(as))).toBe("1969-12-31 23:59:59.999");
  });
});

test("the short way to a moment's text comes to what the long way does", () => {
  const part = (n: number, width: number) => fc.integer({ min: 0, max: n }).map((x) => String(x).padStart(width, "0"));
  const clock = fc.tuple(part(24, 2), part(60, 2), part(60, 2)).map((parts) => parts.join(":"));
  const spelling = fc
    .tuple(
      fc.tuple(fc.oneof(part(9999, 4), fc.constant("0000")), part(13, 2), part(31, 2)).map((parts) => parts.join("-")),
      fc.constantFrom(" ", "T"),
      clock,
      fc.constantFrom("", ".5", ".120000", ".123456", ".1234567"),
      fc.constantFrom("", "Z", "+00", "+00:00", "+02", "-05:30"),
    )
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(spelling, fc.integer({ min: 0, max: 6 }), (text, precision) => {
      const short = usualMomentText(text, precision, true);
      const reading = readMoment(text);
      if (short === null) return;
      if (reading === null) throw new Error(`${text} is no moment`);
      expect(short).toBe(momentText(atPrecision(instantOf(reading, "UTC"), precision, "round")));
    }),
    { numRuns: 2000 },
  );
});

describe("numbers", () => {
  test("a double in plain digits reads back to itself", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => {
        const text = plainDecimal(x);
        expect(text).toMatch(/^-?\d+(\.\d*[1-9])?$/);
        expect(Number(text)).toBe(x === 0 ? 0 : x);
      }),
    );
  });
  test("two doubles have one float text only if they are equal", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), fc.double({ noNaN: true }), (x, y) => {
        const text = (d: number) => canonicalText(d, form({ as: "float", bits: 64 }));
        expect(text(x) === text(y)).toBe(x === y);
      }),
    );
  });
});
