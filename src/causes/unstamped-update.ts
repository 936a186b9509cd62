import type { Cause } from "./cause.ts";

/** The row differs on both sides and its cursor does not: it was written without moving the cursor. */
export const unstampedUpdate: Cause = {
  code: "unstamped-update",
  holds: ({ difference }, { check }) =>
    difference.type !== "changed" ||
    check.cursor === null ||
    difference.order === "target-newer" ||
    difference.source.cursor !== difference.target.cursor
      ? null
      : {
          confidence: "observed",
          says: () => "it was written without moving its cursor, so that no window reads it again",
        },
};
