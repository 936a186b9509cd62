import type { UndoRow } from "./undo-log.ts";

/** What becomes of a row when its repair is undone. `nothing`: it is as it was. `changed`: somebody has touched it since. */
export type UndoDecision = "remove" | "restore" | "reinsert" | "nothing" | "changed";

/** Decides over one row of the log by what the target holds now: its images (null: no row), and all of its fingerprints. */
export function decideUndo(
  row: UndoRow,
  now: { readonly images: readonly (string | null)[]; readonly fingerprints: readonly string[] } | null,
): UndoDecision {
  const asLeft = row.after !== null && now !== null && now.fingerprints.includes(row.after);
  switch (row.op) {
    case "i":
      return now === null ? "nothing" : asLeft ? "remove" : "changed";
    case "u":
      if (now === null) return "changed";
      return isSame(row.before, now.images) ? "nothing" : asLeft ? "restore" : "changed";
    case "d":
      return now === null ? "reinsert" : isSame(row.before, now.images) ? "nothing" : "changed";
  }
}

/** Whether two lists of images are the same, value by value. */
export function isSame(a: readonly (string | null)[] | null, b: readonly (string | null)[]): boolean {
  return a !== null && a.length === b.length && a.every((image, i) => image === b[i]);
}
