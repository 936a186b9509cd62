import type { Key } from "../../domain/key.ts";

/**
 * Compares lines that were sent (text format of COPY: values between tabs, the key first) with those that were read back, which have a
 * fingerprint behind them. The fingerprints, where every line is byte for byte what was sent and each is that of the key at its place;
 * null otherwise.
 */
export function linesAlike(sent: Buffer, back: Buffer, keys: readonly Key[]): readonly string[] | null {
  // A byte a character: only bytes are compared, and pieces of such a string cost no copy.
  const [a, b] = [sent.toString("latin1"), back.toString("latin1")];
  const marks: string[] = [];
  let [i, j] = [0, 0];
  for (const key of keys) {
    const end = a.indexOf("\n", i);
    const behind = j + end - i;
    if (end < 0 || !a.startsWith(`${asBytes(key.join("\t"))}\t`, i) || !b.startsWith(a.slice(i, end), j)) return null;
    const endOfMark = b.indexOf("\n", behind);
    if (b[behind] !== "\t" || endOfMark < 0) return null;
    const mark = b.slice(behind + 1, endOfMark);
    if (mark === "\\N" || mark.includes("\t")) return null;
    marks.push(mark);
    i = end + 1;
    j = endOfMark + 1;
  }
  return i === a.length && j === b.length ? marks : null;
}

function asBytes(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text : Buffer.from(text, "utf8").toString("latin1");
}
