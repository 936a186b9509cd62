import { expect, test } from "vitest";
import type { Kind } from "../../src/domain/kind.ts";
import type { ColumnInfo } from "../../src/domain/table.ts";
import { unfitValues } from "../../src/repair/unfit.ts";
import { columns, KINDS } from "../compare/build.ts";

const column = (kind: Kind, nullable = false): ColumnInfo => columns({ c: kind }, nullable ? [] : ["c"])[0]!;
const text = (length: number | null): Kind => ({ ...KINDS.text, length });
const integer = (min: bigint, max: bigint): Kind => ({ kind: "integer", min, max });
const decimal = (precision: number | null, scale: number | null): Kind => ({ kind: "decimal", precision, scale });

test.for([
  [text(10), text(10), []],
  [text(10), text(null), []],
  [text(10), text(9), [{ is: "longer", than: 9 }]],
  [text(null), text(9), [{ is: "longer", than: 9 }]],
  [integer(0n, 9n), integer(0n, 9n), []],
  [integer(0n, 9n), integer(-9n, 8n), [{ is: "above", most: "8" }]],
  [integer(-10n, 9n), integer(-9n, 9n), [{ is: "below", least: "-9" }]],
  [
    decimal(null, null),
    integer(0n, 9n),
    [
      { is: "below", least: "0" },
      { is: "above", most: "9" },
    ],
  ],
  [decimal(10, 2), decimal(10, 2), []],
  [decimal(10, 2), decimal(11, 3), []],
  [decimal(10, 2), decimal(10, 3), [{ is: "beyond", end: "10000000" }]],
  [decimal(null, null), decimal(4, 2), [{ is: "beyond", end: "100" }]],
  [integer(0n, 99n), decimal(4, 2), []],
  [integer(0n, 100n), decimal(4, 2), [{ is: "beyond", end: "100" }]],
  [integer(-100n, 0n), decimal(4, 2), [{ is: "beyond", end: "100" }]],
] as const)("a column into another, %#", ([from, to, wanted]) => {
  expect(unfitValues(column(from), column(to))).toEqual(wanted);
});

test("what may be NULL does not fit into what must not", () => {
  expect(unfitValues(column(text(5), true), column(text(5), false))).toEqual([{ is: "null" }]);
  expect(unfitValues(column(text(5), true), column(text(5), true))).toEqual([]);
});
