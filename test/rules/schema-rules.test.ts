import { describe, expect, test } from "vitest";
import type { Facts } from "../../src/domain/facts.ts";
import type { Kind } from "../../src/domain/kind.ts";
import type { IndexInfo, TableInfo } from "../../src/domain/table.ts";
import { narrower } from "../../src/rules/narrower.ts";
import { findings, severities } from "../support/findings.ts";
import { t, tableOf, type Timeline } from "../support/timeline.ts";

const tables = (source: Partial<TableInfo>, target: Partial<TableInfo> = {}): Timeline => ({
  rows: [{ id: 1, x: t("1 10:00") }],
  runs: null,
  facts: (facts: Facts) => ({
    ...facts,
    source: { ...facts.source, table: tableOf(source) },
    target: { ...facts.target, table: tableOf(target) },
  }),
});
const index = (columns: readonly string[], changes: Partial<IndexInfo> = {}): IndexInfo => ({
  name: columns.join("_"),
  columns,
  unique: false,
  primary: false,
  byteOrder: true,
  ...changes,
});

describe("not-idempotent", () => {
  test("wants a unique index of the target on exactly the key", () => {
    expect(severities("not-idempotent", tables({}))).toEqual([]);
    expect(severities("not-idempotent", tables({ indexes: [] }))).toEqual([]);
    const without = tables({}, { indexes: [index(["id"]), index(["id", "at"], { unique: true })] });
    expect(findings("not-idempotent", without)[0]).toMatchObject({
      severity: "error",
      evidence: { key: ["id"], unique: [{ columns: ["id", "at"] }] },
      fix: "tidemark repair grades",
    });
  });
});

describe("column-missing", () => {
  test("is a warning for the source's columns and a note for the target's, one each", () => {
    const told: Timeline = {
      ...tables({}),
      facts: (facts) => ({
        ...facts,
        mapping: { ...facts.mapping, missingInTarget: ["a", "b"], missingInSource: ["c"] },
      }),
    };
    expect(severities("column-missing", told)).toEqual(["warn/a", "warn/b", "info/target:c"]);
    expect(severities("column-missing", tables({}))).toEqual([]);
  });
});

describe("no-index", () => {
  test("wants the key indexed on both sides and the cursor in the source", () => {
    const at = index(["at"]);
    const id = index(["id"]);
    expect(severities("no-index", tables({ indexes: [id, at] }, { indexes: [id] }))).toEqual([]);
    expect(severities("no-index", tables({ indexes: [id] }, { indexes: [index(["at", "id"])] }))).toEqual([
      "warn/target-key",
      "warn/source-cursor",
    ]);
    expect(severities("no-index", tables({ indexes: [at] }, { indexes: [id] }))).toEqual(["warn/source-key"]);
  });
  test("says the SQL and what it costs to go without", () => {
    const [found] = findings("no-index", tables({ indexes: [index(["id"])], estimatedRows: 12_000_000n }));
    const sql = "CREATE INDEX grades_at_idx ON grades (at)";
    expect(found).toMatchObject({ evidence: { sql, estimated_rows: "12000000" }, fix: sql });
    expect(found?.says).toContain("all of about 12,000,000 rows");
  });
  test("leaves SQL to people where engines quote names in their own ways", () => {
    const fixOf = (schema: string | null, name: string) =>
      findings("no-index", tables({ name: { schema, name }, indexes: [index(["id"])] }))[0]?.fix;
    expect(fixOf("lms", "grades")).toBe("CREATE INDEX grades_at_idx ON lms.grades (at)");
    expect(fixOf(null, "My Grades")).toBe("give My Grades an index on (at)");
    expect(fixOf("LMS", "grades")).toBe("give LMS.grades an index on (at)");
  });
  test("an index of a text key serves only in byte order", () => {
    const text: Kind = { kind: "text", length: 20, bytes: null, padded: false, binary: false, characters: "all" };
    const columns = tableOf().columns.map((column) => (column.name === "id" ? { ...column, kind: text } : column));
    const told = (byteOrder: boolean) =>
      severities("no-index", tables({ columns, indexes: [index(["id"], { unique: true, byteOrder }), index(["at"])] }));
    expect(told(true)).toEqual([]);
    expect(told(false)).toEqual(["warn/source-key"]);
    const said = findings(
      "no-index",
      tables({ columns, indexes: [index(["id"], { byteOrder: false }), index(["at"])] }),
    )[0];
    expect(said?.says).toContain("in byte order");
    expect(said?.fix).toBe("give grades an index on (id) in byte order");
  });
  test("a view's indexes are elsewhere", () =>
    expect(severities("no-index", tables({ indexes: [], relation: "view" }))).toEqual([]));
});

const int = (bits: bigint): Kind => ({ kind: "integer", min: -(2n ** (bits - 1n)), max: 2n ** (bits - 1n) - 1n });
const decimal = (precision: number | null, scale: number | null): Kind => ({ kind: "decimal", precision, scale });
const text = (length: number | null, more: Partial<Extract<Kind, { kind: "text" }>> = {}): Kind => ({
  kind: "text",
  length,
  bytes: null,
  padded: false,
  binary: false,
  characters: "all",
  ...more,
});
const instant = (precision: number): Kind => ({ kind: "instant", precision });
const local = (precision: number): Kind => ({ kind: "local", precision });

describe("narrower-type", () => {
  test.each<readonly [string, Kind, Kind, "warn" | "info" | null]>([
    ["a smaller integer", int(64n), int(32n), "warn"],
    ["a wider integer", int(32n), int(64n), null],
    ["an unsigned integer for a signed one", int(32n), { kind: "integer", min: 0n, max: 2n ** 64n - 1n }, "warn"],
    ["fewer digits after the point", decimal(10, 5), decimal(10, 2), "warn"],
    ["fewer digits before the point", decimal(14, 4), decimal(12, 4), "warn"],
    ["the same digits and more", decimal(12, 4), decimal(14, 6), null],
    ["a bounded decimal for an unbounded one", decimal(null, null), decimal(38, 10), "warn"],
    ["an unbounded decimal", decimal(38, 10), decimal(null, null), null],
    ["an integer for a decimal with digits after the point", decimal(10, 2), int(64n), "warn"],
    ["an integer for a whole decimal that fits", decimal(9, 0), int(32n), null],
    ["a whole decimal for an integer that fits", int(32n), decimal(10, 0), null],
    ["a whole decimal for an integer that does not", int(64n), decimal(10, 0), "warn"],
    ["a double for a bigint", int(64n), { kind: "float", bits: 64 }, "warn"],
    ["a double for an int", int(32n), { kind: "float", bits: 64 }, null],
    ["a single for a double", { kind: "float", bits: 64 }, { kind: "float", bits: 32 }, "warn"],
    ["a shorter text", text(60), text(40), "warn"],
    ["a text as long", text(60), text(60), null],
    ["a bounded text for an unbounded one", text(null), text(100), "warn"],
    ["64 KB of text for an unbounded one", text(null), text(null, { bytes: 65_535n }), "info"],
    ["255 bytes of text for an unbounded one", text(null), text(null, { bytes: 255n }), "warn"],
    ["64 KB of text for a short one", text(100), text(null, { bytes: 65_535n }), null],
    ["three-byte characters for all", text(60), text(60, { characters: "bmp" }), "warn"],
    ["all characters for three-byte ones", text(60, { characters: "bmp" }), text(60), null],
    ["milliseconds for microseconds", instant(6), instant(3), "warn"],
    ["a time without a zone", instant(6), local(6), "info"],
    ["a time with a zone", local(6), instant(6), null],
    ["a date for a time", instant(6), { kind: "date" }, "warn"],
    [
      "fewer bytes",
      { kind: "bytes", length: null, padded: false },
      { kind: "bytes", length: 100n, padded: false },
      "warn",
    ],
    ["a uuid as text", { kind: "uuid" }, text(36), null],
  ])("%s", (_, source, target, severity) => expect(narrower(source, target)?.severity ?? null).toBe(severity));

  test("is one finding a column, with both declarations", () => {
    const columns = tableOf().columns.map((column) =>
      column.name === "id" ? { ...column, type: "integer", kind: int(32n) } : column,
    );
    expect(findings("narrower-type", tables({}, { columns }))).toMatchObject([
      {
        id: "grades/narrower-type/id",
        severity: "warn",
        columns: ["id"],
        evidence: { source_type: "bigint", target_type: "integer" },
      },
    ]);
  });
});
