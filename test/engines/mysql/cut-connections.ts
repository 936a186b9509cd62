import type { TestDatabase } from "../../support/databases.ts";

/** Kills every connection to a database but the one that asks, as an administrator would. */
export async function cutConnections(database: TestDatabase): Promise<void> {
  const found = await database.rows(
    "select id from information_schema.processlist where db = database() and id <> connection_id()",
  );
  for (const [id] of found) await database.run(`kill ${id}`);
}
