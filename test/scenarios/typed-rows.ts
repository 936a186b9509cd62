import { pairColumns } from "../../src/compare/mapping.ts";
import type { ComparisonPlan, PlannedColumn } from "../../src/compare/plan.ts";
import type { FullRow } from "../../src/compare/question.ts";
import { canonicalOfPrinted } from "../../src/compare/reference.ts";
import type { Check } from "../../src/domain/check.ts";
import { sql } from "../../src/sql/statement.ts";
import { planOf } from "../compare/build.ts";
import type { TestWorld } from "./world.ts";

/** Every row of both sides, fetched whole and brought to canonical texts here, by the reference: no digest and no SQL text is trusted. */
export async function typedRows(
  check: Check,
  { world }: TestWorld,
): Promise<{
  readonly plan: ComparisonPlan;
  readonly source: readonly FullRow[];
  readonly target: readonly FullRow[];
}> {
  const databases = {
    source: await world.databases.open(check.source.connection),
    target: await world.databases.open(check.target.connection),
  };
  const tables = {
    source: await databases.source.describe(check.source.table),
    target: await databases.target.describe(check.target.table),
  };
  const { key, compared } = pairColumns(check, tables.source, tables.target);
  const plan = planOf(check, tables.source, tables.target);
  const read = async (side: "source" | "target"): Promise<readonly FullRow[]> => {
    const { dialect } = databases[side];
    const printed = compared.map((p) => dialect.printed(p[side]));
    const rows = await databases[side].use((session) =>
      session.rows({ what: "all rows", sql: sql`SELECT ${printed} FROM ${dialect.table(tables[side])}` }),
    );
    return rows.map((row): FullRow => {
      const canonical = (column: PlannedColumn, text: string | null, as = column.valueAs): string | null =>
        text === null
          ? null
          : canonicalOfPrinted(text, as, { kind: column[side].kind, zone: column.zones[side], rounding: "cut" });
      const values = plan.columns.map((column, i) => canonical(column, row[i] ?? null));
      return {
        key: key.map((k) =>
          canonical(
            plan.columns.find((c) => c.source === k.source)!,
            row[compared.findIndex((c) => c.source === k.source)] ?? null,
            k.agreement.as,
          ),
        ),
        copy: { cursor: null, version: null, arrival: null, loaded: null },
        values,
      };
    });
  };
  return { plan, source: await read("source"), target: await read("target") };
}
