import type { CursorProfile } from "../../domain/facts.ts";
import { InvariantError } from "../../domain/errors.ts";
import type { Position } from "../../domain/position.ts";
import { windowCondition } from "../../sql/cursor.ts";
import { name, raw, sql } from "../../sql/statement.ts";
import { countOf, dialectOf, type OpenSide, rowsWhere } from "./open-side.ts";
import { planRank } from "./rank-plan.ts";

/** A profile without a row, cut at these ends (in any order, with repetitions). */
export function emptyProfile(ends: Iterable<Position>): CursorProfile {
  const cuts = [...new Set(ends)].toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
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
  const { batches } = planRank(cursor, empty.ends.flatMap((end) => [end, end + 1n]), dialect);
  const located = windowCondition(cursor, { from: null, fromClosed: false, to: null, toClosed: false }, dialect);
  for (const batch of batches) {
    const rows = sql`SELECT ${batch.rank} AS ${name("part")} ${rowsWhere(side, [located, batch.condition])}`;
    const statement = sql`SELECT ${dialect.countText(name("part"))}, ${dialect.countText(raw("COUNT(*)"))} FROM (${rows}) ${name("ranked")} GROUP BY ${name("part")}`;
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
