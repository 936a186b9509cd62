import type { Row } from "../../sql/session.ts";

/**
 * Reads the text format of COPY: lines of fields between tabs, `\N` for NULL, and the server's escapes for the characters that would
 * be mistaken (https://www.postgresql.org/docs/current/sql-copy.html). Pieces may end anywhere, inside a character too.
 */
export class CopyText {
  #rest: Buffer[] = [];

  /** The rows that end in this piece. */
  read(piece: Buffer): readonly Row[] {
    const end = piece.lastIndexOf(NEWLINE);
    if (end < 0) {
      this.#rest.push(piece);
      return [];
    }
    const whole = this.#rest.length === 0 ? piece : Buffer.concat([...this.#rest, piece]);
    const length = whole.length - piece.length + end;
    this.#rest = length + 1 < whole.length ? [whole.subarray(length + 1)] : [];
    const rows: Row[] = [];
    // Line by line: in a piece that is read as one, a single character beyond Latin 1 makes every text of it twice as large.
    for (let from = 0; from <= length; ) {
      const to = whole.indexOf(NEWLINE, from);
      rows.push(whole.toString("utf8", from, to).split("\t").map(field));
      from = to + 1;
    }
    return rows;
  }
}

const NEWLINE = 10;

function field(text: string): string | null {
  if (!text.includes("\\")) return text;
  return text === "\\N" ? null : text.replaceAll(/\\(.)/gs, (_, c: string) => ESCAPES[c] ?? c);
}

const ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };
