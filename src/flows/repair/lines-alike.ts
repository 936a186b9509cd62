import type { Key } from "../../domain/key.ts";

/**
 * Compares lines that were sent (as `Session.lines` gives them, the key first) with those that are read back, which have a fingerprint
 * behind them.
 */
export class LinesAlike {
  readonly #sent: Buffer;
  readonly #keys: readonly Key[];
  readonly #marks: string[] = [];
  #alike = true;
  /** Where the next line that was sent begins. */
  #at = 0;
  /** What has come of a line that is not whole yet. */
  #rest: Buffer | null = null;

  constructor(sent: Buffer, keys: readonly Key[]) {
    this.#sent = sent;
    this.#keys = keys;
  }

  /** Some of the lines that are read back; pieces may end anywhere. */
  take(piece: Buffer): void {
    if (!this.#alike) return;
    const back = this.#rest === null ? piece : Buffer.concat([this.#rest, piece]);
    let from = 0;
    while (this.#alike) {
      const to = this.#line(back, from);
      if (to === null) break;
      from = to;
    }
    this.#rest = from === back.length ? null : back.subarray(from);
  }

  /**
   * After the last piece. The fingerprints in the order of the keys, where every line was byte for byte what was sent and each is that of the
   * key at its place; null otherwise.
   */
  end(): readonly string[] | null {
    const whole = this.#rest === null && this.#at === this.#sent.length && this.#marks.length === this.#keys.length;
    return this.#alike && whole ? this.#marks : null;
  }

  /** Looks at the line of `back` that begins there. Where the next one begins; null: it is not like what was sent, or not whole yet. */
  #line(back: Buffer, from: number): number | null {
    const [sent, at] = [this.#sent, this.#at];
    const end = sent.indexOf(NEWLINE, at);
    const behind = from + end - at;
    const key = this.#keys[this.#marks.length];
    if (key === undefined || end < 0) {
      this.#alike = from === back.length;
      return null;
    }
    const endOfMark = behind < back.length ? back.indexOf(NEWLINE, behind) : -1;
    if (endOfMark < 0) return null;
    const start = `${asBytes(key.join("\t"))}\t`;
    const mark = back.toString("latin1", behind + 1, endOfMark);
    this.#alike =
      back[behind] === TAB &&
      sent.toString("latin1", at, at + start.length) === start &&
      sent.compare(back, from, behind, at, end) === 0 &&
      mark !== "\\N" &&
      !mark.includes("\t");
    this.#marks.push(mark);
    this.#at = end + 1;
    return endOfMark + 1;
  }
}

const NEWLINE = 10;
const TAB = 9;

/** A byte a character. */
function asBytes(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text : Buffer.from(text, "utf8").toString("latin1");
}
