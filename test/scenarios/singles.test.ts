import { expect, test } from "vitest";
import { describePairs } from "../support/databases.ts";
import { compareTwo } from "./two-tables.ts";

/** The same numbers as single and as double precision, written as digits on both sides; one of them differs. */
const rows = (type: { readonly postgres: string; readonly mysql: string }, fifth: string) => {
  const sql = (name: string): string =>
    `create table t (id int primary key, v ${name}); insert into t values (1, 0.1), (2, 1.2345679), (3, 1.5), (4, null), (5, ${fifth})`;
  return { postgres: sql(type.postgres), mysql: sql(type.mysql) };
};
const SINGLE = { postgres: "real", mysql: "float" };
const DOUBLE = { postgres: "double precision", mysql: "double" };
const DECIMAL = { postgres: "numeric(20, 10)", mysql: "decimal(20, 10)" };

describePairs(
  [
    ["postgres", "postgres"],
    ["postgres", "mariadb"],
    ["mariadb", "postgres"],
    ["mariadb", "mariadb"],
  ],
  "a column of singles",
  (...pair) => {
    test.each([
      ["doubles", DOUBLE],
      ["decimals", DECIMAL],
    ])("equals one of %s in single precision, and differs where a single can tell", async (_, wider) => {
      const found = await compareTwo(pair, { source: rows(SINGLE, "2.5"), target: rows(wider, "2.5000005") });
      expect(found.lines).toEqual(["changed 1:5 v"]);
      const back = await compareTwo(pair, { source: rows(wider, "2.5000005"), target: rows(SINGLE, "2.5") });
      expect(back.lines).toEqual(["changed 1:5 v"]);
    });
  },
);
