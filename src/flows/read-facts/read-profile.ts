import { ascending } from "../../domain/cuts.ts";
import type { CursorProfile } from "../../domain/facts.ts";
import { InvariantError } from "../../domain/errors.ts";
import type { Position } from "../../domain/position.ts";
import type { Window } from "../../domain/window.ts";
import { type BoundCursor, windowCondition } from "../../sql/cursor.ts";
import { join, name, raw, type Sql, sql } from "../../sql/statement.ts";
import { countOf, dialectOf, hasCursorIndex, type OpenSide, rowsWhere } from "./open-side.ts";
import { planRank, type RankBatch } from "./rank-plan.ts";

/** A profile without a row, cut at these ends (in any order, with repetitions). */
export function emptyProfile(ends: Iterable<Position>): CursorProfile {
  return noRows(ascending(ends));
}

/** As `emptyProfile`, of ends that are ascending and distinct already. */
export function noRows(cuts: readonly Position[]): CursorProfile {
  return { ends: cuts, at: cuts.map(() => 0n), between: [...cuts.map(() => 0n), 0n] };
}

/**
 * Counts a side's rows along its cursor, cut at these ends: in the database, each row read once (by the cursor's index, where the
 * planner finds that cheaper). Rows without a position are in no part.
 */
export async function readProfile(side: OpenSide, ends: Iterable<Position>): Promise<CursorProfile> {
  const { cursor } = side;
  if (cursor === null) throw new InvariantError("a profile is cut along a cursor");
  const dialect = dialectOf(side);
  const empty = emptyProfile(ends);
  const at = [...empty.at];
  const between = [...empty.between];
  // An end and the position behind it: who reaches the first of the two only lies on it.
  const indexed = hasCursorIndex(side, cursor);
  const byRange = indexed && dialect.facts.countsByRange && empty.ends.length <= FEW;
  const most = byRange ? RANGES : indexed && !dialect.facts.countsByRange ? INDEXED : undefined;
  const { batches } = planRank(cursor, eachAndBehind(empty.ends), dialect, most);
  for (const batch of batches) {
    const statement = byRange ? countRanges(side, cursor, batch) : countGroups(side, cursor, batch);
    await side.snapshot.use(async (session) => {
      for await (const found of session.stream({ what: "rows between the windows' ends", sql: statement }))
        for (const [part, count] of found) {
          const reached = batch.reached(Number(part));
          const parts = reached % 2 === 1 ? at : between;
          const index = reached >> 1;
          parts[index] = (parts[index] ?? 0n) + countOf(count);
        }
    });
  }
  return { ends: empty.ends, at, between };
}

function* eachAndBehind(ends: readonly Position[]): Generator<Position> {
  for (const end of ends) {
    yield end;
    yield end + 1n;
  }
}

/** Ends among which each range is counted by itself: beyond, a pass that groups all rows costs less. */
const FEW = 1000;
/** Ranges that one statement counts, and values that one cuts an index by: enough to be quick, few enough to be small. */
const RANGES = 200;
const INDEXED = 20_000;

const EVERYWHERE: Window = { from: null, fromClosed: false, to: null, toClosed: false };

/** One pass over the batch's rows. */
function countGroups(side: OpenSide, cursor: BoundCursor, batch: RankBatch): Sql {
  const dialect = dialectOf(side);
  const located = windowCondition(cursor, EVERYWHERE, dialect);
  const rows = sql`SELECT ${batch.rank} AS ${name("part")} ${rowsWhere(side, [located, batch.condition])}`;
  return sql`SELECT ${dialect.countText(name("part"))}, ${dialect.countText(raw("COUNT(*)"))} FROM (${rows}) ${name("ranked")} GROUP BY ${name("part")}`;
}

/** A range of the index for each part of the batch; the first part is the batch before's, but for the first batch. */
function countRanges(side: OpenSide, cursor: BoundCursor, batch: RankBatch): Sql {
  const dialect = dialectOf(side);
  const located = windowCondition(cursor, EVERYWHERE, dialect);
  const ranks = Array.from({ length: batch.cuts + 1 }, (_, rank) => rank).slice(batch.first ? 0 : 1);
  const counts = ranks.map((rank) => {
    const open = rank === 0 || batch.only(rank) === null;
    const conditions = [open || (batch.last && rank === batch.cuts) ? located : null, batch.only(rank)];
    return sql`SELECT ${raw(`'${rank}'`)}, ${dialect.countText(raw("COUNT(*)"))} ${rowsWhere(side, conditions)}`;
  });
  return join(counts, " UNION ALL ");
}
