import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AgreedKind } from "../../../src/domain/kind.ts";
import type { Database } from "../../../src/sql/session.ts";
import { raw, sql } from "../../../src/sql/statement.ts";
import { describeEngine, freshDatabase, type TestDatabase } from "../../support/databases.ts";
import { open } from "../../support/open.ts";
import { ask, bind } from "../contract.ts";

const BITS = 64;
const MICROS_PER_DAY = 86_400_000_000n;

/** Numbers that a hash which folds, drops a sign or shifts would take for one another. */
function relatives(n: bigint): bigint[] {
  const half = (k: bigint): bigint => (1n << k) | (1n << (k + 32n));
  return [
    n,
    -n,
    ~n,
    n + (1n << 32n),
    n >> 32n,
    n << 32n,
    ((n & 0xffff_ffffn) << 32n) | ((n >> 32n) & 0xffff_ffffn),
    BigInt.asUintN(32, n),
    BigInt.asIntN(32, n),
    ...[0n, 7n, 20n, 30n].map((k) => n ^ half(k)),
    n * 10_000n,
    n / 10_000n,
  ].map((each) => BigInt.asIntN(BITS, each));
}

type Kind = {
  readonly name: string;
  readonly type: string;
  readonly as: AgreedKind;
  readonly literal: (n: bigint) => string;
};
const moment = (n: bigint): string =>
  `timestamp '2000-01-01' + ${n % (3000n * 365n * MICROS_PER_DAY)} * interval '1 microsecond'`;
const KINDS: readonly Kind[] = [
  { name: "integers", type: "bigint", as: { as: "integer" }, literal: (n) => `'${n}'::bigint` },
  { name: "decimals", type: "numeric", as: { as: "decimal", scale: null }, literal: (n) => `'${n}'::numeric / 10000` },
  {
    name: "decimals of one scale",
    type: "numeric(30, 4)",
    as: { as: "decimal", scale: 4 },
    literal: (n) => `'${n}'::numeric / 100`,
  },
  {
    name: "integers as decimals",
    type: "bigint",
    as: { as: "decimal", scale: null },
    literal: (n) => `'${n}'::bigint`,
  },
  { name: "doubles", type: "float8", as: { as: "float", bits: 64 }, literal: (n) => `'${n}'::float8 / 1000` },
  { name: "integers as booleans", type: "bigint", as: { as: "boolean" }, literal: (n) => `'${n}'::bigint` },
  { name: "moments", type: "timestamp", as: { as: "local", precision: 6 }, literal: moment },
  { name: "instants", type: "timestamptz", as: { as: "instant", precision: 6 }, literal: moment },
  {
    name: "times",
    type: "time",
    as: { as: "time", precision: 6, zoned: false },
    literal: (n) => `time '00:00' + ${BigInt.asUintN(BITS, n) % MICROS_PER_DAY} * interval '1 microsecond'`,
  },
  { name: "dates", type: "date", as: { as: "date" }, literal: (n) => `date '2000-01-01' + ${n % 1_000_000n}::int` },
  {
    name: "uuids",
    type: "uuid",
    as: { as: "uuid" },
    literal: (n) => `lpad(to_hex('${n}'::bigint), 32, to_hex('${n}'::bigint))::uuid`,
  },
  { name: "texts", type: "text", as: { as: "text" }, literal: (n) => `'${n}'` },
  {
    name: "bytes",
    type: "bytea",
    as: { as: "bytes" },
    literal: (n) => `decode(lpad(to_hex('${n}'::bigint), 16, '0'), 'hex')`,
  },
  { name: "JSON", type: "jsonb", as: { as: "json" }, literal: (n) => `'[${n}]'::jsonb` },
];

describeEngine("postgres", "the typed hash of related values", () => {
  let server: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    server = await freshDatabase("postgres", {
      load: KINDS.map(({ type }, i) => `create table related_${i} (a ${type}, b ${type})`).join(";"),
    });
    database = await open(server.url);
  });
  afterAll(async () => {
    await database?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  test.each(KINDS.map((kind, i) => [kind.name, kind, `related_${i}`] as const))(
    "%s hash alike only where they are the same",
    async (_, { as, literal }, table) => {
      const info = await database.describe({ schema: null, name: table });
      const hash = database.dialect.typedHash(["a", "b"].map((column) => bind(info, column, { as })));
      const one = database.dialect.typedHash([bind(info, "a", { as })]);
      if (hash === null || one === null) throw new Error("no typed hash");
      await fc.assert(
        fc.asyncProperty(
          fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }),
          fc.bigInt({ min: 0n, max: 1n << 34n }),
          async (a, b) => {
            const values = [...relatives(a), ...relatives(b)].map(literal);
            const rows = values.flatMap((x) => [
              `(${x}, ${x})`,
              `(${x}, ${values[0]})`,
              `(${values[0]}, ${x})`,
              `(${x}, null)`,
              `(null, ${x})`,
            ]);
            await server.run(`truncate ${table}; insert into ${table} values ${rows.join(", ")}, (null, null)`);
            // Texts tell all values of these kinds apart; a zero's sign, which a double's text has, the comparison leaves out.
            const [counts] = await ask(
              database,
              sql`SELECT (SELECT count(DISTINCT (${hash}, a::text, b::text)) - count(DISTINCT ${hash}) FROM ${raw(table)})::text,
              (SELECT count(DISTINCT a::text) - count(DISTINCT ${one}) FROM ${raw(table)} WHERE a IS NOT NULL)::text`,
            );
            expect(counts).toEqual(["0", "0"]);
          },
        ),
        { numRuns: 15 },
      );
    },
  );

  test("which column is NULL is seen at any distance", async () => {
    const width = 70;
    await server.run(`create table wide (${Array.from({ length: width }, (_, i) => `c${i} int`).join(", ")})`);
    const absent = [[], ...Array.from({ length: width }, (_, i) => [i])];
    const pairs = [1, 30, 31, 32, 33, 61, 62].flatMap((apart) =>
      [0, 5, 7].filter((i) => i + apart < width).map((i) => [i, i + apart]),
    );
    const rows = [...absent, ...pairs].map(
      (nulls) => `(${Array.from({ length: width }, (_, i) => (nulls.includes(i) ? "null" : "0")).join(", ")})`,
    );
    await server.run(`insert into wide values ${rows.join(", ")}`);
    const info = await database.describe({ schema: null, name: "wide" });
    const hash = database.dialect.typedHash(info.columns.map((c) => bind(info, c.name, { as: { as: "integer" } })));
    const [counts] = await ask(database, sql`SELECT (count(DISTINCT ${hash ?? raw("0")}))::text FROM wide`);
    expect(counts).toEqual([String(rows.length)]);
  });
});
