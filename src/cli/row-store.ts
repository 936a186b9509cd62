import { InvariantError } from "../domain/errors.ts";
import type { RowStore } from "../flows/ports.ts";
import type { Row } from "../sql/session.ts";
import { NamelessFile } from "./nameless-file.ts";

/** Bytes of a shelf that wait in memory before they are written. */
const PIECE = 1 << 13;

/** Rows of one shelf: a piece that is not written yet, `filled` so far, and where in the file the others stand. */
type Shelf = {
  readonly piece: Buffer;
  filled: number;
  readonly written: { readonly at: number; readonly length: number }[];
};

/**
 * Rows put on numbered shelves: some kilobytes of each in memory (`piece`), the others in a file of `folder` (default: the system's for
 * temporary files). A `FileError` where the disk is full.
 */
export function rowStore(options: { readonly piece?: number; readonly folder?: string } = {}): RowStore {
  const { piece: size = PIECE, folder } = options;
  const file = new NamelessFile("rows", folder);
  const shelves = new Map<number, Shelf>();
  let disposed = false;

  const write = (shelf: Shelf, bytes: Buffer): void => {
    if (bytes.length > 0) shelf.written.push({ at: file.append(bytes), length: bytes.length });
  };
  const alive = (): void => {
    if (disposed) throw new InvariantError("a row store is not used once it is disposed of");
  };

  return {
    put(number, row) {
      alive();
      let shelf = shelves.get(number);
      if (shelf === undefined)
        shelves.set(number, (shelf = { piece: Buffer.allocUnsafe(size), filled: 0, written: [] }));
      const text = textOf(row);
      // A character of UTF-16 is three bytes of UTF-8 at most.
      if (shelf.filled + text.length * 3 > size) {
        write(shelf, shelf.piece.subarray(0, shelf.filled));
        shelf.filled = 0;
      }
      if (text.length * 3 > size) write(shelf, Buffer.from(text, "utf8"));
      else shelf.filled += shelf.piece.write(text, shelf.filled, "utf8");
    },
    rows(number) {
      alive();
      const shelf = shelves.get(number);
      if (shelf === undefined) return [];
      const pieces = shelf.written.map(({ at, length }) => file.read(at, length));
      return rowsOf(Buffer.concat([...pieces, shelf.piece.subarray(0, shelf.filled)]).toString("utf8"));
    },
    [Symbol.dispose]() {
      disposed = true;
      shelves.clear();
      file[Symbol.dispose]();
    },
  };
}

/** A line a row, a tab between values: `\N` for NULL, and a backslash before what would be mistaken. */
function textOf(row: Row): string {
  return `${row.map(fieldOf).join("\t")}\n`;
}

function fieldOf(value: string | null): string {
  if (value === null) return "\\N";
  return SPECIAL.test(value) ? value.replaceAll(SPECIALS, (c) => ESCAPES[c] ?? c) : value;
}

function rowsOf(text: string): Row[] {
  const lines = text.split("\n");
  // Behind the last line nothing follows.
  lines.pop();
  return lines.map((line) => (line.includes("\\") ? line.split("\t").map(valueOf) : line.split("\t")));
}

function valueOf(text: string): string | null {
  if (text === "\\N") return null;
  return text.includes("\\") ? text.replaceAll(/\\(.)/g, (_, c: string) => MEANT[c] ?? c) : text;
}

const SPECIAL = /[\\\t\n]/;
const SPECIALS = /[\\\t\n]/g;
const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n" };
const MEANT: Readonly<Record<string, string>> = { "\\": "\\", t: "\t", n: "\n" };
