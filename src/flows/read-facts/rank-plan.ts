import type { Position } from "../../domain/position.ts";
import { type BoundCursor, thresholdAt } from "../../sql/cursor.ts";
import type { Dialect } from "../../sql/dialect.ts";
import { allOf, raw, type Sql, sql } from "../../sql/statement.ts";

/**
 * How rows are sorted among many positions by the server: how many of the positions a row's value reaches. Cut into batches of at
 * most `rankLimit` values, each with the condition that holds its rows, so that with an index each row is read once.
 */
export type RankPlan = {
  readonly batches: readonly RankBatch[];
};

export type RankBatch = {
  /** Rows of this batch; null: all. */
  readonly condition: Sql | null;
  /** A number expression over the ordered column. */
  readonly rank: Sql;
  /** How many of the positions a row with that rank reaches. */
  reached(rank: number): number;
};

/** `positions` ascending, repetitions allowed. `expression`: the ordered column, or the name it has in a derived table. */
export function planRank(cursor: BoundCursor, positions: readonly Position[], dialect: Dialect): RankPlan {
  let always = 0;
  // Different positions may begin with one value of a coarser column.
  const texts: string[] = [];
  const upTo: number[] = [];
  for (const [i, position] of positions.entries()) {
    const threshold = thresholdAt(cursor, position, dialect);
    if (threshold === "all") always = i + 1;
    else if (threshold !== "none") {
      if (texts.at(-1) !== threshold.text) {
        texts.push(threshold.text);
        upTo.push(i + 1);
      } else upTo[upTo.length - 1] = i + 1;
    }
  }
  const column = dialect.ordered(cursor.column);
  const bound = (operator: string, text: string): Sql => sql`${column} ${raw(operator)} ${dialect.value(text, cursor.column)}`;
  const batches: RankBatch[] = [];
  const limit = dialect.facts.rankLimit;
  for (let start = 0; start === 0 || start < texts.length; start += limit) {
    const first = texts[start];
    const next = texts[start + limit];
    const conditions = [start === 0 || first === undefined ? null : bound(">=", first), next === undefined ? null : bound("<", next)];
    batches.push({
      condition: conditions.some((c) => c !== null) ? allOf(conditions) : null,
      rank: dialect.facts.rank(column, cursor.column, texts.slice(start, start + limit)),
      reached: (rank) => upTo[start + rank - 1] ?? always,
    });
  }
  return { batches };
}
