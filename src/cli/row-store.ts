import { randomUUID } from "node:crypto";
import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileError, InvariantError } from "../domain/errors.ts";
import type { RowStore } from "../flows/ports.ts";
import type { Row } from "../sql/session.ts";

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
 * temporary files). The file has no name once it is open and only its owner may read it: rows are people's data, and no crash leaves
 * them behind. A `FileError` where the disk is full.
 */
export function rowStore(options: { readonly piece?: number; readonly folder?: string } = {}): RowStore {
  const { piece: size = PIECE, folder = tmpdir() } = options;
  const shelves = new Map<number, Shelf>();
  let file: { readonly fd: number; end: number } | null = null;
  let disposed = false;

  const write = (shelf: Shelf, bytes: Buffer): void => {
    if (bytes.length === 0) return;
    trying(folder, () => {
      file ??= { fd: openNameless(folder), end: 0 };
      for (let done = 0; done < bytes.length; )
        done += writeSync(file.fd, bytes, done, bytes.length - done, file.end + done);
      shelf.written.push({ at: file.end, length: bytes.length });
      file.end += bytes.length;
    });
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
      const pieces = shelf.written.map(({ at, length }) =>
        trying(folder, () => readAt((file as { fd: number }).fd, at, length)),
      );
      return rowsOf(Buffer.concat([...pieces, shelf.piece.subarray(0, shelf.filled)]).toString("utf8"));
    },
    [Symbol.dispose]() {
      disposed = true;
      shelves.clear();
      if (file !== null) closeSync(file.fd);
      file = null;
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

function openNameless(folder: string): number {
  const path = join(folder, `tidemark-${randomUUID()}`);
  const fd = openSync(path, "wx+", 0o600);
  unlinkSync(path);
  return fd;
}

function readAt(fd: number, at: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  for (let done = 0; done < length; ) {
    const read = readSync(fd, bytes, done, length - done, at + done);
    if (read === 0) throw new Error("the file ends early");
    done += read;
  }
  return bytes;
}

function trying<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new FileError(`rows cannot be kept in ${folder}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      hint: "free some space there, or point TMPDIR to a folder with more",
      cause,
    });
  }
}
