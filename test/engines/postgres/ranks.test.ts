import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatInstant } from "../../../src/domain/position.ts";
import type { Database } from "../../../src/sql/session.ts";
import { name, sql } from "../../../src/sql/statement.ts";
import { describeEngine, freshDatabase, type TestDatabase } from "../../support/databases.ts";
import { open } from "../../support/open.ts";
import { ask, bind } from "../contract.ts";

const YEAR = 365n * 86_400_000_000n;
const text = (micros: bigint): string => formatInstant(micros).replace("T", " ").replace("Z", "");

/** Moments around a few centres, many of them a microsecond apart: near 1970, at the ends of what a double tells apart, far beyond. */
const moments = fc
  .tuple(
    fc.constantFrom(-270n, -200n, 0n, 56n, 229n, 240n, 500n, 7000n),
    fc.bigInt({ min: -3n, max: 3n }),
    fc.bigInt({ min: 0n, max: YEAR }),
  )
  .map(([years, near, far]) => years * YEAR + (near % 2n === 0n ? near : near + far));

describeEngine("postgres", "ranks of times", (): void => {
  let server: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    server = await freshDatabase("postgres", { load: "create table t (local timestamp, instant timestamptz)" });
    database = await open(server.url);
  });
  afterAll(async () => {
    await database?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  test.each(["local", "instant"] as const)("as many values as a %s reaches, to the microsecond", async (kind) => {
    const info = await database.describe({ schema: null, name: "t" });
    const column = bind(info, kind, { as: { as: kind, precision: 6 } });
    const zone = kind === "instant" ? "+00" : "";
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(moments, { maxLength: 12 }),
        fc.array(moments, { minLength: 1, maxLength: 12 }),
        async (drawn, more) => {
          const values = drawn.toSorted((a, b) => (a < b ? -1 : 1));
          // A row at each value, just before it and just behind, and elsewhere.
          const rows = [...values.flatMap((v) => [v - 1n, v, v + 1n]), ...more].toSorted((a, b) => (a < b ? -1 : 1));
          const literals = [...rows.map((v) => `'${text(v)}${zone}'`), "'infinity'", "'-infinity'", "null"];
          await server.run(`truncate t; insert into t (${kind}) values ${literals.map((v) => `(${v})`).join(", ")}`);
          const canonical = values.map((v) => (kind === "instant" ? `${text(v)}+00` : text(v)));
          const rank = database.dialect.facts.rank(name(kind), column, canonical);
          const found = await ask(database, sql`SELECT (${rank})::text FROM t ORDER BY ${name(kind)} NULLS LAST`);
          const expected = rows.map((row) => String(values.filter((v) => v <= row).length));
          expect(found.map(([each]) => each)).toEqual(["0", ...expected, String(values.length), null]);
        },
      ),
      { numRuns: 40 },
    );
  });
});
