import { parseInstant, type Position } from "../../domain/position.ts";
import type { Database } from "../../sql/session.ts";

/**
 * Up to where every row that will ever be stamped can be seen: min(now, oldest transaction that may still commit). For cursors that the
 * database stamps itself at the start of a transaction. Ask before the snapshot is taken from which rows are read: a transaction that commits
 * in between would be seen by neither. `sure` false: other users' transactions are hidden from us, or the engine
 * does not say, so that some may have begun earlier.
 */
export async function readSafeEdge(
  source: Database,
  now: bigint,
): Promise<{ readonly position: Position; readonly sure: boolean }> {
  const question = source.dialect.facts.oldestTransaction;
  if (question === null) return { position: now, sure: false };
  const [row] = await source.use(
    async (session) => await session.rows({ what: "the oldest open transaction", sql: question }),
  );
  const [text = null, all = null] = row ?? [];
  const oldest = text === null ? null : parseInstant(text);
  return { position: oldest !== null && oldest < now ? oldest : now, sure: all === "1" };
}
