import { must } from "../../domain/errors.ts";
import { rows } from "../../domain/wording.ts";
import { type Unfit, unfitValues, unfitWords } from "../../repair/unfit.ts";
import type { BoundColumn, Dialect } from "../../sql/dialect.ts";
import { fromSide } from "../../sql/side.ts";
import { join, name, raw, type Sql, sql } from "../../sql/statement.ts";
import type { Layout, WrittenColumn } from "./layout.ts";

/**
 * Rows in question that the target's columns cannot take, as far as the types tell, in words for the plan; null: none. Asks the source
 * only where some column of it may hold more than its target's: whatever else is refused is found out by writing.
 */
export async function countUnfit({ written, source, open }: Layout): Promise<string | null> {
  const { dialect } = source;
  const reasons = written.flatMap((column) =>
    unfitValues(column.source, column.target).map((unfit) => ({
      words: unfitWords(unfit, column.source, column.target),
      condition: conditionOf(dialect, column, unfit),
    })),
  );
  if (reasons.length === 0) return null;
  const any = join(
    reasons.map(({ condition }) => sql`(${condition})`),
    " OR ",
  );
  const counted = [any, ...reasons.map((r) => r.condition)].map((condition) =>
    dialect.countText(sql`COUNT(CASE WHEN ${condition} THEN 1 END)`),
  );
  const database = must(open.databases.get(open.check.source.connection), "the source is open");
  const [found] = await database.use((session) =>
    session.rows({ what: "rows that the target cannot take", sql: sql`SELECT ${counted} ${fromSide(source, null)}` }),
  );
  const all = BigInt(found?.[0] ?? "0");
  if (all === 0n) return null;
  const why = reasons.flatMap(({ words }, i) => {
    const n = BigInt(found?.[i + 1] ?? "0");
    return n === 0n ? [] : [`${n} where ${words}`];
  });
  return `${rows(all)} of the source cannot be taken by the target and would be put aside: ${why.join(", ")}`;
}

function conditionOf(dialect: Dialect, { source: info }: WrittenColumn, unfit: Unfit): Sql {
  const as: BoundColumn["as"] = info.kind.kind === "integer" ? { as: "integer" } : { as: "decimal", scale: null };
  const column: BoundColumn = { info, as, zone: "UTC", rounding: "cut" };
  const value = (text: string): Sql => dialect.value(text, column);
  const ordered = (): Sql => dialect.ordered(column);
  switch (unfit.is) {
    case "null":
      return sql`${name(info.name)} IS NULL`;
    case "longer":
      return sql`${dialect.characters(info)} > ${raw(String(unfit.than))}`;
    case "below":
      return sql`${ordered()} < ${value(unfit.least)}`;
    case "above":
      return sql`${ordered()} > ${value(unfit.most)}`;
    case "beyond":
      return sql`${ordered()} >= ${value(unfit.end)} OR ${ordered()} <= ${value(`-${unfit.end}`)}`;
  }
}
