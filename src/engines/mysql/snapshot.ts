import type { Database, Snapshot } from "../../sql/session.ts";
import { raw } from "../../sql/statement.ts";
import type { SessionPool } from "../session-pool.ts";
import { SnapshotSessions } from "../snapshot-sessions.ts";
import type { MysqlSession } from "./session.ts";

/**
 * Sessions that each see the database as it was when they began: the server cannot hand a snapshot from one session to another. So
 * half of the sessions that are free begin together at the start; more begin when they are needed, and see a later moment.
 */
export async function openSnapshot(
  database: Database,
  pool: SessionPool<MysqlSession>,
  limit: number,
): Promise<Snapshot> {
  const begun = [await pool.take()];
  try {
    // The other half is left to whoever opens the next snapshot on the same database.
    const more = Math.max(0, Math.min(limit - 1, (pool.free - 1) >> 1));
    const others = await Promise.all(Array.from({ length: more }, async () => await pool.takeNow().catch(() => null)));
    for (const other of others) if (other !== null) begun.push(other);
    await Promise.all(begun.map(begin));
  } catch (error) {
    await Promise.all(begun.map(async (session) => await pool.release(session)));
    throw error;
  }
  return new SnapshotSessions({ database, pool, begun, limit, leader: null, begin });
}

async function begin(session: MysqlSession): Promise<void> {
  const sql = raw("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY");
  await session.rows({ what: "start of a snapshot", sql });
}
