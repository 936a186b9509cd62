import { compareBytes } from "../domain/key.ts";

/**
 * A JSON text in canonical form: keys sorted by their UTF-8 bytes, the last of repeated keys, strings with as few escapes as JSON allows,
 * numbers by value as digits and a power of ten (`1.0` = `1`, `100` = `1e2`; never through a JavaScript number), no blanks. Equal values
 * have equal forms, however their servers print them. Null: the text is no JSON.
 */
export function canonicalJson(text: string): string | null {
  const reader = { text, at: 0 };
  try {
    const value = readValue(reader);
    skipBlanks(reader);
    return reader.at === text.length ? value : null;
  } catch (error) {
    // RangeError: nested deeper than the stack; such a text is left as the server prints it.
    if (error instanceof SyntaxError || error instanceof RangeError) return null;
    throw error;
  }
}

type Reader = { readonly text: string; at: number };

function readValue(reader: Reader): string {
  skipBlanks(reader);
  switch (reader.text[reader.at]) {
    case "{":
      return readObject(reader);
    case "[":
      return readArray(reader);
    case '"':
      return JSON.stringify(readString(reader));
    case "t":
      return readWord(reader, "true");
    case "f":
      return readWord(reader, "false");
    case "n":
      return readWord(reader, "null");
    default:
      return readNumber(reader);
  }
}

function readObject(reader: Reader): string {
  const members = new Map<string, string>();
  reader.at++;
  skipBlanks(reader);
  if (take(reader, "}")) return "{}";
  for (;;) {
    skipBlanks(reader);
    const key = readString(reader);
    skipBlanks(reader);
    expect(reader, ":");
    members.set(key, readValue(reader));
    skipBlanks(reader);
    if (take(reader, "}")) break;
    expect(reader, ",");
  }
  const sorted = [...members].toSorted(([a], [b]) => compareBytes(a, b));
  return `{${sorted.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(",")}}`;
}

function readArray(reader: Reader): string {
  const items: string[] = [];
  reader.at++;
  skipBlanks(reader);
  if (take(reader, "]")) return "[]";
  for (;;) {
    items.push(readValue(reader));
    skipBlanks(reader);
    if (take(reader, "]")) return `[${items.join(",")}]`;
    expect(reader, ",");
  }
}

/** To the closing quote; what is between is JSON's own to decode. */
function readString(reader: Reader): string {
  const from = reader.at;
  expect(reader, '"');
  for (;;) {
    const unit = reader.text[reader.at];
    if (unit === undefined) throw new SyntaxError("a string without an end");
    reader.at += unit === "\\" ? 2 : 1;
    if (unit === '"') return JSON.parse(reader.text.slice(from, reader.at)) as string;
  }
}

const NUMBER = /(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?/y;

function readNumber(reader: Reader): string {
  NUMBER.lastIndex = reader.at;
  const m = NUMBER.exec(reader.text);
  if (!m) throw new SyntaxError("no value");
  reader.at = NUMBER.lastIndex;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = m;
  const padded = (whole + fraction).replace(/^0+/, "");
  const digits = padded.replace(/0+$/, "");
  if (digits === "") return "0";
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(padded.length - digits.length);
  return power === 0n ? `${sign}${digits}` : `${sign}${digits}e${power}`;
}

function readWord(reader: Reader, word: string): string {
  if (!reader.text.startsWith(word, reader.at)) throw new SyntaxError("no value");
  reader.at += word.length;
  return word;
}

function skipBlanks(reader: Reader): void {
  while (" \t\n\r".includes(reader.text[reader.at] ?? "x")) reader.at++;
}

function take(reader: Reader, unit: string): boolean {
  if (reader.text[reader.at] !== unit) return false;
  reader.at++;
  return true;
}

function expect(reader: Reader, unit: string): void {
  if (!take(reader, unit)) throw new SyntaxError(`expected ${unit}`);
}
