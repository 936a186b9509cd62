/**
 * Lines of differences, sorted, with the columns taken off where the other list does not know them (`?`), or where copies of one key
 * leave open which is set against which (`*`).
 */
export function comparableLines(lines: readonly string[], by: readonly string[]): string[] {
  const key = (line: string): string => line.replace(/ [^ ]*$/, "");
  const vague = new Set(by.filter((l) => /^changed [^]* [?*]$/.test(l)).map(key));
  return lines.map((l) => (l.startsWith("changed") && vague.has(key(l)) ? key(l) : l)).toSorted();
}
