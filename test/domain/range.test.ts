import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/domain/errors.ts";
import { formatInstant, type Position } from "../../src/domain/position.ts";
import { parseRange, type RangeAxis } from "../../src/domain/range.ts";

const NOW = 1_780_311_600_000_000n; // 2026-06-01T11:00:00Z
const axis = (unit: RangeAxis["unit"], timezone: string | null = null): RangeAxis => ({ unit, timezone, now: NOW });
const times = (text: string, timezone: string | null = null): (string | null)[] => {
  const range = parseRange(text, axis("time", timezone));
  if (range.by !== "cursor") throw new Error("no cursor range");
  const show = (position: Position | null): string | null => (position === null ? null : formatInstant(position));
  return [show(range.from), show(range.to)];
};

describe("a range of times", () => {
  it.each([
    ["2026-06-01..2026-06-03", "2026-06-01T00:00:00.000000Z", "2026-06-03T00:00:00.000000Z"],
    ["2026-06-01..", "2026-06-01T00:00:00.000000Z", null],
    ["..2026-06-01", null, "2026-06-01T00:00:00.000000Z"],
    ["2026-06-01T08:00:00Z..2026-06-01T12:00:00.000001Z", "2026-06-01T08:00:00.000000Z", "2026-06-01T12:00:00.000001Z"],
    ["2026-06-01T08:00+02:00..", "2026-06-01T06:00:00.000000Z", null],
    ["2026-06-01 08:00..2026-06-01 09:30", "2026-06-01T08:00:00.000000Z", "2026-06-01T09:30:00.000000Z"],
    ["-3d..", "2026-05-29T11:00:00.000000Z", null],
    ["-3d..-1h30m", "2026-05-29T11:00:00.000000Z", "2026-06-01T09:30:00.000000Z"],
    [" 2026-06-01 .. 2026-06-02 ", "2026-06-01T00:00:00.000000Z", "2026-06-02T00:00:00.000000Z"],
  ])("%s", (text, from, to) => {
    expect(times(text)).toEqual([from, to]);
  });

  it("reads times without a zone, and dates, in the source's zone", () => {
    expect(times("2026-06-01..2026-12-01T10:00", "Europe/Prague")).toEqual([
      "2026-05-31T22:00:00.000000Z",
      "2026-12-01T09:00:00.000000Z",
    ]);
  });

  it("starts at the first reading of a repeated hour and ends after its second", () => {
    expect(times("2026-10-25T02:30..2026-10-25T02:30", "Europe/Prague")).toEqual([
      "2026-10-25T00:30:00.000000Z",
      "2026-10-25T01:30:00.000000Z",
    ]);
  });

  it("moves a reading that no clock showed forward", () => {
    expect(times("2026-03-29T02:30..", "Europe/Prague")).toEqual(["2026-03-29T01:30:00.000000Z", null]);
  });

  it("refuses a number, because the cursor is a time", () => {
    expect(() => parseRange("1748736000..", axis("time"))).toThrow(
      /a number, and the cursor is a time; expected a date/,
    );
  });
});

describe("a range of numbers", () => {
  it.each([
    ["epoch-s", "1780311600..1780311660", 1_780_311_600_000_000n, 1_780_311_660_000_000n],
    ["epoch-ms", "1780311600123..", 1_780_311_600_123_000n, null],
    ["epoch-us", "1780311600123456..", 1_780_311_600_123_456n, null],
    ["sequence", "9007199254740993..9223372036854775807", 9_007_199_254_740_993n, 9_223_372_036_854_775_807n],
    ["sequence", "-3..10", -3n, 10n],
    ["epoch-s", "2026-06-01..-1h", 1_780_272_000_000_000n, 1_780_308_000_000_000n],
  ] as const)("on %s: %s", (unit, text, from, to) => {
    expect(parseRange(text, axis(unit))).toEqual({ by: "cursor", from, to });
  });

  it.each(["2026-06-01..", "-3d.."])("refuses %s on a sequence", (text) => {
    expect(() => parseRange(text, axis("sequence"))).toThrow(
      /no integer, and the cursor is a sequence; expected numbers/,
    );
  });

  it("keeps any two integers as they are", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n }),
        fc.bigInt({ min: 0n, max: 2n ** 63n }),
        (from, more) => {
          expect(parseRange(`${from}..${from + more}`, axis("sequence"))).toEqual({
            by: "cursor",
            from,
            to: from + more,
          });
        },
      ),
    );
  });
});

describe("a range of keys or a run", () => {
  it.each([
    ["key:1000..2000", { by: "key", from: "1000", to: "2000" }],
    ["key:a-1..", { by: "key", from: "a-1", to: null }],
    ["key:..2026-01-01", { by: "key", from: null, to: "2026-01-01" }],
    ["key:nothing..", { by: "key", from: "nothing", to: null }],
    ["run:812", { by: "run", run: "812" }],
    ["run:scheduled__2026-06-01T00:00:00..x", { by: "run", run: "scheduled__2026-06-01T00:00:00..x" }],
  ])("%s", (text, range) => {
    expect(parseRange(text, axis("time"))).toEqual(range);
  });
});

describe("a text that is no range", () => {
  it.each([
    "",
    "2026-06-01",
    "..",
    "key:..",
    "key:1000",
    "run:",
    "yesterday..",
    "2026-13-01..",
    "2026-02-30..",
    "3d..",
    "2026-06-02..2026-06-01",
    "-3x..",
  ])("%j is a usage error that says what was expected", (text) => {
    expect(() => parseRange(text, axis("time"))).toThrow(UsageError);
    expect(() => parseRange(text, axis("time"))).toThrow(/expected /);
  });
});

it("a range that is written backwards comes with the one that was meant", () => {
  const axis = { unit: "time", timezone: null, now: 0n } as const;
  try {
    parseRange("2026-06-03..2026-06-01", axis);
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({ hint: "did you mean 2026-06-01..2026-06-03?" });
  }
});
