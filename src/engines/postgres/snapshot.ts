import { must } from "../../domain/errors.ts";
import type { Database, Snapshot } from "../../sql/session.ts";
import type { SessionPool } from "../session-pool.ts";
import { SnapshotSessions } from "../snapshot-sessions.ts";
import type { PostgresSession } from "./session.ts";

/**
 * Sessions that see one moment: the first exports its snapshot, the others import it, which works as long as the first is open. It
 * works like the others.
 */
export async function openSnapshot(
  database: Database,
  pool: SessionPool<PostgresSession>,
  sessions: number,
): Promise<Snapshot> {
  const leader = await pool.take();
  try {
    await leader.beginSnapshot(null);
    const exported = sessions > 1 ? await leader.exportSnapshot() : null;
    await leader.holdSnapshot();
    return new SnapshotSessions({
      database,
      pool,
      begun: [leader],
      // Nobody can join what was not exported.
      limit: exported === null ? 1 : sessions,
      leader,
      begin: async (session) => {
        await session.beginSnapshot(must(exported, "an exported snapshot"));
        await session.holdSnapshot();
      },
    });
  } catch (error) {
    await pool.release(leader);
    throw error;
  }
}
