/** The names that a mistyped one was likely meant to be: at most three, best first, letter case ignored. */
export function nearestNames(wanted: string, known: readonly string[]): readonly string[] {
  const allowed = Math.max(1, Math.ceil(wanted.length / 3));
  return [...new Set(known)]
    .map((candidate) => ({ candidate, edits: edits(wanted.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ edits }) => edits <= allowed)
    .toSorted((a, b) => a.edits - b.edits)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** Levenshtein's distance, one row of the table at a time. */
function edits(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    above = row;
  }
  return above[b.length] ?? 0;
}
