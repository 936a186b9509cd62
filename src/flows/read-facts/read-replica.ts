import { findColumn } from "../../compare/mapping.ts";
import type { Relation } from "../../domain/check.ts";
import { must } from "../../domain/errors.ts";
import { type Axis, formatPosition, type Position } from "../../domain/position.ts";
import type { TableInfo } from "../../domain/table.ts";
import { distance } from "../../domain/wording.ts";
import { bindCursor } from "../../sql/cursor.ts";
import type { Database } from "../../sql/session.ts";
import { readSideCursor } from "./read-side-cursor.ts";
import type { World } from "../ports.ts";

/** What a source that is a replica means for a comparison. */
export type ReplicaFacts = {
  /** Rows beyond this have not reached the replica for sure: they are not judged. Null: it is known to be level, or nobody can say. */
  readonly until: Position | null;
  /** For the report; null: the source is no replica, or it is level with its primary. */
  readonly note: string | null;
};

/** The newest cursor of the source's table on its primary; null: the source has no primary in the config, or no cursor. */
export type PrimaryClock = { readonly connection: string; readonly clock: Position | null };

/** Asks the primary of the source's connection, before the source itself is read: what it shows by then the replica should show too. */
export async function readPrimaryClock(
  relation: Relation,
  source: TableInfo,
  cursor: { readonly column: string; readonly unit: Parameters<typeof bindCursor>[1] } | null,
  future: bigint,
  world: World,
): Promise<PrimaryClock | null> {
  const primary = world.databases.primaryOf(relation.connection);
  const column = cursor === null ? null : findColumn(source, cursor.column);
  if (primary === null || cursor === null || column === null) return null;
  const database: Database = await world.databases.open(primary);
  const table = await database.describe(relation.table);
  const info = must(findColumn(table, column.name), "a primary has its replica's columns");
  await using snapshot = await database.snapshot(1);
  const side = { relation, snapshot, table, key: [], cursor: bindCursor(info, cursor.unit, relation.timezone) };
  const facts = await readSideCursor(side, { now: world.clock.now(), future, page: null });
  return { connection: primary, clock: facts?.clock ?? null };
}

/** Weighs the source's clock against its primary's. `says`: the server itself says that it is a replica. */
export function weighReplica(
  says: boolean,
  primary: PrimaryClock | null,
  clock: Position | null,
  axis: Axis | null,
): ReplicaFacts {
  if (primary === null || axis === null)
    return {
      until: null,
      note: says
        ? "the source says that it is a replica; how far it is behind is not known (connections: { …: { replica_of: … } } would tell)"
        : null,
    };
  if (primary.clock === null || (clock !== null && clock >= primary.clock)) return { until: null, note: null };
  if (clock === null)
    return { until: null, note: `the source is a replica of ${primary.connection} and holds no row yet` };
  return {
    until: clock,
    note: `the source is a replica of ${primary.connection} and ${distance(primary.clock - clock, axis)} behind it: rows beyond ${formatPosition(clock, axis)} are not judged`,
  };
}
