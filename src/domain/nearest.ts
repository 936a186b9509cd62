/**
 * The known names closest to a mistyped one, best first: those within a third of its length (at least one edit), at most `limit`.
 * Letter case is ignored. Empty: none is close enough to be meant.
 */
export function nearest(name: string, known: readonly string[], limit = 1): readonly string[] {
  const allowed = Math.max(1, Math.ceil(name.length / 3));
  return [...new Set(known)]
    .map((candidate) => ({ candidate, edits: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ edits }) => edits <= allowed)
    .toSorted((a, b) => a.edits - b.edits)
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

/** `; did you mean cursor?`, or what there is; empty where there is nothing. */
export function suggestion(name: string, known: readonly string[]): string {
  const [best] = nearest(name, known);
  if (best !== undefined) return `; did you mean ${best}?`;
  return known.length === 0 ? "" : `, expected one of ${known.join(", ")}`;
}

/**
 * Edits between two words: insert, delete, replace, and swap two neighbours (optimal string alignment, a restricted form of Damerau's
 * distance; people swap letters as often as they miss them).
 */
export function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const cell = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const replaced = cell(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(replaced, cell(i - 1, j) + 1, cell(i, j - 1) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, cell(i - 2, j - 2) + 1);
      row[j] = best;
    }
  }
  return cell(a.length, b.length);
}
