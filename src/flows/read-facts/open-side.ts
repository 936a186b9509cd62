import type { Relation } from "../../domain/check.ts";
import type { TableInfo } from "../../domain/table.ts";
import type { BoundCursor } from "../../sql/cursor.ts";
import type { BoundColumn } from "../../sql/dialect.ts";
import type { Snapshot } from "../../sql/session.ts";

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
