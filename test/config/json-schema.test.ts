import { describe, expect, it } from "vitest";
import { z } from "zod";
import { jsonSchema, type JsonSchema } from "../../src/config/json-schema.ts";
import { FINDING_CODES } from "../../src/domain/codes.ts";

const schema = jsonSchema();
const definitions = schema.$defs as { readonly check: JsonSchema; readonly tidemark: JsonSchema };
const propertyOf = (of: JsonSchema, ...path: string[]): JsonSchema =>
  path.reduce<JsonSchema>((at, key) => (at.properties as Record<string, JsonSchema>)[key] ?? {}, of);

/** Every property of a schema with its path. */
function properties(of: unknown, path = ""): (readonly [path: string, property: JsonSchema])[] {
  if (typeof of !== "object" || of === null) return [];
  return Object.entries(of as JsonSchema).flatMap(([keyword, inner]) =>
    keyword === "properties"
      ? Object.entries(inner as Record<string, JsonSchema>).flatMap(
          ([key, property]): (readonly [string, JsonSchema])[] => [
            [`${path}.${key}`, property],
            ...properties(property, `${path}.${key}`),
          ],
        )
      : typeof inner === "object"
        ? properties(inner, path)
        : [],
  );
}

describe("the JSON Schema", () => {
  it("covers both kinds of file", () => {
    expect(schema.oneOf).toEqual([{ $ref: "#/$defs/check" }, { $ref: "#/$defs/tidemark" }]);
    expect(definitions.check.required).toEqual(["source", "target"]);
    expect(definitions.tidemark.required).toEqual(["connections"]);
    expect(Object.keys(propertyOf(definitions.tidemark, "defaults").properties as object)).toEqual(
      Object.keys(definitions.check.properties as object),
    );
  });

  it("describes every setting, for editors to show", () => {
    const all = properties(schema);
    expect(all.length).toBeGreaterThan(150);
    expect(all.filter(([, property]) => typeof property.description !== "string").map(([path]) => path)).toEqual([]);
  });

  it("shows the defaults", () => {
    expect(propertyOf(definitions.check, "settle").default).toBe("10m");
    expect(propertyOf(definitions.check, "expect", "zero_rows", "streak").default).toBe(3);
    expect(propertyOf(definitions.check, "runs", "since").default).toBe("30d");
    expect(propertyOf(definitions.check, "cursor", "page").default).toBe(10_000);
    expect(propertyOf(definitions.tidemark, "state").default).toBe("sqlite:.tidemark/state.db");
    expect(propertyOf(definitions.tidemark, "defaults", "settle").default).toBe("10m");
    expect((propertyOf(definitions.tidemark, "alerts").items as JsonSchema).properties).toMatchObject({
      at: { default: "warn" },
    });
  });

  it("requires nothing of what a project's defaults may say", () => {
    const required = (of: unknown): unknown[] =>
      typeof of !== "object" || of === null
        ? []
        : Object.entries(of).flatMap(([key, inner]) => (key === "required" ? [inner] : required(inner)));
    // An entry of `accept` is a whole, wherever it stands.
    expect(required(propertyOf(definitions.tidemark, "defaults"))).toEqual([["finding"]]);
  });

  it("names every finding, and lets no unknown key in", () => {
    expect(Object.keys(propertyOf(definitions.check, "severity").properties as object)).toEqual(FINDING_CODES);
    expect(definitions.check.additionalProperties).toBe(false);
  });

  it("takes what the reader takes, and refuses what it refuses", () => {
    const check = z.fromJSONSchema(definitions.check);
    const shortest = { source: { connection: "a", table: "t" }, target: { connection: "b", table: "t" } };
    expect(
      check.safeParse({ ...shortest, settle: "1h30m", arrival: "commit-timestamp", compare: { chunk_rows: "auto" } })
        .success,
    ).toBe(true);
    for (const wrong of [
      { setle: "1h" },
      { settle: "ten minutes" },
      { compare: { chunk_rows: 0 } },
      { severity: { "cursor-ties": "loud" } },
    ])
      expect(check.safeParse({ ...shortest, ...wrong }).success).toBe(false);
  });
});
