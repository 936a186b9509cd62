import fc from "fast-check";
import { expect, test } from "vitest";
import { formatInstant, parseInstant, type Position, SECOND } from "../../src/domain/position.ts";
import { toInstant, toLocal } from "../../src/domain/timezone.ts";
import { floorTo, localReadings } from "../../src/sql/local-reading.ts";

const at = (text: string): Position => {
  const position = parseInstant(text);
  if (position === null) throw new Error(text);
  return position;
};
const ZONES = [
  "UTC",
  "Europe/Prague",
  "America/New_York",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Asia/Kathmandu",
  "Africa/Monrovia",
];
const HOUR = 3600n * SECOND;

test.each([
  ["Europe/Prague", "2026-01-15 12:00:00", "2026-01-15T11:00:00.000000Z"],
  ["Europe/Prague", "2026-03-29 01:59:59", "2026-03-29T00:59:59.000000Z"],
  // Clocks went from 02:00 to 03:00: nothing in between was ever shown.
  ["Europe/Prague", "2026-03-29 02:30:00", "2026-03-29T01:00:00.000000Z"],
  ["Europe/Prague", "2026-03-29 03:00:00", "2026-03-29T01:00:00.000000Z"],
  // 02:00–03:00 was shown twice.
  ["Europe/Prague", "2026-10-25 01:59:59", "2026-10-24T23:59:59.000000Z"],
  ["Europe/Prague", "2026-10-25 02:00:00", "2026-10-25T01:00:00.000000Z"],
  ["Europe/Prague", "2026-10-25 03:00:00", "2026-10-25T02:00:00.000000Z"],
])("in %s %s is %s", (zone, local, instant) => {
  expect(formatInstant(localReadings(zone).instant(at(local)))).toBe(instant);
});

test.each([
  // The moment of the change is reached by the first reading of the gap, the first pass of a repeated hour by its second.
  ["Europe/Prague", "2026-03-29 01:00:00", "2026-03-29T02:00:00.000000Z"],
  ["Europe/Prague", "2026-03-29 01:00:00.000001", "2026-03-29T03:00:00.000001Z"],
  ["Europe/Prague", "2026-10-25 00:00:00", "2026-10-25T02:00:00.000000Z"],
  ["Europe/Prague", "2026-10-25 00:30:00", "2026-10-25T02:00:00.000000Z"],
  ["Europe/Prague", "2026-10-25 01:30:00", "2026-10-25T02:30:00.000000Z"],
])("in %s the first reading at or beyond %s UTC is %s", (zone, instant, local) => {
  expect(formatInstant(localReadings(zone).firstAt(at(instant)))).toBe(local);
});

// Around the changes of 1900–2100, to the microsecond.
const moment = fc.bigInt({ min: at("1900-01-01"), max: at("2100-01-01") });
const nearChange = fc
  .tuple(
    fc.constantFrom(
      "2026-03-29 01:00",
      "2026-10-25 01:00",
      "2026-04-04 15:00",
      "2026-10-03 15:30",
      "2011-12-30 10:00",
      "1972-01-07 00:44:30",
    ),
    fc.bigInt({ min: -30n * HOUR, max: 30n * HOUR }),
  )
  .map(([change, off]) => at(change) + off);
const positions = fc.oneof(moment, nearChange);

test("readings keep their order as moments", () => {
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), positions, fc.bigInt({ min: 0n, max: 3n * HOUR }), (zone, local, more) => {
      const { instant } = localReadings(zone);
      expect(instant(local + more) >= instant(local)).toBe(true);
    }),
  );
});

test("a reading reaches a moment exactly from the first reading at it on", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      positions,
      fc.bigInt({ min: -2n * HOUR, max: 2n * HOUR }),
      (zone, moment_, off) => {
        const { instant, firstAt } = localReadings(zone);
        const local = moment_ + 2n * HOUR + off;
        expect(instant(local) >= moment_).toBe(local >= firstAt(moment_));
        expect(instant(firstAt(moment_)) >= moment_).toBe(true);
        expect(instant(firstAt(moment_) - 1n) < moment_).toBe(true);
      },
    ),
  );
});

test("a reading that a clock did show is the moment it showed it at, or the later of two", () => {
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), positions, (zone, moment_) => {
      const local = toLocal(zone, moment_);
      expect(localReadings(zone).instant(local)).toBe(toInstant(zone, local).later);
    }),
  );
});

test("a floor is the multiple below, on both sides of zero", () => {
  expect([
    floorTo(7n, 5n),
    floorTo(5n, 5n),
    floorTo(0n, 5n),
    floorTo(-1n, 5n),
    floorTo(-5n, 5n),
    floorTo(-6n, 5n),
  ]).toEqual([5n, 5n, 0n, -5n, -5n, -10n]);
});
