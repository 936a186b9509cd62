/** What a batch found under one key, looked at anew: the source's copy, and the target's, locked. */
export type Seen = {
  /** The source has the row, under its `where`. */
  readonly inSource: boolean;
  /** It is in question by its source copy (one that only the target has: by that): in the range, old enough. False where it has moved away. */
  readonly inQuestion: boolean;
  /** `outside`: the target has the key, but its own `where` leaves that row out. */
  readonly inTarget: "yes" | "no" | "outside";
  /** Both copies are the same by the check's own rules. */
  readonly same: boolean;
  /** Which copy's version is newer; `none`: nothing tells. */
  readonly order: "source-newer" | "same" | "target-newer" | "none";
  /** Rows that only the target has are to be deleted. */
  readonly deletes: boolean;
};

/**
 * What becomes of a row. `skip`: it is not in question any more. `refuse`: it can neither be inserted nor updated without touching a row
 * that the check says is not its own.
 */
export type Decision = "insert" | "update" | "delete" | "unchanged" | "kept-newer" | "skip" | "refuse";

/** Decides over one row. The version guard stands here: no copy that is newer than the source's is ever overwritten. */
export function decide(seen: Seen): Decision {
  if (!seen.inQuestion) return "skip";
  if (!seen.inSource) return seen.inTarget === "yes" && seen.deletes ? "delete" : "skip";
  if (seen.inTarget === "no") return "insert";
  if (seen.inTarget === "outside") return "refuse";
  if (seen.same) return "unchanged";
  return seen.order === "target-newer" ? "kept-newer" : "update";
}
