import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { FileError } from "../domain/errors.ts";
import type { DurableLines, PlacedLine, RepairFiles, Spill } from "../flows/repair/ports.ts";
import { NamelessFile } from "./nameless-file.ts";

/** How much is read at a time, in bytes. */
const PIECE = 1 << 18;

/** The files of repairs in a reports folder. Only their owner may read them: an undo log holds whole rows. */
export function repairFiles(folder: string): RepairFiles {
  const pathOf = (file: string, id: string): string => join(folder, `${id}.${file}.jsonl`);
  return {
    append: (file, id) => durableLines(pathOf(file, id)),
    read(file, id, from = 0) {
      const path = pathOf(file, id);
      return existsSync(path) ? placedLines(path, from) : null;
    },
    path(file, id) {
      const below = relative(process.cwd(), pathOf(file, id));
      return below.startsWith("..") ? pathOf(file, id) : below;
    },
  };
}

function durableLines(path: string): DurableLines {
  let fd: number | null = null;
  let size = 0;
  const trying = <T>(work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      throw new FileError(`cannot write ${path}: ${(cause as NodeJS.ErrnoException).code ?? String(cause)}`, {
        hint: "nothing was written to the target that this file does not hold; free some space, then go on with --resume",
        cause,
      });
    }
  };
  if (existsSync(path)) {
    trying(() => {
      fd = openSync(path, "r+", 0o600);
      size = endOfWholeLines(fd);
      ftruncateSync(fd, size);
    });
  }
  return {
    fresh: size === 0,
    write(lines) {
      if (lines.length === 0) return;
      trying(() => {
        if (fd === null) {
          mkdirSync(dirname(path), { recursive: true });
          fd = openSync(path, "ax+", 0o600);
          syncFolder(dirname(path));
        }
        const bytes = Buffer.from(`${lines.join("\n")}\n`, "utf8");
        const before = size;
        try {
          for (let done = 0; done < bytes.length; ) {
            const n = writeSync(fd, bytes, done, bytes.length - done, size);
            done += n;
            size += n;
          }
        } catch (error) {
          // Half of it is worth nothing.
          size = before;
          ftruncateSync(fd, before);
          throw error;
        }
      });
    },
    sync() {
      if (fd !== null) trying(() => fsyncSync(fd as number));
    },
    [Symbol.dispose]() {
      if (fd !== null) closeSync(fd);
      fd = null;
    },
  };
}

/** A new file is only there for sure once its folder is on the disk. Not every system opens folders. */
function syncFolder(folder: string): void {
  try {
    const fd = openSync(folder, "r");
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    // What cannot be synced there is synced by the system in its own time.
  }
}

/** The offset behind the last line that is whole. */
function endOfWholeLines(fd: number): number {
  const { size } = fstatSync(fd);
  const piece = Buffer.allocUnsafe(PIECE);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - PIECE);
    const read = readSync(fd, piece, 0, end - start, start);
    const newline = piece.subarray(0, read).lastIndexOf(10);
    if (newline >= 0) return start + newline + 1;
    end = start;
  }
  return 0;
}

function* placedLines(path: string, from: number): Generator<PlacedLine> {
  const fd = openSync(path, "r");
  try {
    let rest = Buffer.alloc(0);
    let at = from;
    for (let next = from; ; ) {
      const piece = Buffer.allocUnsafe(PIECE);
      const read = readSync(fd, piece, 0, PIECE, next);
      // What stands behind the last line break was cut short by a crash.
      if (read === 0) return;
      next += read;
      const bytes = Buffer.concat([rest, piece.subarray(0, read)]);
      let start = 0;
      for (let newline = bytes.indexOf(10); newline >= 0; newline = bytes.indexOf(10, start)) {
        yield { text: bytes.toString("utf8", start, newline), from: at + start, to: at + newline + 1 };
        start = newline + 1;
      }
      rest = bytes.subarray(start);
      at += start;
    }
  } finally {
    closeSync(fd);
  }
}

/** Lines in a file without a name. */
export function spillFile(): Spill {
  const file = new NamelessFile("the rows to repair");
  return {
    write(lines) {
      if (lines.length > 0) file.append(Buffer.from(`${lines.join("\n")}\n`, "utf8"));
    },
    *lines() {
      let rest = Buffer.alloc(0);
      for (let at = 0; at < file.size; ) {
        const piece = file.read(at, Math.min(PIECE, file.size - at));
        at += piece.length;
        const bytes = Buffer.concat([rest, piece]);
        let start = 0;
        for (let newline = bytes.indexOf(10); newline >= 0; newline = bytes.indexOf(10, start)) {
          yield bytes.toString("utf8", start, newline);
          start = newline + 1;
        }
        rest = bytes.subarray(start);
      }
    },
    [Symbol.dispose]() {
      file[Symbol.dispose]();
    },
  };
}
