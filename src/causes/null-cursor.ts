import type { Cause } from "./cause.ts";
import { isLost } from "./lost.ts";

/** The row has no cursor: no window will ever hold it. */
export const nullCursor: Cause = {
  code: "null-cursor",
  holds: ({ difference, x }, { check }) =>
    x !== null || check.cursor === null || !isLost(difference)
      ? null
      : { confidence: "observed", says: () => "it has no cursor, so that no window will ever hold it" },
};
