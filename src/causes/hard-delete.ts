import { compareKeys } from "../domain/key.ts";
import type { Cause } from "./cause.ts";

/** Only the target has the row, and its key lies among the keys that the source has: it was deleted there. */
export const hardDelete: Cause = {
  code: "hard-delete",
  holds: ({ difference }, { facts }) => {
    const { keys } = facts.source;
    if (difference.type !== "extra" || keys === null) return null;
    const kinds = facts.mapping.key.map((pair) => pair.as);
    if (compareKeys(difference.key, keys.first, kinds) < 0 || compareKeys(difference.key, keys.last, kinds) > 0)
      return null;
    return {
      confidence: "inferred",
      says: () => "its key lies among the source's keys: it was deleted there, and nothing told the target",
    };
  },
};
