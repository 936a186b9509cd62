import type { BoundCursor } from "../../sql/cursor.ts";
import type { Sql } from "../../sql/statement.ts";
import type { OpenSide as ReadSide } from "../read-facts/open-side.ts";

export type SideName = "source" | "target";

/** When a row arrived or was written: by a column, or by what the server says of the row (`text`, over the bare table). */
export type Stamp = BoundCursor & { readonly text: Sql | null };

/** One table of a check, opened for comparing. */
export type OpenSide = ReadSide & {
  readonly side: SideName;
  /** When rows became visible (source), or were written (target); null: not known. */
  readonly stamp: Stamp | null;
};
