import type { Position } from "../../domain/position.ts";
import type { BoundCursor } from "../../sql/cursor.ts";
import { thresholds } from "../../sql/cursor-condition.ts";
import type { Dialect } from "../../sql/dialect.ts";
import { allOf, raw, type Sql, sql } from "../../sql/statement.ts";

/**
 * How rows are sorted among many positions by the server: how many of the positions a row's value reaches. Cut into batches of at
 * most `rankLimit` values, each with the condition that holds its rows, so that with an index each row is read once.
 */
export type RankPlan = {
  /** One after the other, each made when it is asked for: the texts of very many positions are never there at once. To be read once. */
  readonly batches: Iterable<RankBatch>;
};

export type RankBatch = {
  /** Whether no batch comes before it, or after it. */
  readonly first: boolean;
  readonly last: boolean;
  /** How many values the batch is cut by: ranks go from 0 to it. */
  readonly cuts: number;
  /** The rows of one rank alone, as a condition that an index serves. */
  only(rank: number): Sql | null;
  /** The values that it is cut by, ascending, and the one that the next batch begins with: stretch `n` begins at the `n`-th of them. */
  readonly stretches: readonly string[];
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
  positions: Iterable<Position>,
  dialect: Dialect,
  most = dialect.facts.rankLimit(cursor.column),
): RankPlan {
  return { batches: batchesOf(cursor, positions, dialect, Math.min(most, dialect.facts.rankLimit(cursor.column))) };
}

function* batchesOf(
  cursor: BoundCursor,
  positions: Iterable<Position>,
  dialect: Dialect,
  limit: number,
): Generator<RankBatch> {
  const thresholdAt = thresholds(cursor, dialect);
  let first = true;
  // How many positions are reached by all rows of the batch.
  let before = 0;
  // Different positions may begin with one value of a coarser column.
  let texts: string[] = [];
  let upTo: number[] = [];
  let count = 0;
  for (const position of positions) {
    count++;
    const threshold = thresholdAt(position);
    if (threshold === "all") before = count;
    else if (threshold !== "none") {
      if (texts.at(-1) === threshold.text) upTo[upTo.length - 1] = count;
      else {
        if (texts.length === limit) {
          yield batchOf(cursor, dialect, { texts, upTo, before, first, next: threshold.text });
          before = upTo.at(-1) ?? before;
          first = false;
          texts = [];
          upTo = [];
        }
        texts.push(threshold.text);
        upTo.push(count);
      }
    }
  }
  yield batchOf(cursor, dialect, { texts, upTo, before, first, next: null });
}

type Piece = {
  readonly texts: readonly string[];
  readonly upTo: readonly number[];
  readonly before: number;
  readonly first: boolean;
  /** Where the next batch begins; null: there is none. */
  readonly next: string | null;
};

function batchOf(cursor: BoundCursor, dialect: Dialect, { texts, upTo, before, first, next }: Piece): RankBatch {
  const column = dialect.ordered(cursor.column);
  const bound = (operator: string, text: string): Sql =>
    sql`${column} ${raw(operator)} ${dialect.value(text, cursor.column)}`;
  const range = (from: string | undefined, to: string | undefined): Sql | null =>
    from === undefined && to === undefined
      ? null
      : allOf([from === undefined ? null : bound(">=", from), to === undefined ? null : bound("<", to)]);
  return {
    first,
    last: next === null,
    cuts: texts.length,
    only: (rank) => range(texts[rank - 1], texts[rank] ?? next ?? undefined),
    stretches: next === null ? texts : [...texts, next],
    condition: range(first ? undefined : texts[0], next ?? undefined),
    get rank() {
      return dialect.facts.rank(column, cursor.column, texts);
    },
    reached: (rank) => upTo[rank - 1] ?? before,
  };
}
