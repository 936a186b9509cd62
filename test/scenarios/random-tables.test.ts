import { expect, test } from "vitest";
import type { Check } from "../../src/domain/check.ts";
import { checkOf, micros } from "../compare/build.ts";
import { lineOf, naiveDiff } from "../compare/naive.ts";
import { describePairs, freshDatabase, type TestDatabase, type TestEngine } from "../support/databases.ts";
import { COLUMN_KINDS, type ColumnKind, familyOf } from "./columns.ts";
import { comparableLines } from "./lines.ts";
import { chance, type Random, random } from "./random.ts";
import { typedRows } from "./typed-rows.ts";
import { compared, openWorld } from "./world.ts";

const PAIRS: readonly (readonly [TestEngine, TestEngine])[] = [
  ["postgres", "postgres"],
  ["postgres", "mariadb"],
  ["mariadb", "postgres"],
  ["mariadb", "mariadb"],
  ["sqlite", "sqlite"],
  ["postgres", "sqlite"],
  ["sqlite", "postgres"],
  ["mariadb", "sqlite"],
  ["sqlite", "mariadb"],
  ["mysql", "mysql"],
  ["postgres", "mysql"],
];

/** Pairs of tables tried on each engine pair. */
const RUNS = Number(process.env["TIDEMARK_RANDOM_RUNS"] ?? 6);

type Shape = {
  readonly columns: readonly { readonly name: string; readonly kind: ColumnKind; readonly nullable: boolean }[];
  readonly key: readonly string[];
  readonly primary: boolean;
};
type Row = readonly (string | null)[];

function shapeOf(rng: Random): Shape {
  const keys = rng.some(
    COLUMN_KINDS.filter((k) => k.key),
    1,
    2,
  );
  const others = rng.some(COLUMN_KINDS, 1, 8);
  const primary = chance(rng, 0.7);
  const columns = [
    ...keys.map((kind, i) => ({ name: `k${i}`, kind, nullable: !primary })),
    ...others.map((kind, i) => ({ name: `Col-${i}`, kind, nullable: chance(rng, 0.7) })),
  ];
  return { columns: rng.shuffled(columns), key: keys.map((_, i) => `k${i}`), primary };
}

/** A value of a kind: one of the hard ones, or for keys, so that there are enough of them, any. */
function valueOf(rng: Random, kind: ColumnKind, i: number): string {
  if (i < 0 || chance(rng, 0.3)) return rng.one(kind.values);
  switch (kind.name) {
    case "integer":
      return `${i * 1_000_003}`;
    case "decimal":
      return `${i}.${rng.below(9)}`;
    case "text":
      return `${rng.one(["a", "A", "b", "é", "z-", "z_", ""])}${i}`;
    case "bytes":
      return i.toString(16).padStart(6, "0");
    case "uuid":
      return `6f9619ff-8b86-d011-b42d-${i.toString(16).padStart(12, "0")}`;
    case "date":
      return `20${String(10 + (i % 80))}-0${1 + (i % 9)}-1${i % 10}`;
    default:
      return `20${String(10 + (i % 80))}-0${1 + (i % 9)}-1${i % 10} 10:00:00.${String(i).padStart(6, "0")}`;
  }
}

/** The same text for values that some collation or type calls equal. */
function coarse(kind: ColumnKind, value: string): string {
  if (kind.name === "decimal") return `${Number(value)}`;
  return value
    .normalize("NFD")
    .replaceAll(/\p{M}|\s+$/gu, "")
    .replaceAll("ß", "s")
    .replaceAll(/[\u{10000}-\u{10ffff}]/gu, "?")
    .toUpperCase();
}

/** Both sides' rows: most alike, some changed in a column, missing, extra, or there twice where no key forbids it. */
function rowsOf(rng: Random, shape: Shape): { readonly source: Row[]; readonly target: Row[] } {
  const source: Row[] = [];
  const target: Row[] = [];
  const seen = new Set<string>();
  const n = rng.below(150);
  const changes = rng.one([0, 0.02, 0.3]);
  for (let i = 0; i < n; i++) {
    const row = shape.columns.map(({ name, kind, nullable }) =>
      nullable && chance(rng, 0.08) ? null : valueOf(rng, kind, shape.key.includes(name) ? i : -1),
    );
    // What some collation or type calls equal stays out of a table whose key must be unique.
    const id = shape.columns
      .flatMap(({ name, kind }, at) => (shape.key.includes(name) ? [coarse(kind, row[at] ?? "")] : []))
      .join("\u0000");
    if (shape.primary && seen.has(id)) continue;
    seen.add(id);
    const fate = chance(rng, changes) ? rng.one(["missing", "extra", "changed", "twice"]) : "same";
    if (fate !== "extra") source.push(row);
    if (fate === "missing") continue;
    const at = rng.below(shape.columns.length);
    const column = shape.columns[at]!;
    target.push(
      fate === "changed" && !shape.key.includes(column.name) ? row.with(at, valueOf(rng, column.kind, -1)) : row,
    );
    if (fate === "twice" && !shape.primary) target.push(row);
  }
  return { source: rng.shuffled(source), target: rng.shuffled(target) };
}

async function load(database: TestDatabase, table: string, shape: Shape, rows: readonly Row[]): Promise<void> {
  const family = familyOf(database.engine);
  const q = (name: string): string => (family === "mysql" ? `\`${name}\`` : `"${name}"`);
  const declared = shape.columns.map(
    ({ name, kind, nullable }) =>
      `${q(name)} ${kind.type[family]}${nullable ? "" : family === "mysql" && kind.name === "instant" ? "" : " not null"}`,
  );
  const primary = shape.primary ? [`primary key (${shape.key.map(q).join(", ")})`] : [];
  const sql = [`create table ${table} (${[...declared, ...primary].join(", ")})`];
  for (let i = 0; i < rows.length; i += 50) {
    const values = rows
      .slice(i, i + 50)
      .map(
        (row) =>
          `(${row.map((v, at) => (v === null ? "null" : shape.columns[at]!.kind.literal(v, family))).join(", ")})`,
      );
    sql.push(`insert into ${table} values ${values.join(", ")}`);
  }
  if (family === "mysql") await database.run("set time_zone = '+00:00'");
  await database.run(sql.join(";\n"));
}

describePairs(PAIRS, "random pairs of tables", (source, target) => {
  test("differ, compared by chunks, in exactly what they differ in row by row", async () => {
    await using src = await freshDatabase(source);
    await using dst = await freshDatabase(target);
    await using world = await openWorld({ src, dst });
    const given = process.env["TIDEMARK_SEED"];
    for (let run = 0; run < (given ? 1 : RUNS); run++) {
      const seed = given ? Number(given) : Math.floor(Math.random() * 2 ** 31);
      const rng = random(seed);
      const shape = shapeOf(rng);
      const rows = rowsOf(rng, shape);
      const table = `t${run}`;
      await load(src, table, shape, rows.source);
      await load(dst, table, shape, rows.target);
      const base = checkOf();
      const check: Check = {
        ...base,
        source: { ...base.source, table: { schema: null, name: table } },
        target: { ...base.target, table: { schema: null, name: table } },
        key: shape.key,
        compare: {
          ...base.compare,
          chunkRows: rng.one(["auto", 1, 7, 50]),
          parallel: rng.one([1, 3]),
          recheck: { rounds: 1, wait: micros(0n) },
        },
      };
      const exact = chance(rng, 0.25);
      const says = `TIDEMARK_SEED=${seed} (${shape.columns.map((c) => `${c.name} ${c.kind.name}`).join(", ")}; key ${shape.key.join(", ")}${shape.primary ? " primary" : ""}; ${exact ? "exact" : "by digest"})`;
      const { differences } = await compared(check, world, { exact }).catch((cause: unknown) => {
        throw new Error(says, { cause });
      });
      const typed = await typedRows(check, world);
      expect([typed.source.length, typed.target.length], says).toEqual([rows.source.length, rows.target.length]);
      const lines = differences.map(lineOf);
      const naive = naiveDiff(typed.source, typed.target, typed.plan);
      expect(comparableLines(lines, [...lines, ...naive]), says).toEqual(comparableLines(naive, [...lines, ...naive]));
    }
  }, 120_000);
});
