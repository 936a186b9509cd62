/** Places a terminal needs for a text: wide scripts take two, marks that combine none. Without colours. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += NONE.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

const NONE = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const WIDE =
  /^(?:[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation})$/u;

/** A blank at which `wrap` never breaks; it becomes a plain one, so that what is copied is what was meant. */
export const TOGETHER = "\u00a0";

/** A sentence in which `wrap` breaks no length of time, no moment and no count of rows: `13 h 20 min`, `2026-06-01 08:00 UTC`, `3 rows`. */
export function held(sentence: string): string {
  return sentence
    .replaceAll(/(\d) (?=(?:d|h|min|s|rows?)\b)/g, `$1${TOGETHER}`)
    .replaceAll(/(\d\u00a0(?:d|h|min)) (?=\d)/g, `$1${TOGETHER}`)
    .replaceAll(
      /((?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) )?\d{4}-\d\d-\d\d) (\d\d:\d\d(?::\d\d(?:\.\d+)?)?) UTC/g,
      (_, day: string, time: string) => `${day.replace(" ", TOGETHER)}${TOGETHER}${time}${TOGETHER}UTC`,
    );
}

/** Lines of at most `columns`, broken between words only: a word that is longer (a path, a key) stays whole on a line of its own. */
export function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    let line = "";
    let width = 0;
    for (const word of paragraph.split(" ")) {
      const more = widthOf(word);
      if (line !== "" && width + 1 + more > columns) {
        lines.push(line);
        line = "";
        width = 0;
      }
      width += line === "" ? more : more + 1;
      line = line === "" ? word : `${line} ${word}`;
    }
    lines.push(line);
  }
  return lines.map((line) => line.replaceAll(TOGETHER, " "));
}

/** The text with control characters made visible, so that a key or a server's message cannot steer the terminal. Line breaks stay. */
export function printable(text: string): string {
  return text.replaceAll(CONTROL, (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`);
}

/** All control characters but the line break, and those that turn the direction of writing. */
const CONTROL = /(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;
