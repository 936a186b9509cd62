import type { Relation } from "../../domain/check.ts";
import { type TableInfo, indexStartsWith } from "../../domain/table.ts";
import type { Snapshot } from "../../sql/session.ts";
import type { BoundCursor } from "../../sql/cursor.ts";
import type { BoundColumn, Dialect } from "../../sql/dialect.ts";
import { allOf, raw, type Sql, sql } from "../../sql/statement.ts";

/** A table of a check while it is read: everything goes through its snapshot, so that all facts speak of one moment. */
export type OpenSide = {
  readonly relation: Relation;
  readonly snapshot: Snapshot;
  readonly table: TableInfo;
  /** In the order of the check's key, bound as the pair was agreed. */
  readonly key: readonly BoundColumn[];
  /** Null: the check has no cursor, or this side lacks its column. */
  readonly cursor: BoundCursor | null;
};

export function dialectOf(side: OpenSide): Dialect {
  return side.snapshot.database.dialect;
}

/** `FROM table WHERE …`: the rows of a side that its own `where` and these conditions hold for. */
export function rowsWhere(side: OpenSide, conditions: readonly (Sql | null)[], from: Sql | null = null): Sql {
  const own = side.relation.where === null ? null : raw(`${side.relation.where}\n`);
  return sql`FROM ${from ?? dialectOf(side).table(side.table)} WHERE ${allOf([own, ...conditions])}`;
}

/** Whether an index on the cursor serves its ranges. */
export function hasCursorIndex(side: OpenSide, cursor: BoundCursor): boolean {
  return indexStartsWith(side.table, [cursor.column.info.name]) !== null;
}

/** A count as the server prints it; nothing counts as none. */
export function countOf(text: string | null | undefined): bigint {
  return text === null || text === undefined ? 0n : BigInt(text);
}
