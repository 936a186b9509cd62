import type { Key } from "../../domain/key.ts";

/**
 * Compares lines that were sent (as `Session.lines` gives them, the key first) with those that were read back, which have a
 * fingerprint behind them. The fingerprints, where every line is byte for byte what was sent and each is that of the key at its place;
 * null otherwise.
 */
export function linesAlike(sent: Buffer, back: Buffer, keys: readonly Key[]): readonly string[] | null {
  const marks: string[] = [];
  let [i, j] = [0, 0];
  for (const key of keys) {
    const start = `${asBytes(key.join("\t"))}\t`;
    const end = sent.indexOf(NEWLINE, i);
    const behind = j + end - i;
    if (end < 0 || behind >= back.length || back[behind] !== TAB) return null;
    if (sent.toString("latin1", i, i + start.length) !== start || sent.compare(back, j, behind, i, end) !== 0)
      return null;
    const endOfMark = back.indexOf(NEWLINE, behind);
    const mark = back.toString("latin1", behind + 1, endOfMark);
    if (endOfMark < 0 || mark === "\\N" || mark.includes("\t")) return null;
    marks.push(mark);
    i = end + 1;
    j = endOfMark + 1;
  }
  return i === sent.length && j === back.length ? marks : null;
}

const NEWLINE = 10;
const TAB = 9;

/** A byte a character. */
function asBytes(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text : Buffer.from(text, "utf8").toString("latin1");
}
