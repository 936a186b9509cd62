import { describe, expect, test } from "vitest";
import { agree, describeKind, zoneOf } from "../../src/compare/agree.ts";
import type { Kind } from "../../src/domain/kind.ts";
import { KINDS } from "./build.ts";

const UTC = { source: null, target: null };
const decimal = (scale: number | null): Kind => ({ kind: "decimal", precision: null, scale });
const inet: Kind = { kind: "other", family: "postgres", type: "inet" };

describe("two kinds are brought to one", () => {
  test.each<[keyof typeof KINDS, keyof typeof KINDS, object]>([
    ["integer", "integer", { as: "integer" }],
    ["integer", "decimal", { as: "decimal", scale: 2 }],
    ["integer", "float", { as: "float", bits: 64 }],
    ["float", "single", { as: "float", bits: 64 }],
    ["decimal", "float", { as: "float", bits: 64 }],
    ["boolean", "small", { as: "boolean" }],
    ["boolean", "integer", { as: "boolean" }],
    ["small", "small", { as: "integer" }],
    ["text", "char", { as: "text" }],
    ["uuid", "text", { as: "uuid" }],
    ["uuid", "bytes16", { as: "uuid" }],
    ["bytes", "bytes16", { as: "bytes" }],
    ["date", "date", { as: "date" }],
    ["date", "local", { as: "local", precision: 6 }],
    ["local", "local3", { as: "local", precision: 3 }],
    ["instant", "instant3", { as: "instant", precision: 3 }],
    ["instant", "local0", { as: "instant", precision: 0 }],
    ["time", "time", { as: "time", precision: 6, zoned: false }],
    ["json", "json", { as: "json" }],
    ["json", "text", { as: "json" }],
  ])("%s with %s", (a, b, as) => {
    expect(agree(KINDS[a], KINDS[b], UTC)).toMatchObject({ as });
    expect(agree(KINDS[b], KINDS[a], UTC)).toMatchObject({ as });
  });

  test.each<[keyof typeof KINDS, keyof typeof KINDS]>([
    ["integer", "text"],
    ["uuid", "bytes"],
    ["time", "timetz"],
    ["time", "instant"],
    ["json", "integer"],
    ["text", "bytes"],
    ["date", "text"],
  ])("%s and %s have no common text form, and the reason names both", (a, b) => {
    const said = agree(KINDS[a], KINDS[b], UTC);
    expect(said).toHaveProperty("why", expect.stringContaining("no common text form"));
    expect(said).toHaveProperty("why", expect.stringContaining(describeKind(KINDS[a])));
    expect(said).toHaveProperty("why", expect.stringContaining(describeKind(KINDS[b])));
  });

  test("decimals meet at the larger scale, and without zeros at the end where one is unbounded or MySQL could not cast", () => {
    expect(agree(decimal(2), decimal(10), UTC)).toMatchObject({ as: { scale: 10 } });
    expect(agree(decimal(2), decimal(null), UTC)).toMatchObject({ as: { scale: null } });
    expect(agree(decimal(2), decimal(31), UTC)).toMatchObject({ as: { scale: null } });
  });

  test("other types agree only with their like", () => {
    expect(agree(inet, { ...inet }, UTC)).toMatchObject({ as: { as: "other" }, exact: true });
    expect(agree(inet, { kind: "other", family: "postgres", type: "cidr" }, UTC)).toHaveProperty("why");
    expect(agree(inet, { kind: "other", family: "mysql", type: "inet" }, UTC)).toHaveProperty("why");
  });
});

describe("what a text proves", () => {
  test("an unequal text of different precisions, of JSON, or of a naive time in a zone with nights of two hours proves nothing", () => {
    expect(agree(KINDS.local, KINDS.local3, UTC)).toMatchObject({
      exact: false,
      rounded: true,
      note: "compared at milliseconds",
    });
    expect(agree(KINDS.json, KINDS.json, UTC)).toMatchObject({ exact: false, rounded: false });
    expect(agree(KINDS.instant, KINDS.local, { source: null, target: "Europe/Prague" })).toMatchObject({
      exact: false,
      rounded: false,
    });
  });

  test("a single against a wider number is settled by the values", () => {
    for (const other of ["float", "decimal", "integer"] as const)
      expect(agree(KINDS.single, KINDS[other], UTC), other).toMatchObject({
        as: { as: "float", bits: 64 },
        exact: false,
      });
    expect(agree(KINDS.single, KINDS.single, UTC)).toMatchObject({ as: { as: "float", bits: 32 }, exact: true });
  });

  test("everything else is proven by its text", () => {
    for (const name of [
      "integer",
      "decimal",
      "float",
      "boolean",
      "text",
      "bytes",
      "uuid",
      "date",
      "time",
      "instant",
      "local",
    ] as const)
      expect(agree(KINDS[name], KINDS[name], UTC), name).toMatchObject({ exact: true, rounded: false, note: null });
    expect(agree(KINDS.instant, KINDS.local, { source: null, target: "UTC" })).toMatchObject({ exact: true });
  });
});

describe("zones of naive times", () => {
  test("two naive columns in one zone compare as they read; in two zones as moments", () => {
    expect(agree(KINDS.local, KINDS.local, { source: "Europe/Prague", target: "Europe/Prague" })).toMatchObject({
      as: { as: "local" },
      exact: true,
    });
    expect(agree(KINDS.local, KINDS.local, { source: "Europe/Prague", target: null })).toMatchObject({
      as: { as: "instant" },
      exact: false,
    });
    expect(agree(KINDS.local, KINDS.local, { source: "Etc/UTC", target: null })).toMatchObject({ as: { as: "local" } });
  });

  test.each(["UTC", "utc", "Etc/UTC", "GMT", "Z", "zulu", null])("%s is UTC", (zone) =>
    expect(zoneOf(zone)).toBe("UTC"),
  );
  test("a zone with a history is itself", () => expect(zoneOf("Europe/London")).toBe("Europe/London"));
});
