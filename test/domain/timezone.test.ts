import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatInstant, parseInstant } from "../../src/domain/position.ts";
import { isTimezone, offsetAt, toInstant, toLocal, transitions } from "../../src/domain/timezone.ts";

const at = (text: string): bigint => {
  const position = parseInstant(text);
  if (position === null) throw new Error(`no time: ${text}`);
  return position;
};
const HOUR = 3_600_000_000n;
const ZONES = [
  "UTC",
  "Europe/Prague",
  "America/New_York",
  "America/St_Johns",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Africa/Casablanca",
  "America/Sao_Paulo",
];

describe("the offset of a zone", () => {
  it.each([
    ["Europe/Prague", "2026-01-15T12:00Z", 1n * HOUR],
    ["Europe/Prague", "2026-07-15T12:00Z", 2n * HOUR],
    ["America/New_York", "2026-07-15T12:00Z", -4n * HOUR],
    ["Asia/Kathmandu", "2026-07-15T12:00Z", (23n * HOUR) / 4n],
    ["Europe/Prague", "1800-01-01T00:00Z", 3_464_000_000n],
    ["UTC", "1969-12-31T23:59:59.999999Z", 0n],
  ])("%s at %s", (zone, moment, offset) => {
    expect(offsetAt(zone, at(moment))).toBe(offset);
  });

  it("changes at the very microsecond, also before 1970", () => {
    const change = at("2026-03-29T01:00:00Z");
    expect(offsetAt("Europe/Prague", change - 1n)).toBe(HOUR);
    expect(offsetAt("Europe/Prague", change)).toBe(2n * HOUR);
    const old = at("1949-04-09T01:00:00Z");
    expect(offsetAt("Europe/Prague", old - 1n)).toBe(HOUR);
    expect(offsetAt("Europe/Prague", old)).toBe(2n * HOUR);
  });

  it("is answered far beyond what a date can hold", () => {
    expect(offsetAt("Asia/Tokyo", 9_223_372_036_854_775_807n)).toBe(9n * HOUR);
  });
});

describe("a wall-clock reading", () => {
  it.each([
    // zone, reading, its first moment, its second
    ["Europe/Prague", "2026-06-01T10:00", "2026-06-01T08:00:00.000000Z", "2026-06-01T08:00:00.000000Z"],
    ["Europe/Prague", "2026-10-25T01:59:59.999999", "2026-10-24T23:59:59.999999Z", "2026-10-24T23:59:59.999999Z"],
    ["Europe/Prague", "2026-10-25T02:00", "2026-10-25T00:00:00.000000Z", "2026-10-25T01:00:00.000000Z"],
    ["Europe/Prague", "2026-10-25T02:30", "2026-10-25T00:30:00.000000Z", "2026-10-25T01:30:00.000000Z"],
    ["Europe/Prague", "2026-10-25T03:00", "2026-10-25T02:00:00.000000Z", "2026-10-25T02:00:00.000000Z"],
    ["Europe/Prague", "2026-03-29T01:59:59.999999", "2026-03-29T00:59:59.999999Z", "2026-03-29T00:59:59.999999Z"],
    ["Europe/Prague", "2026-03-29T02:30", "2026-03-29T01:30:00.000000Z", "2026-03-29T01:30:00.000000Z"],
    ["Europe/Prague", "2026-03-29T03:00", "2026-03-29T01:00:00.000000Z", "2026-03-29T01:00:00.000000Z"],
    ["America/New_York", "2026-11-01T01:30", "2026-11-01T05:30:00.000000Z", "2026-11-01T06:30:00.000000Z"],
    ["America/New_York", "2026-03-08T02:30", "2026-03-08T07:30:00.000000Z", "2026-03-08T07:30:00.000000Z"],
    // Half an hour, and a whole day that Samoa never had.
    ["Australia/Lord_Howe", "2026-04-05T01:45", "2026-04-04T14:45:00.000000Z", "2026-04-04T15:15:00.000000Z"],
    ["Pacific/Apia", "2011-12-30T12:00", "2011-12-30T22:00:00.000000Z", "2011-12-30T22:00:00.000000Z"],
  ])("%s %s", (zone, reading, earlier, later) => {
    const moments = toInstant(zone, at(reading));
    expect([formatInstant(moments.earlier), formatInstant(moments.later)]).toEqual([earlier, later]);
  });

  it("means the moment that it was read at, in the first or the second reading", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.bigInt({ min: at("1950-01-01"), max: at("2100-01-01") }),
        (zone, moment) => {
          const { earlier, later } = toInstant(zone, toLocal(zone, moment));
          expect([earlier, later]).toContain(moment);
          expect(earlier <= later).toBe(true);
        },
      ),
    );
  });
});

describe("the changes of a zone", () => {
  it("are found to the second", () => {
    expect(transitions("Europe/Prague", 2026, 2027)).toEqual([
      { utcMicros: at("2026-03-29T01:00Z"), offsetBefore: HOUR, offsetAfter: 2n * HOUR },
      { utcMicros: at("2026-10-25T01:00Z"), offsetBefore: 2n * HOUR, offsetAfter: HOUR },
    ]);
  });

  it("are none where clocks never change", () => {
    expect(transitions("UTC", 1900, 2100)).toEqual([]);
  });

  it("count one on the first moment of the stretch, and none at its end", () => {
    // Casey station opened at UTC+8 on 1969-01-01T00:00Z.
    const change = { utcMicros: at("1969-01-01T00:00Z"), offsetBefore: 0n, offsetAfter: 8n * HOUR };
    expect(transitions("Antarctica/Casey", 1969, 1970)).toEqual([change]);
    expect(transitions("Antarctica/Casey", 1968, 1969)).toEqual([]);
  });

  it("are found before 1970, where an offset had seconds", () => {
    expect(transitions("Europe/Prague", 1850, 1892)).toEqual([
      { utcMicros: at("1891-09-30T23:02:16Z"), offsetBefore: 3_464_000_000n, offsetAfter: HOUR },
    ]);
  });

  it("say of every moment what the zone says of it", () => {
    const tables = new Map(ZONES.map((zone) => [zone, transitions(zone, 1970, 2040)]));
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.bigInt({ min: at("1970-01-01"), max: at("2040-01-01") - 1n }),
        (zone, moment) => {
          const table = tables.get(zone) ?? [];
          const last = table.findLast((change) => change.utcMicros <= moment);
          expect(last?.offsetAfter ?? table[0]?.offsetBefore ?? 0n).toBe(offsetAt(zone, moment));
        },
      ),
    );
  });
});

describe("the name of a zone", () => {
  it.each(["UTC", "Europe/Prague", "europe/prague", "Etc/GMT-2"])("%s is one", (zone) => {
    expect(isTimezone(zone)).toBe(true);
  });

  it.each(["", "Mars/Base", "+02:00", "GMT+2", "UTC "])("%j is none", (zone) => {
    expect(isTimezone(zone)).toBe(false);
  });
});
