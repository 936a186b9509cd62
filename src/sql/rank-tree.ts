import { InvariantError } from "../domain/errors.ts";
import { raw, type Sql, sql } from "./statement.ts";

/**
 * `FactsDialect.rank` for engines without a function for it: CASE in CASE, halving the values, so that each row costs the logarithm
 * of their number in comparisons. `bound` writes one of the values to compare with.
 */
export function rankTree(expression: Sql, values: readonly string[], bound: (text: string) => Sql): Sql {
  // Ranks low…high are still possible.
  const branch = (low: number, high: number): Sql => {
    if (low === high) return raw(String(low));
    const middle = Math.floor((low + high) / 2);
    const text = values[middle];
    if (text === undefined) throw new InvariantError("a rank lies among its values");
    return sql`CASE WHEN ${expression} < ${bound(text)} THEN ${branch(low, middle)} ELSE ${branch(middle + 1, high)} END`;
  };
  return sql`CASE WHEN ${expression} IS NULL THEN NULL ELSE ${branch(0, values.length)} END`;
}
