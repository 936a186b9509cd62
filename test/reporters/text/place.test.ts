import { expect, test } from "vitest";
import { moment, placeOf, sampleText } from "../../../src/reporters/text/place.ts";

const plain = (text: string): string => text.replaceAll("\u00a0", " ");

test.each([
  ["2026-06-01T08:00:00.000000Z", "2026-06-01 08:00:00Z"],
  ["2026-06-01T08:00:00.120000Z", "2026-06-01 08:00:00.12Z"],
  ["+012026-06-01T08:00:00.000001Z", "+012026-06-01 08:00:00.000001Z"],
  ["1000", "1000"],
  ["not a time", "not a time"],
])("%s reads %s", (position, text) => expect(plain(moment(position))).toBe(text));

test("both ends of a stretch, or the one that there is", () => {
  const place = (from: string | null, to: string | null): string => placeOf({ cursor: { from, to } }, []).join();
  expect(place("10", "20")).toBe("cursor from 10 to before 20");
  expect(place("10", null)).toBe("cursor from 10 on");
  expect(place(null, "20")).toBe("cursor to before 20");
  expect(place(null, null)).toBe("");
});

test("keys go by their columns' names", () => {
  expect(placeOf({ key: { from: [1, "a"], to: [2, null] } }, ["id", "part"])).toEqual(["id, part 1, a … 2, NULL"]);
  expect(placeOf({ key: { from: [1], to: [1] } }, [])).toEqual(["key 1"]);
});

test("a sample shows values only where the report carries them", () => {
  expect(sampleText({ key: { id: 1 }, columns: ["a", "b"] })).toBe("id 1 (a, b)");
  expect(sampleText({ key: { id: 1 }, columns: ["a"], values: { a: { source: 1, target: null } } })).toBe(
    "id 1 (a: 1 → NULL)",
  );
});
