import { expect, test } from "vitest";
import { keyIdentity } from "../../src/domain/key.ts";
import { openRepairs } from "../flows/repair/repair-world.ts";
import { describePairs, freshDatabase, type TestDatabase, type TestEngine } from "../support/databases.ts";
import { COLUMN_KINDS, familyOf } from "./columns.ts";
import { checkFor } from "./two-tables.ts";
import { typedRows } from "./typed-rows.ts";

type Family = "postgres" | "mysql" | "sqlite";

/** A column and its values as literals, by family. A family without a type of the kind cannot hold it. */
type Kind = {
  readonly name: string;
  readonly type: Readonly<Partial<Record<Family, string>>>;
  readonly values: (family: Family) => readonly (string | null)[];
};

const text = (value: string, family: Family): string =>
  `'${(family === "mysql" ? value.replaceAll("\\", "\\\\") : value).replaceAll("'", "''")}'`;
const same =
  (...values: readonly string[]) =>
  (): readonly string[] =>
    values;

/** What comparison.md §1 knows, at the ends of what the engines hold in common. */
const KINDS: readonly Kind[] = [
  ...COLUMN_KINDS.map(
    (kind): Kind => ({
      name: kind.name,
      type: kind.type,
      values: (family) => kind.values.map((value) => kind.literal(value, family)),
    }),
  ),
  {
    name: "small",
    type: { postgres: "smallint", mysql: "smallint", sqlite: "smallint" },
    values: same("-32768", "32767"),
  },
  {
    name: "beyond",
    type: { postgres: "numeric(20,0)", mysql: "bigint unsigned" },
    values: same("18446744073709551615", "9223372036854775808", "0"),
  },
  {
    name: "wide",
    type: { postgres: "numeric(60,20)", mysql: "decimal(60,20)" },
    values: same(
      "1234567890123456789012345678901234567890.12345678901234567891",
      "-0.00000000000000000001",
      "99999999999999999999999999999999999999.99",
    ),
  },
  {
    name: "single",
    type: { postgres: "real", mysql: "float" },
    values: same("1.2345679", "3.4028234e38", "1.1754944e-38", "0.1", "-0.5", "16777216"),
  },
  {
    name: "long",
    type: { postgres: "text", mysql: "longtext character set utf8mb4", sqlite: "text" },
    values: (family) => [text("😀é".repeat(5_000), family), text("x".repeat(70_000), family), "''"],
  },
  {
    name: "blob",
    type: { postgres: "bytea", mysql: "longblob", sqlite: "blob" },
    values: (family) =>
      [
        Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, "0"))
          .join("")
          .repeat(50),
        "",
        "00",
        "5c",
        "27",
        "0a0d09",
      ].map((hex) => (family === "postgres" ? `'\\x${hex}'::bytea` : `x'${hex}'`)),
  },
  {
    name: "old",
    type: { postgres: "date", mysql: "date", sqlite: "date" },
    values: same("'1000-01-01'", "'1582-10-04'", "'9999-12-31'"),
  },
  {
    name: "bare",
    type: { postgres: "json", mysql: "json", sqlite: "json" },
    values: (family) =>
      [
        '{"n":1e400,"deep":[[[{"\\u00e9":"\\ud83d\\ude00"}]]],"a\\"b":null}',
        '{"x":0.1000000000000000055511151231257827}',
        '"\\\\"',
      ].map((x) => text(x, family)),
  },
];

const PAIRS = (["postgres", "mariadb", "sqlite", "mysql"] as const).flatMap((source) =>
  (["postgres", "mariadb", "sqlite", "mysql"] as const).map((target): readonly [TestEngine, TestEngine] => [
    source,
    target,
  ]),
);

const utc = ({ engine }: TestDatabase): string => (familyOf(engine) === "mysql" ? "set time_zone = '+00:00'; " : "");
const declared = (columns: string): string => `create table t (id int primary key, ${columns})`;

describePairs(PAIRS, "values that a repair brings over", (source, target) => {
  test("arrive as they are, whether inserted or written over others, and go again without a trace", async () => {
    await using src = await freshDatabase(source);
    await using dst = await freshDatabase(target);
    await using repairs = await openRepairs({ src, dst });
    const [from, to] = [familyOf(source), familyOf(target)];
    const kinds = KINDS.filter((kind) => kind.type[from] !== undefined && kind.type[to] !== undefined);
    const columns = (family: Family): string => kinds.map((kind) => `${kind.name}_ ${kind.type[family]}`).join(", ");
    await src.run(utc(src) + declared(columns(from)));
    await dst.run(utc(dst) + declared(columns(to)));
    // Each row holds the next value of each kind; the last of a half holds none at all.
    const values = kinds.map((kind) => kind.values(from));
    const half = Math.max(...values.map((v) => v.length));
    const row = (i: number): string =>
      values.map((v) => (i % (half + 1) === half ? "null" : v[i % v.length])).join(", ");
    for (let i = 0; i < 2 * half + 2; i++) await src.run(`insert into t values (${i}, ${row(i)})`);
    // Of the second half the target holds rows with other values.
    for (let i = half + 1; i < 2 * half + 1; i++)
      await dst.run(`insert into t values (${i}, ${kinds.map(() => "null").join(", ")})`);
    const before = await dst.rows("select * from t order by id");
    const check = checkFor({ key: ["id"] });
    const outcome = await repairs.repair(check);
    const says = JSON.stringify(repairs.lines("quarantine")).slice(0, 1000);
    expect(outcome.failure).toBeNull();
    expect(outcome.plan.columns.toSorted()).toEqual(["id", ...kinds.map((kind) => `${kind.name}_`)].toSorted());
    expect(outcome.result, says).toMatchObject({ inserted: BigInt(half + 2), updated: BigInt(half), quarantined: 0n });
    expect(outcome.remaining).toEqual([]);
    // Read whole and brought to canonical texts here: no server's word is taken for it.
    const typed = await typedRows(check, { ...repairs, signal: new AbortController() });
    const texts = (side: "source" | "target"): Map<string, unknown> =>
      new Map(typed[side].map((each) => [keyIdentity(each.key), each.values]));
    expect(texts("target")).toEqual(texts("source"));
    const undone = await repairs.undo(outcome.id);
    expect(undone.leftAlone).toEqual([]);
    expect(await dst.rows("select * from t order by id")).toEqual(before);
  });
});

/** What one engine holds and another does not: as literals of the source, and the type that the target has instead. */
const BEYOND: readonly {
  readonly pair: readonly [TestEngine, TestEngine];
  readonly name: string;
  readonly source: string;
  readonly target: string;
  readonly bad: readonly string[];
  readonly good: string;
}[] = [
  {
    pair: ["postgres", "mariadb"],
    name: "special floats",
    source: "double precision",
    target: "double",
    bad: ["'NaN'", "'Infinity'", "'-Infinity'"],
    good: "1.5",
  },
  {
    pair: ["postgres", "mariadb"],
    name: "infinite and early dates",
    source: "date",
    target: "date",
    bad: ["'infinity'", "'-infinity'", "'0044-03-15 BC'", "'10000-01-01'"],
    good: "'2026-06-01'",
  },
  {
    pair: ["postgres", "mariadb"],
    name: "times beyond",
    source: "timestamptz",
    target: "timestamp(6) null",
    bad: ["'2040-01-01 00:00:00+00'", "'1969-01-01 00:00:00+00'", "'infinity'"],
    good: "'2026-06-01 10:00:00+00'",
  },
  {
    pair: ["postgres", "mariadb"],
    name: "numbers too long",
    source: "numeric",
    target: "decimal(10,2)",
    bad: ["123456789.01", "'NaN'"],
    good: "12.34",
  },
  {
    pair: ["postgres", "mariadb"],
    name: "texts too long",
    source: "text",
    target: "varchar(3)",
    bad: ["'abcd'"],
    good: "'abc'",
  },
  {
    pair: ["postgres", "mariadb"],
    name: "other characters",
    source: "text",
    target: "varchar(20) character set latin1",
    bad: ["'潮'", "'😀'"],
    good: "'é'",
  },
  {
    pair: ["mariadb", "postgres"],
    name: "a NUL",
    source: "varchar(20)",
    target: "text",
    bad: ["concat('a', char(0), 'b')"],
    good: "'ab'",
  },
  {
    pair: ["mariadb", "postgres"],
    name: "unsigned numbers",
    source: "bigint unsigned",
    target: "bigint",
    bad: ["18446744073709551615", "9223372036854775808"],
    good: "9223372036854775807",
  },
  {
    pair: ["mariadb", "postgres"],
    name: "zero dates",
    source: "date",
    target: "date",
    bad: ["'0000-00-00'"],
    good: "'2026-06-01'",
  },
  {
    pair: ["mariadb", "postgres"],
    name: "long and negative times",
    source: "time(6)",
    target: "time",
    bad: ["'838:59:59'", "'-00:00:01'"],
    good: "'23:59:59.999999'",
  },
  {
    pair: ["mariadb", "postgres"],
    name: "a number that is no boolean",
    source: "int",
    target: "boolean",
    bad: ["2"],
    good: "1",
  },
  {
    pair: ["postgres", "sqlite"],
    name: "numbers too exact",
    source: "numeric",
    target: "decimal(30,5)",
    bad: ["18446744073709551615", "0.12345678901234567891"],
    good: "1.5",
  },
  {
    pair: ["sqlite", "postgres"],
    name: "texts among numbers",
    source: "integer",
    target: "bigint",
    bad: ["'many'", "1.5"],
    good: "7",
  },
  {
    pair: ["sqlite", "mariadb"],
    name: "texts among numbers",
    source: "integer",
    target: "bigint",
    bad: ["'many'", "1.5"],
    good: "7",
  },
];

for (const { pair, name, source, target, bad, good } of BEYOND)
  describePairs([pair], `${name} that the target cannot hold`, (from, to) => {
    test("go to quarantine with the reason, and their neighbours are written", async () => {
      await using src = await freshDatabase(from);
      await using dst = await freshDatabase(to);
      await using repairs = await openRepairs({ src, dst });
      await src.run(`${familyOf(from) === "mysql" ? "set sql_mode = ''; " : ""}${declared(`v ${source}`)}`);
      await dst.run(declared(`v ${target}`));
      await src.run(
        `insert into t values (0, ${good}), ${bad.map((value, i) => `(${i + 1}, ${value})`).join(", ")}, (99, ${good})`,
      );
      const outcome = await repairs.repair(checkFor({ key: ["id"] }));
      const lines = repairs.lines("quarantine");
      expect(outcome.failure).toBeNull();
      expect(outcome.result, JSON.stringify(lines)).toMatchObject({ inserted: 2n, quarantined: BigInt(bad.length) });
      expect(lines.map((line) => line["key"])).toEqual(bad.map((_, i) => ({ id: i + 1 })));
      for (const line of lines) expect(line["reason"]).toMatch(/failed|keeps another value/);
      expect((await dst.rows("select id from t order by id")).flat()).toEqual(["0", "99"]);
    });
  });
