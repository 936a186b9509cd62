import type { BoundCursor } from "../../sql/cursor.ts";
import type { OpenSide as ReadSide } from "../read-facts/open-side.ts";

export type SideName = "source" | "target";

/** One table of a check, opened for comparing. */
export type OpenSide = ReadSide & {
  readonly side: SideName;
  /** When rows became visible (source), or were written (target); null: not known. */
  readonly stamp: BoundCursor | null;
};
