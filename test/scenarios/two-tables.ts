import type { Check, ColumnChoice, ComparisonSettings } from "../../src/domain/check.ts";
import type { AuditOptions } from "../../src/flows/ports.ts";
import { checkOf, micros } from "../compare/build.ts";
import { lineOf } from "../compare/naive.ts";
import type { TestDatabase, TestEngine } from "../support/databases.ts";
import { keptDatabase } from "../support/kept-databases.ts";
import { familyOf } from "./columns.ts";
import { type Compared, compared, openWorld } from "./world.ts";

/** SQL that makes and fills the table `t`: one for every engine, or one by family. */
export type Sql = string | { readonly postgres?: string; readonly mysql?: string; readonly sqlite?: string };

/** What a test asks of two tables. */
export type Asked = Partial<Omit<Check, "source" | "target" | "columns" | "compare">> & {
  readonly source?: Partial<Check["source"]>;
  readonly target?: Partial<Check["target"]>;
  readonly columns?: Partial<ColumnChoice>;
  readonly compare?: Partial<ComparisonSettings>;
  readonly options?: Partial<AuditOptions>;
};

/** What was found, each difference as a line: what, the key's parts with their lengths, the columns. */
export type Found = Compared & { readonly lines: readonly string[] };

/** The check of a test: looks twice without waiting. */
export function checkFor(asked: Asked): Check {
  const { source, target, columns, compare, options: _options, ...over } = asked;
  const base = checkOf();
  return {
    ...base,
    ...over,
    source: { ...base.source, ...source },
    target: { ...base.target, ...target },
    columns: { ...base.columns, ...columns },
    compare: { ...base.compare, recheck: { rounds: 2, wait: micros(0n) }, ...compare },
  };
}

const sqlFor = (sql: Sql, database: TestDatabase): string => {
  if (typeof sql === "string") return sql;
  const own = sql[familyOf(database.engine)];
  if (own === undefined) throw new Error(`the test has no SQL for ${database.engine}`);
  return own;
};

/** Makes the table `t` anew on both sides, in the server's own settings, and compares them. */
export async function compareTwo(
  [source, target]: readonly [TestEngine, TestEngine],
  tables: { readonly source: Sql; readonly target: Sql },
  asked: Asked = {},
): Promise<Found> {
  const src = await keptDatabase(source, "src");
  const dst = await keptDatabase(target, "dst");
  for (const [database, sql] of [
    [src, tables.source],
    [dst, tables.target],
  ] as const) {
    await database.run(`${RESET[familyOf(database.engine)]}drop table if exists t`);
    await database.run(sqlFor(sql, database));
  }
  await using world = await openWorld({ src, dst });
  return found(await compared(checkFor(asked), world, asked.options));
}

/** What undoes the settings that a test's SQL may have made. */
const RESET = { postgres: "reset timezone; ", mysql: "set time_zone = default, sql_mode = default; ", sqlite: "" };

export const found = (read: Compared): Found => ({ ...read, lines: read.differences.map(lineOf).toSorted() });
