import { randomUUID } from "node:crypto";
import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Difference } from "../domain/difference.ts";
import { FileError, InvariantError } from "../domain/errors.ts";
import type { DifferenceLog } from "../flows/ports.ts";
import { differenceText, readDifference } from "./difference-text.ts";

/** How much is gathered before it is written, and read at a time, in bytes. */
const PIECE = 1 << 18;

/**
 * Differences kept in memory up to `limit` (default 20,000) and beyond it in a file of `folder` (default: the system's for temporary
 * files), one JSON line each; read back in order, with memory that does not grow, as often as one likes. The file has no name once it is
 * open and only its owner may read it: keys are people's data, and no crash leaves them behind. A `FileError` where the disk is full.
 */
export function differenceLog(options: { readonly limit?: number; readonly folder?: string } = {}): DifferenceLog {
  const { limit = 20_000, folder = tmpdir() } = options;
  const kept: Difference[] = [];
  let file: { readonly fd: number; written: number } | null = null;
  let waiting: string[] = [];
  let waitingSize = 0;
  let size = 0;
  let disposed = false;

  const flush = (): void => {
    if (waiting.length === 0) return;
    const bytes = Buffer.from(waiting.join(""), "utf8");
    trying(folder, () => {
      file ??= { fd: openNameless(folder), written: 0 };
      for (let done = 0; done < bytes.length; ) {
        const n = writeSync(file.fd, bytes, done, bytes.length - done, file.written);
        done += n;
        file.written += n;
      }
    });
    waiting = [];
    waitingSize = 0;
  };
  const alive = (): void => {
    if (disposed) throw new InvariantError("a difference log is not used once it is disposed of");
  };

  return {
    add(difference) {
      alive();
      size++;
      if (kept.length < limit) {
        kept.push(difference);
        return;
      }
      const line = `${differenceText(difference)}\n`;
      waiting.push(line);
      waitingSize += line.length;
      if (waitingSize >= PIECE) flush();
    },
    get size() {
      return size;
    },
    *all() {
      alive();
      yield* kept;
      flush();
      if (file === null) return;
      for (const line of linesOf(file.fd, file.written, folder)) {
        yield readDifference(line);
        alive();
      }
    },
    [Symbol.dispose]() {
      disposed = true;
      kept.length = 0;
      waiting = [];
      if (file !== null) closeSync(file.fd);
      file = null;
    },
  };
}

function openNameless(folder: string): number {
  const path = join(folder, `tidemark-${randomUUID()}.jsonl`);
  const fd = openSync(path, "wx+", 0o600);
  unlinkSync(path);
  return fd;
}

/** The lines of the first `end` bytes, read a piece at a time; each ends in a newline. */
function* linesOf(fd: number, end: number, folder: string): Iterable<string> {
  let rest = Buffer.alloc(0);
  for (let at = 0; at < end; ) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE, end - at));
    const read = trying(folder, () => readSync(fd, piece, 0, piece.length, at));
    if (read === 0) throw new FileError("the file of differences ended early");
    at += read;
    const bytes = Buffer.concat([rest, piece.subarray(0, read)]);
    let start = 0;
    for (let newline = bytes.indexOf(10); newline >= 0; newline = bytes.indexOf(10, start)) {
      yield bytes.toString("utf8", start, newline);
      start = newline + 1;
    }
    rest = bytes.subarray(start);
  }
}

function trying<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new FileError(
      `differences cannot be kept in ${folder}: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        hint: "free some space there, or point TMPDIR to a folder with more",
        cause,
      },
    );
  }
}
