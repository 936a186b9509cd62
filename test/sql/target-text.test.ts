import { expect, test } from "vitest";
import type { AgreedKind, Kind } from "../../src/domain/kind.ts";
import type { ColumnInfo } from "../../src/domain/table.ts";
import { targetText } from "../../src/sql/target-text.ts";
import { columns, KINDS } from "../compare/build.ts";

const column = (kind: Kind): ColumnInfo => columns({ c: kind })[0]!;
const integer: Kind = { kind: "integer", min: 0n, max: 9n };
const decimal: Kind = { kind: "decimal", precision: null, scale: null };
const text = (length: number | null): Kind => ({ ...KINDS.text, length });

test.for([
  ["12", { as: "integer" }, integer, "UTC", "12"],
  ["12.00", { as: "decimal", scale: 2 }, integer, "UTC", "12"],
  ["12.50", { as: "decimal", scale: 2 }, integer, "UTC", "12.50"],
  ["2e3", { as: "float", bits: 64 }, integer, "UTC", "2000"],
  ["15e-1", { as: "float", bits: 64 }, decimal, "UTC", "1.5"],
  ["-15e-3", { as: "float", bits: 64 }, decimal, "UTC", "-0.015"],
  ["NaN", { as: "float", bits: 64 }, decimal, "UTC", "NaN"],
  ["9007199254740993", { as: "integer" }, decimal, "UTC", "9007199254740993"],
  ["550e8400e29b41d4a716446655440000", { as: "uuid" }, text(36), "UTC", "550e8400-e29b-41d4-a716-446655440000"],
  ["550e8400e29b41d4a716446655440000", { as: "uuid" }, text(32), "UTC", "550e8400e29b41d4a716446655440000"],
  [
    "2026-06-01 08:00:00",
    { as: "instant", precision: 6 },
    { kind: "local", precision: 6 },
    "Europe/Prague",
    "2026-06-01 10:00:00",
  ],
  [
    "2026-06-01 08:00:00.123456",
    { as: "instant", precision: 6 },
    { kind: "local", precision: 6 },
    "Europe/Prague",
    "2026-06-01 10:00:00.123456",
  ],
  [
    "2026-06-01 08:00:00",
    { as: "instant", precision: 6 },
    { kind: "instant", precision: 6 },
    "UTC",
    "2026-06-01 08:00:00",
  ],
  ["infinity", { as: "instant", precision: 6 }, { kind: "local", precision: 6 }, "Europe/Prague", "infinity"],
  ["2026-06-01 00:00:00", { as: "local", precision: 6 }, { kind: "date" }, "UTC", "2026-06-01"],
  ["0044-03-15 00:00:00 BC", { as: "local", precision: 6 }, { kind: "date" }, "UTC", "0044-03-15 BC"],
  ["2026-06-01 10:00:00", { as: "local", precision: 6 }, { kind: "date" }, "UTC", "2026-06-01 10:00:00"],
] as readonly (readonly [string, AgreedKind, Kind, string, string])[])(
  "%s as %o goes into %o in %s as %s",
  ([given, as, kind, zone, wanted]) => {
    expect(targetText(given, as, column(kind), zone)).toBe(wanted);
  },
);
