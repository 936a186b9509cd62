import type { Position } from "../../domain/position.ts";
import { type BoundCursor, thresholds } from "../../sql/cursor.ts";
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
  /** Whether no batch comes before it, or after it. */
  readonly first: boolean;
  readonly last: boolean;
  /** How many values the batch is cut by: ranks go from 0 to it. */
  readonly cuts: number;
  /** The rows of one rank alone, as a condition that an index serves. */
  only(rank: number): Sql | null;
  /** Rows of this batch; null: all. */
  readonly condition: Sql | null;
  /** A number expression over the ordered column. */
  readonly rank: Sql;
  /** How many of the positions a row with that rank reaches. */
  reached(rank: number): number;
};

/** `positions` ascending, repetitions allowed. `most`: values in a batch at most, where that is less than the dialect's own limit. */
export function planRank(
  cursor: BoundCursor,
  positions: readonly Position[],
  dialect: Dialect,
  most = dialect.facts.rankLimit(cursor.column),
): RankPlan {
  let always = 0;
  // Different positions may begin with one value of a coarser column.
  const texts: string[] = [];
  const upTo: number[] = [];
  const thresholdAt = thresholds(cursor, dialect);
  for (const [i, position] of positions.entries()) {
    const threshold = thresholdAt(position);
    if (threshold === "all") always = i + 1;
    else if (threshold !== "none") {
      if (texts.at(-1) !== threshold.text) {
        texts.push(threshold.text);
        upTo.push(i + 1);
      } else upTo[upTo.length - 1] = i + 1;
    }
  }
  const column = dialect.ordered(cursor.column);
  const bound = (operator: string, text: string): Sql =>
    sql`${column} ${raw(operator)} ${dialect.value(text, cursor.column)}`;
  const batches: RankBatch[] = [];
  const limit = Math.min(most, dialect.facts.rankLimit(cursor.column));
  const range = (from: string | undefined, to: string | undefined): Sql | null =>
    from === undefined && to === undefined
      ? null
      : allOf([from === undefined ? null : bound(">=", from), to === undefined ? null : bound("<", to)]);
  for (let start = 0; start === 0 || start < texts.length; start += limit) {
    const end = Math.min(start + limit, texts.length);
    batches.push({
      first: start === 0,
      last: end === texts.length,
      cuts: end - start,
      only: (rank) => range(texts[start + rank - 1], texts[start + rank]),
      condition: range(start === 0 ? undefined : texts[start], texts[start + limit]),
      rank: dialect.facts.rank(column, cursor.column, texts.slice(start, start + limit)),
      reached: (rank) => upTo[start + rank - 1] ?? always,
    });
  }
  return { batches };
}
