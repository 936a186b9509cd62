import fc from "fast-check";
import { expect, test } from "vitest";
import { formatInstant } from "../../../src/domain/position.ts";
import { cursorPlace, jsonText, keyText, moment, placeOf } from "../../../src/reporters/text/place.ts";

const plain = (text: string): string => text.replaceAll("\u00a0", " ");
const place = (from: string | null, to: string | null): string => plain(cursorPlace({ cursor: { from, to } }).join());
const day = (time: string): string => `2026-06-01T${time}Z`;

test.each([
  ["2026-06-01T08:00:00.000000Z", "2026-06-01 08:00 UTC"],
  ["2026-06-01T08:00:05.000000Z", "2026-06-01 08:00:05 UTC"],
  ["2026-06-01T08:00:00.120000Z", "2026-06-01 08:00:00.12 UTC"],
  ["+012026-06-01T08:00:00.000001Z", "+012026-06-01 08:00:00.000001 UTC"],
  ["1000", "1000"],
  ["not a time", "not a time"],
])("%s reads %s", (position, text) => expect(plain(moment(position))).toBe(text));

test.each([
  ["a window without its left end", day("08:00:00.000001"), day("12:00:00.000001"), "2026-06-01 08:00 – 12:00 UTC"],
  ["a window without its right end", day("08:00:00.000000"), day("12:00:00.000000"), "2026-06-01 08:00 – 12:00 UTC"],
  ["two days", "2026-05-31T22:52:00.000000Z", day("01:40:00.000001"), "2026-05-31 22:52 – 2026-06-01 01:40 UTC"],
  ["one moment", day("10:00:00.123456"), day("10:00:00.123457"), "2026-06-01 10:00:00.123456 UTC"],
  ["nothing at all", day("10:00:00.000000"), day("10:00:00.000000"), "2026-06-01 10:00 UTC"],
  ["no end", day("10:00:00.000000"), null, "from 2026-06-01 10:00 UTC on"],
  ["no beginning", null, day("10:00:00.000001"), "up to 2026-06-01 10:00 UTC"],
  ["numbers", "10", "20", "cursor 10 – 19"],
  ["one number", "10", "11", "cursor 10"],
  ["numbers without an end", "10", null, "cursor from 10 on"],
  ["numbers without a beginning", null, "9007199254740993", "cursor up to 9007199254740992"],
  ["no ends", null, null, ""],
])("a stretch of %s is said as people say it", (_, from, to, text) => expect(place(from, to)).toBe(text));

test("what is said of a stretch is never more than a microsecond off", () => {
  const micros = fc.bigInt({ min: 0n, max: 4_000_000_000_000_000n });
  fc.assert(
    fc.property(micros, fc.bigInt({ min: 1n, max: 10n ** 12n }), (from, length) => {
      const to = from + length;
      const said = place(formatInstant(from), formatInstant(to));
      const ends = [from - 1n, from].flatMap((a) => [to - 1n, to].map((b) => [a, b] as const));
      const day = (at: bigint): string => plain(moment(formatInstant(at))).replace(" UTC", "");
      const whole = said.replace(/^(\S+) (\S+) – (\S+) UTC$/, "$1 $2 – $1 $3 UTC");
      const may = ends.flatMap(([a, b]) => [`${day(a)} – ${day(b)} UTC`, ...(a === b ? [`${day(a)} UTC`] : [])]);
      expect([...may, `${day(from)} UTC`]).toContain(whole);
    }),
  );
});

test.each([
  ["numbers", [17], [20], "id 17 … 19"],
  ["one number", [17], [18], "id 17"],
  ["a key that has no next", [1.5], [1.5], "id 1.5"],
  ["numbers beyond 2^53", ["9007199254740993"], ["9007199254740995"], "id 9007199254740993 … 9007199254740994"],
  ["texts", ["a"], ["b\u0000"], "id a … b"],
  ["days", ["2026-06-01"], ["2026-07-01"], "id 2026-06-01 … 2026-06-30"],
  ["NULL", [null], [null], "id NULL"],
])("a stretch of %s ends with its last key", (_, from, to, text) =>
  expect(placeOf({ key: { from, to } }, ["id"])).toEqual([text]),
);

test("keys go by their columns' names, those of more columns in brackets", () => {
  expect(placeOf({ key: { from: [1, "a"], to: [2, "b\u0000"] } }, ["id", "part"])).toEqual([
    "(id, part) (1, a) … (2, b)",
  ]);
  expect(placeOf({ key: { from: [1], to: [2] } }, [])).toEqual(["key 1"]);
});

test("a key that looks like a moment stays as it is written", () => {
  expect(plain(jsonText("2026-06-01T08:00:00Z"))).toBe("2026-06-01 08:00 UTC");
  expect(keyText("2026-06-01T08:00:00Z")).toBe("2026-06-01T08:00:00Z");
});
